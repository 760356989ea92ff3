import type pg from 'pg';
import { type InstalledPostgres, serviceRole } from './installed-postgres.ts';

/** The contents of a database: the number of rows of each table and a digest of them that ignores their order. */
export type Contents = Map<string, { rows: number; digest: string }>;

const ours = `n.nspname <> 'information_schema' and n.nspname !~ '^pg_'`;

/** Reads every table of every schema, as seen by the connection's transaction. */
export async function readContents(client: pg.Client): Promise<Contents> {
  const { rows: tables } = await client.query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and ${ours} order by 1`);
  const contents: Contents = new Map();
  for (const { name } of tables) {
    const { rows } = await client.query<{ rows: number; digest: string }>(`
      select count(*)::int as rows, md5(coalesce(string_agg(r.digest, '' order by r.digest), '')) as digest
      from (select md5(t::text) as digest from ${name} t) r`);
    contents.set(name, rows[0] ?? { rows: 0, digest: '' });
  }
  return contents;
}

/** Returns the definitions of everything in the database, as pg_dump writes them. */
export async function readDefinitions({ shell, folder }: InstalledPostgres, databaseUrl: string): Promise<Set<string>> {
  const command = 'pg_dump --schema-only --no-privileges "$DATABASE_URL"';
  const script = await shell(command, folder, { DATABASE_URL: databaseUrl });
  return new Set(script.split('\n--\n-- ').filter((entry) => entry.startsWith('Name: ')));
}

/** Returns the privileges of the service on each table, sequence, function and schema. */
export async function readPrivileges(client: pg.Client): Promise<Set<string>> {
  const classes = 'pg_class c join pg_namespace n on n.oid = c.relnamespace';
  const { rows } = await client.query<{ text: string }>(
    `select concat_ws(' ', c.oid::regclass, p) as text
    from ${classes} cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) p
    where c.relkind = 'r' and ${ours} and has_table_privilege($1, c.oid, p)
    union all select c.oid::regclass || ' usage' from ${classes}
    where ${ours} and case when c.relkind = 'S' then has_sequence_privilege($1, c.oid, 'usage') end
    union all select p.oid::regprocedure || ' execute' from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where ${ours} and has_function_privilege($1, p.oid, 'execute')
    union all select concat_ws(' ', 'schema', n.nspname, p) from pg_namespace n, unnest(array['usage', 'create']) p
    where ${ours} and has_schema_privilege($1, n.oid, p)`,
    [serviceRole],
  );
  return new Set(rows.map(({ text }) => text));
}

/** Counts identity columns that would return a number a second time. */
export async function countStaleSequences(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(`
    select c.oid::regclass as table, quote_ident(a.attname) as column,
      pg_get_serial_sequence(c.oid::regclass::text, a.attname) as sequence
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and a.attidentity <> '' and ${ours}`);
  let stale = 0;
  for (const { table, column, sequence } of rows) {
    const { rows: found } = await client.query<{ stale: boolean }>(`
      select coalesce((select max(t.${column}) from ${table} t), 0) >
        (select case when s.is_called then s.last_value else 0 end from ${sequence} s) as stale`);
    if (found[0]?.stale !== false) stale += 1;
  }
  return stale;
}
