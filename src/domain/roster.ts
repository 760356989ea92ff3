import type { Absence } from './absences.ts';
import type { Day } from './calendar.ts';
import type { RosterEntry } from './roster-entry.ts';
import { type Facts, noSubscription, type Settings, type Subscription } from './subscription.ts';
import type { Change } from './subscription-changes.ts';
import { planSubscription, removalOf } from './subscription-plan.ts';
import { nextTicketOn } from './subscription-tickets.ts';

/** What a roster entry means for one person: pure, so that a preview and the real run cannot differ. */

export interface Profile {
  firstName: string;
  lastName: string;
  email: string;
  dateOfBirth: string | null;
  profileImage: string | null;
}

export interface Person {
  profile: Profile;
  facts: Facts;
  subscription: Subscription;
  nextTicketOn: Day | null;
  /** When one who is absent from the roster is removed; null: he stays. */
  removesOn: Day | null;
  isRemoved: boolean;
}

type Value = string | number | boolean | null | { startDate: string; endDate: string | null; approved: boolean }[];

/** One field, as the API names it, from what to what. */
export interface FieldChange {
  field: string;
  from: Value;
  to: Value;
}

export interface PersonPlan {
  person: Person;
  changes: FieldChange[];
  /** What follows for the subscription, each with the rule that decided. */
  subscriptionChanges: readonly Change[];
}

const day = (text: string | null) => (text === null ? null : Temporal.PlainDate.from(text));
const text = (date: Day | null) => date?.toString() ?? null;

const toAbsence = ({ startDate, endDate, approved }: NonNullable<RosterEntry['absences']>[number]): Absence => ({
  startsOn: Temporal.PlainDate.from(startDate),
  endsOn: day(endDate),
  approved,
});

/** In one order, so that the same absences told in another order are the same. */
const describeAbsences = (absences: readonly Absence[]) =>
  absences
    .map(({ startsOn, endsOn, approved }) => ({ startDate: startsOn.toString(), endDate: text(endsOn), approved }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** A field left out keeps what is known; null clears it. */
const or = <T>(given: T | undefined, known: T): T => (given === undefined ? known : given);

const mergeProfile = (known: Profile | undefined, entry: RosterEntry): Profile => ({
  firstName: entry.firstName,
  lastName: entry.lastName,
  email: entry.email,
  dateOfBirth: or(entry.dateOfBirth, known?.dateOfBirth ?? null),
  profileImage: or(entry.profileImage, known?.profileImage ?? null),
});

const mergeFacts = (known: Facts | undefined, entry: RosterEntry): Facts => ({
  autoSubscribe: or(entry.autoSyncEmployee, known?.autoSubscribe ?? null),
  employedFrom: entry.startDate === undefined ? (known?.employedFrom ?? null) : day(entry.startDate),
  terminatedOn: entry.terminationDate === undefined ? (known?.terminatedOn ?? null) : day(entry.terminationDate),
  absences: entry.absences === undefined ? (known?.absences ?? []) : (entry.absences ?? []).map(toAbsence),
  offboarded: false,
});

const describePerson = ({
  profile,
  facts,
  subscription,
  nextTicketOn: next,
  isRemoved,
}: Person): Record<string, Value> => ({
  ...profile,
  startDate: text(facts.employedFrom),
  terminationDate: text(facts.terminatedOn),
  autoSyncEmployee: facts.autoSubscribe,
  absences: describeAbsences(facts.absences),
  'subscription.status': subscription.status,
  'subscription.startAt': text(subscription.startOn),
  'subscription.nextTicketAt': text(next),
  'subscription.pausedAt': text(subscription.pausedOn),
  'subscription.cancelledAt': text(subscription.cancelledOn),
  'subscription.reactivatedAt': text(subscription.reactivatedOn),
  'plan.type': subscription.planType,
  'plan.contractSigningStatus': subscription.contractStatus,
  'plan.employeeContributionAmount': subscription.contributionCents,
  removed: isRemoved,
});

function compare(before: Person, after: Person): FieldChange[] {
  const from = describePerson(before);
  const to = describePerson(after);
  return Object.keys(to)
    .map((field) => ({ field, from: from[field] ?? null, to: to[field] ?? null }))
    .filter((change) => JSON.stringify(change.from) !== JSON.stringify(change.to));
}

const nobody = (settings: Settings): Person => ({
  profile: { firstName: '', lastName: '', email: '', dateOfBirth: null, profileImage: null },
  facts: { autoSubscribe: null, employedFrom: null, terminatedOn: null, absences: [], offboarded: false },
  subscription: noSubscription(settings),
  nextTicketOn: null,
  removesOn: null,
  isRemoved: false,
});

function follow(current: Person, profile: Profile, facts: Facts, today: Day, settings: Settings): PersonPlan {
  const { subscription, changes } = planSubscription(current.subscription, facts, today, settings);
  const removesOn = removalOf(subscription, facts, today);
  const person: Person = {
    profile,
    facts,
    subscription,
    nextTicketOn: nextTicketOn(subscription, facts, today),
    removesOn,
    isRemoved: removesOn !== null && Temporal.PlainDate.compare(removesOn, today) <= 0,
  };
  return { person, changes: compare(current, person), subscriptionChanges: changes };
}

/** One who is in the roster: known, new, or back. */
export function planPresent(known: Person | undefined, entry: RosterEntry, today: Day, settings: Settings): PersonPlan {
  const profile = mergeProfile(known?.profile, entry);
  return follow(known ?? nobody(settings), profile, mergeFacts(known?.facts, entry), today, settings);
}

/** One whom this integration links and whose absence from the roster is believed. */
export function planAbsent(known: Person, today: Day, settings: Settings): PersonPlan {
  return follow(known, known.profile, { ...known.facts, offboarded: true }, today, settings);
}
