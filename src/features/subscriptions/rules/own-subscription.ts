import { type Day, firstOfMonth, firstOfNextMonth, isBefore, isDue, isSameDay } from '../../../domain/calendar.ts';
import {
  type EmployeePlan,
  type EmployeeState,
  planDay,
  planningFor,
  planRequestFor,
} from '../../../domain/employee.ts';
import { type RequestAction, requestActions, sides } from '../../../domain/enums.ts';
import { createMessage, type Message } from '../../../domain/messages/message.ts';
import { toEmployee } from '../../../domain/messages/to-employee.ts';
import { coveredMonths } from '../../../domain/subscription/absences.ts';
import type { RefusalCode } from '../../../domain/subscription/refusals.ts';
import { requestedEnd, requestedPause } from '../../../domain/subscription/requested.ts';
import type { RequestedChange } from '../../../domain/subscription/requests.ts';
import { isRunning, isUnsubscribed, needsContract } from '../../../domain/subscription/subscription.ts';
import { chargeTicket, priceOn, type TicketPrice } from '../../billing/rules/charges.ts';
import type { Company } from '../../companies/companies.ts';
import type { OwnFacts } from '../../employees/own-answer.ts';
import { type Answer, composeAnswer } from '../../employees/rules/answer.ts';

/** What is known about the subscription of an employee who looks at it. */
export interface OwnSituation {
  company: Company;
  today: Day;
  /** As it is stored. */
  known: EmployeeState;
  facts: OwnFacts;
  prices: readonly TicketPrice[];
}

/** Why a request is not possible, in words for the employee. */
export interface OwnRefusal {
  code: RefusalCode;
  message: Message;
  earliestFrom: Day | null;
}

interface PauseSpan {
  by: 'employee' | 'company' | 'absence';
  from: Day;
  until: Day | null;
}

/** What is deducted for a month, and what the employer pays. Nothing is charged before the first price. */
interface OwnAmounts {
  ticketCents: number;
  companyCents: number;
  employeeCents: number;
}

export interface OwnSubscription {
  employee: EmployeeState;
  answer: Answer;
  planType: Company['planType'];
  amounts: OwnAmounts;
  /** The month whose payroll has the next deduction. Null: nothing is deducted. */
  deductedWith: Day | null;
  startAt: Day | null;
  endAt: Day | null;
  pauses: PauseSpan[];
}

/** Returns who keeps a subscription paused, now or later. Past pauses are no news. */
function listPauses({ subscription, facts }: EmployeeState, today: Day): PauseSpan[] {
  if (isUnsubscribed(subscription.status)) return [];
  const asked = sides.flatMap((by) => {
    const pause = requestedPause(subscription, by);
    return pause === null ? [] : [{ by, ...pause }];
  });
  const absent = coveredMonths(facts.absences).map((months) => ({ by: 'absence' as const, ...months }));
  const { cancelledOn } = subscription;
  return [...asked, ...absent].filter(
    ({ from, until }) => !isDue(until, today) && (cancelledOn === null || isBefore(from, cancelledOn)),
  );
}

/** Describes a subscription on the day after a plan, or as it is. */
export function describeOwn(employee: EmployeeState, { company, today, facts, prices }: OwnSituation): OwnSubscription {
  const { joining } = company;
  const answer = composeAnswer(employee, { ...facts, today, joining, prices, invitedOn: null });
  const { subscription } = employee;
  const { status, startOn, cancelledOn } = subscription;
  const month = firstOfMonth(today);
  const hasTicket = isRunning(status) && isSameDay(facts.lastIssued, month);
  const nextMonth = hasTicket ? month : answer.nextTicketAt;
  // Whoever is not subscribed reads what joining would cost.
  const plan = isUnsubscribed(status) ? planningFor(employee, company, today).settings : subscription;
  const price = priceOn(prices, nextMonth ?? firstOfNextMonth(today));
  const charge = price && chargeTicket(price, plan);
  const employeeCents = charge?.employeeShareCents ?? 0;
  return {
    employee,
    answer,
    planType: plan.planType,
    amounts: {
      ticketCents: charge?.grossCents ?? 0,
      companyCents: charge?.companyShareCents ?? 0,
      employeeCents,
    },
    deductedWith: employeeCents > 0 ? nextMonth : null,
    startAt: startOn,
    endAt: cancelledOn,
    pauses: listPauses(employee, today),
  };
}

/** Returns the subscription as of today, even if the daily run has not processed the day yet. */
export const describeToday = (situation: OwnSituation): OwnSubscription =>
  describeOwn(planDay(situation.known, situation.today).employee, situation);

/** Whether a company leaves it to the roster who gets a ticket. What employees have ended themselves, they may restart. */
function isLeftToRoster({ company, known: { subscription } }: OwnSituation): boolean {
  const { status, cancelCauses } = subscription;
  const isOwnEnd = requestedEnd(subscription, 'employee') !== null || cancelCauses.includes('contract-rejected');
  return company.joining === 'roster' && isUnsubscribed(status) && !isOwnEnd;
}

export interface PlannedOwnRequest {
  refusal: OwnRefusal | null;
  plan: EmployeePlan;
  from: Day | null;
  until: Day | null;
  undoUntil: Day | null;
  /** Whether the employee accepts the agreement by it. */
  needsAgreement: boolean;
}

const joiningRefusal: OwnRefusal = {
  code: 'joining-not-allowed',
  message: createMessage('my-joining-not-allowed'),
  earliestFrom: null,
};

/** Plans a request of the employee by the rules by which it is applied. */
export function planOwnRequest(situation: OwnSituation, asked: Omit<RequestedChange, 'side'>): PlannedOwnRequest {
  const { company, today, known } = situation;
  const { refusal, from, until, undoUntil, ...plan } = planRequestFor(
    known,
    { ...asked, side: 'employee' },
    today,
    company,
  );
  const isLeft = asked.action === 'subscribe' && isLeftToRoster(situation);
  return {
    refusal: isLeft ? joiningRefusal : refusal && { ...refusal, message: toEmployee(refusal.message) },
    ...{ plan, from, until, undoUntil },
    needsAgreement:
      asked.action === 'subscribe' &&
      isUnsubscribed(known.subscription.status) &&
      needsContract(plan.employee.subscription.planType),
  };
}

export interface OwnAction {
  action: RequestAction;
  refusal: OwnRefusal | null;
  /** The first month that can be chosen. Null: there is nothing to choose. */
  earliestFrom: Day | null;
}

/** Returns every action with why it is not possible, or from which month it is. */
export function listOwnActions(situation: OwnSituation): OwnAction[] {
  const { known, today } = situation;
  return requestActions.map((action) => {
    const { refusal, from } = planOwnRequest(situation, { action });
    const first = refusal === null ? from : refusal.earliestFrom;
    // An end that is taken back, and what is over at once, have no month to choose.
    const isFixed = action === 'subscribe' && !isUnsubscribed(known.subscription.status);
    const canChoose = first !== null && !isFixed && first.day === 1 && isBefore(today, first);
    return { action, refusal, earliestFrom: canChoose ? first : null };
  });
}

/** The codes that say only that there is nothing to start or to take back. */
const trivial: readonly string[] = ['not-possible-in-this-status', 'not-paused'];

/** Whether an action makes no sense now, so that nobody needs to know why it is not possible. */
export const isTrivial = (refusal: OwnRefusal | null): boolean => refusal !== null && trivial.includes(refusal.code);

/** Returns who can change what the employee cannot: who has ended or paused it, and what must change first. */
export function whoCanChange({ employee }: OwnSubscription, actions: readonly OwnAction[]): Message | null {
  const { status, cancelledOn, pausedOn } = employee.subscription;
  const refusalOf = (wanted: RequestAction) => actions.find(({ action }) => action === wanted)?.refusal ?? null;
  const isEnding = isUnsubscribed(status) || cancelledOn !== null;
  const isPaused = status === 'paused' || (pausedOn !== null && status === 'scheduled-pause');
  const refusal = isEnding ? refusalOf('subscribe') : isPaused ? refusalOf('resume') : null;
  return refusal === null || isTrivial(refusal) ? null : refusal.message;
}
