import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { type EmployeePlan, planDay } from '../../../src/domain/employee.ts';
import { createMessage } from '../../../src/domain/messages/message.ts';
import { getCompany } from '../../../src/features/companies/companies.ts';
import { loadEmployees } from '../../../src/features/employees/load.ts';
import { updateSubscriptions, writeHistoryAndDocuments } from '../../../src/features/employees/write.ts';
import { joinCompany, type TestCompany, useFixture } from '../../support/daily-run.ts';
import { entries } from '../../support/sync.ts';

describe('the rules at run time', () => {
  const fixture = useFixture('2026-01-15', 'without documents');

  async function begin(): Promise<TestCompany> {
    fixture.clock.moveTo('2026-01-15');
    const company = await joinCompany(fixture);
    await company.sync('one', entries(3, { autoSyncEmployee: true }));
    await company.runTo('2026-02-01');
    return company;
  }

  const processedThrough = async ({ companyId }: TestCompany) =>
    (await getCompany(fixture.app.db, companyId)).processedThrough.toString();

  for (const [what, change, says] of [
    ['a status that stops a ticket', sql`subscription_status = 'paused'`, 'get a ticket'],
    ['a status that goes on after the end', sql`cancelled_on = '2026-02-10'`, 'get no ticket'],
  ] as const) {
    it(`issues no tickets of a month while the dates disagree with ${what}`, async () => {
      const company = await begin();
      const before = await company.tickets();
      const { id } = await company.employee('E2');
      const { rows } = await sql<{ subscription_status: string }>`
        select subscription_status from employees where company_id = ${company.companyId} and id = ${id}`.execute(
        fixture.app.db,
      );
      assert.equal(rows[0]?.subscription_status, 'active');
      await sql`update employees set ${change}, due_on = null where company_id = ${company.companyId}
        and id = ${id}`.execute(fixture.app.db);
      await assert.rejects(
        company.runTo('2026-03-01'),
        new RegExp(`No tickets were issued for 2026-03-01: .* ${says}`),
      );
      assert.deepEqual(await company.tickets(), before);
      assert.deepEqual(await company.items('2026-03-01'), []);
      assert.equal(await processedThrough(company), '2026-02-28');

      await sql`update employees set subscription_status = 'active', cancelled_on = null
        where company_id = ${company.companyId} and id = ${id}`.execute(fixture.app.db);
      await company.runTo('2026-03-01');
      assert.equal((await company.tickets()).length, before.length + 3);
    });
  }

  it('writes no change that the state machine does not allow', async () => {
    const { companyId, employee } = await begin();
    const { id } = await employee('E1');
    const { db } = fixture.app;
    const today = Temporal.PlainDate.from('2026-02-01');
    const loaded = (await loadEmployees(db, companyId, [id], today)).get(id);
    assert(loaded);
    const resurrected: EmployeePlan = {
      ...planDay(loaded, today),
      subscriptionChanges: [
        {
          knownOn: today,
          effectiveOn: today,
          cause: 'calendar',
          rule: { id: 'contract-accepted', sentence: 'Never written.', message: createMessage('contract-accepted') },
          from: 'cancelled',
          to: 'active',
          fields: [],
        },
      ],
    };
    const historyOf = async () => {
      const { rows } = await sql`select id from subscription_changes where company_id = ${companyId}`.execute(db);
      return rows.length;
    };
    const before = await historyOf();
    const now = fixture.clock.now();
    const actor = { type: 'service', name: null } as const;
    const changeContext = { actor, syncKey: null, hrIntegrationId: null, now, removedAt: now };
    const planned = [{ id, plan: resurrected }];
    const write = db.transaction().execute(async (tx) => {
      await updateSubscriptions(tx, companyId, planned, changeContext);
      await writeHistoryAndDocuments(tx, await getCompany(tx, companyId), planned, changeContext);
    });
    await assert.rejects(write, /No rule allows this change: calendar: cancelled to active\./);
    assert.equal(await historyOf(), before);
  });
});
