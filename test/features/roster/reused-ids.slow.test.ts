import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { decidePendingRemovals } from '../../../src/features/roster/pending-removals.ts';
import type { RosterEntry } from '../../../src/features/roster/rules/entry.ts';
import { useApp } from '../../support/app.ts';
import { makeDocument } from '../../support/factories.ts';
import { useEach } from '../../support/prepare.ts';
import { assertKeptCounts, makePusher, type Pusher } from '../../support/sync.ts';

const anna = { firstName: 'Anna', lastName: 'Müller', email: 'anna@example.com', dateOfBirth: '1980-05-05' };
const ben = { firstName: 'Ben', lastName: 'Schmidt', email: 'ben@example.com', dateOfBirth: '1991-01-31' };
const carla = { firstName: 'Carla', lastName: 'Weber', email: 'carla@example.com', dateOfBirth: '1975-12-24' };

describe('a reused HR id', () => {
  const app = useApp({ worker: true });

  /** Previews and pushes, and throws unless both have the same records. Returns `hrId outcome code` of each record. */
  async function push(pusher: Pusher, syncId: string, roster: RosterEntry[]): Promise<string[]> {
    const preview = await pusher.preview(roster);
    await pusher.sync(syncId, roster);
    const describeRecords = (records: { hrId: string; outcome: string; code: string }[]) =>
      records.map(({ hrId, outcome, code }) => `${hrId} ${outcome} ${code}`);
    const records = describeRecords(await pusher.records(syncId));
    assert.deepEqual(describeRecords(preview.records), records);
    await assertKeptCounts(pusher);
    return records;
  }

  const idOf = async (pusher: Pusher, hrId: string) => (await pusher.employee(hrId)).id as number;
  const startTicket = (pusher: Pusher, id: number) =>
    sql`update employees set subscription_status = 'active', start_on = '2026-11-01', next_ticket_on = '2026-12-01'
      where company_id = ${pusher.companyId} and id = ${id}`.execute(app.db);
  const documentsOf = async (pusher: Pusher, id: number) =>
    (await pusher.get(`/employees/${id}/documents`)).body.data.total;

  const pusher = useEach(() => makePusher(app));

  it('creates a new employee, who gets no data of the removed one', async () => {
    await push(pusher, 'one', [
      { hrId: '1', ...anna },
      { hrId: '2', ...carla },
    ]);
    const annasId = await idOf(pusher, '1');
    await makeDocument(app.db, pusher.companyId, { employeeId: annasId, name: 'Anna’s document' });
    await push(pusher, 'two', [{ hrId: '2', ...carla }]);
    const reused = [
      { hrId: '1', ...ben },
      { hrId: '2', ...carla },
    ];
    assert.deepEqual(await push(pusher, 'three', reused), ['1 created hr-id-reused']);
    const bensId = await idOf(pusher, '1');
    assert.notEqual(bensId, annasId);
    assert.equal(await documentsOf(pusher, bensId), 0);
    assert.deepEqual(await push(pusher, 'four', reused), []);
    assert.deepEqual(await push(pusher, 'five', [...reused, { hrId: '3', ...anna }]), ['3 updated returned']);
    assert.equal(await idOf(pusher, '3'), annasId);
    assert.equal(await documentsOf(pusher, annasId), 1);
  });

  it('also creates a new employee if only the address is that of a removed one', async () => {
    await push(pusher, 'one', [
      { hrId: '1', ...anna },
      { hrId: '2', ...carla },
    ]);
    const annasId = await idOf(pusher, '1');
    await push(pusher, 'two', [{ hrId: '2', ...carla }]);
    const reused = [
      { hrId: '3', ...ben, email: anna.email },
      { hrId: '2', ...carla },
    ];
    assert.deepEqual(await push(pusher, 'three', reused), ['3 created created']);
    assert.notEqual(await idOf(pusher, '3'), annasId);
    assert.deepEqual(await push(pusher, 'four', reused), []);
  });

  it('creates a new employee while the previous one is leaving, even without dates of birth', async () => {
    const [{ dateOfBirth: _, ...annaToo }, { dateOfBirth: __, ...benToo }] = [anna, ben];
    await push(pusher, 'one', [
      { hrId: '1', ...annaToo },
      { hrId: '2', ...carla },
    ]);
    const annasId = await idOf(pusher, '1');
    await startTicket(pusher, annasId);
    assert.deepEqual(await push(pusher, 'two', [{ hrId: '2', ...carla }]), ['1 offboarded offboarded']);
    const reused = [
      { hrId: '1', ...benToo },
      { hrId: '2', ...carla },
    ];
    assert.deepEqual(await push(pusher, 'three', reused), ['1 created hr-id-reused']);
    const employees = await pusher.employees();
    const annaNow = employees.find(({ id }) => id === annasId);
    assert.deepEqual([annaNow.firstName, annaNow.hrIntergartionLinks], ['Anna', []]);
    assert.equal(annaNow.subscription.status, 'scheduled-cancellation');
    assert.equal(employees.length, 3);
  });

  it('offboards the previous employee who was in the roster until then', async () => {
    await push(pusher, 'one', [{ hrId: '1', ...anna }]);
    const annasId = await idOf(pusher, '1');
    await startTicket(pusher, annasId);
    assert.deepEqual(await push(pusher, 'two', [{ hrId: '1', ...ben }]), [
      '1 offboarded offboarded',
      '1 created hr-id-reused',
    ]);
    assert.notEqual(await idOf(pusher, '1'), annasId);
  });

  it('finds both employees if two swap their ids', async () => {
    await push(pusher, 'one', [
      { hrId: '1', ...anna },
      { hrId: '2', ...ben },
    ]);
    const before = [await idOf(pusher, '1'), await idOf(pusher, '2')];
    const swapped = [
      { hrId: '1', ...ben },
      { hrId: '2', ...anna },
    ];
    assert.deepEqual(await push(pusher, 'two', swapped), ['1 updated renumbered', '2 updated renumbered']);
    assert.deepEqual([await idOf(pusher, '2'), await idOf(pusher, '1')], before);
    assert.deepEqual(await push(pusher, 'three', swapped), []);
  });

  it('stays with an employee who marries and gets a new address', async () => {
    await push(pusher, 'one', [{ hrId: '1', ...anna }]);
    const id = await idOf(pusher, '1');
    const married = { ...anna, lastName: 'Schmidt', email: 'anna.schmidt@example.com' };
    assert.deepEqual(await push(pusher, 'two', [{ hrId: '1', ...married }]), ['1 updated updated']);
    assert.equal(await idOf(pusher, '1'), id);
  });

  it('waits for the approval of removals, because shifted columns would reassign every id', async () => {
    await sql`update companies set guard_minimum_linked = 2 where id = ${pusher.companyId}`.execute(app.db);
    await push(pusher, 'one', [
      { hrId: '1', ...anna },
      { hrId: '2', ...carla },
    ]);
    const annasId = await idOf(pusher, '1');
    const reused = [
      { hrId: '1', ...ben },
      { hrId: '2', ...carla },
    ];
    assert.deepEqual(await push(pusher, 'two', reused), ['1 held removal-held', '1 failed hr-id-held']);
    assert.equal(await idOf(pusher, '1'), annasId);
    const target = { companyId: pusher.companyId, hrIntegrationId: pusher.integrationId };
    await decidePendingRemovals(app.db, app.deps, target, { syncId: 'two', decision: 'approved' });
    assert.deepEqual(await push(pusher, 'three', reused), ['1 created hr-id-reused']);
    assert.notEqual(await idOf(pusher, '1'), annasId);
  });
});
