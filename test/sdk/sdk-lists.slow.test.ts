import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TransitBenefits } from '../../sdk/src/index.ts';
import { useApp } from '../support/app.ts';
import { anEmployee, makeEmployees } from '../support/factories.ts';
import { entries, makePusher, type Pusher } from '../support/sync.ts';

const app = useApp({ worker: 'without documents' });

const clientOf = ({ key }: Pusher) => new TransitBenefits({ key, baseUrl: app.url });

describe('lists of the client library', () => {
  it('yield every record of all pages', async () => {
    const pusher = await makePusher(app);
    const people = Array.from({ length: 230 }, () => anEmployee());
    const ids = await makeEmployees(app.db, pusher.companyId, people);
    const seen: number[] = [];
    for await (const { id } of clientOf(pusher).employees.list()) seen.push(id);
    assert.deepEqual(
      seen,
      ids.toSorted((a, b) => a - b),
    );
  });

  it('lose nobody and repeat nobody if employees are removed meanwhile', async () => {
    const pusher = await makePusher(app);
    await pusher.sync('all', entries(210));
    const seen: number[] = [];
    let isChanged = false;
    for await (const { id } of clientOf(pusher).employees.list()) {
      seen.push(id);
      if (isChanged) continue;
      isChanged = true;
      await pusher.sync('fewer', entries(210).slice(20));
    }
    assert.equal(new Set(seen).size, seen.length);
    const remaining = (await pusher.employees()).map(({ id }) => id);
    assert.deepEqual(
      remaining.filter((id) => !seen.includes(id)),
      [],
    );
  });
});
