import { sql } from 'kysely';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { type Integration, ofIntegration } from '../companies/companies.ts';
import { type KnownRow, loadSomeEmployees } from './load.ts';
import type { PlanContext } from './plan-context.ts';
import { keySeparator, type RosterPart, readKeys } from './roster-parts.ts';

/**
 * Finds what a roster does not repeat, in the database, so that nothing else is read or matched. An entry is repeated if
 * it is the same as last time, and neither the employee nor their link has changed since. Such an entry keeps its
 * employee, and no other entry can mean them: HR ids and email addresses occur once in a roster, and once among the
 * employees who are not removed.
 */

export interface ComparedRoster {
  /** How many entries are repeated. */
  repeated: number;
  /** The places of all other entries in each part. */
  places: number[][];
  /** Everybody whom the other entries may mean, or who may be absent. */
  known: KnownRow[];
}

interface ComparedPart {
  linkIds: number[];
  places: number[];
  /** Employees who have the email address of an entry that is not repeated. */
  holderIds: number[];
}

/**
 * Compares the entries of one part. Looks up each by its keys: `limit 1` prevents any other plan, because PostgreSQL
 * knows nothing about a roster that was just applied, and has compared each of 100,000 entries with each link.
 */
async function comparePart(
  db: Db,
  { companyId, hrIntegrationId }: Integration,
  keys: string,
): Promise<ComparedPart | undefined> {
  const column = (index: number) => sql`string_to_array(c.columns[${sql.lit(index)}], E'\\n')`;
  const { rows } = await sql<ComparedPart>`
    select coalesce(json_agg(l.id) filter (where e.is_same), '[]') as "linkIds",
      coalesce(json_agg(k.n - 1 order by k.n) filter (where e.is_same is null), '[]') as places,
      coalesce(json_agg(h.id) filter (where h.id is not null), '[]') as "holderIds"
    from (select string_to_array(${keys}, ${keySeparator}) as columns offset 0) c
    cross join unnest(${column(1)}, ${column(2)}, ${column(3)}) with ordinality as k(hr_id, email_key, entry_hash, n)
    left join lateral (
      select l.id, l.employee_id from hr_links l where ${ofCompany(companyId, 'l')}
        and l.hr_integration_id = ${hrIntegrationId} and l.hr_id = k.hr_id and l.entry_hash = k.entry_hash
        and l.is_current limit 1
    ) l on true
    left join lateral (
      select true as is_same from employees e where ${ofCompany(companyId, 'e')} and e.id = l.employee_id
        and e.email_key = k.email_key and e.removed_at is null and not e.is_leaving limit 1
    ) e on true
    left join lateral (
      select h.id from employees h where ${ofCompany(companyId, 'h')} and h.email_key = k.email_key
        and h.removed_at is null and e.is_same is null limit 1
    ) h on true`.execute(db);
  return rows[0];
}

/** Returns the employees whom the integration links by another link than these. */
async function listOthersLinked(db: Db, target: Integration, linkIds: ReadonlySet<number>): Promise<number[]> {
  const { rows: counts } = await sql<{ links: number }>`
    select count(*) as links from hr_links l where ${ofIntegration(target, 'l')}`.execute(db);
  if (counts[0]?.links === linkIds.size) return [];
  const { rows } = await sql<{ some: [id: number, employeeId: number][] }>`
    select json_agg(json_build_array(l.id, l.employee_id)) as some from hr_links l
    where ${ofIntegration(target, 'l')} group by l.id / 4096`.execute(db);
  return rows.flatMap(({ some }) => some.flatMap(([id, employeeId]) => (linkIds.has(id) ? [] : [employeeId])));
}

export async function compareRoster(
  { db, target, today }: Pick<PlanContext, 'db' | 'target' | 'today'>,
  roster: readonly RosterPart[],
): Promise<ComparedRoster> {
  const linkIds = new Set<number>();
  const ids = new Set<number>();
  const places: number[][] = [];
  for (const part of roster) {
    const compared = await comparePart(db, target, await readKeys(part));
    for (const id of compared?.linkIds ?? []) linkIds.add(id);
    for (const id of compared?.holderIds ?? []) ids.add(id);
    places.push(compared?.places ?? []);
  }
  const others = await listOthersLinked(db, target, linkIds);
  const isComplete = others.length === 0 && places.every(({ length }) => length === 0);
  for (const id of others) ids.add(id);
  const known = isComplete ? [] : await loadSomeEmployees(db, target, today, [...ids]);
  return { repeated: linkIds.size, places, known };
}

/** Takes all entries and employees, as if nothing were repeated. */
export async function takeAll(roster: readonly RosterPart[], known: KnownRow[]): Promise<ComparedRoster> {
  const places: number[][] = [];
  for (const part of roster) {
    const [hrIds = ''] = (await readKeys(part)).split(keySeparator, 1);
    places.push(Array.from(hrIds.split('\n'), (_, place) => place));
  }
  return { repeated: 0, places, known };
}
