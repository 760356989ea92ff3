import {
  type Day,
  earlierOf,
  earliestEffect,
  firstOfMonth,
  firstOfNextMonth,
  isBefore,
  isDue,
  isSameDay,
  type Months,
} from '../calendar.ts';
import type { RequestAction, Side } from '../enums.ts';
import { ticketlessMonths } from '../ticketless-months.ts';
import { advance } from './advance.ts';
import { type Change, changedFields, type Planned, record } from './changes.ts';
import { acceptContract, type DecisionContext } from './decisions.ts';
import { planDates } from './plan.ts';
import type { PlannedRequest } from './planning.ts';
import { type Refusal, refuse, refuseMonth } from './refusals.ts';
import { endPatch, otherSide, pausePatch, type Requested, requestedEnd, requestedPause } from './requested.ts';
import { endWithdrawn, pauseRule, pauseWithdrawnOnRequest, type Rule, resumptionAwaitsOthers } from './rules.ts';
import { firstStart, subscribe } from './start.ts';
import { canJoin, isRunning, isUnsubscribed, needsContract, type Subscription } from './subscription.ts';
import { undoableUntil } from './undo.ts';
import { endedBy, mayStart, type StartRefusal } from './who-wins.ts';

/** What a side asks for. Months are named by their first day. */
export interface RequestedChange {
  action: RequestAction;
  side: Side;
  /** Absent: the earliest possible month. */
  from?: Day | undefined;
  /** The month in which tickets resume after a pause. Null: until further notice. */
  until?: Day | null | undefined;
}

/** How far ahead a month may be asked for. */
const mostMonthsAhead = 60;

export interface RequestPlan extends Planned {
  refusal: Refusal | null;
  /** When it takes effect, and until when a pause lasts. Null for a refusal. */
  from: Day | null;
  until: Day | null;
  /** The last day on which undoing it restores what was before. Null: it cannot be undone. */
  undoUntil: Day | null;
}

/** A request whose month is known. */
interface Resolved {
  from: Day;
  until: Day | null;
  patch: Partial<Requested>;
  rule: Rule;
}

type Situation = DecisionContext & { subscription: Subscription };
type Resolution = Resolved | { refusal: Refusal };

const pauseOf = ({ subscription }: Situation, side: Side) => requestedPause(subscription, side);

const isTooFar = ({ today }: Situation, month: Day | null): boolean =>
  month !== null && isBefore(firstOfMonth(today).add({ months: mostMonthsAhead }), month);

/** Returns why a month cannot be asked for, or null if it can. */
function checkMonth(situation: Situation, asked: Day, earliest: Day): Refusal | null {
  const { subscription, today } = situation;
  if (isTooFar(situation, asked)) return refuse('too-far-ahead', subscription);
  if (!isBefore(asked, earliest)) return null;
  const isLate = isRunning(subscription.status) && isSameDay(asked, firstOfNextMonth(today));
  return refuseMonth(isLate ? 'after-cut-off' : 'too-early', earliest);
}

/** Returns when a side may pause at the earliest. Its own pause became known in time, and no ticket is running in one. */
function earliestPause(situation: Situation, side: Side): Day {
  const { subscription, today, settings } = situation;
  const own = pauseOf(situation, side);
  if (subscription.status === 'paused') return own && isDue(own.from, today) ? own.from : firstOfMonth(today);
  if (!isRunning(subscription.status)) return firstOfNextMonth(today);
  const earliest = earliestEffect(today, settings.cutOffDay);
  return own && isBefore(today, own.from) ? earlierOf(own.from, earliest) : earliest;
}

function resolvePause(situation: Situation, { side, ...asked }: RequestedChange): Resolution {
  const { subscription, facts, today, settings } = situation;
  const earliest = earliestPause(situation, side);
  const from = asked.from ?? earliest;
  const until = asked.until ?? null;
  const refusal = checkMonth(situation, from, earliest);
  if (refusal !== null) return { refusal };
  if (isTooFar(situation, until)) return { refusal: refuse('too-far-ahead', subscription) };
  const { cancelledOn } = subscription;
  if (cancelledOn !== null && !isBefore(from, cancelledOn)) return { refusal: refuse('ends-before', subscription) };
  const isTooShort = until !== null && !(isBefore(from, until) && isBefore(today, until));
  if (isTooShort) return { refusal: refuse('until-too-early', subscription) };
  const isLate = asked.from === undefined && isRunning(subscription.status) && isBefore(firstOfNextMonth(today), from);
  const pause = { on: from, resumesOn: until, requestedOn: isLate ? firstOfNextMonth(today) : from, reason: side };
  const rule = pauseRule(pause, { facts, today, cutOffDay: settings.cutOffDay });
  return { from, until, patch: pausePatch(side, { from, until }), rule };
}

/** Returns why a side has no pause to take back. */
function whyNotPaused(situation: Situation, side: Side) {
  const { subscription, facts, today } = situation;
  const other = otherSide(side);
  if (pauseOf(situation, other) !== null) return `paused-by-${other}` as const;
  if (subscription.status !== 'paused' && subscription.pausedOn === null) return 'not-paused';
  const isPausedByFacts = ticketlessMonths(subscription, facts).some(
    ({ until }) => until === null || isBefore(today, until),
  );
  return isPausedByFacts ? 'pause-follows-absence' : 'not-paused';
}

function resolveResumption(situation: Situation, { side, from: asked }: RequestedChange): Resolution {
  const { subscription, today } = situation;
  const own = pauseOf(situation, side);
  if (own === null) return { refusal: refuse(whyNotPaused(situation, side), subscription) };
  const earliest = firstOfNextMonth(today);
  const from = asked ?? (isDue(own.from, today) ? earliest : own.from);
  const refusal = checkMonth(situation, from, earliest);
  if (refusal !== null) return { refusal };
  if (own.until !== null && isBefore(own.until, from)) return { refusal: refuse('pause-ends-earlier', subscription) };
  const left: Months | null = isBefore(own.from, from) ? { from: own.from, until: from } : null;
  const rule =
    subscription.status === 'paused'
      ? resumptionAwaitsOthers(side, subscription.resumesOn)
      : pauseWithdrawnOnRequest(side, own.from);
  return { from, until: null, patch: pausePatch(side, left), rule };
}

function resolveEnd(situation: Situation, { side, from: asked }: RequestedChange): Resolution {
  const { subscription, today, settings } = situation;
  const own = requestedEnd(subscription, side);
  const next = firstOfNextMonth(today);
  const inTime = isRunning(subscription.status) ? earliestEffect(today, settings.cutOffDay) : next;
  const earliest = own && isBefore(today, own) ? earlierOf(own, inTime) : inTime;
  const from = asked ?? (isRunning(subscription.status) ? earliest : today);
  const refusal = asked && checkMonth(situation, asked, earliest);
  if (refusal) return { refusal };
  return { from, until: null, patch: endPatch(side, from), rule: endWithdrawn(from) };
}

/** Returns what a side takes back when it subscribes: its own end and pause, with consent those of the employee too. */
const startPatch = (side: Side, hasConsent: boolean): Partial<Requested> => ({
  ...endPatch(side, null),
  ...(side === 'company' && hasConsent ? endPatch('employee', null) : {}),
});

function whyNotStarted(situation: Situation, side: Side): StartRefusal | null {
  const { subscription, facts, today, consent } = situation;
  const starter = side === 'company' && consent !== undefined ? 'companyWithConsent' : side;
  return mayStart(subscription, facts, today)[starter];
}

/** Resolves a request to take back a planned end. */
function resolveContinuation(situation: Situation, { side, from: asked }: RequestedChange): Resolution {
  const { subscription, today, facts, consent } = situation;
  const { cancelledOn, cancelCauses } = subscription;
  const refused = (code: Parameters<typeof refuse>[0]) => ({ refusal: refuse(code, subscription) });
  if (cancelledOn === null) return refused('not-possible-in-this-status');
  const refusal = whyNotStarted(situation, side);
  if (refusal !== null) return refused(refusal);
  const isOptOutOver = facts.autoSubscribe === null && cancelCauses.includes('opt-out');
  if (!isOptOutOver && !cancelCauses.includes('cancel')) {
    return refused(cancelCauses.includes('contract-rejected') ? 'contract-rejected' : 'employment-ends');
  }
  const earliest = firstOfNextMonth(today);
  if (asked !== undefined && isBefore(asked, earliest)) return { refusal: refuseMonth('too-early', earliest) };
  if (asked !== undefined && isBefore(cancelledOn, asked))
    return { refusal: refuseMonth('still-running', cancelledOn) };
  const patch = startPatch(side, consent !== undefined);
  return { from: cancelledOn, until: null, patch, rule: endWithdrawn(cancelledOn) };
}

function resolveStart(situation: Situation, { side, from: asked }: RequestedChange): Resolution {
  const { subscription, facts, today, consent } = situation;
  const refused = (code: Parameters<typeof refuse>[0]) => ({ refusal: refuse(code, subscription) });
  // A pause of an ended subscription is over for the side that starts a new one.
  const own = { ...startPatch(side, consent !== undefined), ...pausePatch(side, null) };
  const unpaused =
    side === 'company' && requestedEnd(subscription, 'employee') !== null ? pausePatch('employee', null) : {};
  const wanted = { ...subscription, startsFrom: null, ...own, ...unpaused };
  const refusal = whyNotStarted({ ...situation, subscription: wanted }, side);
  if (refusal !== null) return refused(refusal);
  const earliest = firstStart(wanted, facts, today);
  const patch = { ...own, ...unpaused, startsFrom: asked ?? null };
  const rule = endWithdrawn(earliest.on);
  if (asked === undefined) return { from: earliest.on, until: null, patch, rule };
  const early = checkMonth(situation, asked, earliest.on);
  if (early !== null) return { refusal: early };
  const start = firstStart({ ...wanted, startsFrom: asked }, facts, today);
  if (!start.isKnown) return refused('absence-without-end');
  if (!isSameDay(start.on, asked)) return { refusal: refuseMonth('too-early', start.on) };
  return whyNotStarted({ ...situation, subscription: { ...wanted, startsFrom: asked } }, side) === null
    ? { from: asked, until: null, patch, rule }
    : refused('employment-ends');
}

/** Returns whether a side may ask for a new subscription. Employees take back their own end, whoever decides about joining. */
const mayJoin = ({ subscription, settings }: Situation, { side }: RequestedChange): boolean =>
  side === 'company' || canJoin(settings) || endedBy(subscription).includes('employee');

function resolve(situation: Situation, asked: RequestedChange): Resolution {
  const { subscription } = situation;
  if (asked.until && asked.action !== 'pause') return { refusal: refuse('until-without-pause', subscription) };
  if (asked.action === 'subscribe') {
    if (!isUnsubscribed(subscription.status)) return resolveContinuation(situation, asked);
    const start = resolveStart(situation, asked);
    return 'refusal' in start || mayJoin(situation, asked)
      ? start
      : { refusal: refuse('joining-not-allowed', subscription) };
  }
  if (isUnsubscribed(subscription.status)) return { refusal: refuse('not-possible-in-this-status', subscription) };
  if (asked.action === 'pause') return resolvePause(situation, asked);
  return asked.action === 'resume' ? resolveResumption(situation, asked) : resolveEnd(situation, asked);
}

/**
 * Plans the dates after a request. The request and the dates that move with it are one change: what was asked for is
 * added to the first one, and is a change of its own if no date moves.
 */
function planAsked(
  planned: Planned,
  { patch, rule, from }: Resolved,
  request: PlannedRequest,
  context: DecisionContext,
) {
  const { facts, today, settings } = context;
  const before = planned.subscription;
  const asked = { ...before, ...patch };
  const situation = { facts, today, cutOffDay: settings.cutOffDay, request };
  const dated = planDates({ subscription: asked, changes: [] }, situation);
  const [first, ...others] = dated.changes;
  if (first === undefined) {
    const effectiveOn = isBefore(from, today) ? today : from;
    return record(planned, { knownOn: today, effectiveOn, cause: request.action, rule }, patch);
  }
  const whole: Change = { ...first, fields: [...changedFields(before, asked), ...first.fields] };
  return { subscription: dated.subscription, changes: [...planned.changes, whole, ...others] };
}

function planStartAsked(planned: Planned, { patch }: Resolved, { side }: RequestedChange, context: DecisionContext) {
  const { facts, today, settings, consent } = context;
  const started = subscribe(planned, { facts, today }, settings, patch);
  // Whoever joins accepts the contract in the same step.
  const isAccepted = side === 'employee' && needsContract(started.subscription.planType);
  const accepted = isAccepted
    ? acceptContract(started, today, consent ?? { given: 'electronically', on: today })
    : started;
  return planDates(accepted, { facts, today, cutOffDay: settings.cutOffDay });
}

/** Plans a request about one subscription, by the same rules as facts from the HR system. */
export function planRequest(current: Subscription, asked: RequestedChange, context: DecisionContext): RequestPlan {
  const { facts, today, settings } = context;
  const advanced = advance(current, facts, today);
  const { subscription } = advanced;
  const resolved = resolve({ ...context, subscription }, asked);
  if ('refusal' in resolved) {
    return { ...advanced, refusal: resolved.refusal, from: null, until: null, undoUntil: null };
  }
  const { action, side } = asked;
  const request = { action, side, isEarliest: asked.from === undefined, rule: resolved.rule };
  const planned =
    action === 'subscribe' && isUnsubscribed(subscription.status)
      ? planStartAsked(advanced, resolved, asked, context)
      : planAsked(advanced, resolved, request, context);
  const undoUntil = undoableUntil(subscription, planned.subscription, { facts, today, cutOffDay: settings.cutOffDay });
  return { ...planned, refusal: null, from: resolved.from, until: resolved.until, undoUntil };
}
