import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getCompany } from '../../../src/features/companies/companies.ts';
import { createLetterCodes } from '../../../src/features/employee-access/letters.ts';
import { eraseEmployees, expireRecords } from '../../../src/features/employees/erase.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { testClock, testDay, useApp } from '../../support/app.ts';
import { makeAccessLink, myClient, signInEmployee, tokenOf } from '../../support/my.ts';
import type { PortalClient } from '../../support/portal.ts';
import { entry } from '../../support/roster-entries.ts';
import { rowsOf, updateRows } from '../../support/rows.ts';
import { usePusher } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

describe('what employees get in with', () => {
  const app = useApp({ worker: 'without documents' });
  const roster = usePusher(app);
  let syncs = 0;
  const sync = (...entries: object[]) => {
    syncs += 1;
    return roster.sync(`sync-${syncs}`, entries);
  };

  /** Returns an employee who is signed in, has an open link and a letter. */
  async function makeAccess(hrId: string) {
    const { companyId } = roster;
    const { id } = await roster.employee(hrId);
    const client = await signInEmployee(app, companyId, id);
    const token = tokenOf(await makeAccessLink(app, companyId, id));
    const [letter] = await writeCompany(app.serviceDb, companyId, (tx) => createLetterCodes(tx, companyId, [id], {}));
    assert(letter);
    return { id: id as number, client, token, letter };
  }

  const statusOf = async (client: PortalClient) => (await client.get('/session')).status;
  const open = async (token: string) => (await myClient(app).post('/access/open', { token })).status;
  const enter = async ({ hrId, code }: { hrId: string; code: string }) =>
    (await myClient(app).post('/access/letter', { companyId: roster.companyId, hrId, code })).status;
  const left = async (id: number) => {
    const where = { company_id: roster.companyId, employee_id: id };
    const codes = await app.db
      .selectFrom('employee_letter_codes')
      .select('attempts')
      .where('employee_id', '=', id)
      .execute();
    const sessions = await rowsOf(app.db, 'employee_sessions', where);
    return [sessions.length, (await rowsOf(app.db, 'employee_access_links', where)).length, codes.length];
  };

  it('ends with a new address, except for the letter', async () => {
    const [one, other] = [entry(1), entry(2)];
    await sync(one, other);
    const moved = await makeAccess(one.hrId);
    const stays = await makeAccess(other.hrId);
    // The same address in other letters, and another name, are no new address.
    await sync({ ...one, email: one.email.toUpperCase(), lastName: 'Neu' }, other);
    assert.equal(await statusOf(moved.client), 200);
    await sync({ ...one, email: 'somewhere.else@example.com' }, other);
    assert.equal(await statusOf(moved.client), 401);
    assert.equal(await open(moved.token), 401);
    assert.deepEqual(await left(moved.id), [0, 0, 1]);
    assert.equal(await enter(moved.letter), 204);
    assert.equal(await statusOf(stays.client), 200);
    assert.equal(await open(stays.token), 204);
  });

  it('ends with the removal from the roster, also for those who return', async () => {
    const [one, other] = [{ ...entry(3), autoSyncEmployee: null }, entry(4)];
    await sync(one, other);
    const gone = await makeAccess(one.hrId);
    const stays = await makeAccess(other.hrId);
    await sync(other);
    assert.equal(await statusOf(gone.client), 401);
    assert.equal(await open(gone.token), 401);
    assert.equal(await enter(gone.letter), 401);
    assert.deepEqual(await left(gone.id), [0, 0, 0]);
    await sync(one, other);
    assert.equal((await roster.employee(one.hrId)).id, gone.id);
    assert.equal(await statusOf(gone.client), 401);
    assert.equal(await statusOf(stays.client), 200);
  });

  it('is erased with the employee', async () => {
    const one = entry(5);
    await sync(one);
    const { id, client } = await makeAccess(one.hrId);
    const { companyId } = roster;
    await writeCompany(app.db, companyId, (tx) => eraseEmployees(tx, app.deps.queue, companyId, [id]));
    assert.deepEqual(await left(id), [0, 0, 0]);
    assert.equal(await statusOf(client), 401);
  });

  it('expires: sessions after 90 days without use', async () => {
    const one = entry(6);
    await sync(one);
    const { id, client } = await makeAccess(one.hrId);
    const { companyId } = roster;
    const usedBefore = (days: number) =>
      updateRows(
        app.db,
        'employee_sessions',
        { company_id: companyId, employee_id: id },
        {
          last_used_at: Temporal.Now.instant()
            .subtract({ hours: 24 * days })
            .toString(),
        },
      );
    await usedBefore(89);
    assert.equal(await statusOf(client), 200);
    await until('the use is noted', async () => {
      const [used] = (await client.get('/sessions')).body.data;
      return Date.now() - Date.parse(used.lastUsedAt) < 3_600_000;
    });
    await usedBefore(90);
    assert.equal(await statusOf(client), 401);
    const past = { expires_at: '2020-01-01T00:00:00Z' };
    await updateRows(app.db, 'employee_access_links', { company_id: companyId, employee_id: id }, past);
    await updateRows(app.db, 'employee_letter_codes', { company_id: companyId, employee_id: id }, past);
    assert.deepEqual(await left(id), [1, 1, 1]);
    const company = await getCompany(app.db, companyId);
    await writeCompany(app.serviceDb, companyId, (tx) => expireRecords(tx, company, testDay, testClock.now()));
    assert.deepEqual(await left(id), [0, 0, 0]);
  });
});
