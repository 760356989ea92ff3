import { type Day, earliestOf, hasCome } from './calendar.ts';
import { type Paper, papersFor } from './documents.ts';
import type { Absence } from './subscription/absences.ts';
import { advance, nextEventOn } from './subscription/advance.ts';
import type { Change, Planned } from './subscription/changes.ts';
import { type Decided, planDecision } from './subscription/decisions.ts';
import { removalOf } from './subscription/plan.ts';
import {
  type Facts,
  noSubscription,
  type Plan,
  type Settings,
  type Subscription,
} from './subscription/subscription.ts';
import { nextTicketHoldsUntil, nextTicketOn, nextTicketSeenOn } from './subscription/tickets.ts';
import { type Decision, decisions } from './subscription/transitions.ts';

/** What a day or a decision means for one person, and all that follows from any change of a subscription. */

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
  /** The next day on which the calendar does something to this person; until then nobody need look. */
  dueOn: Day | null;
}

/** Who is new to us, before anything is known. */
export const nobody = (plan: Plan): Person => ({
  profile: { firstName: '', lastName: '', email: '', dateOfBirth: null, profileImage: null },
  facts: { autoSubscribe: null, employedFrom: null, terminatedOn: null, absences: [], offboarded: false },
  subscription: noSubscription(plan),
  nextTicketOn: null,
  removesOn: null,
  isRemoved: false,
  dueOn: null,
});

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
  /** What the person is told in writing. */
  papers: Paper[];
}

const text = (date: Day | null) => date?.toString() ?? null;

/** In one order, so that the same absences told in another order are the same. */
export const describeAbsences = (absences: readonly Absence[]) =>
  absences
    .map(({ startsOn, endsOn, approved }) => ({ startDate: startsOn.toString(), endDate: text(endsOn), approved }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

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

type Known = Pick<Person, 'profile' | 'facts'>;

/** The person with the subscription as planned, and all that follows from it. Who is gone is written no more. */
export function follow(
  current: Person,
  { profile, facts }: Known,
  { subscription, changes }: Planned,
  today: Day,
): PersonPlan {
  const removesOn = removalOf(subscription, facts, today);
  const isRemoved = hasCome(removesOn, today);
  const coming = [nextEventOn(subscription), nextTicketHoldsUntil(subscription, today), removesOn];
  const person: Person = {
    profile,
    facts,
    subscription,
    nextTicketOn: nextTicketOn(subscription, facts, today),
    removesOn,
    isRemoved,
    dueOn: isRemoved ? null : earliestOf(coming.flatMap((day) => day ?? [])),
  };
  return {
    person,
    changes: compare(current, person),
    subscriptionChanges: changes,
    papers: isRemoved ? [] : papersFor(current, person, changes),
  };
}

/** What a day brings to one of whom nothing new is known. */
export const planDay = (known: Person, today: Day): PersonPlan =>
  follow(known, known, advance(known.subscription, known.facts, today), today);

/**
 * Returns the person as the daily run leaves them after these days, one after the other, and the day on which it removes
 * them, if any. The person is loaded as of the first day.
 */
export function catchUpPerson(known: Person, days: readonly Day[]): { person: Person; removedOn: Day | null } {
  let person = known;
  let removedOn: Day | null = null;
  for (const day of days) {
    const seen = { ...person, nextTicketOn: nextTicketSeenOn(person.nextTicketOn, day) };
    person = !seen.isRemoved && hasCome(seen.dueOn, day) ? planDay(seen, day).person : seen;
    if (person.isRemoved && !known.isRemoved) removedOn ??= day;
  }
  return { person, removedOn };
}

/** What somebody's decision about a person's subscription means, or why it cannot be carried out. */
export function planDecided(
  known: Person,
  decision: Decision,
  today: Day,
  settings: Settings,
): PersonPlan & Pick<Decided, 'refusal'> {
  const { refusal, ...planned } = planDecision(known.subscription, decision, known.facts, today, settings);
  return { ...follow(known, known, planned, today), refusal };
}

/** What may be decided now: what is not refused, and would change something besides what the day itself does. */
export function possibleDecisions(known: Person, today: Day, settings: Settings): Decision[] {
  const byItself = planDay(known, today).subscriptionChanges.length;
  return decisions.filter((decision) => {
    const { refusal, subscriptionChanges } = planDecided(known, decision, today, settings);
    return refusal === null && subscriptionChanges.length > byItself;
  });
}
