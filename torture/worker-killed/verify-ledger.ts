import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';
import type { Day } from '../../src/domain/calendar.ts';
import { countDifferences } from './verify-workforce.ts';

/** Checks that hold for the ledger of any company, whatever its history. */

async function count(query: ReturnType<typeof sql<{ found: number }>>, db: Db): Promise<number> {
  const { rows } = await query.execute(db);
  return rows[0]?.found ?? 0;
}

export const countDaysProcessedTwice = (db: Db): Promise<number> =>
  count(
    sql`select count(*) as found from (
      select from audit_log a where a.action = 'daily-run.finish' group by a.company_id, a.target having count(*) > 1) d`,
    db,
  );

/** Counts stored sums that differ from the sums of their items. */
export const countWrongSums = (db: Db): Promise<number> =>
  count(
    sql`
    with stored as (
      select 'billing' as kind, to_jsonb(t) as sum from billing_totals t
      union all select 'documents', to_jsonb(c) from document_counts c where c.documents > 0
    ), computed as (
      select 'billing' as kind, to_jsonb(b) as sum from (
        select company_id, period, charge_type, count(*) as items, sum(net_cents) as net_cents,
          sum(tax_cents) as tax_cents, sum(gross_cents) as gross_cents from billing_items group by 1, 2, 3) b
      union all select 'documents', to_jsonb(d) from (
        select company_id, count(*) as documents from documents where removed_at is null group by 1) d
    )
    select count(*) as found from (
      (select * from stored except select * from computed) union all (select * from computed except select * from stored)) s`,
    db,
  );

export const countFailedJobs = (db: Db): Promise<number> =>
  count(sql`select count(*) as found from queue.job where state = 'failed'`, db);

/**
 * Counts wrong fees of a company without tickets whose employees are linked from the start. Such a company is charged
 * exactly one fee per month.
 */
export async function countWrongFees(db: Db, companyId: CompanyId, months: readonly Day[]): Promise<number> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', b.period, b.charge_type) as line from billing_items b
    where ${ofCompany(companyId, 'b')}`.execute(db);
  const expected = months.map((month) => `${month} hr-integration-charge`);
  return countDifferences(
    expected,
    rows.map(({ line }) => line),
  );
}
