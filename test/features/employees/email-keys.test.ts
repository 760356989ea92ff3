import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { useApp } from '../../support/app.ts';
import { pluck } from '../../support/pluck.ts';
import { anEntry, makePusher } from '../../support/sync.ts';

const nfc = 'jürgen@example.com';
const nfd = nfc.normalize('NFD');

describe('Addresses that differ only in Unicode normal form', () => {
  const app = useApp({ worker: 'without documents' });

  it('belong to one employee, whichever form the HR system sends', async () => {
    const pusher = await makePusher(app);
    await pusher.sync('composed', [anEntry(1, { email: nfc })]);
    const { id } = await pusher.employee('E1');
    const sync = await pusher.sync('decomposed', [anEntry(1, { hrId: 'E2', email: nfd })]);
    assert.deepEqual([sync.counts.created, sync.counts.updated], [0, 1]);
    assert.deepEqual(pluck(await pusher.employees(), 'id', 'email'), [[id, nfd]]);
    const found = await pusher.get(`/employees?emails=${encodeURIComponent(nfc.toUpperCase())}`);
    assert.equal(found.body.data.total, 1);
  });

  it('count as duplicates in one roster', async () => {
    const pusher = await makePusher(app);
    const { status, body } = await pusher.push('twice', [anEntry(1, { email: nfc }), anEntry(2, { email: nfd })]);
    assert.equal(status, 422);
    assert.equal(body.errors[0].code, 'duplicate-email');
  });

  it('stored by an older version are normalized by the next sync', async () => {
    const pusher = await makePusher(app);
    await pusher.sync('first', [anEntry(1, { email: nfd })]);
    const key = () =>
      sql<{ email_key: string }>`select email_key from employees where company_id = ${pusher.companyId}`.execute(
        app.db,
      );
    await sql`update employees set email_key = ${nfd} where company_id = ${pusher.companyId}`.execute(app.db);
    const { counts } = await pusher.sync('second', [anEntry(1, { email: nfd })]);
    assert.equal(counts.unchanged, 1);
    assert.deepEqual((await key()).rows, [{ email_key: nfc }]);
  });
});
