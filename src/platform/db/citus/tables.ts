import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import { orderByReferences, type Reference } from './order.ts';

export type Placement =
  /** Rows are divided by company. All rows of a company are on the same node. */
  | 'distributed'
  /** On the coordinator, and known to Citus, so that a change together with a company's rows is atomic. */
  | 'local';

export interface PlannedTable {
  name: string;
  placement: Placement;
  /** The column whose value decides the node. Null for local tables. */
  column: 'id' | 'company_id' | null;
  isDone: boolean;
}

/** Belongs to every company: its rows are distributed by their id, all others by `company_id`. */
const root = 'companies';

/** Stay plain tables of the coordinator: reading one that Citus knows would make a transaction a distributed one. */
const plain = new Set([
  'schema_migrations',
  'ticket_prices',
  'fee_prices',
  'price_lists',
  'price_list_fees',
  'rate_limit_windows',
  'mail_pace',
  'portal_sign_in_failures',
  'seller_settings',
  'invoice_start',
]);

/** Tables of companies without a foreign key, since checking it for each of their rows takes too long. */
const unreferenced = new Set(['api_request_batches', 'events', 'sync_records']);

/** Citus hides the parts of its tables in `pg_class`, so every other catalogue is joined to it. */
async function listReferences(db: Db | Tx): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select t.relname as table, p.relname as parent
    from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class p on p.oid = c.confrelid
    where c.contype = 'f' and t.relnamespace = 'public'::regnamespace and p.relnamespace = 'public'::regnamespace
    order by 1, 2`.execute(db);
  return rows;
}

async function listTables(db: Db | Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

async function listKnown(db: Db | Tx): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where c.relnamespace = 'public'::regnamespace`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** Derives from the catalogue how every table is to be stored, parents before the tables that refer to them. */
export async function planTables(db: Db | Tx): Promise<PlannedTable[]> {
  const known = await listKnown(db);
  const tables = await listTables(db);
  const references = [
    ...(await listReferences(db)),
    ...tables.filter((table) => unreferenced.has(table)).map((table) => ({ table, parent: root })),
  ];
  const ofCompanies = orderByReferences(root, references);
  const others = tables.filter((name) => !ofCompanies.includes(name) && !plain.has(name));
  return [
    ...ofCompanies.map((name) => ({
      name,
      placement: 'distributed' as const,
      column: name === root ? ('id' as const) : ('company_id' as const),
      isDone: known.has(name),
    })),
    ...others.map((name) => ({ name, placement: 'local' as const, column: null, isDone: known.has(name) })),
  ];
}
