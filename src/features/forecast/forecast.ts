import { type Day, firstOfMonth, firstOfNextMonth } from '../../domain/calendar.ts';
import { createMessage } from '../../domain/messages/message.ts';
import type { PolicyBook, PolicyVersion } from '../../domain/policies.ts';
import { type Clock, todayIn } from '../../platform/clock/clock.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { refuseBody } from '../../platform/http/errors.ts';
import type { View } from '../../platform/http/view.ts';
import { loadPricesOf } from '../billing/prices.ts';
import { hasDiscount, priceOn } from '../billing/rules/charges.ts';
import { type MonthCosts, withPrices } from '../billing/rules/forecast.ts';
import { getCompany } from '../companies/companies.ts';
import { findPolicies } from '../companies/policy-book.ts';
import type { Forecast, ForecastBody } from './contract.ts';
import { listStableIds, loadKnown } from './load.ts';
import { type Assumptions, assumedPlan, forecastMonths, type Segment, withVersions } from './rules/outlook.ts';

type Scenario = NonNullable<ForecastBody['scenario']>;
type ScenarioPolicy = NonNullable<Scenario['policies']>[number];

/** Returns what is assumed of a policy. Throws unless split pay says one amount, and other plans none. */
function readVersion(policy: ScenarioPolicy, index: number, book: PolicyBook): { id: number; version: PolicyVersion } {
  const { id, from, planType, employeeCents, employerCents, employerPercent, minimumCents, maximumCents } = policy;
  const pointer = `/scenario/policies/${index}`;
  if (!book.policies.some((one) => one.id === id)) {
    throw refuseBody([{ pointer: `${pointer}/id`, code: 'not-found', message: createMessage('forecast-policy') }]);
  }
  const amounts = [employeeCents, employerCents, employerPercent].filter((one) => one !== undefined).length;
  const hasBounds = minimumCents !== undefined || maximumCents !== undefined;
  const isSplit = planType === 'split-pay-plan';
  if (amounts !== (isSplit ? 1 : 0) || (hasBounds && employerPercent === undefined)) {
    throw refuseBody([{ pointer, code: 'invalid-terms', message: createMessage('forecast-terms') }]);
  }
  const version: PolicyVersion = {
    from: Temporal.PlainDate.from(from),
    planType,
    employeeCents: employeeCents ?? null,
    employerCents: employerCents ?? null,
    employerPercent: employerPercent ?? null,
    minimumCents: minimumCents ?? null,
    maximumCents: maximumCents ?? null,
    waitingMonths: 0,
    taxTreatment: null,
  };
  return { id, version };
}

function assume(scenario: Scenario, planned: Assumptions, book: PolicyBook): Assumptions {
  const { ticketPrices = [], policies = [], joinersPerMonth = 0, leaversPerMonth = 0 } = scenario;
  const others = ticketPrices.map(({ from, grossCents }) => ({ from: Temporal.PlainDate.from(from), grossCents }));
  const versions = policies.map((policy, index) => readVersion(policy, index, book));
  return {
    prices: { ...planned.prices, tickets: withPrices(planned.prices.tickets, others) },
    joinersPerMonth,
    leaversPerMonth,
    policies: versions.length > 0 ? withVersions(book, versions) : undefined,
  };
}

function hasDiscountIn(segment: Segment, month: Day, assumptions: Assumptions): boolean {
  const price = priceOn(assumptions.prices.tickets, month);
  return price !== undefined && hasDiscount(price, assumedPlan(segment, month, assumptions));
}

function presentMonth(month: Day, costs: MonthCosts, { money }: Pick<View, 'money'>): Forecast['asPlanned'][number] {
  const { tickets, ticketCents, companyShareCents, employeeShareCents, feeCents, feeTaxCents } = costs;
  return {
    period: month.toString(),
    tickets,
    ticketCharges: {
      company: money(companyShareCents),
      employee: money(employeeShareCents),
      overall: money(ticketCents),
    },
    fees: { total: money(feeCents - feeTaxCents), tax: money(feeTaxCents), overall: money(feeCents) },
    overall: money(ticketCents + feeCents),
  };
}

/**
 * Returns what the coming months cost by what is known today, and by what a scenario assumes. Computes in memory by the rules of
 * the daily run and of billing, and writes nothing.
 */
export function forecast(
  { db, clock, companyId }: { db: Db; clock: Clock; companyId: CompanyId },
  { months: count, scenario }: ForecastBody,
  view: Pick<View, 'money'>,
): Promise<Forecast> {
  return inSnapshot(db, async (tx) => {
    const company = await getCompany(tx, companyId);
    const today = todayIn(clock, company.timeZone);
    const first = firstOfNextMonth(today);
    const months = Array.from({ length: count }, (_, index) => first.add({ months: index }));
    const last = months.at(-1) ?? first;
    const planned: Assumptions = { prices: await loadPricesOf(tx, companyId), joinersPerMonth: 0, leaversPerMonth: 0 };
    const wanted = scenario && assume(scenario, planned, await findPolicies(tx, company));
    const { known, stable, changing, changes } = await loadKnown(tx, company, today, months);
    const present = (assumptions: Assumptions) =>
      forecastMonths(known, assumptions).map((costs, index) => presentMonth(months[index] ?? first, costs, view));
    const target = wanted ?? planned;
    const hadDiscount = (segment: Segment) => hasDiscountIn(segment, wanted ? last : firstOfMonth(today), planned);
    const changed = async (had: boolean) => {
      const isChanged = (segment: Segment, before: Segment) =>
        hadDiscount(before) === had && hasDiscountIn(segment, last, target) !== had;
      const segments = stable.filter((segment) => isChanged(segment, segment));
      const others = changing.filter(({ segment, present: plan }) =>
        isChanged(segment, wanted ? segment : { ...segment, ...plan }),
      );
      const ids = await listStableIds(tx, companyId, { last, segments, changes });
      return [...ids, ...others.map(({ id }) => id)].sort((a, b) => a - b);
    };
    return {
      asPlanned: present(planned),
      scenario: wanted ? present(wanted) : null,
      discountLost: await changed(true),
      discountGained: await changed(false),
    };
  });
}
