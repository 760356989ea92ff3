import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import type { Db } from '../../../src/platform/db/database.ts';
import { anEmployee, makeEmployee, makeEmployees, makeIntegration } from '../../support/factories.ts';
import { createProcessedCompany, month, nextMonth, withOperatorCli } from '../../support/operator-cli.ts';
import { rowsOf } from '../../support/rows.ts';

const statusesOf = async (db: Db, companyId: CompanyId) => {
  const rows = await rowsOf(db, 'employees', { company_id: companyId }, ['id', 'subscription_status']);
  return rows.toSorted((a, b) => Number(a.id) - Number(b.id)).map(({ subscription_status: status }) => status);
};

describe('subscription request', () => {
  it('previews and applies a change of one subscription, says why it is refused, and undoes it', () =>
    withOperatorCli(async ({ db, succeed, refuse, fail }) => {
      const companyId = await createProcessedCompany(db);
      const employeeId = await makeEmployee(db, companyId);
      const of = `--company ${companyId} --employee ${employeeId}`;
      const planned = await succeed(`subscription request ${of} --action subscribe --dry-run`);
      assert.deepEqual([planned.id, planned.subscription.status], [null, 'scheduled']);
      assert.deepEqual(await statusesOf(db, companyId), ['no-subscription']);
      const applied = await succeed(`subscription request ${of} --action subscribe --reason Joins`);
      assert.deepEqual(applied, { ...planned, id: applied.id, reason: 'Joins' });
      assert.ok(applied.id > 0);
      assert.match(
        await fail(`subscription request ${of} --action pause --from ${month}`),
        new RegExp(String(applied.from)),
      );
      const undo = `subscription undo ${of} --request ${applied.id}`;
      assert.deepEqual((await succeed(undo)).status, 'no-subscription');
      assert.match(await fail(undo), /undo/i);
      const choose = 'Choose employees by one of --employee, --file, --all, or --search and --status.';
      await refuse(
        [`subscription request --company ${companyId} --action subscribe`, choose],
        [`subscription request ${of} --all --action subscribe`, choose],
        [
          `subscription request ${of} --action cancel --until ${nextMonth}`,
          '--until is the end of a pause: remove it.',
        ],
        [
          `subscription request ${of} --action subscribe --date ${month}`,
          '--date needs --given: how did the employees agree?',
        ],
        [
          `subscription request --company ${companyId} --employee 999999 --action subscribe`,
          `Company ${companyId} has no employee 999999: check --company and --employee.`,
        ],
        [
          `subscription undo --company ${companyId} --employee ${employeeId}`,
          'Give either --batch, or --employee and --request.',
        ],
      );
    }));

  it('changes the subscriptions of a filter, each once, writes the result as a table, and undoes it', () =>
    withOperatorCli(async ({ db, env, succeed }) => {
      const companyId = await createProcessedCompany(db);
      const other = await createProcessedCompany(db);
      await makeEmployees(db, companyId, [
        anEmployee({ first_name: '=1+1' }),
        ...Array.from({ length: 250 }, () => anEmployee()),
      ]);
      await makeEmployee(db, other);
      const line = `subscription request --company ${companyId} --status no-subscription --action subscribe`;
      const preview = await succeed(`${line} --dry-run`);
      assert.deepEqual([preview.dryRun, preview.employees, preview.applicable], [true, 251, 251]);
      assert.deepEqual(new Set(await statusesOf(db, companyId)), new Set(['no-subscription']));
      const out = join(String(env.DATA_DIR), 'result.csv');
      const batch = await succeed(`${line} --out ${out}`);
      assert.deepEqual([batch.total, batch.decided, batch.refused], [251, 251, 0]);
      assert.deepEqual(new Set(await statusesOf(db, companyId)), new Set(['scheduled']));
      assert.deepEqual(await statusesOf(db, other), ['no-subscription']);
      const rows = (await readFile(out, 'utf8')).trimEnd().split('\r\n');
      assert.equal(rows.length, 252);
      assert.equal(rows[0], '\uFEFFemployeeId;firstName;lastName;email;outcome;from;reason');
      assert.match(rows[1] ?? '', /^\d+;'=1\+1;.*;decided;\d{4}-\d{2}-01;$/);
      // Nobody is left.
      assert.equal((await succeed(line)).applicable, 0);
      const undo = `subscription undo --company ${companyId} --batch ${batch.id}`;
      assert.deepEqual(await succeed(`${undo} --dry-run`), { dryRun: true, employees: 251, undoable: 251 });
      assert.deepEqual((await succeed(undo)).decided, 251);
      assert.deepEqual(new Set(await statusesOf(db, companyId)), new Set(['no-subscription']));
      assert.equal((await succeed(undo)).undoable, 0);
      assert.equal((await succeed(`subscription show --company ${companyId} --batch ${batch.id}`)).undo, null);
    }));

  it('changes those of a file, or nobody if an HR id is unknown, and says who cannot and why', () =>
    withOperatorCli(async ({ db, env, succeed, refuse }) => {
      const companyId = await createProcessedCompany(db);
      const integrationId = await makeIntegration(db, companyId);
      for (const hrId of ['A-1', 'A-2', 'A-3']) {
        const employeeId = await makeEmployee(db, companyId);
        const link = { company_id: companyId, employee_id: employeeId, hr_integration_id: integrationId, hr_id: hrId };
        await db.insertInto('hr_links').values(link).execute();
      }
      const path = (name: string) => join(String(env.DATA_DIR), name);
      const line = (name: string, action: string) =>
        `subscription request --company ${companyId} --file ${path(name)} --action ${action}`;
      await writeFile(path('unknown.csv'), 'Personalnummer\nA-1\nZ-9\n');
      const unknown = '1 of the HR ids belong to no employee or to several, such as Z-9. Nothing was decided.';
      await refuse([line('unknown.csv', 'subscribe'), unknown]);
      await writeFile(path('one.csv'), 'Personalnummer\nA-1\n');
      assert.equal((await succeed(line('one.csv', 'subscribe'))).decided, 1);
      await writeFile(path('two.csv'), 'Personalnummer\nA-1\nA-2\n');
      const preview = await succeed(`${line('two.csv', 'cancel')} --dry-run`);
      assert.deepEqual([preview.applicable, preview.refusals.length, preview.refusals[0].employees], [1, 1, 1]);
      assert.match(preview.refusals[0].reason, /\w+\.$/);
      assert.deepEqual(await statusesOf(db, companyId), ['scheduled', 'no-subscription', 'no-subscription']);
    }));
});
