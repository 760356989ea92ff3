import { type Selectable, sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../db/company-scope.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { EmployeesTable } from '../../db/types.gen.ts';
import type { Person } from '../../domain/roster.ts';
import type { GuardSettings, KnownPerson } from '../../domain/roster-match.ts';
import { isRunning, type Settings } from '../../domain/subscription.ts';
import type { SubscriptionStatus } from '../../domain/vocabulary.ts';
import type { SyncTarget } from './accept.ts';

/**
 * Until the transaction ends no other roster of the company changes its people: two integrations may know the same
 * person, and what one plans by must hold when it is written.
 */
export async function lockPeople(tx: Tx, companyId: CompanyId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`people ${companyId}`}, 0))`.execute(tx);
}

export type SyncSettings = Settings & GuardSettings & { timeZone: string };

export async function loadSettings(db: Db, companyId: CompanyId): Promise<SyncSettings> {
  const row = await db.selectFrom('companies').selectAll().where('id', '=', companyId).executeTakeFirstOrThrow();
  return {
    timeZone: row.time_zone,
    cutOffDay: row.cut_off_day,
    planType: row.plan_type,
    contributionCents: row.plan_type === 'split-pay-plan' ? row.contribution_cents : null,
    guardMinimumLinked: row.guard_minimum_linked,
    guardMaximumAbsentPercent: row.guard_maximum_absent_percent,
  };
}

/** What matching needs of a person, and the link by which this integration knows him. */
export interface KnownRow extends KnownPerson {
  linkId: number | null;
  entryHash: string | null;
  isCurrent: boolean;
}

/** A start or a resumption whose day has come, although the daily run has not: a ticket is running. */
const hasBegun = (today: Temporal.PlainDate) => sql<boolean>`
  coalesce(case e.subscription_status when 'scheduled' then e.start_on when 'paused' then e.resumes_on end
    <= ${today.toString()}::date, false)`;

type KnownEmployee = [
  id: number,
  emailKey: string,
  status: SubscriptionStatus,
  isRemoved: boolean,
  isLeaving: boolean,
  hasBegun: boolean,
];
type KnownLink = [
  id: number,
  employeeId: number,
  hrId: string,
  entryHash: string | null,
  isCurrent: boolean,
  isOurs: boolean,
];

/**
 * Everybody of the company, hidden ones included, in few columns: a roster is matched against all of them. Joined here
 * and not in SQL: before the statistics know of a roster of 100,000 that was just applied, PostgreSQL joined it by nested
 * loops, which did not end within minutes. Employees come first, so that every link read after them has its employee.
 * They come as JSON, some thousands in a row, which is read in a third of the time that as many rows take.
 */
export async function loadKnown(
  db: Db,
  { companyId, hrIntegrationId }: SyncTarget,
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
      const goesAtOnce = !isRunning(status) && !hasBegun;
      const linkedElsewhere = elsewhere.has(id);
      return { id, emailKey, hrId, linkedElsewhere, isRemoved, isLeaving, goesAtOnce, linkId, entryHash, isCurrent };
    }),
  );
  return known.sort((one, other) => one.id - other.id);
}

const day = (text: string | null) => (text === null ? null : Temporal.PlainDate.from(text));

type AbsenceRow = { starts_on: string; ends_on: string | null; approved: boolean };

function toPerson(row: Selectable<EmployeesTable>, absences: AbsenceRow[]): Person {
  return {
    profile: {
      firstName: row.first_name,
      lastName: row.last_name,
      email: row.email,
      dateOfBirth: row.date_of_birth,
      profileImage: row.profile_image,
    },
    facts: {
      autoSubscribe: row.auto_subscribe,
      employedFrom: day(row.employed_from),
      terminatedOn: day(row.terminated_on),
      absences: absences.map((absence) => ({
        startsOn: Temporal.PlainDate.from(absence.starts_on),
        endsOn: day(absence.ends_on),
        approved: absence.approved,
      })),
      offboarded: row.is_leaving,
    },
    subscription: {
      status: row.subscription_status,
      startOn: day(row.start_on),
      pausedOn: day(row.paused_on),
      resumesOn: day(row.resumes_on),
      cancelledOn: day(row.cancelled_on),
      reactivatedOn: day(row.reactivated_on),
      planType: row.plan_type,
      contributionCents: row.contribution_cents,
      contractStatus: row.contract_status,
      cancelCauses: row.cancel_causes,
      pauseRequested: row.pause_requested,
      autoSubscribe: row.auto_subscribe,
    },
    nextTicketOn: day(row.next_ticket_on),
    removesOn: day(row.removes_on),
    isRemoved: row.removed_at !== null,
  };
}

/** Everything that the rules need of these people. */
export async function loadPersons(db: Db, companyId: CompanyId, ids: number[]): Promise<Map<number, Person>> {
  if (ids.length === 0) return new Map();
  const { rows: employees } = await sql<Selectable<EmployeesTable>>`
    select e.* from employees e where ${ofCompany(companyId, 'e')} and e.id = any(${ids})`.execute(db);
  const { rows: absences } = await sql<AbsenceRow & { employee_id: number }>`
    select a.employee_id, a.starts_on, a.ends_on, a.approved from absences a
    where ${ofCompany(companyId, 'a')} and a.employee_id = any(${ids}) order by a.id`.execute(db);
  const byEmployee = Map.groupBy(absences, (absence) => absence.employee_id);
  return new Map(employees.map((row) => [row.id, toPerson(row, byEmployee.get(row.id) ?? [])]));
}
