import { type Day, isSameDay } from './calendar.ts';
import type { DocumentKind } from './enums.ts';
import type { Change } from './subscription/changes.ts';
import { isUnsubscribed, type Subscription } from './subscription/subscription.ts';

/** A document that follows from a change of a subscription; confirmations of tickets follow from tickets. */
export interface PlannedDocument {
  kind: Exclude<DocumentKind, 'ticket-confirmation'>;
  /** The date it is about; with the kind and the employee it names the document, so that none is written twice. */
  about: Day;
}

/** What a person knows of a subscription; a person fits it. */
export interface SubscriptionSnapshot {
  subscription: Subscription;
  nextTicketOn: Day | null;
}

/**
 * The start, once it is known to come: one that waits for a signature or for the end of an absence has no next ticket. The
 * date is that of the first ticket itself, because the next ticket of one who is looked at late is a later one.
 */
export function knownStart({ subscription: { status, startOn }, nextTicketOn }: SubscriptionSnapshot): Day | null {
  const isHeldUp = status === 'scheduled' && nextTicketOn === null;
  return isUnsubscribed(status) || isHeldUp ? null : startOn;
}

/** What was late may bring an end and a new beginning at once: of the new subscription nothing was told before. */
const hasBegunAnew = (changes: readonly Change[]) =>
  changes.some(({ from, to }) => isUnsubscribed(from) && !isUnsubscribed(to));

const document = (kind: PlannedDocument['kind'], about: Day | null): PlannedDocument[] =>
  about === null ? [] : [{ kind, about }];

/**
 * The documents that follow when a subscription has become `after` by these changes, however many days they took. The end
 * that arrives as planned and all that concerns pauses are not put on paper. Nor is an end that was known when the start
 * was told a cancellation: the term was fixed from the start.
 */
export function planDocuments(
  before: SubscriptionSnapshot,
  after: SubscriptionSnapshot,
  changes: readonly Change[],
): PlannedDocument[] {
  const { startOn, cancelledOn, contractStatus } = after.subscription;
  const startBefore = hasBegunAnew(changes) ? null : knownStart(before);
  const start = knownStart(after);
  const isSigned = contractStatus === 'accepted' && before.subscription.contractStatus !== 'accepted';
  const isEndNews = startBefore !== null && !isSameDay(before.subscription.cancelledOn, cancelledOn);
  return [
    ...document('subscription-confirmation', isSameDay(startBefore, start) ? null : start),
    ...document('contribution-agreement', isSigned ? startOn : null),
    ...document('cancellation-confirmation', isEndNews ? cancelledOn : null),
  ];
}
