import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSessionUses } from '../../../src/features/employee-access/uses.ts';
import { asCompanyId, type CompanyId } from '../../../src/platform/db/company-scope.ts';
import { useApp } from '../../support/app.ts';
import { makeCompany, makeEmployee } from '../../support/factories.ts';
import { signInEmployee } from '../../support/my.ts';
import { rowsOf, updateRows } from '../../support/rows.ts';

const daysAgo = (days: number) =>
  Temporal.Now.instant()
    .subtract({ hours: 24 * days })
    .toString();

describe('uses of sessions', () => {
  const app = useApp();

  async function makeSession(companyId: CompanyId, usedAt: string) {
    const employeeId = await makeEmployee(app.db, companyId);
    await signInEmployee(app, companyId, employeeId);
    const where = { company_id: companyId, employee_id: employeeId };
    await updateRows(app.db, 'employee_sessions', where, { last_used_at: usedAt });
    const read = async () => {
      const [row] = await rowsOf(app.db, 'employee_sessions', where);
      assert(row);
      return { id: row.id as string, lastUsedAt: row.last_used_at as string };
    };
    return { companyId, ...(await read()), read };
  }
  const isNew = (lastUsedAt: string) => Date.now() - Date.parse(lastUsedAt) < 3_600_000;

  it('are written together, each in its company', async () => {
    const [acme, globex] = [await makeCompany(app.db), await makeCompany(app.db)];
    const sessions = await Promise.all([
      makeSession(acme, daysAgo(1)),
      makeSession(acme, daysAgo(40)),
      makeSession(globex, daysAgo(2)),
    ]);
    const unused = await makeSession(acme, daysAgo(3));
    const uses = createSessionUses({ db: app.serviceDb, onError: assert.ifError });
    for (const session of sessions) uses.note(session.companyId, session);
    await uses.flush();
    for (const { read } of sessions) assert(isNew((await read()).lastUsedAt));
    assert.deepEqual(await unused.read(), { id: unused.id, lastUsedAt: unused.lastUsedAt });
  });

  it('are not written twice in a minute, and revive no session', async () => {
    const company = await makeCompany(app.db);
    const recent = await makeSession(company, Temporal.Now.instant().subtract({ seconds: 30 }).toString());
    const ended = await makeSession(company, daysAgo(90));
    const uses = createSessionUses({ db: app.serviceDb, onError: assert.ifError });
    for (const session of [recent, ended]) uses.note(company, session);
    await uses.flush();
    for (const session of [recent, ended]) assert.equal((await session.read()).lastUsedAt, session.lastUsedAt);
  });

  it('of other companies are written although those of one cannot be', async () => {
    const session = await makeSession(await makeCompany(app.db), daysAgo(1));
    const errors: unknown[] = [];
    const uses = createSessionUses({ db: app.serviceDb, onError: (error) => errors.push(error) });
    uses.note(asCompanyId(Number.NaN), { id: session.id, lastUsedAt: daysAgo(1) });
    uses.note(session.companyId, session);
    await uses.flush();
    assert(isNew((await session.read()).lastUsedAt));
    assert.equal(errors.length, 1);
  });
});
