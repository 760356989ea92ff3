import { sql } from 'kysely';
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

/**
 * Returns all employees of the company in few columns, including hidden ones, because a roster is matched against all
 * of them. Joins in memory and not in SQL: until the statistics reflect a roster of 100,000 that was just applied,
 * PostgreSQL joined it by nested loops, which did not end within minutes. Loads employees first, so that every link
 * read after them has its employee. Reads them as JSON, several thousand per row, which takes a third of the time of as
 * many single rows.
 */
export async function loadKnownEmployees(
  db: Db,
  { companyId, hrIntegrationId }: Integration,
  today: Temporal.PlainDate,
): Promise<KnownRow[]> {
  const { rows: employees } = await sql<{ some: KnownEmployee[] }>`
    select json_agg(json_build_array(e.id, e.email_key, e.subscription_status, e.removed_at is not null, e.is_leaving,
      ${hasBegun(today)})) as some
    from employees e where ${ofCompany(companyId, 'e')} group by e.id / 4096`.execute(db);
  const { rows: links } = await sql<{ some: KnownLink[] }>`
    select json_agg(json_build_array(l.id, l.employee_id, l.hr_id, l.entry_hash, l.is_current,
      l.hr_integration_id = ${hrIntegrationId})) as some
    from hr_links l where ${ofCompany(companyId, 'l')} and l.hr_integration_id is not null
    group by l.id / 4096`.execute(db);
  const ours = new Map<number, KnownLink>();
  const elsewhere = new Set<number>();
  for (const link of links.flatMap(({ some }) => some)) {
    const [, employeeId, , , , isOurs] = link;
    if (isOurs) ours.set(employeeId, link);
    else elsewhere.add(employeeId);
  }
  const known = employees.flatMap(({ some }) =>
    some.map(([id, emailKey, status, isRemoved, isLeaving, hasBegun]): KnownRow => {
      const [linkId, , hrId, entryHash, isCurrent] = ours.get(id) ?? [null, id, null, null, false];
      const link = { linkId, hrId, entryHash, isCurrent, linkedElsewhere: elsewhere.has(id) };
      const isRemovedImmediately = !isRunning(status) && !hasBegun;
      return { id, emailKey, isRemoved, isLeaving, isRemovedImmediately, ...link };
    }),
  );
  return known.sort((one, other) => one.id - other.id);
}

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
