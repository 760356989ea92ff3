import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../src/platform/db/database.ts';

/**
 * Selects one line per column, constraint, index, function, trigger, sequence, setting and privilege of the schema. The
 * order of columns is left out, and so is what other versions of PostgreSQL write differently.
 */
const listing = sql<{ line: string }>`
  with tables as (
    select c.* from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relname <> 'schema_migrations'
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e'))
  select format('column %s.%s %s%s%s%s%s', t.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then ' not null' else '' end,
      case a.attidentity when 'a' then ' identity always' when 'd' then ' identity by default' else '' end,
      case when d.oid is null then '' when a.attgenerated = 's' then ' generated ' else ' default ' end
        || coalesce(pg_get_expr(d.adbin, d.adrelid), ''),
      case when a.attcollation <> y.typcollation then ' collate ' || a.attcollation::regcollation else '' end) as line
  from tables t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    join pg_type y on y.oid = a.atttypid left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
  where t.relkind in ('r', 'v')
  union all
  select format('constraint %s.%s %s', t.relname, c.conname, pg_get_constraintdef(c.oid))
  from pg_constraint c join tables t on t.oid = c.conrelid where c.contype <> 'n'
  union all
  select format('index %s', pg_get_indexdef(i.indexrelid)) from pg_index i join tables t on t.oid = i.indrelid
  union all
  select format('settings %s %s', t.relname, t.reloptions) from tables t where t.reloptions is not null
  union all
  select format('privileges %s %s', t.relname, t.relacl) from tables t where t.relacl is not null
  union all
  select format('sequence %s %s', t.relname, s.seqtypid::regtype) from tables t join pg_sequence s on s.seqrelid = t.oid
  union all
  select format('trigger %s', pg_get_triggerdef(g.oid)) from pg_trigger g join tables t on t.oid = g.tgrelid
  where not g.tgisinternal
  union all
  select format('policy %s %s', p.polname, t.relname) from pg_policy p join tables t on t.oid = p.polrelid
  union all
  select format('function %s, executable by all: %s', pg_get_functiondef(p.oid), has_function_privilege('public', p.oid, 'execute'))
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  union all
  select format('type %s', y.typname) from pg_type y
  where y.typnamespace = 'public'::regnamespace and y.typtype in ('e', 'd')
  union all
  select format('extension %s', e.extname) from pg_extension e where e.extname not like 'citus%'
  union all
  select format('comment on %s: %s', pg_describe_object(d.classoid, d.objoid, d.objsubid), d.description)
  from pg_description d join tables t on t.oid = d.objoid and d.classoid = 'pg_class'::regclass`;

/** Returns the table that a line is about, otherwise its kind. */
const subjectOf = (line: string) =>
  /^(?:column|constraint) (\w+)\./.exec(line)?.[1] ??
  /^index .* ON public\.(\w+)/.exec(line)?.[1] ??
  line.split(' ')[0] ??
  '';

/** Returns a digest of everything that the schema has for each table, and of each kind that belongs to none. */
export async function digestSchema(db: Db): Promise<Record<string, string>> {
  const { rows } = await listing.execute(db);
  const lines = rows.map(({ line }) => line.trimEnd()).sort();
  const digests = [...Map.groupBy(lines, subjectOf)].map(([subject, about]) => [
    subject,
    hash('sha256', about.join('\n')).slice(0, 16),
  ]);
  return Object.fromEntries(digests);
}
