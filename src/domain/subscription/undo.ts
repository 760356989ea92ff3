import { compareDays, type Day, firstOfMonthOnOrAfter, firstOfNextMonth, isBefore, nextCutOff } from '../calendar.ts';
import { type EndCause, endCauses, type RequestAction } from '../enums.ts';
import { advance } from './advance.ts';
import { type Planned, record } from './changes.ts';
import type { DecisionContext } from './decisions.ts';
import { planDates } from './plan.ts';
import type { PlanningInput } from './planning.ts';
import { type Refusal, refuse } from './refusals.ts';
import { requestedFields } from './requested.ts';
import { requestUndone } from './rules.ts';
import { isRunning, isUnsubscribed, type Subscription } from './subscription.ts';
import { ticketDue } from './tickets.ts';

interface States {
  before: Subscription;
  after: Subscription;
}

/** What undoing a request restores: the subscription before and after it, on the day of the request. */
export interface Undoable extends States {
  action: RequestAction;
  /** Null: it cannot be undone, or not any more. */
  undoUntil: Day | null;
}

const dateFields = ['startOn', 'pausedOn', 'resumesOn', 'cancelledOn', 'reactivatedOn'] as const;

/** Returns the first month that has a ticket in one of both and none in the other, as far as it is known. */
function firstDifference(before: Subscription, after: Subscription, { facts, today }: PlanningInput): Day | null {
  const candidates = [before, after]
    .flatMap((subscription) => [...dateFields, ...requestedFields].flatMap((field) => subscription[field] ?? []))
    .map(firstOfMonthOnOrAfter)
    .filter((month) => isBefore(today, month))
    .sort(compareDays);
  const hasTicket = (subscription: Subscription, month: Day) =>
    ticketDue(advance(subscription, facts, month).subscription, month);
  return candidates.find((month) => hasTicket(before, month) !== hasTicket(after, month)) ?? null;
}

/** Returns the first month in which one of both has ended by the calendar: there is nothing to go back to then. */
function firstEnd(subscriptions: readonly Subscription[], { facts, today }: PlanningInput, limit: Day): Day {
  const isOver = (subscription: Subscription, month: Day) =>
    isUnsubscribed(advance(subscription, facts, month).subscription.status) !== isUnsubscribed(subscription.status);
  let month = firstOfNextMonth(today);
  while (isBefore(month, limit) && !subscriptions.some((one) => isOver(one, month))) month = firstOfNextMonth(month);
  return month;
}

/**
 * Returns the last day on which undoing a change restores what was before: the cut-off day before the first month whose
 * ticket it changes. Without a running ticket there is no cut-off: the last day before that month. A change that changes
 * no ticket can be undone in the present month.
 */
export function undoableUntil(before: Subscription, after: Subscription, situation: PlanningInput): Day | null {
  const { today, cutOffDay } = situation;
  const difference = firstDifference(before, after, situation) ?? firstOfNextMonth(today);
  const month = firstEnd([before, after], situation, difference);
  const last = month.subtract({ days: 1 });
  if (!isRunning(before.status)) return last;
  const cutOff = nextCutOff(last.with({ day: 1 }), cutOffDay);
  return isBefore(cutOff, today) ? null : cutOff;
}

/** Returns whether a request ended a subscription at once, or began a new one: undoing it restores all dates. */
const isWhole = ({ before, after }: States) => isUnsubscribed(before.status) !== isUnsubscribed(after.status);

type Field = Exclude<keyof Subscription, 'status' | 'past' | 'autoSubscribe' | 'employedFrom'>;
const restored: readonly Field[] = [
  ...dateFields,
  ...requestedFields,
  ...(['planType', 'contributionCents', 'contractStatus', 'cancelCauses', 'notSubscribedBecause'] as const),
];

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Returns the causes of the end without those that the request added, and with those that it took away. */
const causesWithout = ({ before, after }: States, { cancelCauses }: Subscription): EndCause[] =>
  endCauses.filter((cause) => {
    const was = before.cancelCauses.includes(cause);
    return was === after.cancelCauses.includes(cause) ? cancelCauses.includes(cause) : was;
  });

/**
 * Returns the values before the request of all fields that it changed, and that nothing has changed since. Of the causes
 * of the end, others may have come or gone since.
 */
function patchOf(current: Subscription, undoable: States): Partial<Subscription> {
  const { before, after } = undoable;
  const isOther = (field: Field) => !isEqual(current[field], after[field]);
  const isKept = (field: Field) =>
    isOther(field) && (!isWhole(undoable) || requestedFields.some((requested) => requested === field));
  const changed = restored.filter((field) => !isEqual(before[field], after[field]) || isWhole(undoable));
  const patch = Object.fromEntries(changed.filter((field) => !isKept(field)).map((field) => [field, before[field]]));
  return { cancelCauses: causesWithout(undoable, current), ...patch };
}

/** Forgets dates that were reached only because of what was undone, in the history too. */
function restorePast({ subscription, changes }: Planned, undoable: States): Planned {
  const { past } = undoable.before;
  const last = changes.at(-1);
  if (!isWhole(undoable) || last === undefined || isEqual(past, subscription.past)) return { subscription, changes };
  const field = { field: 'past', from: subscription.past, to: past } as const;
  return {
    subscription: { ...subscription, past },
    changes: [...changes.slice(0, -1), { ...last, fields: [...last.fields, field] }],
  };
}

/**
 * Plans the undoing of the last request of a side. What has changed since for other reasons stays: the dates are planned
 * again from what is known now.
 */
export function planUndo(
  current: Subscription,
  asked: Undoable,
  { facts, today, settings: { cutOffDay } }: DecisionContext,
): Planned & { refusal: Refusal | null } {
  const planned = advance(current, facts, today);
  const { subscription } = planned;
  const { action, undoUntil } = asked;
  // Both as they would be today: the start of either may have been postponed since.
  const asOfToday = (one: Subscription) => advance(one, facts, today).subscription;
  const before = asOfToday(asked.before);
  const after = asOfToday(asked.after);
  const undoable = { before, after };
  const refused = (code: 'undo-too-late' | 'undo-not-possible') => ({
    ...planned,
    refusal: refuse(code, subscription),
  });
  if (undoUntil === null || isBefore(undoUntil, today)) return refused('undo-too-late');
  if (isUnsubscribed(subscription.status) !== isUnsubscribed(after.status)) return refused('undo-not-possible');
  const why = { knownOn: today, effectiveOn: today, cause: 'undo', rule: requestUndone(action) } as const;
  const undone = restorePast(record(planned, why, patchOf(subscription, undoable)), undoable);
  return { ...planDates(undone, { facts, today, cutOffDay }), refusal: null };
}
