import { firstOfMonth, isBefore } from '../../domain/calendar.ts';
import { type PlanChangeState, planChangeStates } from '../../domain/choices.ts';
import { dependsOnPrice, type Policy, type PolicyVersion, planAt, policyOn } from '../../domain/policies.ts';
import { type Clock, todayIn } from '../../platform/clock/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { View } from '../../platform/http/view.ts';
import { findComingPrice, loadPrices } from '../billing/prices.ts';
import { chargeTicket, priceOn, type TicketPrice } from '../billing/rules/charges.ts';
import { type Company, getCompany } from '../companies/companies.ts';
import { loadPolicyBook } from '../companies/policy-book.ts';
import type { ChangeDetails, ChangeView, Policies, PolicyVersionView, PolicyView } from './contract.ts';
import { startedOn, toMailedChange } from './mails.ts';
import type { PolicyContext } from './manage.ts';
import { listReminderDays } from './rules/change.ts';
import { countHolders, listChanges, type PlanChange } from './store.ts';
import { countItems } from './store-items.ts';

type ReadContext = Pick<PolicyContext, 'db' | 'companyId'> & { clock: Clock; view: View };

/** Returns a version with what a ticket costs each side, at the price of a month in which it applies. */
function presentVersion(
  version: PolicyVersion | undefined,
  { prices, today, view }: { prices: readonly TicketPrice[]; today: Temporal.PlainDate; view: View },
): PolicyVersionView | null {
  if (version === undefined) return null;
  const { from, ...terms } = version;
  const price = priceOn(prices, isBefore(today, from) ? from : firstOfMonth(today));
  const charge = price && chargeTicket(price, planAt(terms, price));
  return {
    ...{ from: from.toString(), terms },
    companyAmount: view.money(charge?.companyShareCents ?? 0),
    employeeAmount: view.money(charge?.employeeShareCents ?? 0),
  };
}

/** Returns the version that applies on a day, and the next one. */
function versionsOn({ versions }: Policy, today: Temporal.PlainDate) {
  const sorted = versions.toSorted((a, b) => Temporal.PlainDate.compare(a.from, b.from));
  return {
    current: sorted.findLast(({ from }) => !isBefore(today, from)),
    coming: sorted.find(({ from }) => isBefore(today, from)),
  };
}

const noCounts = () =>
  Object.fromEntries(planChangeStates.map((state) => [state, 0])) as Record<PlanChangeState, number>;

async function presentChanges(tx: Tx, company: Company, policies: readonly Policy[]): Promise<ChangeView[]> {
  const counted = Map.groupBy(await countItems(tx, company.id), ({ changeId }) => changeId);
  return (await listChanges(tx, company.id)).map(({ id, policyId, from, deadline, noAnswer, isSettled, isOver }) => {
    const states = counted.get(id) ?? [];
    const counts = noCounts();
    for (const { state, employees } of states) counts[state] = employees;
    return {
      ...{ id, from, deadline, noAnswer, isSettled, isOver, counts },
      policy: { id: policyId, name: policies.find((policy) => policy.id === policyId)?.name ?? '' },
      employees: states.reduce((sum, { employees }) => sum + employees, 0),
      mustAgree: states.reduce((sum, { mustAgree }) => sum + mustAgree, 0),
    };
  });
}

/** Returns what a new price means for each policy. */
async function presentComingPrice(
  tx: Tx,
  policies: readonly Policy[],
  { today, view }: { today: Temporal.PlainDate; view: View },
): Promise<Policies['comingPrice']> {
  const price = await findComingPrice(tx, today);
  if (price === undefined) return null;
  const { validFrom, listCents } = price;
  const termsThen = (policy: Policy) => versionsOn(policy, validFrom).current;
  const idsOf = (has: (version: PolicyVersion) => boolean) =>
    policies.filter((policy) => [termsThen(policy)].some((version) => version && has(version))).map(({ id }) => id);
  return {
    ...{ from: validFrom.toString(), price: view.money(listCents) },
    policies: idsOf(dependsOnPrice),
    deferred: idsOf(({ planType }) => planType === 'deferred-plan'),
  };
}

/** Returns the policies of a company in its order, its changes, and what a coming price means for them. */
export const showPolicies = ({ db, companyId, clock, view }: ReadContext): Promise<Policies> =>
  inSnapshot(db, async (tx) => {
    const company = await getCompany(tx, companyId);
    const today = todayIn(clock, company.timeZone);
    const book = await loadPolicyBook(tx, company);
    const prices = (await loadPrices(tx)).tickets;
    const month = firstOfMonth(today);
    const sizes = (await countHolders(tx, companyId)).map((holders) => ({
      ...holders,
      policyId: policyOn(book, holders, month)?.policy.id,
    }));
    const present = (policy: Policy): PolicyView => {
      const { id, name, isDefault, groups } = policy;
      const own = sizes.filter(({ policyId }) => policyId === id);
      const { current, coming } = versionsOn(policy, today);
      return {
        ...{ id, name, isDefault, groups: [...groups] },
        employees: own.reduce((sum, { employees }) => sum + employees, 0),
        subscribed: own.reduce((sum, { subscribed }) => sum + subscribed, 0),
        current: presentVersion(current, { prices, today, view }),
        coming: presentVersion(coming, { prices, today, view }),
      };
    };
    return {
      policies: book.policies.toSorted((a, b) => Number(a.isDefault) - Number(b.isDefault)).map(present),
      changes: (await presentChanges(tx, company, book.policies)).reverse(),
      comingPrice: await presentComingPrice(tx, book.policies, { today, view }),
    };
  });

/** Returns the days that are still to come on which those who have not decided are reminded. */
function listComingReminders(stored: PlanChange, company: Company, today: Temporal.PlainDate): string[] {
  const { deadline } = toMailedChange(stored);
  if (deadline === null || stored.isSettled) return [];
  const days = listReminderDays(deadline, startedOn(stored, company));
  return days.filter((day) => isBefore(today, day)).map(String);
}

/** Returns how far a change has got. */
export const showChange = (
  { db, companyId, clock }: Omit<ReadContext, 'view'>,
  id: number,
  isMailConfigured: boolean,
): Promise<ChangeDetails> =>
  inSnapshot(db, async (tx) => {
    const company = await getCompany(tx, companyId);
    const { policies } = await loadPolicyBook(tx, company);
    const change = (await presentChanges(tx, company, policies)).find((one) => one.id === id);
    const stored = (await listChanges(tx, companyId)).find((one) => one.id === id);
    if (change === undefined || stored === undefined) throw notFound('change');
    const today = todayIn(clock, company.timeZone);
    return { change, isMailConfigured, remindersOn: listComingReminders(stored, company, today) };
  });
