import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { streamBillingItems } from '../../../src/features/billing/store.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { connectDatabase } from '../../../src/platform/db/database.ts';
import { type TestDatabase, useDatabase } from '../../support/database.ts';
import { makeCompany, makeIntegration } from '../../support/factories.ts';
import { run, withFolder } from '../../support/process.ts';

const employees = 100_000;
const period = '2026-11-01';
/** Of each ticket: 59.85, of which the employee pays 20.00. */
const [grossCents, shareCents] = [5_985, 2_000];

/** The limit of the heap of the process, which has everything that the command holds. */
const heapMegabytes = 160;

/** As right after the first roster: the statistics of PostgreSQL do not include the rows yet. */
async function stopStatistics({ db }: TestDatabase): Promise<void> {
  for (const table of ['employees', 'hr_links', 'billing_items', 'payroll_file_items']) {
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(db);
  }
}

async function fillCompany({ db }: TestDatabase): Promise<CompanyId> {
  const companyId = await makeCompany(db);
  const integrationId = await makeIntegration(db, companyId);
  await sql`
    update companies set payroll_system = 'csv', wage_type_tax_free = 700, wage_type_deduction = 9100, tax_treatment = 'tax-free',
      benefit_valuation = 100 where id = ${companyId}`.execute(db);
  await sql`
    insert into employees (company_id, first_name, last_name, email, email_key, search_text, plan_type, contribution_cents)
    select ${companyId}, 'First' || n, 'Last' || n, n || '@example.com', n || '@example.com', 'first' || n, 'split-pay-plan', ${shareCents}
    from generate_series(1, ${employees}::int) n`.execute(db);
  await sql`
    insert into hr_links (company_id, employee_id, hr_integration_id, hr_id)
    select company_id, id, ${integrationId}, 'P' || id from employees where company_id = ${companyId}`.execute(db);
  await sql`
    insert into billing_items (company_id, period, charge_type, employee_id, first_name, last_name, net_cents, tax_cents, gross_cents, hr_id,
      plan_type, company_share_cents, employee_share_cents, billed_at)
    select company_id, ${period}, 'ticket-charge', id, first_name, last_name, 5593, 392, ${grossCents}, 'P' || id, 'split-pay-plan',
      ${grossCents - shareCents}, ${shareCents}, '2026-11-01T00:05:00Z'
    from employees where company_id = ${companyId}`.execute(db);
  return companyId;
}

describe(`the payroll of ${employees.toLocaleString('en')} employees`, () => {
  const database = useDatabase();
  let companyId: CompanyId;
  before(async () => {
    await stopStatistics(database);
    companyId = await fillCompany(database);
  });

  const payroll = async (folder: string, ...words: string[]) => {
    const env = {
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      NODE_OPTIONS: `--max-old-space-size=${heapMegabytes}`,
    };
    const { code, stdout, stderr } = await run(['payroll', ...words, '--company', String(companyId)], env);
    assert.equal(code, 0, stderr.slice(-2_000));
    return JSON.parse(stdout);
  };

  it('is previewed and exported within the memory of a small process, also right after the first roster', () =>
    withFolder(async (folder) => {
      const preview = await payroll(folder, 'preview', '--period', period);
      const benefitCents = employees * (grossCents - shareCents);
      const { lines, taxFreeCents, deductionCents, problems } = preview;
      assert.deepEqual([lines, preview.employees, problems], [2 * employees, employees, []]);
      assert.deepEqual([taxFreeCents, deductionCents], [benefitCents, employees * shareCents]);
      const made = await payroll(folder, 'export', '--period', period);
      assert.equal(made.lines, 2 * employees);
      const { rows: files } = await sql<{ content: Buffer }>`
        select content from payroll_files where company_id = ${companyId} and id = ${made.id}`.execute(database.db);
      const content = files[0]?.content ?? Buffer.alloc(0);
      assert.equal(createHash('sha256').update(content).digest('hex'), made.sha256);
      const [headings, ...rows] = content.toString().trimEnd().split('\r\n');
      assert.match(headings ?? '', /;Personalnummer;/);
      const numbers = new Set(rows.map((row) => row.split(';')[1]));
      assert.deepEqual([rows.length, numbers.size], [2 * employees, employees]);
      const cents = rows.reduce((sum, row) => sum + Number(row.slice(row.lastIndexOf(';') + 1).replace(',', '')), 0);
      assert.equal(cents, employees * grossCents);
      const again = await payroll(folder, 'export', '--period', period);
      assert.equal(again.id, made.id, 'there is nothing left to export');
    }));

  it('has charges that are read as they come, also right after the month was billed', async () => {
    const source = connectDatabase({
      url: database.url,
      max: 1,
      applicationName: 'test',
      streaming: true,
      statementTimeoutMillis: 60_000,
    });
    try {
      let items = 0;
      for await (const rows of streamBillingItems(source, companyId, {
        period,
        chargeType: 'ticket-charge',
        corrections: 'include',
      })) {
        items += rows.filter((row) => row.employee_exists).length;
      }
      assert.equal(items, employees);
    } finally {
      await source.close();
    }
  });
});
