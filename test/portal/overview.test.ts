import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { signableStatuses } from '../../src/features/contracts/links.ts';
import { billingCorrection } from '../../src/features/daily-run/correct-charge.ts';
import type { Overview } from '../../src/portal/contract.ts';
import { joinCompany, type TestCompany, useFixture } from '../support/daily-run.ts';
import { pluck } from '../support/pluck.ts';
import { makeUser, type PortalClient, signIn } from '../support/portal.ts';
import { anEntry, entries } from '../support/sync.ts';

interface Visitor extends TestCompany {
  client: PortalClient;
  overview(): Promise<Overview>;
}

describe('the overview', () => {
  const fixture = useFixture('2026-01-15', 'without documents');

  /** Creates a company on 15 January 2026, and signs in a user with read access only. */
  async function visit(settings: Record<string, unknown> = {}): Promise<Visitor> {
    fixture.clock.moveTo('2026-01-15');
    const company = await joinCompany(fixture, settings);
    const client = await signIn(fixture.app, await makeUser(fixture.app, company.companyId, 'viewer'));
    const overview = async () => {
      const { status, body } = await client.get('/overview');
      assert.equal(status, 200, JSON.stringify(body));
      return body.data as Overview;
    };
    return { ...company, client, overview };
  }

  const employeesIn = ({ employeesByStatus }: Overview) =>
    Object.fromEntries(employeesByStatus.filter(({ employees }) => employees > 0).map((one) => Object.values(one)));

  it('of a new company has every status and twelve months, all with zero', async () => {
    const company = await visit();
    const overview = await company.overview();
    assert.deepEqual(overview.waiting, []);
    assert.deepEqual(
      overview.employeesByStatus.map(({ status, employees }) => `${status} ${employees}`),
      [
        'no-subscription 0',
        'scheduled 0',
        'active 0',
        'scheduled-pause 0',
        'paused 0',
        'scheduled-cancellation 0',
        'cancelled 0',
      ],
    );
    assert.deepEqual(
      pluck(overview.months, 'month'),
      ['02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12']
        .map((month) => `2025-${month}`)
        .concat('2026-01'),
    );
    assert(overview.months.every(({ tickets, gross }) => tickets === 0 && gross.value === 0));
    assert.equal(overview.months[0]?.gross.label, '0,00\u00a0€');
    assert.deepEqual(overview.integrations, [await company.integration()]);
    assert.deepEqual(overview.next, {
      cutOffOn: '2026-02-10',
      ticketsOn: '2026-02-01',
      billingOn: '2026-02-01',
      ticketsExpected: 0,
    });
  });

  it('counts employees, tickets and charges', async () => {
    const company = await visit();
    const pausing = { absences: [{ startDate: '2026-04-01', endDate: '2026-05-31', approved: true }] };
    const leaving = { terminationDate: '2026-03-20' };
    await company.sync('one', [
      ...entries(3, { autoSyncEmployee: true }),
      anEntry(4, { autoSyncEmployee: true, ...pausing }),
      anEntry(5, { autoSyncEmployee: true, ...leaving }),
      anEntry(6, { autoSyncEmployee: true, startDate: '2026-06-15' }),
      anEntry(7),
    ]);
    assert.equal((await company.overview()).next.ticketsExpected, 5);
    await company.runTo('2026-03-05');
    const march = await company.overview();
    assert.deepEqual(employeesIn(march), {
      'no-subscription': 1,
      scheduled: 1,
      active: 3,
      'scheduled-pause': 1,
      'scheduled-cancellation': 1,
    });
    assert.deepEqual(march.next, {
      cutOffOn: '2026-03-10',
      ticketsOn: '2026-04-01',
      billingOn: '2026-04-01',
      ticketsExpected: 3,
    });
    for (const [month, tickets] of [
      ['2026-01', 0],
      ['2026-02', 5],
      ['2026-03', 5],
    ] as const) {
      const shown = march.months.find((one) => one.month === month);
      const items = await company.items(`${month}-01`);
      const gross = items.reduce((sum, item) => sum + item.billing.overall.value, 0);
      assert.deepEqual([shown?.tickets, shown?.gross.value], [tickets, gross], month);
    }
  });

  it('expects as many tickets as the list of employees shows, on every day', async () => {
    const company = await visit({ plan_type: 'split-pay-plan', contribution_cents: 2000 });
    await company.sync('one', [
      ...entries(4, { autoSyncEmployee: true }),
      anEntry(5, { autoSyncEmployee: true, absences: [{ startDate: '2026-03-01', endDate: null, approved: true }] }),
      anEntry(6, { autoSyncEmployee: true, terminationDate: '2026-02-28' }),
    ]);
    await sql`update employees set contract_status = 'accepted', due_on = '-infinity'
      where company_id = ${company.companyId} and email <> 'anna1@example.com'`.execute(fixture.app.db);
    // The update bypassed the service, so the next roster plans what follows from it.
    await company.sync('two', entries(6, { firstName: 'Eva' }));
    let sum = 0;
    for (const day of ['2026-01-20', '2026-01-31', '2026-02-01', '2026-02-27', '2026-03-01', '2026-04-15']) {
      await company.runTo(day);
      const { next } = await company.overview();
      const expected = (await company.employees()).filter((one) => one.subscription.nextTicketAt === next.ticketsOn);
      assert.equal(next.ticketsExpected, expected.length, day);
      sum += expected.length;
    }
    assert(sum > 10, `${sum}`);
  });

  it('counts a corrected ticket once and adds nothing for its charge', async () => {
    const company = await visit();
    await company.sync('one', entries(3, { autoSyncEmployee: true }));
    await company.runTo('2026-02-01');
    const before = (await company.overview()).months.at(-1);
    const [item] = await company.items('2026-02-01');
    await fixture.app.db.transaction().execute((tx) =>
      billingCorrection(tx, fixture.app.deps, {
        itemId: item.id,
        companyId: company.companyId,
        reason: 'Never travelled.',
      }),
    );
    const after = (await company.overview()).months.at(-1);
    assert.deepEqual([before?.tickets, after?.tickets], [3, 3]);
    assert.equal((before?.gross.value ?? 0) - (after?.gross.value ?? 0), item.billing.overall.value);
  });

  it("lists first what needs a user's attention", async () => {
    const company = await visit({
      plan_type: 'deferred-plan',
      guard_minimum_linked: 4,
      guard_maximum_absent_percent: 20,
    });
    await company.sync('one', entries(5, { autoSyncEmployee: true }));
    await company.sync('two', entries(2));
    const { db } = fixture.app;
    const makeUnhealthy = async (name: string, status: string, last: string | null) => {
      const { rows } = await sql<{ id: number }>`
        insert into hr_integrations (company_id, name, type, status, initial_connection_status, last_sync_id, last_sync_status)
        values (${company.companyId}, ${name}, 'hr-integration', ${status}, 'completed', ${last && 'x'}, ${last})
        returning id`.execute(db);
      return rows[0]?.id;
    };
    const failed = await makeUnhealthy('Failed', 'active', 'failed');
    const refused = await makeUnhealthy('Refused', 'active', 'authentication-failed');
    const invalid = await makeUnhealthy('Invalid', 'invalid', 'succeeded');
    await makeUnhealthy('Disabled', 'inactive', 'failed');
    await makeUnhealthy('Partly', 'active', 'partially-failed');
    const { waiting } = await company.overview();
    const name = (await company.integration()).name;
    assert.deepEqual(waiting, [
      {
        kind: 'pending-removals',
        integrationId: company.integrationId,
        integrationName: name,
        syncId: 'two',
        removals: 3,
      },
      { kind: 'integration-unhealthy', integrationId: failed, integrationName: 'Failed', status: 'failed' },
      {
        kind: 'integration-unhealthy',
        integrationId: refused,
        integrationName: 'Refused',
        status: 'authentication-failed',
      },
      { kind: 'integration-unhealthy', integrationId: invalid, integrationName: 'Invalid', status: 'invalid' },
      { kind: 'pending-contracts', employees: 5, statuses: signableStatuses },
    ]);
    assert.deepEqual((await (await visit()).overview()).waiting, []);
  });

  it('lists no pending contract of an ended subscription', async () => {
    const company = await visit({ plan_type: 'deferred-plan' });
    await company.sync('one', entries(2, { autoSyncEmployee: true }));
    await company.sync('two', [anEntry(1, { autoSyncEmployee: true }), anEntry(2, { autoSyncEmployee: false })]);
    assert.deepEqual((await company.overview()).waiting, [
      { kind: 'pending-contracts', employees: 1, statuses: signableStatuses },
    ]);
  });
});
