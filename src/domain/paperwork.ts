import { type Day, isSameDay } from './calendar.ts';
import { isOver, type Subscription } from './subscription.ts';
import type { Change } from './subscription-changes.ts';
import type { DocumentKind } from './vocabulary.ts';

/** A document that follows from a change of a subscription; confirmations of tickets follow from tickets. */
export interface Paper {
  kind: Exclude<DocumentKind, 'ticket-confirmation'>;
  /** The date it is about; with the kind and the employee it names the document, so that none is written twice. */
  about: Day;
}

/** It waits or runs, and no signature is missing. */
const isConfirmed = ({ status, contractStatus }: Subscription) =>
  !isOver(status) && contractStatus !== 'pending' && contractStatus !== 'rejected';

/** Nothing runs before it is confirmed. So one whose signature is withdrawn while it runs, has been. */
const hasBeenConfirmed = ({ status, contractStatus }: Subscription) => !isOver(status) && contractStatus !== 'pending';

/** What was late may bring an end and a new beginning at once: the new subscription was never confirmed. */
const hasBegunAnew = (changes: readonly Change[]) => changes.some(({ from, to }) => isOver(from) && !isOver(to));

/** Only a start that has not come moves. While an absence without end holds it up, the calendar moves it every month. */
const isMovedByNews = (changes: readonly Change[]) =>
  changes.some(({ cause, fields }) => cause !== 'calendar' && fields.some(({ field }) => field === 'startOn'));

const paper = (kind: Paper['kind'], about: Day | null): Paper[] => (about === null ? [] : [{ kind, about }]);

/**
 * The documents that follow when a subscription has become `after` by these changes, however many days they took. The end
 * that arrives as planned and all that concerns pauses are not put on paper. Nor is an end that was known when the
 * subscription was confirmed a cancellation: the term was fixed from the start.
 */
export function papersFor(before: Subscription, after: Subscription, changes: readonly Change[]): Paper[] {
  const isNew = hasBegunAnew(changes);
  const wasConfirmed = !isNew && isConfirmed(before);
  const wasSigned = !isNew && before.contractStatus === 'accepted';
  const isStartMoved = !isSameDay(before.startOn, after.startOn) && isMovedByNews(changes);
  const isStartToConfirm = isConfirmed(after) && (!wasConfirmed || isStartMoved);
  const isSigned = !wasSigned && after.contractStatus === 'accepted';
  const isEndToConfirm = !isNew && hasBeenConfirmed(before) && !isSameDay(before.cancelledOn, after.cancelledOn);
  return [
    ...paper('subscription-confirmation', isStartToConfirm ? after.startOn : null),
    ...paper('contribution-agreement', isSigned ? after.startOn : null),
    ...paper('cancellation-confirmation', isEndToConfirm ? after.cancelledOn : null),
  ];
}
