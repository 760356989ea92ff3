import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { listKeyNames } from '../keys/names.ts';

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

const listNames: Record<Kind, (db: Db, companyId: CompanyId, ids: string[]) => Promise<Names>> = {
  key: listKeyNames,
  employee: (db, companyId, ids) =>
    read(
      db,
      sql`select e.id::text as id, concat_ws(' ', e.first_name, e.last_name) as name from employees e
      where ${ofCompany(companyId, 'e')} and e.id = any(${toNumbers(ids)}::bigint[])`,
    ),
  webhook: (db, companyId, ids) =>
    read(
      db,
      sql`select w.id::text as id, substring(w.url from '^https?://([^/?#]+)') as name
      from webhook_endpoints w where ${ofCompany(companyId, 'w')} and w.id = any(${toNumbers(ids)}::bigint[])`,
    ),
  document: (db, companyId, ids) =>
    read(
      db,
      sql`select d.id::text as id, d.name from documents d
      where ${ofCompany(companyId, 'd')} and d.id = any(${toNumbers(ids)}::bigint[])`,
    ),
};

const toNumbers = (ids: string[]) => ids.filter((id) => /^\d{1,15}$/.test(id)).map(Number);

async function read(db: Db, statement: ReturnType<typeof sql>): Promise<Names> {
  const { rows } = await (statement as ReturnType<typeof sql<{ id: string; name: string | null }>>).execute(db);
  return new Map(rows.flatMap(({ id, name }) => (name ? [[id, name] as const] : [])));
}

/**
 * Returns a function that returns what the ids in an entry are called: by the field that contains them. What was deleted
 * or erased has no name.
 */
export async function createNaming(db: Db, companyId: CompanyId, entries: readonly Mentioning[]) {
  const mentions = entries.flatMap(listMentions);
  const known: Partial<Record<Kind, Names>> = {};
  for (const kind of Object.keys(listNames) as Kind[]) {
    const ids = [...new Set(mentions.filter((one) => one.kind === kind).map(({ id }) => id))];
    if (ids.length > 0) known[kind] = await listNames[kind](db, companyId, ids);
  }
  return (entry: Mentioning): Record<string, string> =>
    Object.fromEntries(
      listMentions(entry).flatMap(({ field, kind, id }) => {
        const name = known[kind]?.get(id);
        return name === undefined ? [] : [[field, name] as const];
      }),
    );
}
