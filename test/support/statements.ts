import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type CompiledQuery, Kysely, type KyselyPlugin, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Db } from '../../src/db/database.ts';
import { allCompaniesMarker } from '../../src/db/shards.ts';
import type { DB } from '../../src/db/types.gen.ts';

/** The tables that do not belong to a company. */
export const sharedTables: ReadonlySet<string> = new Set([
  'environment',
  'companies',
  'ticket_prices',
  'fee_prices',
  'portal_users',
  'portal_sessions',
  'portal_accounts',
  'portal_verifications',
  'portal_sign_in_failures',
  'rate_limit_windows',
]);

/** Every table of the schema, from the generated types. */
const schema = readFileSync(new URL('../../src/db/types.gen.ts', import.meta.url), 'utf8');
const tables = new Set([...schema.matchAll(/^ {2}(\w+): \w+Table;$/gm)].map((match) => match[1] ?? ''));
const companyTables = tables.difference(sharedTables);

const noAlias = new Set(['where', 'on', 'set', 'order', 'left', 'inner', 'join', 'group', 'limit', 'select', 'cross']);

/** Returns each company table that a statement reads, updates or deletes from, with its alias in the statement. */
function tablesIn(text: string): { table: string; alias: string }[] {
  const words = /\b(?:from|join|update)\s+"?([a-z_]+)"?(?:\s+(?:as\s+)?"?([a-z_]+)"?)?/g;
  return [...text.matchAll(words)]
    .filter(([, table = '']) => companyTables.has(table))
    .map(([, table = '', alias = '']) => ({ table, alias: alias && !noAlias.has(alias) ? alias : table }));
}

/**
 * Throws unless every company table that a statement names is scoped to one company in that statement. An inserted row
 * has its company among its values. Exempts statements that are about all companies on purpose.
 */
function assertScoped(text: string): void {
  if (text.includes(allCompaniesMarker)) return;
  const lower = text.toLowerCase();
  for (const { table, alias } of tablesIn(lower)) {
    const scope = new RegExp(`"?\\b${alias}"?\\."?company_id"? = \\$\\d+`);
    assert.match(lower, scope, `Statement reads ${table} (${alias}) without naming the company: ${text}`);
  }
}

const watcher = (db: Db): KyselyPlugin => ({
  transformQuery: ({ node, queryId }) => {
    assertScoped(db.getExecutor().compileQuery(node, queryId).sql);
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
