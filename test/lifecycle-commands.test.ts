import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Day } from '../src/domain/calendar.ts';
import { moveEnvironmentTo } from './support/environment.ts';
import { makeEmployee } from './support/factories.ts';
import {
  actionsOf,
  createProcessedCompany,
  month,
  nextMonth,
  starting,
  today,
  withOperatorCli,
} from './support/operator-cli.ts';

/** Returns the fields of a subscription whose contract is not signed yet. */
const unsigned = (startOn: Day) => ({
  ...starting(startOn),
  plan_type: 'split-pay-plan' as const,
  contribution_cents: 2000,
  contract_status: 'pending' as const,
});

describe('lifecycle run', () => {
  it('processes what is due, and then finds nothing', () =>
    withOperatorCli(async ({ db, succeed }) => {
      const companyId = await createProcessedCompany(db, month.subtract({ days: 2 }));
      await createProcessedCompany(db);
      await makeEmployee(db, companyId, starting(month));
      assert.deepEqual(await succeed('lifecycle run'), {
        companies: 1,
        days: 11,
        moved: 1,
        tickets: 1,
        charges: 2,
        removed: 0,
        erased: 0,
      });
      const nothing = { companies: 0, days: 0, moved: 0, tickets: 0, charges: 0, removed: 0, erased: 0 };
      assert.deepEqual(await succeed('lifecycle run'), nothing);
      assert.deepEqual(await actionsOf(db, companyId), [`service daily-run.finish ${month}`]);
    }));
});

describe('contract decide and employee history', () => {
  it('apply a decision and show the reasons', () =>
    withOperatorCli(async ({ db, succeed }) => {
      const companyId = await createProcessedCompany(db);
      const signing = await makeEmployee(db, companyId, unsigned(nextMonth));
      const refusing = await makeEmployee(db, companyId, unsigned(nextMonth));
      const startAt = nextMonth.toString();
      const decide = (id: number, decision: string) =>
        succeed(`contract decide --company ${companyId} --employee ${id} --decision ${decision}`);
      const accepted = { status: 'scheduled', contractSigningStatus: 'accepted', startAt, cancelledAt: null };
      assert.deepEqual(await decide(signing, 'accepted'), accepted);
      assert.deepEqual(await decide(signing, 'accepted'), accepted);
      assert.deepEqual(await decide(refusing, 'rejected'), {
        status: 'cancelled',
        contractSigningStatus: 'rejected',
        startAt: null,
        cancelledAt: today.toString(),
      });

      await moveEnvironmentTo(db, nextMonth);
      await succeed('lifecycle run');
      const history = await succeed(`employee history --company ${companyId} --employee ${signing}`);
      assert.deepEqual(
        history.map(({ recordedAt, detail, ...change }: { recordedAt: string; detail: string }) => {
          assert.match(recordedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
          assert.match(detail, /^[A-Z].* \d{4}.*\.$/);
          return change;
        }),
        [
          {
            knownOn: today.toString(),
            effectiveOn: today.toString(),
            source: 'contract',
            cause: 'contract-accepted',
            rule: 'contract-accepted',
            from: 'scheduled',
            to: 'scheduled',
            fields: [{ field: 'contractStatus', from: 'pending', to: 'accepted' }],
            actor: { type: 'operator', name: null },
            hrIntegrationId: null,
            syncId: null,
          },
          {
            knownOn: startAt,
            effectiveOn: startAt,
            source: 'calendar',
            cause: 'calendar',
            rule: 'start-has-come',
            from: 'scheduled',
            to: 'active',
            fields: [],
            actor: { type: 'service', name: null },
            hrIntegrationId: null,
            syncId: null,
          },
        ],
      );
      const [rejection] = await succeed(`employee history --company ${companyId} --employee ${refusing}`);
      assert.deepEqual(
        [rejection.source, rejection.cause, rejection.rule, rejection.to, rejection.detail],
        [
          'contract',
          'contract-rejected',
          'end-without-ticket',
          'cancelled',
          'The contract is rejected: no ticket is running or planned, so it ends today.',
        ],
      );
      assert.deepEqual(await actionsOf(db, companyId), [
        `operator subscription.contract-accepted ${signing}`,
        `operator subscription.contract-accepted ${signing}`,
        `operator subscription.contract-rejected ${refusing}`,
        `service daily-run.finish ${nextMonth}`,
      ]);
    }));

  it('refuse with a reason', () =>
    withOperatorCli(async ({ db, succeed, refuse }) => {
      const [companyId, other] = [await createProcessedCompany(db), await createProcessedCompany(db)];
      const subsidized = await makeEmployee(db, companyId, starting(nextMonth));
      const unsubscribed = await makeEmployee(db, companyId);
      const rejecting = await makeEmployee(db, companyId, unsigned(nextMonth));
      const employee = (id: number, company: number = companyId) => `--company ${company} --employee ${id}`;
      await succeed(`contract decide ${employee(rejecting)} --decision rejected`);
      const decide = (id: number, decision: string, company: number = companyId) =>
        `contract decide ${employee(id, company)} --decision ${decision}`;
      await refuse(
        [decide(subsidized, 'accepted'), 'The plan of this employee needs no contract.'],
        [decide(subsidized, 'rejected'), 'The plan of this employee needs no contract.'],
        [decide(unsubscribed, 'accepted'), 'This is not possible while the subscription is no-subscription.'],
        [decide(rejecting, 'accepted'), 'This is not possible while the subscription is cancelled.'],
        [
          decide(subsidized, 'accepted', other),
          `Company ${other} has no employee ${subsidized}: check --company and --employee.`,
        ],
        [decide(1, 'accepted', 999_999), 'There is no company 999999: run "company list" to see all.'],
        [decide(subsidized, 'perhaps'), '--decision must be one of accepted, rejected, but is "perhaps".'],
        [
          `employee history ${employee(subsidized, other)}`,
          `Company ${other} has no employee ${subsidized}: check --company and --employee.`,
        ],
      );
      assert.deepEqual(await succeed(`employee history ${employee(subsidized)}`), []);
    }));
});

describe('employee link', () => {
  it('assigns an id manually, which no other employee can have', () =>
    withOperatorCli(async ({ db, succeed, refuse }) => {
      const [companyId, other] = [await createProcessedCompany(db), await createProcessedCompany(db)];
      const [anna, ben] = [await makeEmployee(db, companyId), await makeEmployee(db, companyId)];
      const link = (id: number, company: number = companyId) => `employee link --company ${company} --employee ${id}`;
      assert.deepEqual(await succeed(link(anna), '--hr-id', ' P 17 '), { employeeId: anna, hrId: 'P 17' });
      assert.deepEqual(await succeed(link(anna), '--hr-id', 'P 17'), { employeeId: anna, hrId: 'P 17' });
      assert.deepEqual(await succeed(link(anna), '--hr-id', 'P 18'), { employeeId: anna, hrId: 'P 18' });
      const elsewhere = await makeEmployee(db, other);
      await succeed(link(elsewhere, other), '--hr-id', 'P 17');
      await refuse(
        [link(ben), `The id "P 17" is already linked to employee ${anna}: give another one.`, '--hr-id', 'P 17'],
        [
          link(anna, other),
          `Company ${other} has no employee ${anna}: check --company and --employee.`,
          '--hr-id',
          'P 19',
        ],
        [link(ben), '--hr-id must have at most 255 characters: give a shorter one.', '--hr-id', 'x'.repeat(256)],
        [
          link(ben),
          '--hr-id is missing. Run "npm run -s cli -- employee link --help" to see what it accepts.',
          '--hr-id',
          '',
        ],
      );
      const links = await db.selectFrom('hr_links').select(['employee_id', 'hr_id']).orderBy('id').execute();
      assert.deepEqual(links, [
        { employee_id: anna, hr_id: 'P 17' },
        { employee_id: anna, hr_id: 'P 18' },
        { employee_id: elsewhere, hr_id: 'P 17' },
      ]);
      assert.deepEqual(await actionsOf(db, companyId), [
        `operator employee.link ${anna}`,
        `operator employee.link ${anna}`,
      ]);
    }));
});
