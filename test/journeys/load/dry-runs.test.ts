import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertProblem } from '../../support/api/problems.ts';
import { useApp } from '../../support/app.ts';
import { anEntry, makePusher } from '../../support/sync.ts';

describe('dry runs of one key', () => {
  const app = useApp({ env: { HEAVY_REQUESTS_PER_KEY: '2' } });

  /** Spaces pad the body at once to the size of a large company's roster. */
  const roster = (bytes: number) => {
    const text = JSON.stringify({ syncId: 'large', employees: [anEntry(1)] });
    return text.replace('[', `[${' '.repeat(bytes - text.length)}`);
  };

  it('succeed or are refused, and at most two run at the same time', async () => {
    const pusher = await makePusher(app);
    const body = roster(12_000_000);
    const path = `/hr-integrations/${pusher.integrationId}/sync?dryRun=true`;
    const headers = { 'content-type': 'application/json' };
    const send = () => app.request(path, { method: 'POST', key: pusher.key, headers, body });
    const responses = await Promise.all(Array.from({ length: 8 }, send));
    const previews = responses.filter(({ status }) => status === 200);
    const refused = responses.filter(({ status }) => status === 429);
    assert.equal(previews.length + refused.length, 8);
    assert(previews.length >= 2 && refused.length >= 1, `${previews.length} previews`);
    for (const response of refused) assertProblem(response, 429, 'rate-limited');
    assert.equal((await send()).status, 200, 'those that ended no longer count');
    const colleague = await makePusher(app);
    assert.equal((await colleague.push('other', [anEntry(1)], '?dryRun=true')).status, 200);
  });
});
