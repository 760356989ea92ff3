import { sql } from 'kysely';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { type Integration, ofIntegration } from '../companies/companies.ts';
import { type KnownRow, loadSomeEmployees } from './load.ts';
import type { PlanContext } from './plan-context.ts';
import { hashLength, type RosterPart, readKeys } from './roster-parts.ts';

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

interface Difference {
  /** The places of the entries that are not repeated, counted over all parts. */
  places: number[];
  /** Employees whose links no entry repeats. */
  unrepeatedIds: number[];
}

/**
 * Returns what differs between the entries and the links of the integration. PostgreSQL can compute a full join only by
 * hashing or sorting, whatever the statistics say of a roster that was just applied: by other plans, it has compared each
 * of 100,000 entries with each link. For the same reason `offset 0` keeps the first one a full join.
 */
async function findDifference(db: Db, target: Integration, marks: string): Promise<Difference | undefined> {
  const { companyId } = target;
  const { rows } = await sql<Difference>`
    select coalesce(json_agg(d.n - 1 order by d.n) filter (where d.n is not null), '[]') as places,
      coalesce(json_agg(d.employee_id) filter (where d.employee_id is not null), '[]') as "unrepeatedIds"
    from (
      select k.n, l.employee_id
      from (
        select l.employee_id, l.mark from (
          select l.employee_id, l.entry_hash || e.email_key as mark
          from (
            select l.employee_id, case when l.is_current then l.entry_hash end as entry_hash from hr_links l
            where ${ofIntegration(target, 'l')}
          ) l
          full join (
            select e.id, e.email_key from employees e
            where ${ofCompany(companyId, 'e')} and e.removed_at is null and not e.is_leaving
          ) e on e.id = l.employee_id
          offset 0
        ) l where l.employee_id is not null
      ) l
      full join unnest(string_to_array(${marks}, E'\\n')) with ordinality as k(mark, n) on k.mark = l.mark
      where l.employee_id is null or k.n is null
    ) d`.execute(db);
  return rows[0];
}

/** Returns the employees who have one of these email addresses. A full join, for the reason above. */
async function listHolders(db: Db, { companyId }: Integration, emailKeys: readonly string[]): Promise<number[]> {
  if (emailKeys.length === 0) return [];
  const { rows } = await sql<{ ids: number[] }>`
    select coalesce(json_agg(f.id), '[]') as ids
    from (
      select e.id, k.email_key from unnest(string_to_array(${emailKeys.join('\n')}, E'\\n')) as k(email_key)
      full join (
        select e.id, e.email_key from employees e where ${ofCompany(companyId, 'e')} and e.removed_at is null
      ) e on e.email_key = k.email_key
      offset 0
    ) f where f.id is not null and f.email_key is not null`.execute(db);
  return rows[0]?.ids ?? [];
}

function listEmailKeys(marks: string, places: readonly number[]): string[] {
  const lines = places.length === 0 ? [] : marks.split('\n');
  return places.map((place) => (lines[place] ?? '').slice(hashLength));
}

/** Divides places that are counted over all parts. */
function divide(places: readonly number[], counts: readonly number[]): number[][] {
  let [first, next] = [0, 0];
  return counts.map((count) => {
    const from = next;
    while (next < places.length && (places[next] as number) < first + count) next++;
    const own = places.slice(from, next).map((place) => place - first);
    first += count;
    return own;
  });
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

export async function compareRoster(
  { db, target, today }: Pick<PlanContext, 'db' | 'target' | 'today'>,
  roster: readonly RosterPart[],
): Promise<ComparedRoster> {
  const marks: string[] = [];
  for (const part of roster) marks.push((await readKeys(part)).marks);
  const counts = marks.map(countLines);
  const all = marks.join('\n');
  const { places = [], unrepeatedIds = [] } = (await findDifference(db, target, all)) ?? {};
  const holderIds = await listHolders(db, target, listEmailKeys(all, places));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const isComplete = places.length + unrepeatedIds.length === 0;
  const ids = [...new Set([...unrepeatedIds, ...holderIds])];
  const known = isComplete ? [] : await loadSomeEmployees(db, target, today, ids);
  return { repeated: total - places.length, places: divide(places, counts), known };
}

/** Takes all entries and employees, as if nothing were repeated. */
export async function takeAll(roster: readonly RosterPart[], known: KnownRow[]): Promise<ComparedRoster> {
  const places: number[][] = [];
  for (const part of roster) {
    const { hrIds } = await readKeys(part);
    places.push(Array.from({ length: countLines(hrIds) }, (_, place) => place));
  }
  return { repeated: 0, places, known };
}
