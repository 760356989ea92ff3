import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Day } from '../../../src/domain/calendar.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import type { Db } from '../../../src/platform/db/database.ts';
import { moveEnvironmentTo } from '../../support/environment.ts';
import { makeEmployee, makeIntegration } from '../../support/factories.ts';
import {
  actionsOf,
  createProcessedCompany,
  month,
  nextMonth,
  starting,
  today,
  withOperatorCli,
} from '../../support/operator-cli.ts';
import { rowsOf } from '../../support/rows.ts';
import { writeWorkbook } from '../../support/xlsx.ts';

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

describe('contract decide for many', () => {
  const statusesOf = async (db: Db, companyId: CompanyId) => {
    const rows = await rowsOf(db, 'employees', { company_id: companyId }, ['contract_status']);
    return rows.map(({ contract_status: status }) => status);
  };

  it('decides about all pending contracts, each once', () =>
    withOperatorCli(async ({ db, succeed, refuse }) => {
      const companyId = await createProcessedCompany(db);
      const other = await createProcessedCompany(db);
      for (const id of [companyId, companyId, other]) await makeEmployee(db, id, unsigned(nextMonth));
      await makeEmployee(db, companyId, starting(nextMonth));
      const line = `contract decide --company ${companyId} --all-pending --decision accepted`;
      assert.deepEqual(await succeed(line), { employees: 2, decided: 2, refused: 0 });
      assert.deepEqual(await statusesOf(db, companyId), ['accepted', 'accepted', null]);
      assert.deepEqual(await statusesOf(db, other), ['pending']);
      assert.deepEqual(await succeed(line), { employees: 0, decided: 0, refused: 0 });
      const oneOf = 'Use one of --employee, --all-pending and --file.';
      await refuse(
        [`contract decide --company ${companyId} --decision accepted`, oneOf],
        [`${line} --employee 1`, oneOf],
      );
    }));

  it('decides about the employees of a file, or about nobody if one of them is unknown', () =>
    withOperatorCli(async ({ db, env, succeed, refuse }) => {
      const companyId = await createProcessedCompany(db);
      const integrationId = await makeIntegration(db, companyId);
      for (const hrId of ['A-1', 'A-2', 'A-3']) {
        const employeeId = await makeEmployee(db, companyId, unsigned(nextMonth));
        const link = { company_id: companyId, employee_id: employeeId, hr_integration_id: integrationId, hr_id: hrId };
        await db.insertInto('hr_links').values(link).execute();
      }
      const decide = (path: string) => `contract decide --company ${companyId} --file ${path} --decision rejected`;
      const path = (name: string) => join(String(env.DATA_DIR), name);
      await writeFile(path('unknown.csv'), 'Personalnummer;Name\nA-1;Berg\nZ-9;Nobody\n');
      await writeFile(path('names.csv'), 'Vorname\nAda\n');
      await refuse(
        [
          decide(path('unknown.csv')),
          '1 of the HR ids belong to no employee or to several, such as Z-9. Nothing was decided.',
        ],
        [decide(path('names.csv')), `${path('names.csv')} has no column with HR ids, such as hrId or Personalnummer.`],
      );
      assert.deepEqual(await statusesOf(db, companyId), ['pending', 'pending', 'pending']);
      await writeFile(path('signed.csv'), 'Personalnummer;Name\nA-1;Berg\n');
      assert.deepEqual(await succeed(decide(path('signed.csv'))), { employees: 1, decided: 1, refused: 0 });
      await writeFile(path('signed.xlsx'), writeWorkbook({ Signed: [['hrId'], ['A-1'], ['A-3']] }));
      // A-1 has no subscription any more.
      assert.deepEqual(await succeed(decide(path('signed.xlsx'))), { employees: 2, decided: 1, refused: 1 });
      assert.deepEqual(await statusesOf(db, companyId), ['rejected', 'pending', 'rejected']);
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
      const upcoming = { type: 'start', at: startAt };
      const accepted = {
        status: 'scheduled',
        contractSigningStatus: 'accepted',
        startAt: null,
        cancelledAt: null,
        upcoming,
      };
      assert.deepEqual(await decide(signing, 'accepted'), accepted);
      assert.deepEqual(await decide(signing, 'accepted'), accepted);
      assert.deepEqual(await decide(refusing, 'rejected'), {
        status: 'cancelled',
        contractSigningStatus: 'rejected',
        startAt: null,
        cancelledAt: today.toString(),
        upcoming: null,
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
            fields: [{ field: 'plan.contractSigningStatus', from: 'pending', to: 'accepted' }],
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
          'The company has no such employee: check the id and --company.',
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
        [link(ben), `Employee ${anna} already has this HR id. Enter another one.`, '--hr-id', 'P 17'],
        [link(anna, other), 'The company has no such employee: check the id and --company.', '--hr-id', 'P 19'],
        [link(ben), '--hr-id must have at most 255 characters.', '--hr-id', 'x'.repeat(256)],
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

it('commands use the clock of the environment', () =>
  withOperatorCli(async ({ db, env, succeed }) => {
    const companyId = await createProcessedCompany(db);
    const employeeId = await makeEmployee(db, companyId);
    const file = join(env.DATA_DIR ?? '', 'contract.pdf');
    await writeFile(file, '%PDF-1.7');
    const owner = `--company ${companyId} --employee ${employeeId}`;
    const { id: documentId } = await succeed(`document add ${owner} --name Contract --file`, file);
    await succeed(`employee link ${owner} --hr-id X-17`);
    const { id } = await succeed(`integration create --company ${companyId} --name HR --type api-integration`);
    await succeed(`integration set ${id} --company ${companyId} --status inactive`);
    const { rows } = await sql<{ what: string; day: string }>`
      select 'document created' as what, created_at::date::text as day from documents where id = ${documentId}
      union all select 'document updated', updated_at::date::text from documents where id = ${documentId}
      union all select 'integration created', created_at::date::text from hr_integrations where id = ${id}
      union all select 'integration updated', updated_at::date::text from hr_integrations where id = ${id}
      union all select action, at::date::text from audit_log
        where company_id = ${companyId} and action in ('document.add', 'employee.link', 'integration.create', 'integration.set')
      order by 1`.execute(db);
    assert.deepEqual(
      rows.map(({ what, day }) => `${what} ${day}`),
      [
        'document created',
        'document updated',
        'document.add',
        'employee.link',
        'integration created',
        'integration updated',
        'integration.create',
        'integration.set',
      ].map((what) => `${what} ${today}`),
    );
  }));
