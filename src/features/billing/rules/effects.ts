import { isBefore } from '../../../domain/calendar.ts';
import {
  awaitsContract,
  isUnsubscribed,
  openPause,
  type Subscription,
} from '../../../domain/subscription/subscription.ts';
import type { Effects } from '../contract.ts';
import { chargeFee, chargeTicket, type FeePrice, type TicketPrice } from './charges.ts';

/** The prices that apply when a change takes effect. Undefined: no price applies yet, nothing is charged. */
export interface EffectPrices {
  ticket: TicketPrice | undefined;
  /** The fee per ticket. */
  perTicket: FeePrice | undefined;
  /** The fee per employee that an integration links. Undefined also if it does not pull: its links are free. */
  perLink: FeePrice | undefined;
}

/** What is planned for one employee. Null: nothing changes but the link. */
export interface PlannedEffect {
  plan: { before: Subscription; employee: { subscription: Subscription } } | null;
  /** 1: an HR integration links the employee from now on. -1: no longer. */
  linked?: -1 | 0 | 1;
}

type Kind = 'begin' | 'end' | 'resume' | 'pause';

const isEnding = ({ status, cancelledOn }: Subscription) => isUnsubscribed(status) || cancelledOn !== null;

const isAwaitingConsent = (subscription: Subscription) =>
  subscription.status === 'scheduled' && awaitsContract(subscription);

/** Compares two pauses. While it is paused, an earlier resumption continues it, and a later one pauses it again. */
function comparePauses(before: Subscription, after: Subscription): Kind | undefined {
  const [from, to] = [openPause(before), openPause(after)];
  if (from === null || to === null) return from === to ? undefined : from === null ? 'pause' : 'resume';
  if (before.status !== 'paused' || after.status !== 'paused') return undefined;
  const [was, is] = [before.resumesOn, after.resumesOn];
  if (is !== null && (was === null || isBefore(is, was))) return 'resume';
  return was !== null && (is === null || isBefore(was, is)) ? 'pause' : undefined;
}

/** Returns what happens to a subscription. A date that only moves is no effect. */
function kindOf(before: Subscription, after: Subscription): Kind | undefined {
  if (isUnsubscribed(before.status)) return isUnsubscribed(after.status) ? undefined : 'begin';
  if (isEnding(after)) return isEnding(before) ? undefined : 'end';
  if (isAwaitingConsent(before) && !isAwaitingConsent(after)) return 'begin';
  return isEnding(before) ? 'resume' : comparePauses(before, after);
}

/** Returns whether a subscription costs nothing as long as nobody resumes it. */
const isIdle = ({ status, resumesOn }: Subscription) => status === 'paused' && resumesOn === null;

export const noEffects: Effects = { begin: 0, awaitingConsent: 0, end: 0, resume: 0, pause: 0, monthlyCents: 0 };

/** Returns the fee for a difference. It is rounded once, like the item on an invoice. */
const feeOf = (price: FeePrice | undefined, quantity: number) =>
  Math.sign(quantity) * ((price && chargeFee(price, Math.abs(quantity)))?.grossCents ?? 0);

/**
 * Sums what planned changes mean: which subscriptions begin, end, resume and pause, and what they cost per month once
 * all of them have taken effect. Charges of earlier months that a late termination or absence would correct are no part
 * of it: they are one-off, and somebody decides about them.
 */
export function createEffectSum(prices: EffectPrices) {
  const sums = { ...noEffects, tickets: 0, links: 0 };
  let employees = 0;
  function addPlan({ before, employee: { subscription: after } }: NonNullable<PlannedEffect['plan']>): void {
    const kind = kindOf(before, after);
    if (kind === undefined) return;
    sums[kind] += 1;
    if (kind === 'begin' && isAwaitingConsent(after)) sums.awaitingConsent += 1;
    // A pause without a known end costs nothing already, so its end saves nothing.
    if (kind === 'end' ? isIdle(before) : kind === 'resume' && isIdle(after)) return;
    const [sign, priced] = kind === 'begin' || kind === 'resume' ? [1, after] : [-1, before];
    sums.tickets += sign;
    if (prices.ticket === undefined) return;
    const { grossCents, employeeShareCents } = chargeTicket(prices.ticket, priced);
    sums.monthlyCents += sign * grossCents;
    employees += sign * employeeShareCents;
  }
  return {
    add(planned: Iterable<PlannedEffect>): void {
      for (const { plan, linked = 0 } of planned) {
        sums.links += linked;
        if (plan !== null) addPlan(plan);
      }
    },
    /** What all employees together pay more per month. */
    employeesCents: (): number => employees,
    total(): Effects {
      const { tickets, links, ...effects } = sums;
      const fees = feeOf(prices.perTicket, tickets) + feeOf(prices.perLink, links);
      return { ...effects, monthlyCents: effects.monthlyCents + fees };
    },
  };
}

export function sumEffects(planned: Iterable<PlannedEffect>, prices: EffectPrices): Effects {
  const sum = createEffectSum(prices);
  sum.add(planned);
  return sum.total();
}

/** Returns the effects of two steps, such as a sync and the removals that were approved later. */
export const addEffects = (one: Effects, other: Effects): Effects =>
  Object.fromEntries(
    Object.entries(one).map(([name, value]) => [name, value + other[name as keyof Effects]]),
  ) as Effects;
