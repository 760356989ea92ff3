import { type Day, isSameDay } from '../../../domain/calendar.ts';
import type { TaxCategory } from '../../../domain/enums.ts';
import {
  type Plan,
  type PolicyBook,
  type PolicyHolder,
  type PolicyVersion,
  planAt,
  policyOn,
} from '../../../domain/policies.ts';
import { type FeeQuantity, priceOn } from '../../billing/rules/charges.ts';
import { forecastMonth, type MonthCosts, type PriceList } from '../../billing/rules/forecast.ts';

/** Employees with the same plan and the same policy. */
export type Segment = Plan & PolicyHolder;

/** How many tickets each segment has in a month. */
export type Tickets = Map<string, Segment & { tickets: number }>;

const segmentKey = ({ planType, contributionCents, policyId, group }: Segment) =>
  JSON.stringify([planType, contributionCents, policyId, group]);

export function addTickets(counts: Tickets, segment: Segment, tickets: number): void {
  const key = segmentKey(segment);
  const known = counts.get(key);
  if (known) known.tickets += tickets;
  else counts.set(key, { ...segment, tickets });
}

/** What is known about the coming months. */
export interface Known {
  months: readonly Day[];
  /** By month. */
  tickets: readonly Tickets[];
  /** How many linked employees of each integration are charged, by month. */
  links: readonly { hrIntegrationId: number; employees: number }[][];
  /** The fees that follow use. */
  use: readonly FeeQuantity[];
  category: TaxCategory | undefined;
  /** The segment of those who join in each month. */
  joiners: readonly Segment[];
}

/** What a forecast assumes. */
export interface Assumptions {
  prices: PriceList;
  joinersPerMonth: number;
  leaversPerMonth: number;
  /** The policies with versions that are assumed. Undefined: none is. */
  policies?: { book: PolicyBook; assumed: ReadonlySet<PolicyVersion> } | undefined;
}

/** Returns the plan that a segment has in a month: that of an assumed version if one applies, as if everybody had agreed. */
export function assumedPlan(segment: Segment, month: Day, { prices, policies }: Assumptions): Plan {
  const { planType, contributionCents } = segment;
  const version = policies && policyOn(policies.book, segment, month)?.version;
  if (version === undefined || !policies?.assumed.has(version)) return { planType, contributionCents };
  return planAt(version, priceOn(prices.tickets, month));
}

/**
 * Takes tickets from the segments in proportion to how many each has. What is left after rounding down is taken from
 * those that lost most by it.
 */
function takeProportionally(segments: readonly (Segment & { tickets: number })[], leavers: number) {
  const total = segments.reduce((sum, { tickets }) => sum + tickets, 0);
  const taken = Math.min(leavers, total);
  if (taken === 0) return segments;
  const parts = segments.map(({ tickets }) => Math.floor((tickets * taken) / total));
  const rests = segments.map(({ tickets }) => (tickets * taken) % total);
  const left = taken - parts.reduce((sum, part) => sum + part, 0);
  const order = rests.map((_, index) => index).sort((a, b) => (rests[b] ?? 0) - (rests[a] ?? 0) || a - b);
  const more = new Set(order.slice(0, left));
  return segments.map((segment, index) => ({
    ...segment,
    tickets: segment.tickets - (parts[index] ?? 0) - (more.has(index) ? 1 : 0),
  }));
}

/** Adds those who join and takes those who leave. Those of a month have a ticket, or none any more, from this month on. */
function fluctuate(known: Known, index: number, { joinersPerMonth, leaversPerMonth }: Assumptions) {
  const [joined, left] = [joinersPerMonth * (index + 1), leaversPerMonth * (index + 1)];
  const segments = [...(known.tickets[index]?.values() ?? [])];
  const joiner = known.joiners[index];
  const all = joined > 0 && joiner ? [...segments, { ...joiner, tickets: joined }] : segments;
  const links = (known.links[index] ?? []).toSorted((a, b) => b.employees - a.employees);
  return {
    segments: takeProportionally(all, left),
    // The integration that links most is assumed to link everybody who joins, and to have linked everybody who leaves.
    links: links.map(({ hrIntegrationId, employees }, place) => ({
      hrIntegrationId,
      employees: place === 0 ? Math.max(0, employees + joined - left) : employees,
    })),
  };
}

/** Prices the coming months by the rules that will bill them. */
export function forecastMonths(known: Known, assumptions: Assumptions): MonthCosts[] {
  return known.months.map((month, index) => {
    const { segments, links } = fluctuate(known, index, assumptions);
    const tickets = segments
      .filter((segment) => segment.tickets > 0)
      .map((segment) => ({ tickets: segment.tickets, ...assumedPlan(segment, month, assumptions) }));
    const issued = tickets.reduce((sum, plan) => sum + plan.tickets, 0);
    const quantities: FeeQuantity[] = [
      { chargeType: 'service-charge', quantity: issued, hrIntegrationId: null },
      ...links.map(({ hrIntegrationId, employees }) => ({
        chargeType: 'hr-integration-charge' as const,
        quantity: employees,
        hrIntegrationId,
      })),
      ...known.use,
    ];
    return forecastMonth({ month, tickets, quantities, category: known.category }, assumptions.prices);
  });
}

/** Returns policies with other versions, each of a policy that exists. A version of the same month is replaced. */
export function withVersions(book: PolicyBook, versions: readonly { id: number; version: PolicyVersion }[]) {
  const policies = book.policies.map((policy) => {
    const own = versions.filter(({ id }) => id === policy.id).map(({ version }) => version);
    const stay = policy.versions.filter(({ from }) => !own.some((one) => isSameDay(one.from, from)));
    return { ...policy, versions: [...stay, ...own] };
  });
  return { book: { ...book, policies }, assumed: new Set(versions.map(({ version }) => version)) };
}
