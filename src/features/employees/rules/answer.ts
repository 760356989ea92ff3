import { type Day, firstOfMonth, firstOfNextMonth, isBefore, isSameDay } from '../../../domain/calendar.ts';
import { type EmployeeState, planDay } from '../../../domain/employee.ts';
import type { JoiningWay } from '../../../domain/enums.ts';
import { createMessage, type Message, type MessageKey } from '../../../domain/messages/message.ts';
import { joinAbsences } from '../../../domain/subscription/absences.ts';
import { whyNotSubscribed } from '../../../domain/subscription/not-subscribed.ts';
import { pauseReasonIn } from '../../../domain/subscription/pause.ts';
import { requestedPauses } from '../../../domain/subscription/requested.ts';
import { endReason, notSubscribedRule, until } from '../../../domain/subscription/rules.ts';
import { firstStart } from '../../../domain/subscription/start.ts';
import {
  awaitsContract,
  canJoin,
  isRunning,
  isUnsubscribed,
  openPause,
} from '../../../domain/subscription/subscription.ts';
import { lastTicketOn } from '../../../domain/subscription/tickets.ts';
import type { Decision } from '../../../domain/subscription/transitions.ts';
import { chargeTicket, priceOn, type TicketPrice } from '../../billing/rules/charges.ts';

export const nextSteps = ['send-link', 'record-consent', 'invite', 'subscribe', 'resume', 'fix-roster'] as const;
export type NextStep = (typeof nextSteps)[number];

/** Says whether an employee has a ticket, why, until when, and what to do next. */
export interface Answer {
  sentence: Message;
  reasons: Message[];
  nextTicketAt: Day | null;
  /** The first days of the months of the last ticket and the last deduction. Null: the subscription has no end. */
  lastTicket: Day | null;
  lastDeduction: Day | null;
  nextStep: NextStep | null;
}

/** What else is known about an employee besides their state. */
export interface AnswerContext {
  today: Day;
  /** Those that are possible now. */
  decisions: readonly Decision[];
  /** How employees of the company get their subscription. */
  joining: JoiningWay;
  /** When the employee was invited to join last. Null: never. */
  invitedOn: Day | null;
  /** The month of the newest ticket. */
  lastIssued: Day | null;
  /** The newest month of which the employee pays a part, unless it was corrected. */
  lastDeducted: Day | null;
  prices: readonly TicketPrice[];
  /** The changes of the subscription. */
  changes: readonly { cause: string; rule: string; effectiveOn: string }[];
  /** The link with which the employee can sign. */
  link: { createdOn: Day; expiresOn: Day } | null;
}

interface Situation extends AnswerContext {
  employee: EmployeeState;
  /** The last ticket that is still to be issued before a planned end. */
  lastComing: Day | null;
}

/** Returns why there is no ticket in a month: a requested pause or the facts. Null: they allow one. */
function whyNoTicketIn({ subscription, facts }: EmployeeState, month: Day): Message | null {
  const { absences, employedFrom } = facts;
  const reason = pauseReasonIn(subscription, facts, month);
  if (reason === 'employee' || reason === 'company') return createMessage(`answer-paused-by-${reason}`);
  const next = firstOfNextMonth(month);
  const absence = joinAbsences(absences).find(
    ({ startDate, endDate }) =>
      !isBefore(month, startDate) && (endDate === null || !isBefore(endDate.add({ days: 1 }), next)),
  );
  if (absence !== undefined) {
    const { startDate: from, endDate: to } = absence;
    return to === null ? createMessage('answer-absent-open', { from }) : createMessage('answer-absent', { from, to });
  }
  const isBeforeWork = employedFrom !== null && isBefore(month, employedFrom);
  return isBeforeWork ? createMessage('answer-employed-from', { employedFrom }) : null;
}

const whyPausedIn = (employee: EmployeeState, month: Day): Message =>
  whyNoTicketIn(employee, month) ?? createMessage('answer-pause-over');

/** Returns why a subscription ends or has ended. */
function whyEnding({ employee: { subscription, facts }, today, changes }: Situation, sentence: Message): Message[] {
  const { status, cancelledOn, cancelCauses } = subscription;
  if (cancelledOn === null) return [];
  const { terminationDate } = facts;
  const requestedOn = terminationDate && firstOfNextMonth(terminationDate);
  const isExplained = requestedOn !== null && !isBefore(cancelledOn, requestedOn);
  const cause = cancelCauses.find((one) => one !== 'termination' || isExplained) ?? cancelCauses[0];
  if (cause === undefined) return [];
  // A last day after the end became known later than the end, or says only that no ticket is left before it.
  const planned = endReason(cause, isExplained ? facts : { ...facts, terminationDate: null }, subscription);
  const isOver = 'terminatedOn' in planned && isBefore(planned.terminatedOn, today);
  const reason = isOver ? { ...planned, reason: 'end-reason-terminated-on' satisfies MessageKey } : planned;
  const isLate =
    cause === 'termination'
      ? isExplained && !isSameDay(requestedOn, cancelledOn)
      : changes.some(
          (change) =>
            change.cause === cause &&
            change.rule === 'end-after-cut-off' &&
            change.effectiveOn === cancelledOn.toString(),
        );
  if (isLate && isRunning(status)) return [createMessage('answer-ends-late', { ...reason, on: cancelledOn })];
  const isNamed = status === 'cancelled' || sentence.values.on === cancelledOn.toString();
  return [
    isNamed
      ? createMessage('answer-end-reason', reason)
      : createMessage('answer-ends-because', { ...reason, on: cancelledOn }),
  ];
}

function whyScheduled({ employee, today, link }: Situation): Message[] {
  const { startOn, startsFrom } = employee.subscription;
  if (startOn === null) return [];
  const isNext = isSameDay(startOn, firstOfNextMonth(today));
  const heldUp = whyNoTicketIn(employee, startOn);
  const postponed = heldUp ?? (isNext ? null : whyNoTicketIn(employee, startOn.subtract({ months: 1 })));
  const asked = isSameDay(startOn, startsFrom) && !isNext ? createMessage('answer-asked-start') : null;
  if (!awaitsContract(employee.subscription)) return [postponed ?? asked ?? createMessage('answer-next-month')];
  const consent = link === null ? createMessage('answer-no-link') : createMessage('answer-link', { ...link });
  return postponed === null ? [consent] : [consent, postponed];
}

function whyUnsubscribed({ employee: { subscription, facts }, today, joining }: Situation): Message[] {
  const reason = whyNotSubscribed(subscription, facts, today, { joining });
  if (reason === null) return [];
  return [notSubscribedRule(reason, firstStart(subscription, facts, today), facts, { joining }).message];
}

function listReasons(situation: Situation, sentence: Message): Message[] {
  const { employee, today } = situation;
  const { subscription, facts, removesOn } = employee;
  const { status, startOn, cancelledOn } = subscription;
  const pause = isRunning(status) ? openPause(subscription) : null;
  return [
    ...(status === 'scheduled' ? whyScheduled(situation) : []),
    ...(status === 'paused' ? [whyPausedIn(employee, firstOfMonth(today))] : []),
    ...(pause === null ? [] : [whyPausedIn(employee, pause)]),
    ...whyEnding(situation, sentence),
    ...(facts.offboarded && removesOn ? [createMessage('answer-leaving', { on: removesOn })] : []),
    ...(isUnsubscribed(status) ? whyUnsubscribed(situation) : []),
    ...(status === 'no-subscription' && situation.invitedOn
      ? [createMessage('answer-invited', { on: situation.invitedOn })]
      : []),
    ...(status === 'active' && startOn && cancelledOn === null ? [createMessage('answer-since', { on: startOn })] : []),
  ];
}

function composeSentence({ employee, today, lastIssued, lastComing }: Situation): Message {
  const { profile, subscription, nextTicketOn, isRemoved } = employee;
  const { status, startOn, resumesOn, cancelledOn } = subscription;
  const name = `${profile.firstName} ${profile.lastName}`;
  if (isRemoved) return createMessage('answer-removed', { name });
  switch (status) {
    case 'no-subscription':
      return createMessage('answer-none', { name });
    case 'cancelled':
      return lastIssued === null
        ? createMessage('answer-ended-unused', { name })
        : createMessage('answer-ended', { name, on: firstOfNextMonth(lastIssued) });
    case 'scheduled':
      if (awaitsContract(subscription) && startOn) return createMessage('answer-awaits-consent', { name, on: startOn });
      if (nextTicketOn !== null) return createMessage('answer-starts', { name, on: nextTicketOn });
      return requestedPauses(subscription).some(({ until: end }) => end === null)
        ? createMessage('answer-awaits-resumption', { name })
        : createMessage('answer-awaits-absence-end', { name });
    case 'paused':
      return nextTicketOn === null && cancelledOn !== null
        ? createMessage('answer-paused-ends', { name, on: cancelledOn })
        : createMessage('answer-paused', { name, ...until(nextTicketOn) });
    default: {
      if (!isSameDay(lastIssued, firstOfMonth(today))) return createMessage('answer-due', { name });
      const pause = openPause(subscription);
      const resumes = resumesOn !== null && (cancelledOn === null || isBefore(resumesOn, cancelledOn));
      if (pause !== null && (resumes || cancelledOn === null)) {
        return createMessage('answer-pausing', { name, on: pause, ...until(resumesOn) });
      }
      if (cancelledOn === null && nextTicketOn !== null) {
        return createMessage('answer-active', { name, on: nextTicketOn });
      }
      return createMessage('answer-ends', { name, on: firstOfNextMonth(lastComing ?? today) });
    }
  }
}

function findLastTicket({ employee: { subscription }, lastComing, lastIssued }: Situation): Day | null {
  const { status, cancelledOn } = subscription;
  if (cancelledOn === null) return null;
  // The newest ticket is of an earlier subscription, and the last one is not known yet.
  return lastComing ?? (status === 'scheduled' ? null : lastIssued);
}

function findLastDeduction({ employee, lastComing, lastDeducted, prices }: Situation): Day | null {
  const price = lastComing === null ? undefined : priceOn(prices, lastComing);
  const isPaid = price !== undefined && chargeTicket(price, employee.subscription).employeeShareCents > 0;
  return isPaid ? lastComing : lastDeducted;
}

function findNextStep({ employee, decisions, link, joining, invitedOn }: Situation): NextStep | null {
  const { subscription, facts, isRemoved } = employee;
  const { status } = subscription;
  if (isRemoved) return null;
  // Somebody whose last day is known is missing for a reason.
  if (facts.offboarded) return facts.terminationDate === null ? 'fix-roster' : null;
  if (status === 'scheduled' && awaitsContract(subscription)) return link === null ? 'send-link' : 'record-consent';
  if (status === 'paused' && decisions.includes('resume')) return 'resume';
  if (!isUnsubscribed(status)) return null;
  const isInvitable = status === 'no-subscription' && canJoin({ joining }) && invitedOn === null;
  if (decisions.includes('subscribe')) return isInvitable ? 'invite' : 'subscribe';
  return facts.autoSubscribe === false ? 'fix-roster' : null;
}

/** Returns the answer as of today, even if the daily run has not processed the day yet. */
export function composeAnswer(known: EmployeeState, context: AnswerContext): Answer {
  const { employee } = planDay(known, context.today);
  const { subscription, facts, nextTicketOn, isRemoved } = employee;
  const lastComing = lastTicketOn(subscription, facts, context.today);
  const situation: Situation = { ...context, employee, lastComing };
  const sentence = composeSentence(situation);
  const lastTicket = findLastTicket(situation);
  return {
    sentence,
    reasons: isRemoved ? [] : listReasons(situation, sentence),
    nextTicketAt: nextTicketOn,
    lastTicket,
    lastDeduction: lastTicket && findLastDeduction(situation),
    nextStep: findNextStep(situation),
  };
}
