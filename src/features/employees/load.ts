import { type Selectable, sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import type { EmployeeState, HandField } from '../../domain/employee.ts';
import type { NextPlan } from '../../domain/subscription/subscription.ts';
import { nextTicketSeenOn } from '../../domain/subscription/tickets.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { preparedStatement } from '../../platform/db/prepared-statement.ts';
import type { EmployeesTable } from '../../platform/db/types.gen.ts';
import type { TicketItem } from '../billing/rules/late-charges.ts';
import { readRequested } from './rules/requested-column.ts';
import { allColumns, factColumns, subscriptionColumns } from './write.ts';

const day = (text: string | null) => (text === null ? null : Temporal.PlainDate.from(text));

type AbsenceRow = { starts_on: string; ends_on: string | null; approved: boolean; by_hand: boolean };

const { email_key: _, search_text: _text, ...read } = allColumns;
const columns = sql.join(['id', 'policy_id', ...Object.keys(read)].map((name) => sql.ref(`e.${name}`)));

type PersonRow = Pick<Selectable<EmployeesTable>, 'id' | 'policy_id' | keyof typeof read>;

/** What the calendar looks at: everything but who an employee is. */
type CalendarState = Omit<EmployeeState, 'profile' | 'setByHand' | 'policyId'>;

const calendarColumns = [
  ...(Object.keys(subscriptionColumns) as (keyof typeof subscriptionColumns)[]),
  ...factColumns,
] as const;
type CalendarRow = Pick<PersonRow, (typeof calendarColumns)[number]>;

function toCalendarState(row: CalendarRow, absences: AbsenceRow[], today: Day): CalendarState {
  return {
    facts: {
      autoSubscribe: row.auto_subscribe,
      employedFrom: day(row.employed_from),
      terminationDate: day(row.terminated_on),
      absences: absences.map((absence) => ({
        startDate: Temporal.PlainDate.from(absence.starts_on),
        endDate: day(absence.ends_on),
        approved: absence.approved,
        ...(absence.by_hand ? { byHand: true as const } : {}),
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
      past: {
        startOn: day(row.past_start_on),
        pausedOn: day(row.past_paused_on),
        cancelledOn: day(row.past_cancelled_on),
        reactivatedOn: day(row.past_reactivated_on),
      },
      planType: row.plan_type,
      contributionCents: row.contribution_cents,
      contractStatus: row.contract_status,
      nextPlan: row.plan_change as NextPlan | null,
      ...readRequested(row, today),
      cancelCauses: row.cancel_causes,
      notSubscribedBecause: row.not_subscribed_because,
      autoSubscribe: row.auto_subscribe,
      employedFrom: day(row.employed_from),
    },
    nextTicketOn: nextTicketSeenOn(day(row.next_ticket_on), today),
    removesOn: day(row.removes_on),
    isRemoved: row.removed_at !== null,
    // Rows that were written manually contain `-infinity`: they are due at once.
    dueOn: row.due_on === '-infinity' ? today : day(row.due_on),
  };
}

const toEmployeeState = (row: PersonRow, absences: AbsenceRow[], today: Day): EmployeeState => ({
  ...toCalendarState(row, absences, today),
  profile: {
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    dateOfBirth: row.date_of_birth,
    profileImage: row.profile_image,
    personnelNumber: row.personnel_number,
    group: row.roster_group,
  },
  setByHand: row.set_by_hand as HandField[],
  policyId: row.policy_id,
});

interface Wanted {
  companyId: CompanyId;
  ids: readonly number[];
}

const selectPeople = preparedStatement(
  (_shape: object, { companyId, ids }: Wanted) => sql<PersonRow>`
    select ${columns} from employees e where ${ofCompany(companyId, 'e')} and e.id = any(${ids})`,
);

const selectAbsences = preparedStatement(
  (_shape: object, { companyId, ids }: Wanted) => sql<AbsenceRow & { employee_id: number }>`
    select a.employee_id, a.starts_on, a.ends_on, a.approved, a.by_hand from absences a
    where ${ofCompany(companyId, 'a')} and a.employee_id = any(${ids}) order by a.id`,
);

export async function loadEmployees(
  db: Db,
  companyId: CompanyId,
  ids: readonly number[],
  today: Day,
): Promise<Map<number, EmployeeState>> {
  if (ids.length === 0) return new Map();
  const wanted = { companyId, ids };
  const [employees, absences] = await Promise.all([selectPeople(db, {}, wanted), selectAbsences(db, {}, wanted)]);
  const byEmployee = Map.groupBy(absences, (absence) => absence.employee_id);
  return new Map(employees.map((row) => [row.id, toEmployeeState(row, byEmployee.get(row.id) ?? [], today)]));
}

/** Employees to whom the calendar does the same. */
export interface AlikeEmployees {
  ids: number[];
  employee: CalendarState;
}

/** Who has worked for so long has begun, for every rule of the calendar. */
const begunMonths = 3;

type AlikeWanted = Wanted & { absentIds: readonly number[]; begunBefore: string };

/** First days of work differ, so they are left out where they change nothing: without a pause, and months ago. */
const selectAlike = preparedStatement(
  (_shape: object, { companyId, ids, absentIds, begunBefore }: AlikeWanted) => sql<CalendarRow & { ids: number[] }>`
    select json_agg(e.id) as ids, ${sql.join(calendarColumns.map((name) => sql.ref(`e.${name}`)))}
    from (
      select ${sql.join(calendarColumns.filter((name) => name !== 'employed_from').map((name) => sql.ref(`e.${name}`)))},
        case when e.employed_from < ${begunBefore}::date and e.paused_on is null and e.requested is null
          and not e.pause_requested and not e.id = any(${absentIds}) then null else e.employed_from end as employed_from,
        case when e.id = any(${absentIds}) then e.id end as absent_id, e.id
      from employees e where ${ofCompany(companyId, 'e')} and e.id = any(${ids})
    ) e
    group by e.absent_id, ${sql.join(calendarColumns.map((name) => sql.ref(`e.${name}`)))}`,
);

/**
 * Loads employees for the calendar, once for all whose subscriptions and facts are equal: in a large company thousands
 * start on the same day. Each who has absences is on their own.
 */
export async function loadAlike(
  db: Db,
  companyId: CompanyId,
  ids: readonly number[],
  today: Day,
): Promise<AlikeEmployees[]> {
  const absences = await selectAbsences(db, {}, { companyId, ids });
  const byEmployee = Map.groupBy(absences, (absence) => absence.employee_id);
  const begunBefore = today.subtract({ months: begunMonths }).toString();
  const rows = await selectAlike(db, {}, { companyId, ids, absentIds: [...byEmployee.keys()], begunBefore });
  return rows.map((row) => ({
    ids: row.ids,
    employee: toCalendarState(row, byEmployee.get(row.ids[0] ?? 0) ?? [], today),
  }));
}

interface EmployeeTicketItem extends TicketItem {
  employeeId: number;
  employeeShareCents: number;
}

const selectTicketItems = preparedStatement(
  (_shape: object, { companyId, ids }: Wanted) => sql<EmployeeTicketItem>`
    select b.id, coalesce(b.ticket_month, b.period) as period, b.gross_cents as "grossCents", b.employee_id as "employeeId",
      b.employee_share_cents as "employeeShareCents" from billing_items b
    where ${ofCompany(companyId, 'b')} and b.employee_id = any(${ids}::bigint[])
      and b.charge_type = 'ticket-charge' and b.corrects_id is null
      and not exists (select from billing_items c where ${ofCompany(companyId, 'c')} and c.corrects_id = b.id)
    order by 2, b.id`,
);

/** Returns the charges for tickets of these employees that were not corrected, oldest first. */
export async function listTicketItems(
  db: Db,
  companyId: CompanyId,
  employeeIds: readonly number[],
): Promise<EmployeeTicketItem[]> {
  return employeeIds.length === 0 ? [] : selectTicketItems(db, {}, { companyId, ids: employeeIds });
}
