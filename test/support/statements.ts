import assert from 'node:assert/strict';
import type { KyselyPlugin } from 'kysely';
import type { Db } from '../../src/db/database.ts';

/** Tables that belong to no company. */
const shared = new Set(['environment', 'schema_migrations', 'companies']);

/** Each table a statement reads or changes, with the name by which the statement calls it. */
export function tablesIn(text: string): { table: string; alias: string }[] {
  const words = /\b(?:from|join|update|into)\s+"?([a-z_]+)\b"?(?!\s*\()(?:\s+(?:as\s+)?"?([a-z_]+)"?)?/g;
  const keywords = new Set([
    'where',
    'on',
    'set',
    'order',
    'left',
    'inner',
    'join',
    'group',
    'values',
    'limit',
    'select',
  ]);
  return [...text.matchAll(words)]
    .map(([, table = '', alias = '']) => ({ table, alias: alias && !keywords.has(alias) ? alias : table }))
    .filter(({ table }) => table !== 'lateral' && table !== 'select');
}

/** Every company table that a statement names must be scoped to one company in that statement. */
export function assertScoped(text: string): void {
  const lower = text.toLowerCase();
  const named = new Set(
    [...lower.matchAll(/(?:with|\)\s*,)\s+([a-z_]+) as (?:not )?(?:materialized )?\(/g)].map((match) => match[1]),
  );
  if (lower.trimStart().startsWith('insert')) return;
  for (const { table, alias } of tablesIn(lower)) {
    if (shared.has(table) || named.has(table)) continue;
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

/** The same database, but a statement that is not scoped to a company throws before it runs. */
export const watchStatements = (db: Db): Db => db.withPlugin(watcher(db));
