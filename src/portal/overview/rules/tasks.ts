import { type Day, earlierOf, firstOfNextMonth, isBefore, isSameDay, nextCutOff } from '../../../domain/calendar.ts';
import type { Role } from '../../../domain/enums.ts';
import { type Ability, isAble } from '../../../domain/roles.ts';
import type { Overview, Task } from '../../contract.ts';

/** What a task of a kind says, without its dates. */
type Of<Kind extends Task['kind']> = Omit<Extract<Task, { kind: Kind }>, 'kind' | 'dueOn' | 'month'>;

/** What is known about a company today. */
export interface Facts {
  today: Day;
  cutOffDay: number;
  /** `undecided`: nobody has decided that they have no subscription, and they are not invited. */
  employees: { total: number; subscribed: number; unsubscribed: number; undecided: number };
  /** Whether employees can join by themselves. */
  canJoin: boolean;
  /** The integration to which a first roster can be uploaded. */
  uploadTo: number | null;
  removals: Of<'pending-removals'>[];
  unhealthy: Of<'integration-unhealthy'>[];
  /** `on` is the day of `since` for the company. */
  overdue: (Of<'roster-overdue'> & { on: Day })[];
  agreements: { open: number; unlinked: number; remindable: number };
  tickets: (Of<'missing-tickets'> & { month: string }) | undefined;
  payroll: Of<'payroll'>[];
  /** The next ticket price. */
  comingPrice: (Omit<Of<'price-change'>, 'month'> & { from: Day }) | undefined;
  /** How many charges should be corrected or kept. */
  lateCharges: number;
  invoice: (Of<'invoice'> & { dueOn: string }) | undefined;
  endpoints: Of<'endpoint-unhealthy'>[];
}

/** The cut-off is a task when it is at most so many days away. */
const cutOffDays = 3;

/** Returns the ability that the button of a task needs. */
function abilityFor(task: Task): Ability {
  switch (task.kind) {
    case 'first-roster':
      return task.integrationId === null ? 'integrations' : 'syncs';
    case 'integration-unhealthy':
      return task.status === 'failed' ? 'syncs' : 'integrations';
    case 'pending-removals':
      return 'removals';
    case 'roster-overdue':
    case 'cut-off':
      return 'syncs';
    case 'open-agreements':
    case 'undecided-employees':
    case 'price-change':
    case 'missing-tickets':
      return 'decisions';
    case 'payroll':
      return 'payroll-files';
    case 'corrections':
      return 'corrections';
    case 'invoice':
      return 'invoice-files';
    case 'endpoint-unhealthy':
      return 'webhooks';
  }
}

/** Of tasks with the same deadline, the first of these kinds is the most urgent. */
const kinds: readonly Task['kind'][] = [
  ...(['first-roster', 'integration-unhealthy', 'roster-overdue', 'pending-removals'] as const),
  ...(['missing-tickets', 'cut-off', 'payroll', 'open-agreements', 'undecided-employees'] as const),
  ...(['price-change', 'corrections', 'invoice', 'endpoint-unhealthy'] as const),
];

const lastOfMonth = (day: Day) => day.with({ day: day.daysInMonth });

/** Tickets of a month that has begun are missing now. Those of the next one can still come in time. */
function listMissing({ today, tickets }: Facts): Task[] {
  if (tickets === undefined) return [];
  const first = Temporal.PlainDate.from(tickets.month);
  const dueOn = isBefore(today, first) ? first.subtract({ days: 1 }).toString() : null;
  return [{ kind: 'missing-tickets', dueOn, ...tickets }];
}

/** Returns the tasks of HR: those about rosters, and those about who gets a ticket. */
function listAboutEmployees(facts: Facts): Task[] {
  const { today, employees, agreements } = facts;
  const cutOff = nextCutOff(today, facts.cutOffDay);
  // What becomes known after the cut-off takes effect a month later.
  const atCutOff = { dueOn: cutOff.toString(), month: firstOfNextMonth(cutOff).toString() };
  // A subscription starts with the next month, whenever it is decided.
  const atMonthEnd = { dueOn: lastOfMonth(today).toString(), month: firstOfNextMonth(today).toString() };
  const isNear = !isBefore(today.add({ days: cutOffDays }), cutOff) && employees.subscribed > 0;
  const { open, ...links } = agreements;
  const { undecided, unsubscribed } = employees;
  return [
    ...facts.removals.map((task) => ({ kind: 'pending-removals' as const, ...atCutOff, ...task })),
    ...facts.overdue.map(({ on, ...task }) => ({ kind: 'roster-overdue' as const, dueOn: on.toString(), ...task })),
    ...(isNear ? [{ kind: 'cut-off' as const, ...atCutOff }] : []),
    ...(open > 0 ? [{ kind: 'open-agreements' as const, ...atMonthEnd, employees: open, ...links }] : []),
    ...(undecided > 0
      ? [
          {
            kind: 'undecided-employees' as const,
            ...atMonthEnd,
            employees: undecided,
            unsubscribed,
            canInvite: facts.canJoin,
          },
        ]
      : []),
  ];
}

const isBlocked = ({ missingSettings, problems }: Facts['payroll'][number]) =>
  missingSettings.length > 0 || problems > 0;

/** Returns the task to look at a new price before the cut-off of its first month. */
function listPriceChange({ comingPrice, cutOffDay, today, employees }: Facts): Task[] {
  if (comingPrice === undefined || employees.subscribed === 0) return [];
  const { from, ...task } = comingPrice;
  const before = from.subtract({ months: 1 });
  const dueOn = before.with({ day: Math.min(cutOffDay, before.daysInMonth) });
  if (isBefore(dueOn, today)) return [];
  return [{ kind: 'price-change', dueOn: dueOn.toString(), month: from.toString(), ...task }];
}

/** Returns the months up to the first one that is blocked: what blocks it usually blocks the next one, too. */
function listPayroll({ payroll }: Facts): Task[] {
  const blocked = payroll.findIndex(isBlocked);
  return payroll.slice(0, blocked === -1 ? payroll.length : blocked + 1).map((task) => ({
    kind: 'payroll',
    dueOn: lastOfMonth(Temporal.PlainDate.from(task.period)).toString(),
    ...task,
  }));
}

function listAll(facts: Facts): Task[] {
  const first = { kind: 'first-roster' as const, dueOn: null, integrationId: facts.uploadTo };
  return [
    ...(facts.employees.total === 0 ? [first] : []),
    ...facts.unhealthy.map((task) => ({ kind: 'integration-unhealthy' as const, dueOn: null, ...task })),
    ...listAboutEmployees(facts),
    ...listMissing(facts),
    ...listPayroll(facts),
    ...listPriceChange(facts),
    // The next payroll export contains what is corrected before it.
    ...(facts.lateCharges > 0
      ? [{ kind: 'corrections' as const, dueOn: lastOfMonth(facts.today).toString(), charges: facts.lateCharges }]
      : []),
    ...(facts.invoice ? [{ kind: 'invoice' as const, ...facts.invoice }] : []),
    ...facts.endpoints.map((task) => ({ kind: 'endpoint-unhealthy' as const, dueOn: null, ...task })),
  ];
}

/**
 * Returns what a user with these roles can and should do, most urgent first. An overdue roster is no task of its own
 * if the user can fix the connection on which it should arrive.
 */
export function listTasks(facts: Facts, roles: readonly Role[]): Task[] {
  const able = listAll(facts).filter((task) => isAble(roles, abilityFor(task)));
  const broken = new Set(able.flatMap((task) => (task.kind === 'integration-unhealthy' ? [task.integrationId] : [])));
  const deadlineOf = ({ dueOn }: Task) => dueOn ?? facts.today.toString();
  return able
    .filter((task) => task.kind !== 'roster-overdue' || !broken.has(task.integrationId))
    .sort((a, b) => deadlineOf(a).localeCompare(deadlineOf(b)) || kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}

/** Returns the next day on which something is decided. */
export function findDeadline(today: Day, cutOffDay: number): Overview['deadline'] {
  const cutOff = nextCutOff(today, cutOffDay);
  const on = earlierOf(cutOff, firstOfNextMonth(today));
  return { kind: isSameDay(on, cutOff) ? 'cut-off' : 'tickets', on: on.toString() };
}
