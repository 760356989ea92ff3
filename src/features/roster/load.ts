import { type RawBuilder, sql } from 'kysely';
import type { SubscriptionStatus } from '../../domain/enums.ts';
import { isRunning } from '../../domain/subscription/subscription.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Integration } from '../companies/companies.ts';
import type { MatchCandidate } from './rules/match.ts';
import type { Identity } from './rules/same-employee.ts';

export interface KnownRow extends MatchCandidate {
  linkId: number | null;
  entryHash: string | null;
  isCurrent: boolean;
}

/** True if a start or a resumption is due that the daily run has not processed yet: a ticket is running. */
const hasBegun = (today: Temporal.PlainDate) => sql<boolean>`
  coalesce(case e.subscription_status when 'scheduled' then e.start_on when 'paused' then e.resumes_on end
    <= ${today.toString()}::date, false)`;

type KnownEmployee = [
  ...[id: number, emailKey: string, status: SubscriptionStatus],
  ...[isRemoved: boolean, isLeaving: boolean, hasBegun: boolean],
];
type KnownLink = [
  ...[id: number, employeeId: number, hrId: string, entryHash: string | null],
  ...[isCurrent: boolean, isOurs: boolean],
];

const columnsOf = (today: Temporal.PlainDate) => sql`e.id, e.email_key, e.subscription_status,
  e.removed_at is not null as is_removed, e.is_leaving, ${hasBegun(today)} as has_begun`;

const linkColumns = ({ hrIntegrationId }: Integration) => sql`l.id, l.employee_id, l.hr_id, l.entry_hash, l.is_current,
  l.hr_integration_id = ${hrIntegrationId} as is_ours`;

const employeeNames = sql`e.id, e.email_key, e.subscription_status, e.is_removed, e.is_leaving, e.has_begun`;
const linkNames = sql`l.id, l.employee_id, l.hr_id, l.entry_hash, l.is_current, l.is_ours`;

const jsonOf = (employees: RawBuilder<unknown>) => sql<{ some: KnownEmployee[] }>`
  select json_agg(json_build_array(${employeeNames})) as some
  from (${employees}) e group by e.id / 4096`;

const jsonOfLinks = (links: RawBuilder<unknown>) => sql<{ some: KnownLink[] }>`
  select json_agg(json_build_array(${linkNames})) as some
  from (${links}) l group by l.id / 4096`;

/** Joins in memory and not in SQL. Employees are loaded first, so that every link read after them has its employee. */
async function loadKnown(
  db: Db,
  employees: RawBuilder<unknown>,
  linksOf: (employees: KnownEmployee[]) => RawBuilder<unknown>,
): Promise<KnownRow[]> {
  const found = (await jsonOf(employees).execute(db)).rows.flatMap(({ some }) => some);
  const { rows: links } = await jsonOfLinks(linksOf(found)).execute(db);
  const ours = new Map<number, KnownLink>();
  const elsewhere = new Set<number>();
  for (const link of links.flatMap(({ some }) => some)) {
    const [, employeeId, , , , isOurs] = link;
    if (isOurs) ours.set(employeeId, link);
    else elsewhere.add(employeeId);
  }
  const known = found.map(([id, emailKey, status, isRemoved, isLeaving, hasBegun]): KnownRow => {
    const [linkId, , hrId, entryHash, isCurrent] = ours.get(id) ?? [null, id, null, null, false];
    const link = { linkId, hrId, entryHash, isCurrent, linkedElsewhere: elsewhere.has(id) };
    const isRemovedImmediately = !isRunning(status) && !hasBegun;
    return { id, emailKey, isRemoved, isLeaving, isRemovedImmediately, ...link };
  });
  return known.sort((one, other) => one.id - other.id);
}

/**
 * Returns all employees of the company in few columns, including hidden ones. Reads them as JSON, several thousand per
 * row, which takes a third of the time of as many single rows, and does not join them: until the statistics reflect a
 * roster of 100,000 that was just applied, PostgreSQL did that by nested loops, which did not end within minutes.
 */
export const loadKnownEmployees = (db: Db, target: Integration, today: Temporal.PlainDate): Promise<KnownRow[]> => {
  const { companyId } = target;
  return loadKnown(
    db,
    sql`select ${columnsOf(today)} from employees e where ${ofCompany(companyId, 'e')}`,
    () => sql`select ${linkColumns(target)} from hr_links l where ${ofCompany(companyId, 'l')}
      and l.hr_integration_id is not null`,
  );
};

/** Returns these employees, and all removed ones. Finds each by its key, whatever the statistics say. */
export const loadSomeEmployees = (
  db: Db,
  target: Integration,
  today: Temporal.PlainDate,
  ids: readonly number[],
): Promise<KnownRow[]> => {
  const { companyId } = target;
  return loadKnown(
    db,
    sql`
      select ${employeeNames} from unnest(${ids}::bigint[]) k(id) join lateral (select ${columnsOf(today)} from employees e
        where ${ofCompany(companyId, 'e')} and e.id = k.id and e.removed_at is null limit 1) e on true
      union all
      select ${columnsOf(today)} from employees e where ${ofCompany(companyId, 'e')} and e.removed_at is not null`,
    (found) => sql`
      select ${linkNames} from unnest(${found.map(([id]) => id)}::bigint[]) k(id) join lateral (select ${linkColumns(target)}
        from hr_links l where ${ofCompany(companyId, 'l')} and l.employee_id = k.id and l.hr_integration_id is not null
        offset 0) l on true`,
  );
};

/** Returns names and dates of birth of these employees. They show whether an HR id has passed to another employee. */
export async function loadIdentities(
  db: Db,
  { companyId }: Integration,
  known: readonly KnownRow[],
): Promise<(Identity & { id: number; isGone: boolean })[]> {
  if (known.length === 0) return [];
  const byId = new Map(known.map((row) => [row.id, row]));
  const { rows } = await sql<Omit<Identity, 'emailKey'> & { id: number }>`
    select e.id, e.first_name as "firstName", e.last_name as "lastName", e.date_of_birth as "dateOfBirth"
    from employees e where ${ofCompany(companyId, 'e')} and e.id = any(${[...byId.keys()]})`.execute(db);
  return rows.map((row) => {
    const { emailKey = '', isRemoved = false, isLeaving = false } = byId.get(row.id) ?? {};
    return { ...row, emailKey, isGone: isRemoved || isLeaving };
  });
}
