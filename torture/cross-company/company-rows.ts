import { sql } from 'kysely';
import type { CompanyId } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';

/** Lists every table that has a `company_id` column. */
async function listTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ table: string }>`
    select c.table_name as table from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'company_id' and t.table_type = 'BASE TABLE'
    order by 1`.execute(db);
  return rows.map(({ table }) => table);
}

/** Lists everything of the company: rows of its tables, accounts and sessions of its users, and its jobs. */
async function listRows(db: Db, companyId: CompanyId): Promise<[string, string[]][]> {
  const users = sql`select id from portal_users where company_id = ${companyId}`;
  const ofUsers = sql`user_id in (${users})`;
  const sources: [string, ReturnType<typeof sql>][] = [
    ...(await listTables(db)).map((table): [string, ReturnType<typeof sql>] => [table, sql`company_id = ${companyId}`]),
    ['companies', sql`id = ${companyId}`],
    ['portal_sessions', ofUsers],
    ['portal_accounts', ofUsers],
  ];
  const rows: [string, string[]][] = [];
  // A guessed password correctly leaves a failed sign-in behind.
  const isGuess = sql`to_jsonb(t) ->> 'action' = 'session.sign-in-failed'`;
  for (const [table, condition] of sources) {
    const found = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.ref(table)} t
      where ${condition} and (${isGuess}) is not true order by 1`.execute(db);
    rows.push([table, found.rows.map(({ row }) => row)]);
  }
  const jobs = await sql<{ row: string }>`
    select data::text as row from queue.job where data ->> 'companyId' = ${String(companyId)} order by 1`.execute(db);
  return [...rows, ['jobs', jobs.rows.map(({ row }) => row)]];
}

/** Returns the rows of the company by table, for comparison with another snapshot. */
export async function takeRows(db: Db, companyId: CompanyId): Promise<Map<string, string>> {
  const tables = await listRows(db, companyId);
  return new Map(tables.map(([table, rows]) => [table, rows.join('\n')]));
}

function collectValues(value: unknown, into: Set<string>): void {
  if (typeof value === 'string' || typeof value === 'number') into.add(String(value));
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) collectValues(part, into);
}

async function valuesOf(db: Db, companyId: CompanyId): Promise<Set<string>> {
  const values = new Set<string>();
  for (const [, rows] of await listRows(db, companyId)) {
    for (const row of rows) collectValues(JSON.parse(row), values);
  }
  return values;
}

const shortest = 6;

/**
 * Lists the values that occur in rows of their company and in none of ours. Responses to us must never contain them.
 */
export async function listMarks(db: Db, theirs: CompanyId, ours: CompanyId): Promise<string[]> {
  const values = (await valuesOf(db, theirs)).difference(await valuesOf(db, ours));
  return [...values].filter((value) => value.length >= shortest);
}
