import type pg from 'pg';

/** The contents of a database: the number of rows of each table and a digest of them that ignores their order. */
export type Contents = Map<string, { rows: number; digest: string }>;

const ours = `n.nspname <> 'information_schema' and n.nspname !~ '^pg_'`;

async function listTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and ${ours} order by 1`);
  return rows.map(({ name }) => name);
}

/** Reads every table of every schema, as seen by the connection's transaction. */
export async function readContents(client: pg.Client): Promise<Contents> {
  const contents: Contents = new Map();
  for (const table of await listTables(client)) {
    const { rows } = await client.query<{ rows: number; digest: string }>(`
      select count(*)::int as rows, md5(coalesce(string_agg(r.digest, '' order by r.digest), '')) as digest
      from (select md5(t::text) as digest from ${table} t) r`);
    contents.set(table, rows[0] ?? { rows: 0, digest: '' });
  }
  return contents;
}

/** Returns the names of tables that exist in only one of both, or that hold different rows. */
export function differingTables(one: Contents, other: Contents): string[] {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].filter((name) => {
    const [left, right] = [one.get(name), other.get(name)];
    return left === undefined || left.rows !== right?.rows || left.digest !== right.digest;
  });
}

/** Returns columns, constraints, indexes and functions in PostgreSQL's own notation. */
export async function readDefinitions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(`
    select concat_ws(' ', 'column', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity,
      pg_get_expr(d.adbin, d.adrelid)) as text
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relkind in ('r', 'p', 'v') and a.attnum > 0 and not a.attisdropped and ${ours}
    union all
    select concat_ws(' ', 'constraint', r.conrelid::regclass, r.conname, pg_get_constraintdef(r.oid), r.convalidated)
    from pg_constraint r join pg_namespace n on n.oid = r.connamespace where ${ours}
    union all
    select pg_get_indexdef(i.indexrelid) || ' ' || i.indisvalid
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace where ${ours}
    union all
    select pg_get_functiondef(p.oid) from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where p.prokind in ('f', 'p') and ${ours} order by 1`);
  return rows.map(({ text }) => text);
}

/** Returns the privileges of the role on each table, sequence, function and schema. */
export async function readPrivileges(client: pg.Client, role: string): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    `select concat_ws(' ', c.oid::regclass, p) as text from pg_class c join pg_namespace n on n.oid = c.relnamespace
    cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) p
    where c.relkind = 'r' and ${ours} and has_table_privilege($1, c.oid, p)
    union all
    select concat_ws(' ', c.oid::regclass, 'usage') from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where ${ours} and case when c.relkind = 'S' then has_sequence_privilege($1, c.oid, 'usage') end
    union all
    select concat_ws(' ', p.oid::regprocedure, 'execute') from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where ${ours} and has_function_privilege($1, p.oid, 'execute')
    union all
    select concat_ws(' ', 'schema', n.nspname, p) from pg_namespace n cross join unnest(array['usage', 'create']) p
    where ${ours} and has_schema_privilege($1, n.oid, p)`,
    [role],
  );
  return rows.map(({ text }) => text);
}

/** Counts identity columns and sequences that would return a number a second time. */
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
