import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type CompiledQuery, Kysely, type KyselyPlugin, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Db } from '../../src/platform/db/database.ts';
import { allCompaniesMarker } from '../../src/platform/db/shards.ts';
import type { DB } from '../../src/platform/db/types.gen.ts';

/** The tables that do not belong to a company. */
export const sharedTables: ReadonlySet<string> = new Set([
  'environment',
  'companies',
  'ticket_prices',
  'fee_prices',
  'price_lists',
  'price_list_fees',
  'portal_users',
  'portal_sessions',
  'portal_accounts',
  'portal_verifications',
  'portal_second_factors',
  'portal_passkeys',
  'portal_known_networks',
  'portal_sign_in_failures',
  'rate_limit_windows',
  'mail_pace',
  'seller_settings',
  'sso_domains',
  'invoice_numbers',
  'invoice_start',
]);

/** Every table of the schema, from the generated types. */
const schema = readFileSync(new URL('../../src/platform/db/types.gen.ts', import.meta.url), 'utf8');
const tables = new Set([...schema.matchAll(/^ {2}(\w+): \w+Table;$/gm)].map((match) => match[1] ?? ''));
/** The tables that a Citus cluster distributes. */
const companyTables = tables.difference(sharedTables).union(new Set(['companies']));

/**
 * Statements that ask all companies on purpose, by their beginning, besides those with a marker. They are part of no
 * request of a company: they list the companies that an operator's command or time travel then treats one by one.
 */
const forAllCompanies: readonly RegExp[] = [
  // The operator's commands and time travel: lists of all companies.
  /^select (?:"c"\.)?"id"(?:, "name")? from "companies"(?: as "c")? order by /,
  // The demo creates a company if there is none.
  /^select "id" from "companies" limit /,
  // A ticket price is refused for billed months, and compared with the plans of all companies.
  /^select "period" from "billing_quantities" where "period" >= /,
  /^select c\.id as company, c\.name, c\.plan_type as "planType", c\.contribution_cents as "contributionCents" from companies c\s+union/,
];

/** Returns whether a statement is one of those that ask all companies on purpose. */
export const asksAllCompanies = (text: string) =>
  text.includes(allCompaniesMarker) || forAllCompanies.some((one) => one.test(text.trim()));

const noAlias = new Set(['where', 'on', 'set', 'order', 'left', 'inner', 'join', 'group', 'limit', 'select', 'cross']);

/** Returns whether a statement reads or writes a table of companies. */
export const namesCompanyTable = (text: string) =>
  tablesIn(text.toLowerCase()).length > 0 || insertsIn(text).length > 0;

/** Returns the company tables that a statement inserts into, each with its list of columns. */
const insertsIn = (text: string) =>
  [...text.toLowerCase().matchAll(/\binsert into "?([a-z_]+)"?(?: as "?[a-z_]+"?)?\s*\(([^)]*)\)/g)]
    .map(([, table = '', columns = '']) => ({ table, columns }))
    .filter(({ table }) => companyTables.has(table));

/** The column by which a table is distributed. */
const companyColumn = (table: string) => (table === 'companies' ? 'id' : 'company_id');

/** Returns each company table that a statement reads, updates or deletes from, with its alias in the statement. */
function tablesIn(text: string): { table: string; alias: string }[] {
  const words = /\b(?:from|join|update)\s+"?([a-z_]+)"?(?:\s+(?:as\s+)?"?([a-z_]+)"?)?/g;
  return [...text.matchAll(words)]
    .filter(([, table = '']) => companyTables.has(table))
    .map(([, table = '', alias = '']) => ({ table, alias: alias && !noAlias.has(alias) ? alias : table }));
}

/**
 * Throws unless every company table that a statement names is scoped to one company in that statement, so that a Citus
 * cluster sends it to one node. An inserted row has its company among its values.
 */
function assertScoped(text: string): void {
  if (asksAllCompanies(text)) return;
  const lower = text.toLowerCase();
  for (const { table, alias } of tablesIn(lower)) {
    const name = table === 'companies' ? `(?:"?\\b${alias}"?\\.)?` : `"?\\b${alias}"?\\.`;
    const scope = new RegExp(`${name}"?${companyColumn(table)}"? = \\$\\d+`);
    assert.match(lower, scope, `Statement reads ${table} (${alias}) without naming the company: ${text}`);
  }
  for (const { table, columns } of insertsIn(text)) {
    if (table === 'companies') continue;
    assert.match(columns, /\bcompany_id\b/, `Statement inserts into ${table} without naming the company: ${text}`);
  }
}

/** The tables that Citus does not know, because no transaction changes them together with rows of a company. */
const plainTable = /\b(?:rate_limit_windows|portal_sign_in_failures)\b/;

/** What Citus refuses in a change of its tables, such as a time that is read for each row. */
const refusedByCitus: readonly [RegExp, string][] = [
  [/\bdo update set (?:(?!\breturning\b).)*\bnow\(\)/, 'now() in DO UPDATE SET. Use the column of `excluded`'],
  [/^(?:insert|update|delete) .*\breturning\b.*\bnow\(\)/, 'now() in RETURNING. Return the columns'],
  [
    /^update .*\b(?:coalesce\([^()]*|case\b(?:(?!\bend\b).)*)\bnow\(\)/,
    'now() in COALESCE or CASE. Pass the time as a value',
  ],
  [/^update .*\bset\b.*\bjsonb_build_object\(/, 'jsonb_build_object in SET. Use jsonb_set'],
  [/^insert into .*\bvalues \(.*\(\s*select\b/, 'a subquery in VALUES. Read the value first'],
  [/^update .*\bset\b.*\bcase (?!when\b)/, 'CASE with a value to compare in SET. Compare after each WHEN'],
];

/** Throws for a change that Citus would refuse. Only a cluster knows all of its rules (`npm run test:citus`). */
export function assertPlannable(text: string): void {
  const line = text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
  if (plainTable.test(line)) return;
  for (const [pattern, advice] of refusedByCitus) {
    assert.doesNotMatch(line, pattern, `Citus refuses ${advice}: ${text}`);
  }
}

/** The statements that have been checked and found correct. */
const correct = new Set<string>();

const watcher = (db: Db): KyselyPlugin => ({
  transformQuery: ({ node, queryId }) => {
    const { sql: text } = db.getExecutor().compileQuery(node, queryId);
    if (correct.has(text)) return node;
    assertScoped(text);
    assertPlannable(text);
    correct.add(text);
    return node;
  },
  transformResult: async ({ result }) => result,
});

/** Returns the same database, but a statement that is not scoped to a company throws before it runs. */
export const watchStatements = (db: Db): Db => db.withPlugin(watcher(db));

export interface Statement {
  text: string;
  values: unknown[];
}

/** Returns the statement of a query exactly as the service sends it. */
export async function captureStatement(url: string, query: (db: Db) => Promise<unknown>): Promise<Statement> {
  const captured: CompiledQuery[] = [];
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  // The database may be dropped before the server has noticed that the connection ends.
  pool.on('connect', (client) => client.on('error', () => {}));
  const log = ({ query }: { query: CompiledQuery }) => void captured.push(query);
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), log });
  try {
    await query(db);
  } finally {
    await db.destroy();
  }
  const [only, ...others] = captured;
  if (only === undefined || others.length > 0)
    throw new Error(`${captured.length} statements were sent instead of one.`);
  return { text: only.sql, values: [...only.parameters] };
}
