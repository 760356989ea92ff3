import { type Day, isSameDay } from './calendar.ts';
import type { DocumentKind } from './enums.ts';
import type { Change } from './subscription/changes.ts';
import { isUnsubscribed, type Subscription } from './subscription/subscription.ts';

/** A document that a change of a subscription requires. Ticket confirmations result from tickets, statements from charges. */
export interface PlannedDocument {
  kind: Exclude<DocumentKind, 'ticket-confirmation' | 'yearly-statement'>;
  /** The date that the document is about. With kind and employee, it identifies the document. */
  about: Day;
}

/** What the employee knows about a subscription. `EmployeeState` is assignable to it. */
export interface SubscriptionSnapshot {
  subscription: Subscription;
  nextTicketOn: Day | null;
}

/** Returns the first ticket once the start is certain. One that waits for a signature or absence has none yet. */
export function knownStart({ subscription: { status, startOn }, nextTicketOn }: SubscriptionSnapshot): Day | null {
  const isHeldUp = status === 'scheduled' && nextTicketOn === null;
  return isUnsubscribed(status) || isHeldUp ? null : startOn;
}

/** Returns the month from which an employee has agreed to a higher share. */
const agreedFrom = ({ nextPlan }: Subscription, changes: readonly Change[]) =>
  nextPlan !== null && changes.some(({ rule }) => rule.id === 'plan-change-accepted')
    ? Temporal.PlainDate.from(nextPlan.from)
    : null;

/** Returns whether the employee has signed. Undoing a request may restore a signature, whose agreement stands. */
const hasSigned = ({ contractStatus }: Subscription, changes: readonly Change[]) =>
  contractStatus === 'accepted' && changes.some(({ cause }) => cause === 'contract-accepted');

/** Returns whether a new subscription has begun. Late changes may bring an end and a new start at once. */
const hasBegunAnew = (changes: readonly Change[]) =>
  changes.some(({ from, to }) => isUnsubscribed(from) && !isUnsubscribed(to));

const document = (kind: PlannedDocument['kind'], about: Day | null): PlannedDocument[] =>
  about === null ? [] : [{ kind, about }];

/**
 * Returns the documents that are required when these changes have turned a subscription from `before` into `after`,
 * however many days they took. There are no documents for an end that arrives as planned, nor for pauses. An end that
 * was known when the start was confirmed is no cancellation: the term was fixed from the start.
 */
export function planDocuments(
  before: SubscriptionSnapshot,
  after: SubscriptionSnapshot,
  changes: readonly Change[],
): PlannedDocument[] {
  const { startOn, cancelledOn } = after.subscription;
  const startBefore = hasBegunAnew(changes) ? null : knownStart(before);
  const start = knownStart(after);
  const isEndNews = startBefore !== null && !isSameDay(before.subscription.cancelledOn, cancelledOn);
  return [
    ...document('subscription-confirmation', isSameDay(startBefore, start) ? null : start),
    ...document('contribution-agreement', hasSigned(after.subscription, changes) ? startOn : null),
    ...document('contribution-agreement', agreedFrom(after.subscription, changes)),
    ...document('cancellation-confirmation', isEndNews ? cancelledOn : null),
  ];
}
