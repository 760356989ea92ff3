import { sql } from 'kysely';
import type { Db, Tx } from './database.ts';

export type SharedRead =
  | 'api_key_usage'
  | 'companies'
  | 'company_versions'
  | 'contract_batches'
  | 'documents'
  | 'employee_counts'
  | 'employee_mails'
  | 'employees'
  | 'hr_connectors'
  | 'hr_integrations'
  | 'invoices'
  | 'issuer_settings'
  | 'mails'
  | 'portal_second_factors'
  | 'pulls'
  | 'scim_connections'
  | 'sso_connections'
  | 'syncs'
  | 'ticket_orders'
  | 'webhook_deliveries'
  | 'webhook_endpoints';

/** Marks the only statements that are not scoped to one company on purpose. The test suite looks for it. */
export const allCompaniesMarker = '/* all companies */';
const marker = sql.raw(allCompaniesMarker);

export async function isDistributed(db: Db | Tx, table: string): Promise<boolean> {
  const { rows } = await sql<{ hasCitus: boolean }>`
    select to_regclass('pg_catalog.pg_dist_partition') is not null as "hasCitus"`.execute(db);
  if (!rows[0]?.hasCitus) return false;
  const { rows: found } = await sql`
    select 1 from pg_dist_partition p
    where p.logicalrelid = to_regclass(${`public.${table}`}) and p.partmethod = 'h'`.execute(db);
  return found.length > 0;
}

/** What one shard has returned, as text. Without success: its node does not respond. */
interface ShardResult {
  success: boolean;
  result: string;
}

/**
 * Returns one value per shard, or a single one on plain PostgreSQL. Citus would reject a query over all companies as a
 * whole while one node does not respond. `run_command_on_shards` reports the failure of each shard instead. It accepts
 * no parameters, so the query contains its values as literals, and no `%`.
 */
export async function readShards(
  db: Db,
  table: SharedRead,
  query: (name: string) => string,
): Promise<{ results: string[]; isComplete: boolean }> {
  if (!(await isDistributed(db, table))) {
    const { rows } = await sql<{ result: string }>`
      ${marker} select r.result::text as result from (${sql.raw(query(table))}) r(result)`.execute(db);
    return { results: rows.map(({ result }) => result), isComplete: true };
  }
  const { rows } = await sql<ShardResult>`
    ${marker} select r.success, r.result from run_command_on_shards(${`public.${table}`}::regclass, ${query('%s')}) r`.execute(
    db,
  );
  const read = rows.filter(({ success }) => success);
  return { results: read.map(({ result }) => result), isComplete: read.length === rows.length };
}

interface RowsQuery {
  table: SharedRead;
  /** The columns to return, in SQL. The table is `t`. */
  columns: string;
  where: string;
}

export interface FoundRows<Row> {
  rows: Row[];
  /** Whether every company was read. On Citus, those of a node that does not respond are missing. */
  isComplete: boolean;
}

/** Lists rows of all companies, also while a node of a Citus cluster does not respond. */
export async function listRows<Row>(db: Db, { table, columns, where }: RowsQuery): Promise<FoundRows<Row>> {
  const { results, isComplete } = await readShards(
    db,
    table,
    (name) => `select coalesce(json_agg(r), '[]') from (select ${columns} from ${name} t where ${where}) r`,
  );
  return { rows: results.flatMap((result) => JSON.parse(result) as Row[]), isComplete };
}

/** Formats a time as a literal of SQL, for statements that cannot have parameters. */
export const timeLiteral = (time: Temporal.Instant) => `'${time.toString()}'::timestamptz`;
