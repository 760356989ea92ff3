import { sql } from 'kysely';
import { protectAudit } from './citus/audit-policies.ts';
import { changeSequentially } from './citus/sequential.ts';
import type { Db, Tx } from './database.ts';
import { isDistributed } from './shards.ts';
import { writeShared } from './write.ts';

const schemas = ['public', 'queue'];

const rows = ['select', 'insert', 'update', 'delete'];
/** Returns the privileges on tables that the service may not write freely. On Citus, policies limit deletions. */
const restrictions = (isSpread: boolean): Readonly<Record<string, readonly string[]>> => ({
  'public.audit_log': isSpread ? ['select', 'insert', 'delete'] : ['select', 'insert'],
  'public.schema_migrations': ['select'],
});
/** The functions that perform what the service has no privilege for (migrations/0001-baseline.sql). */
const functions = ['public.redact_audit_log(bigint, text[])', 'public.expire_audit_log(bigint, timestamptz)'];

export interface DatabaseRole {
  name: string;
  /** Whether the role owns the tables, or will create them, and so may change them in any way. */
  isOwner: boolean;
}

/** Returns the role of a connection. A superuser counts as the owner. */
export async function findRole(db: Db): Promise<DatabaseRole> {
  const found = await sql<DatabaseRole>`
    select current_user::text as name, coalesce(
      (select pg_has_role(c.relowner, 'member') from pg_class c where c.oid = to_regclass('public.schema_migrations')),
      has_schema_privilege('public', 'create')) as "isOwner"`.execute(db);
  const [role] = found.rows;
  if (role === undefined) throw new Error('The database does not know its own user.');
  return role;
}

interface Held {
  schema: string;
  table: string;
  privileges: string[];
}

async function listHeld(db: Db | Tx, role: string, known: readonly string[]): Promise<Held[]> {
  const found = await sql<Held>`
    select n.nspname as schema, c.relname as "table",
      array(select p from unnest(${known}::text[]) p where has_table_privilege(${role}, c.oid, p)) as privileges
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any(${schemas}) and c.relkind in ('r', 'p')
      and not exists (select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by 1, 2`.execute(db);
  return found.rows;
}

/** Returns whether the server has the privilege MAINTAIN (PostgreSQL 17), which covers refreshing statistics. */
async function knowsMaintain(db: Db | Tx): Promise<boolean> {
  const found = await sql<{ is: boolean }>`
    select current_setting('server_version_num')::integer >= 170000 as is`.execute(db);
  return found.rows[0]?.is ?? false;
}

const words = (privileges: readonly string[]) => sql.raw(privileges.join(', '));

export interface PrivilegeDifference {
  schema: string;
  table: string;
  missing: string[];
  excess: string[];
}

/** Returns the tables on which a role lacks privileges of the service, or has others. */
export async function listPrivilegeDifferences(db: Db | Tx, role: string): Promise<PrivilegeDifference[]> {
  const usual = (await knowsMaintain(db)) ? [...rows, 'maintain'] : rows;
  const known = [...usual, 'truncate', 'references', 'trigger'];
  const restricted = restrictions(await isDistributed(db, 'audit_log'));
  const differences = (await listHeld(db, role, known)).map(({ schema, table, privileges }) => {
    const wanted = restricted[`${schema}.${table}`] ?? usual;
    const missing = wanted.filter((privilege) => !privileges.includes(privilege));
    const excess = privileges.filter((privilege) => !wanted.includes(privilege));
    return { schema, table, missing, excess };
  });
  return differences.filter(({ missing, excess }) => missing.length + excess.length > 0);
}

async function grantTables(tx: Tx, role: string): Promise<void> {
  for (const { schema, table, missing, excess } of await listPrivilegeDifferences(tx, role)) {
    const on = sql.id(schema, table);
    if (missing.length > 0) await sql`grant ${words(missing)} on ${on} to ${sql.id(role)}`.execute(tx);
    if (excess.length > 0) await sql`revoke ${words(excess)} on ${on} from ${sql.id(role)}`.execute(tx);
  }
}

/** Grants the use of sequences: ids are taken from them before rows are written (features/roster/write.ts). */
async function grantSequences(tx: Tx, role: string): Promise<void> {
  const found = await sql<{ schema: string; sequence: string }>`
    select n.nspname as schema, c.relname as sequence
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any(${schemas}) and case when c.relkind = 'S' then not has_sequence_privilege(${role}, c.oid, 'usage') end
    order by 1, 2`.execute(tx);
  for (const { schema, sequence } of found.rows) {
    await sql`grant usage on sequence ${sql.id(schema, sequence)} to ${sql.id(role)}`.execute(tx);
  }
}

async function grantSchemas(tx: Tx, role: string): Promise<void> {
  for (const schema of schemas) {
    const found = await sql<{ usage: boolean; create: boolean }>`
      select has_schema_privilege(${role}, ${schema}, 'usage') as usage,
        has_schema_privilege(${role}, ${schema}, 'create') as create`.execute(tx);
    const [held] = found.rows;
    if (!held?.usage) await sql`grant usage on schema ${sql.id(schema)} to ${sql.id(role)}`.execute(tx);
    // Databases created before PostgreSQL 15 let every role create tables.
    if (held?.create) await sql`revoke create on schema ${sql.id(schema)} from public, ${sql.id(role)}`.execute(tx);
  }
}

/** A restored dump lets every role execute functions again, because it was restored without privileges. */
async function grantFunctions(tx: Tx, role: string): Promise<void> {
  for (const name of functions) {
    const found = await sql<{ byRole: boolean; byPublic: boolean }>`
      select has_function_privilege(${role}, ${name}, 'execute') as "byRole",
        has_function_privilege('public', ${name}, 'execute') as "byPublic"`.execute(tx);
    const [held] = found.rows;
    if (held?.byPublic) await sql`revoke execute on function ${sql.raw(name)} from public`.execute(tx);
    if (held?.byPublic || !held?.byRole)
      await sql`grant execute on function ${sql.raw(name)} to ${sql.id(role)}`.execute(tx);
  }
}

/** Grants what the service needs and revokes all else. Changes only what differs: others keep their plans. */
export function grantPrivileges(db: Db, role: string): Promise<void> {
  return writeShared(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('schema_migrations'))`.execute(tx);
    await changeSequentially(tx);
    await grantSchemas(tx, role);
    await grantTables(tx, role);
    await grantSequences(tx, role);
    await grantFunctions(tx, role);
    await protectAudit(tx, role);
  });
}
