import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const sources = join(import.meta.dirname, '../../portal/src');
// Not by their types, which need those of a browser.
const { createQueryClient } = await import(join(sources, 'app/api/client.ts'));
const { ApiProblem } = await import(join(sources, 'app/api/request.ts'));
const { markShown } = await import(join(sources, 'ui/shown-problems.ts'));

const problem = (status: number): Error => new ApiProblem({ status, headers: new Headers() }, {});

describe('a failed change', () => {
  it('is reported unless the page shows it or the session has ended', async () => {
    const reported: unknown[] = [];
    let signedOut = 0;
    const last = problem(500);
    await new Promise<void>((resolve) => {
      const client = createQueryClient({
        onSignedOut: () => {
          signedOut += 1;
        },
        onUnshownProblem(error: unknown) {
          reported.push(error);
          if (error === last) resolve();
        },
      });
      const fail = (error: Error) => {
        const mutation = client.getMutationCache().build(client, { mutationFn: () => Promise.reject(error) });
        return mutation.execute(undefined).catch(() => {});
      };
      const shown = problem(409);
      void fail(shown).then(() => markShown(shown));
      void fail(problem(401));
      void fail(last);
    });
    assert.deepEqual(reported, [last]);
    assert.equal(signedOut, 1);
  });
});
