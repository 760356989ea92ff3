import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { listKeyNames } from './actor-names.ts';

/** An entry of the audit log, as far as it mentions ids. */
interface Mentioning {
  action: string;
  target: string | null;
  detail: Record<string, unknown>;
}

type Kind = 'employee' | 'key' | 'webhook' | 'document';

/** What the target of an action is, by the first part of its name. */
const kinds: Readonly<Record<string, Kind>> = {
  employee: 'employee',
  subscription: 'employee',
  key: 'key',
  webhook: 'webhook',
  document: 'document',
  ticket: 'employee',
};

/** Fields of the detail that contain the id of an employee. */
const employeeFields = ['employeeId', 'holderId'];

/** Returns the ids of an entry by the field that contains them, which is `target` or a field of the detail. */
function listMentions({ action, target, detail }: Mentioning): { field: string; kind: Kind; id: string }[] {
  const kind = kinds[action.slice(0, action.indexOf('.'))];
  return [
    ...(kind && target !== null ? [{ field: 'target', kind, id: target }] : []),
    ...employeeFields
      .filter((field) => detail[field] != null)
      .map((field) => ({ field, kind: 'employee' as const, id: String(detail[field]) })),
  ];
}

type Names = Map<string, string>;

/** The table of each kind besides keys, and what its rows are called. */
const tables = {
  employee: { table: 'employees', name: sql`concat_ws(' ', t.first_name, t.last_name)` },
  webhook: { table: 'webhook_endpoints', name: sql`substring(t.url from '^https?://([^/?#]+)')` },
  document: { table: 'documents', name: sql`t.name` },
} as const;

async function listNames(db: Db, companyId: CompanyId, kind: Kind, ids: string[]): Promise<Names> {
  if (kind === 'key') return listKeyNames(db, companyId, ids);
  const { table, name } = tables[kind];
  const numbers = ids.filter((id) => /^\d{1,15}$/.test(id)).map(Number);
  const { rows } = await sql<{ id: string; name: string | null }>`
    select t.id::text as id, ${name} as name from ${sql.table(table)} t
    where ${ofCompany(companyId, 't')} and t.id = any(${numbers}::bigint[])`.execute(db);
  return new Map(rows.flatMap(({ id, name }) => (name ? [[id, name] as const] : [])));
}

/**
 * Returns a function that returns what the ids in an entry are called: by the field that contains them. What was deleted
 * or erased has no name.
 */
export async function createNaming(db: Db, companyId: CompanyId, entries: readonly Mentioning[]) {
  const known: Partial<Record<Kind, Names>> = {};
  const byKind = Map.groupBy(entries.flatMap(listMentions), ({ kind }) => kind);
  for (const [kind, mentions] of byKind) {
    known[kind] = await listNames(db, companyId, kind, [...new Set(mentions.map(({ id }) => id))]);
  }
  return (entry: Mentioning): Record<string, string> =>
    Object.fromEntries(
      listMentions(entry).flatMap(({ field, kind, id }) => {
        const name = known[kind]?.get(id);
        return name === undefined ? [] : [[field, name] as const];
      }),
    );
}
