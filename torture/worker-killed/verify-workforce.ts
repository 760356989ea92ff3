import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';
import type { Expected } from './workforce.ts';

type Lines = RawBuilder<{ line: string }>;

/**
 * Returns how many lines are in only one of the lists. A line that occurs twice in one list must occur twice in the
 * other.
 */
export function countDifferences(expected: string[], found: string[]): number {
  const balance = new Map<string, number>();
  for (const line of expected) balance.set(line, (balance.get(line) ?? 0) + 1);
  for (const line of found) balance.set(line, (balance.get(line) ?? 0) - 1);
  return [...balance.values()].reduce((sum, count) => sum + Math.abs(count), 0);
}

/** Selects the HR id of the employee. `t` is a table of the company with an `employee_id`. */
const hrIdOf = (companyId: CompanyId) =>
  sql`(select l.hr_id from hr_links l where ${ofCompany(companyId, 'l')} and l.employee_id = t.employee_id)`;

function linesOf(companyId: CompanyId): Record<keyof Expected, Lines> {
  const [hrId, ofIt] = [hrIdOf(companyId), ofCompany(companyId, 't')];
  return {
    employees: sql`
      select concat_ws(' ', ${hrId}, t.subscription_status) as line
      from (select e.company_id, e.id as employee_id, e.subscription_status from employees e
        where ${ofCompany(companyId, 'e')} and e.removed_at is null) t where ${ofIt}`,
    changes: sql`
      select concat_ws(' ', ${hrId}, t.cause, t.from_status, t.to_status) as line
      from subscription_changes t where ${ofIt}`,
    tickets: sql`select concat_ws(' ', ${hrId}, t.month) as line from tickets t where ${ofIt}`,
    charges: sql`
      select concat_ws(' ', t.period, t.charge_type, coalesce(${hrId}, '-'), t.net_cents, t.tax_cents, t.gross_cents) as line
      from billing_items t where ${ofIt}`,
    documents: sql`
      select concat_ws(' ', ${hrId}, t.kind, t.about) as line from documents t
      where ${ofIt} and t.sha256 is not null and t.removed_at is null`,
  };
}

/** Returns, by kind of row, how many rows are lost, duplicated or different from the model. */
export async function compareWorkforce(db: Db, companyId: CompanyId, expected: Expected) {
  const differences = { employees: 0, changes: 0, tickets: 0, charges: 0, documents: 0 };
  const queries = linesOf(companyId);
  for (const kind of Object.keys(differences) as (keyof Expected)[]) {
    const { rows } = await queries[kind].execute(db);
    differences[kind] = countDifferences(
      expected[kind],
      rows.map(({ line }) => line),
    );
  }
  return differences;
}

/** Counts documents whose file is missing or different, and files that belong to no document. */
export async function countWrongFiles(db: Db, companyId: CompanyId, store: string): Promise<number> {
  const { rows } = await sql<{ key: string; sha256: string }>`
    select d.store_key as key, encode(d.sha256, 'hex') as sha256 from documents d
    where ${ofCompany(companyId, 'd')} and d.sha256 is not null`.execute(db);
  const folder = `company-${companyId}`;
  const found: string[] = [];
  for (const name of await readdir(join(store, folder))) {
    const bytes = await readFile(join(store, folder, name));
    found.push(`${folder}/${name} ${createHash('sha256').update(bytes).digest('hex')}`);
  }
  return countDifferences(
    rows.map(({ key, sha256 }) => `${key} ${sha256}`),
    found,
  );
}
