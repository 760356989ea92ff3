import { type Day, isDue } from './calendar.ts';
import type { PlanType, PolicyReason, TaxTreatment } from './enums.ts';
import { divideHalfUp } from './money.ts';

/** What a company pays for. A new subscription receives the plan of its policy. */
export interface Plan {
  planType: PlanType;
  /** Only the split-pay plan has a contribution. */
  contributionCents: number | null;
}

/** Who pays what. Only split pay has amounts: exactly one of the employee's amount, the employer's amount and the percentage. */
export interface Terms {
  planType: PlanType;
  employeeCents: number | null;
  employerCents: number | null;
  /** Of the price that is charged, from 0 to 100. */
  employerPercent: number | null;
  /** What the employer pays by percentage at least and at most. */
  minimumCents: number | null;
  maximumCents: number | null;
  /** Months after the first day of employment before the first ticket. */
  waitingMonths: number;
  /** Null: as in the settings of the company. */
  taxTreatment: TaxTreatment | null;
}

export interface PolicyVersion extends Terms {
  /** The first day of a month. It applies until the next version does. */
  from: Day;
}

export interface Policy {
  id: number;
  name: string;
  isDefault: boolean;
  /** The groups of the roster to which it applies. */
  groups: readonly string[];
  versions: readonly PolicyVersion[];
}

/** A ticket price, as far as the split of it needs it. */
export interface SplitPrice {
  validFrom: Day;
  listCents: number;
  discountPercent: number;
  discountSharePercent: number;
}

/** All policies of a company in its order, and the ticket prices. */
export interface PolicyBook {
  policies: readonly Policy[];
  prices: readonly SplitPrice[];
}

/** What decides which policy applies to an employee. */
export interface PolicyHolder {
  /** The policy that somebody has assigned by hand. */
  policyId: number | null;
  group: string | null;
}

interface AppliedPolicy {
  policy: Policy;
  version: PolicyVersion;
  reason: PolicyReason;
}

/** Returns the newest of dated values that applies on a day, or undefined before the first one. */
function newestOn<T>(values: readonly T[], day: Day, dateOf: (value: T) => Day): T | undefined {
  return values
    .filter((value) => isDue(dateOf(value), day))
    .reduce<T | undefined>(
      (newest, value) => (newest === undefined || isDue(dateOf(newest), dateOf(value)) ? value : newest),
      undefined,
    );
}

const versionOn = ({ versions }: Policy, month: Day): PolicyVersion | undefined =>
  newestOn(versions, month, ({ from }) => from);

/** Returns a group as it is compared: case, Unicode normal form and surrounding spaces do not matter. */
export const groupKey = (group: string): string => group.trim().normalize('NFC').toLowerCase();

/**
 * Returns the policy that applies to an employee in a month, and why: by hand, else the first one with the group, else the
 * default. One that begins later does not count. Undefined: the company has none yet.
 */
export function policyOn(
  { policies }: Pick<PolicyBook, 'policies'>,
  { policyId, group }: PolicyHolder,
  month: Day,
): AppliedPolicy | undefined {
  const begun = policies.flatMap((policy) => {
    const version = versionOn(policy, month);
    return version ? [{ policy, version }] : [];
  });
  const byHand = begun.find(({ policy }) => policy.id === policyId);
  if (byHand) return { ...byHand, reason: 'by-hand' };
  const key = group === null ? null : groupKey(group);
  const byGroup = begun.find(({ policy }) => policy.groups.some((one) => groupKey(one) === key));
  if (byGroup) return { ...byGroup, reason: 'by-group' };
  const fallback = begun.find(({ policy }) => policy.isDefault);
  return fallback && { ...fallback, reason: 'default' };
}

/** Returns what the employer pays of a price, at most all of it. */
function employerPart(terms: Terms, priceCents: number): number {
  const { employerCents, employerPercent, minimumCents, maximumCents } = terms;
  const wanted = employerCents ?? divideHalfUp(priceCents * (employerPercent ?? 0), 100);
  const bounded = Math.max(minimumCents ?? 0, Math.min(wanted, maximumCents ?? wanted));
  return Math.min(bounded, priceCents);
}

/**
 * Returns the plan that terms mean at a price: what the employer pays becomes what the employee pays. The discount depends
 * on the employer's part of the list price, and the split is of the price that is charged.
 */
export function planAt(terms: Terms, price: SplitPrice | undefined): Plan {
  const { planType, employeeCents } = terms;
  if (planType !== 'split-pay-plan') return { planType, contributionCents: null };
  if (employeeCents !== null) return { planType, contributionCents: employeeCents };
  if (price === undefined) throw new Error('The employer pays a part of a price, but there is no ticket price.');
  const { listCents, discountPercent, discountSharePercent } = price;
  const hasDiscount = employerPart(terms, listCents) * 100 >= listCents * discountSharePercent;
  const chargedCents = hasDiscount ? divideHalfUp(listCents * (100 - discountPercent), 100) : listCents;
  return { planType, contributionCents: chargedCents - employerPart(terms, chargedCents) };
}

/** Returns whether the split depends on the price. */
export const dependsOnPrice = ({ planType, employeeCents }: Terms): boolean =>
  planType === 'split-pay-plan' && employeeCents === null;

const splitPriceOn = (prices: readonly SplitPrice[], month: Day): SplitPrice | undefined =>
  newestOn(prices, month, ({ validFrom }) => validFrom);

/** The plan that applies to an employee in a month, and what it comes from. */
interface AppliedPlan extends AppliedPolicy {
  plan: Plan;
}

export function appliedPlanOn(book: PolicyBook, holder: PolicyHolder, month: Day): AppliedPlan | undefined {
  const applied = policyOn(book, holder, month);
  return applied && { ...applied, plan: planAt(applied.version, splitPriceOn(book.prices, month)) };
}
