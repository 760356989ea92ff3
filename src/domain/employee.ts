import { type Day, earliestOf, firstOfNextMonth, isBefore, isDue, isSameDay } from './calendar.ts';
import { type PlannedDocument, planDocuments } from './documents.ts';
import type { Absence } from './subscription/absences.ts';
import { advance, nextEventOn } from './subscription/advance.ts';
import type { Change, Planned } from './subscription/changes.ts';
import { type DecisionPlan, planContractDecision } from './subscription/decisions.ts';
import { planRemovalDate } from './subscription/plan.ts';
import { applyNextPlan } from './subscription/plan-change.ts';
import { publicDates, type Upcoming } from './subscription/public-dates.ts';
import { planRequest, type RequestedChange, type RequestPlan } from './subscription/requests.ts';
import {
  appliedPolicy,
  type Consent,
  type Facts,
  noSubscription,
  type Plan,
  type Settings,
  type Subscription,
  settingsFor,
} from './subscription/subscription.ts';
import { nextTicketHoldsUntil, nextTicketOn, nextTicketSeenOn } from './subscription/tickets.ts';
import { type Decision, decisions } from './subscription/transitions.ts';
import { planUndo, type Undoable } from './subscription/undo.ts';

export interface Profile {
  firstName: string;
  lastName: string;
  email: string;
  dateOfBirth: string | null;
  profileImage: string | null;
  personnelNumber: string | null;
  /** The group of the roster or entered by hand, which may decide about the policy. */
  group: string | null;
}

/** What a user may enter about an employee whose roster does not say it. */
export const handFields = ['dateOfBirth', 'personnelNumber', 'group', 'startDate', 'terminationDate'] as const;
export type HandField = (typeof handFields)[number];

export interface EmployeeState {
  profile: Profile;
  facts: Facts;
  /** The fields whose values a user has entered, and no roster. */
  setByHand: readonly HandField[];
  subscription: Subscription;
  /** The policy that somebody has assigned by hand. */
  policyId: number | null;
  nextTicketOn: Day | null;
  /** The day on which an employee who is absent from the roster is removed. Null if they stay. */
  removesOn: Day | null;
  isRemoved: boolean;
  /** The next day on which a calendar event changes this employee. Until then the employee need not be processed. */
  dueOn: Day | null;
}

export const emptyEmployee = (plan: Plan): EmployeeState => ({
  profile: {
    ...{ firstName: '', lastName: '', email: '', dateOfBirth: null, profileImage: null },
    ...{ personnelNumber: null, group: null },
  },
  facts: { autoSubscribe: null, employedFrom: null, terminationDate: null, absences: [], offboarded: false },
  setByHand: [],
  subscription: noSubscription(plan),
  policyId: null,
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
  group: profile.group,
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

/** The names of the subscription's fields in changes. Building them for each employee takes longer than comparing. */
const subscriptionFields = new Map<string, string>();

function describeFields(subscription: Record<string, Value>): Record<string, Value> {
  const described: Record<string, Value> = {};
  for (const [name, value] of Object.entries(subscription)) {
    described[subscriptionFields.getOrInsertComputed(name, () => `subscription.${name}`)] = value;
  }
  return described;
}

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
  ...describeFields(describeSubscription(subscription, next)),
  'plan.type': subscription.planType,
  'plan.contractSigningStatus': subscription.contractStatus,
  'plan.employeeContributionAmount': subscription.contributionCents,
  removed: isRemoved,
});

/** Whether two states are equal because they share their parts. Most plans change nothing, and comparing takes longer than planning. */
const isUntouched = (before: EmployeeState, after: EmployeeState) =>
  before.subscription === after.subscription &&
  before.profile === after.profile &&
  before.facts === after.facts &&
  before.setByHand === after.setByHand &&
  before.isRemoved === after.isRemoved &&
  isSameDay(before.nextTicketOn, after.nextTicketOn);

function compare(before: EmployeeState, after: EmployeeState): FieldChange[] {
  if (isUntouched(before, after)) return [];
  const from = describeEmployee(before);
  const to = describeEmployee(after);
  return Object.keys(to)
    .map((field) => ({ field, from: from[field] ?? null, to: to[field] ?? null }))
    .filter(({ from, to }) => from !== to && JSON.stringify(from) !== JSON.stringify(to));
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
  const { nextPlan } = subscription;
  const changesPlan = nextPlan !== null && subscription.contractStatus !== 'pending';
  const coming = [
    changesPlan ? Temporal.PlainDate.from(nextPlan.from) : null,
    nextEventOn(subscription),
    nextTicketHoldsUntil(subscription, today),
    removesOn,
  ];
  const employee: EmployeeState = {
    profile,
    facts,
    setByHand,
    subscription,
    policyId: current.policyId,
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
  derivePlan(known, known, applyNextPlan(advance(known.subscription, known.facts, today), today), today);

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

const holderOf = ({ policyId, profile }: Pick<EmployeeState, 'policyId' | 'profile'>) => ({
  policyId,
  group: profile.group,
});

/** Returns by what an employee is planned: the settings with the policy that applies to them, and the facts with its waiting time. */
export function planningFor<S extends Settings>(
  { facts, ...employee }: Pick<EmployeeState, 'policyId' | 'profile' | 'facts'>,
  given: S,
  today: Day,
): { settings: S; facts: Facts } {
  const settings = settingsFor(given, holderOf(employee), today);
  const waitingMonths = appliedPolicy(settings, firstOfNextMonth(today))?.version.waitingMonths;
  return { settings, facts: waitingMonths === undefined ? facts : { ...facts, waitingMonths } };
}

type DecisionSettings = Settings & { consent?: Consent | undefined };
type Refusable = EmployeePlan & Pick<DecisionPlan, 'refusal'>;

export function planRequestFor(
  known: EmployeeState,
  asked: RequestedChange,
  today: Day,
  { consent, ...given }: DecisionSettings,
): EmployeePlan & Omit<RequestPlan, keyof Planned> {
  const { settings, facts } = planningFor(known, given, today);
  const { subscription, changes, ...plan } = planRequest(known.subscription, asked, {
    facts,
    today,
    settings,
    consent,
  });
  return { ...derivePlan(known, known, { subscription, changes }, today), ...plan };
}

export function planUndoFor(known: EmployeeState, undoable: Undoable, today: Day, settings: Settings): Refusable {
  const { facts, ...own } = planningFor(known, settings, today);
  const { refusal, ...planned } = planUndo(known.subscription, undoable, { facts, today, ...own });
  return { ...derivePlan(known, known, planned, today), refusal };
}

/** Plans a decision of a user: a request of the company, or what the employee has decided about the contract. */
export function planDecisionFor(
  known: EmployeeState,
  decision: Decision,
  today: Day,
  { consent, ...settings }: DecisionSettings,
): Refusable {
  if (decision !== 'contract-accepted' && decision !== 'contract-rejected') {
    return planRequestFor(known, { action: decision, side: 'company' }, today, { ...settings, consent });
  }
  const { facts } = planningFor(known, settings, today);
  const decided = planContractDecision(known.subscription, decision, { facts, today, settings, consent });
  const { refusal, ...planned } = decided;
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
