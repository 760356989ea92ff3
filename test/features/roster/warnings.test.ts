import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { useApp } from '../../support/app.ts';
import { pluck } from '../../support/pluck.ts';
import { anEntry, clockOn, makePusher } from '../../support/sync.ts';

describe('a roster accepted with warnings', () => {
  const app = useApp({ worker: 'without documents', clock: clockOn('2026-11-15') });

  const odd = [
    anEntry(1, { dateOfBirth: '2026-11-15' }),
    { ...anEntry(2, { dateOfBirth: '2026-11-16' }), department: 'Sales' },
    { ...anEntry(3, { startDate: '2027-01-01', terminationDate: '2026-12-31' }), department: null },
    anEntry(4, { dateOfBirth: '1990-04-23', startDate: '1990-04-22' }),
  ];
  const expected = [
    {
      ...{ code: 'unknown-field', field: 'department', count: 2, pointer: '/employees/1/department', hrId: 'E2' },
      ...{ detail: 'The field is unknown and was ignored.', records: [] },
    },
    {
      ...{
        code: 'born-in-the-future',
        field: 'dateOfBirth',
        count: 1,
        pointer: '/employees/1/dateOfBirth',
        hrId: 'E2',
      },
      detail: 'The date of birth is in the future.',
      records: [{ hrId: 'E2', pointer: '/employees/1/dateOfBirth' }],
    },
    {
      ...{ code: 'starts-after-termination', field: 'startDate', count: 1 },
      ...{ pointer: '/employees/2/startDate', hrId: 'E3', detail: 'The employment starts after it ends.' },
      records: [{ hrId: 'E3', pointer: '/employees/2/startDate' }],
    },
    {
      ...{ code: 'starts-before-birth', field: 'startDate', count: 1 },
      ...{ pointer: '/employees/3/startDate', hrId: 'E4', detail: 'The employment starts before the date of birth.' },
      records: [{ hrId: 'E4', pointer: '/employees/3/startDate' }],
    },
  ];

  it('shows them in the preview, in the sync and in the list of syncs', async () => {
    const pusher = await makePusher(app);
    const preview = await pusher.preview(odd);
    assert.deepEqual(preview.warnings, expected);
    const sync = await pusher.sync('one', odd);
    assert.deepEqual([sync.state, sync.warnings], ['succeeded', expected]);
    const list = await pusher.get(`/hr-integrations/${pusher.integrationId}/syncs`);
    assert.deepEqual(list.body.data.data[0].warnings, expected);
  });

  it('has no warnings for a correct roster', async () => {
    const pusher = await makePusher(app);
    assert.deepEqual((await pusher.preview([anEntry(1)])).warnings, []);
    assert.deepEqual((await pusher.sync('one', [anEntry(1)])).warnings, []);
  });

  it('stores field names that the database would refuse', async () => {
    const pusher = await makePusher(app);
    const { warnings } = await pusher.sync('one', [{ ...anEntry(1), 'a\0\ud800': 1, ['n'.repeat(5_000)]: 1 }]);
    assert.deepEqual(pluck(warnings, 'field'), ['a\ufffd\ufffd', `${'n'.repeat(64)}…`]);
  });

  it('has the warnings of the last push when it failed and runs again', async () => {
    const pusher = await makePusher(app);
    await pusher.sync('one', odd);
    await sql`update syncs set state = 'failed' where company_id = ${pusher.companyId}`.execute(app.db);
    const { department: _, ...second } = odd[1] as { department: string };
    const again = await pusher.sync('one', [odd[0] as object, second, ...odd.slice(2)]);
    assert.deepEqual(again.warnings[1], {
      ...expected[0],
      ...{ count: 1, pointer: '/employees/2/department', hrId: 'E3' },
    });
  });
});
