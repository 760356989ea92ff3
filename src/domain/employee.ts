import { type Day, earliestOf, isBefore, isDue } from './calendar.ts';
import { type PlannedDocument, planDocuments } from './documents.ts';
import type { Absence } from './subscription/absences.ts';
import { advance, nextEventOn } from './subscription/advance.ts';
import type { Change, Planned } from './subscription/changes.ts';
import { type DecisionPlan, planDecision } from './subscription/decisions.ts';
import { planRemovalDate } from './subscription/plan.ts';
import { publicDates, type Upcoming } from './subscription/public-dates.ts';
import {
  type Consent,
  type Facts,
  noSubscription,
  type Plan,
  type Settings,
  type Subscription,
} from './subscription/subscription.ts';
import { nextTicketHoldsUntil, nextTicketOn, nextTicketSeenOn } from './subscription/tickets.ts';
import { type Decision, decisions } from './subscription/transitions.ts';

export interface Profile {
  firstName: string;
  lastName: string;
  email: string;
  dateOfBirth: string | null;
  profileImage: string | null;
  personnelNumber: string | null;
}

/** What a user may enter about an employee whose roster does not say it. */
export const handFields = ['dateOfBirth', 'personnelNumber', 'startDate', 'terminationDate'] as const;
export type HandField = (typeof handFields)[number];

export interface EmployeeState {
  profile: Profile;
  facts: Facts;
  /** The fields whose values a user has entered, and no roster. */
  setByHand: readonly HandField[];
  subscription: Subscription;
  nextTicketOn: Day | null;
  /** The day on which an employee who is absent from the roster is removed. Null if they stay. */
  removesOn: Day | null;
  isRemoved: boolean;
  /** The next day on which a calendar event changes this employee. Until then the employee need not be processed. */
  dueOn: Day | null;
}

export const emptyEmployee = (plan: Plan): EmployeeState => ({
  profile: { firstName: '', lastName: '', email: '', dateOfBirth: null, profileImage: null, personnelNumber: null },
  facts: { autoSubscribe: null, employedFrom: null, terminationDate: null, absences: [], offboarded: false },
  setByHand: [],
  subscription: noSubscription(plan),
  nextTicketOn: null,
  removesOn: null,
  isRemoved: false,
  dueOn: null,
});

/** Returns the values of the fields that users may enter, as text. */
export const handValues = ({
  profile,
  facts,
}: Pick<EmployeeState, 'profile' | 'facts'>): Record<HandField, string | null> => ({
  dateOfBirth: profile.dateOfBirth,
  personnelNumber: profile.personnelNumber,
  startDate: text(facts.employedFrom),
  terminationDate: text(facts.terminationDate),
});

const nameFields = ['firstName', 'lastName', 'email'] as const;
export const correctableFields = [...nameFields, ...handFields] as const;
export type CorrectableField = (typeof correctableFields)[number];

/** Returns the fields that users may not change, because a roster contains the employee and has a value for them. */
export function rosterFields(employee: EmployeeState, isInRoster: boolean): CorrectableField[] {
  if (!isInRoster) return [];
  const values = handValues(employee);
  return [
    ...nameFields,
    ...handFields.filter((field) => values[field] !== null && !employee.setByHand.includes(field)),
  ];
}

type Value =
  | string
  | number
  | boolean
  | null
  | Upcoming<string>
  | readonly HandField[]
  | { startDate: string; endDate: string | null; approved: boolean; byHand?: true }[];

export interface FieldChange {
  field: string;
  from: Value;
  to: Value;
}

export interface EmployeePlan {
  before: Subscription;
  employee: EmployeeState;
  changes: FieldChange[];
  subscriptionChanges: readonly Change[];
  documents: PlannedDocument[];
}

const text = (date: Day | null) => date?.toString() ?? null;

/** Returns absences in a fixed order, so that the same absences reported in another order are equal. */
export const describeAbsences = (absences: readonly Absence[]) =>
  absences
    .map(({ startDate, endDate, ...others }) => ({
      startDate: startDate.toString(),
      endDate: text(endDate),
      ...others,
    }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

export function describeSubscription(subscription: Subscription, next: Day | null) {
  const { startAt, pausedAt, cancelledAt, reactivatedAt, upcoming } = publicDates(subscription, isBefore);
  return {
    status: subscription.status,
    startAt: text(startAt),
    nextTicketAt: text(next),
    pausedAt: text(pausedAt),
    cancelledAt: text(cancelledAt),
    reactivatedAt: text(reactivatedAt),
    upcoming: upcoming && { type: upcoming.type, at: upcoming.at.toString() },
  };
}

const prefixed = (prefix: string, values: Record<string, Value>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value]));

const describeEmployee = ({
  profile,
  facts,
  setByHand,
  subscription,
  nextTicketOn: next,
  isRemoved,
}: EmployeeState): Record<string, Value> => ({
  ...profile,
  startDate: text(facts.employedFrom),
  terminationDate: text(facts.terminationDate),
  autoSyncEmployee: facts.autoSubscribe,
  absences: describeAbsences(facts.absences),
  setByHand,
  ...prefixed('subscription', describeSubscription(subscription, next)),
  'plan.type': subscription.planType,
  'plan.contractSigningStatus': subscription.contractStatus,
  'plan.employeeContributionAmount': subscription.contributionCents,
  removed: isRemoved,
});

function compare(before: EmployeeState, after: EmployeeState): FieldChange[] {
  const from = describeEmployee(before);
  const to = describeEmployee(after);
  return Object.keys(to)
    .map((field) => ({ field, from: from[field] ?? null, to: to[field] ?? null }))
    .filter((change) => JSON.stringify(change.from) !== JSON.stringify(change.to));
}

/** What is known about an employee besides the subscription. */
export type Snapshot = Pick<EmployeeState, 'profile' | 'facts' | 'setByHand'>;

/**
 * Returns the employee with the planned subscription, and everything that results from it. Somebody who is removed
 * before the start gets the confirmation of the end too: it is hidden with their other documents, and shown if they
 * return.
 */
export function derivePlan(
  current: EmployeeState,
  { profile, facts, setByHand }: Snapshot,
  { subscription, changes }: Planned,
  today: Day,
): EmployeePlan {
  const removesOn = planRemovalDate(subscription, facts, today);
  const isRemoved = isDue(removesOn, today);
  const coming = [nextEventOn(subscription), nextTicketHoldsUntil(subscription, today), removesOn];
  const employee: EmployeeState = {
    profile,
    facts,
    setByHand,
    subscription,
    nextTicketOn: nextTicketOn(subscription, facts, today),
    removesOn,
    isRemoved,
    dueOn: isRemoved ? null : earliestOf(coming.flatMap((day) => day ?? [])),
  };
  return {
    before: current.subscription,
    employee,
    changes: compare(current, employee),
    subscriptionChanges: changes,
    documents: planDocuments(current, employee, changes),
  };
}

export const planDay = (known: EmployeeState, today: Day): EmployeePlan =>
  derivePlan(known, known, advance(known.subscription, known.facts, today), today);

export function catchUpEmployee(
  known: EmployeeState,
  days: readonly Day[],
): { employee: EmployeeState; removedOn: Day | null } {
  let employee = known;
  let removedOn: Day | null = null;
  for (const day of days) {
    const seen = { ...employee, nextTicketOn: nextTicketSeenOn(employee.nextTicketOn, day) };
    employee = !seen.isRemoved && isDue(seen.dueOn, day) ? planDay(seen, day).employee : seen;
    if (employee.isRemoved && !known.isRemoved) removedOn ??= day;
  }
  return { employee, removedOn };
}

export function planDecisionFor(
  known: EmployeeState,
  decision: Decision,
  today: Day,
  { consent, ...settings }: Settings & { consent?: Consent | undefined },
): EmployeePlan & Pick<DecisionPlan, 'refusal'> {
  const { facts } = known;
  const { refusal, ...planned } = planDecision(known.subscription, decision, { facts, today, settings, consent });
  return { ...derivePlan(known, known, planned, today), refusal };
}

/** Returns the decisions that are possible now: those that are not refused and change more than the day itself does. */
export function listPossibleDecisions(known: EmployeeState, today: Day, settings: Settings): Decision[] {
  const byItself = planDay(known, today).subscriptionChanges.length;
  return decisions.filter((decision) => {
    const { refusal, subscriptionChanges } = planDecisionFor(known, decision, today, settings);
    return refusal === null && subscriptionChanges.length > byItself;
  });
}
