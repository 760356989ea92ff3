import { sql } from 'kysely';
import { type Day, firstOfMonth, isBefore } from '../../domain/calendar.ts';
import { chunksOf } from '../../domain/chunks.ts';
import { moneyFormat } from '../../domain/money.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { loadPrices } from '../billing/prices.ts';
import { chargeTicket, priceOn, type TicketPrice } from '../billing/rules/charges.ts';
import type { Company } from '../companies/companies.ts';
import type { EmployeeMails } from '../employee-mails/queue.ts';
import type { Notices } from '../notices/notices.ts';
import { cutOffBefore, isNearCutOff } from './rules/coming-price.ts';

interface ComingPriceDeps {
  company: Company;
  notices: Notices;
  employeeMails: EmployeeMails;
  today: Day;
}

const mailsAtOnce = 2_000;

/** Returns whether anybody has a subscription. */
async function hasSubscribers(tx: Tx, companyId: CompanyId): Promise<boolean> {
  const { rows } = await sql`select from employees e where ${ofCompany(companyId, 'e')} and e.removed_at is null
    and e.subscription_status not in ('no-subscription', 'cancelled') limit 1`.execute(tx);
  return rows.length > 0;
}

/** Returns the employees who will pay the whole price and have no mail about it yet. */
async function listDeferred(tx: Tx, companyId: CompanyId, { occasion, from }: { occasion: string; from: Day }) {
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e where ${ofCompany(companyId, 'e')} and e.removed_at is null
      and e.plan_type = 'deferred-plan' and e.contract_status = 'accepted'
      and e.subscription_status not in ('no-subscription', 'cancelled')
      and (e.plan_change is null or e.plan_change ->> 'from' > ${from.toString()})
      and (e.cancelled_on is null or e.cancelled_on > ${from.toString()}::date)
      and not exists (select from employee_mails m where ${ofCompany(companyId, 'm')} and m.employee_id = e.id
        and m.kind = 'price-changed' and m.occasion = ${occasion})
    order by e.id`.execute(tx);
  return rows.map(({ id }) => id);
}

interface Change {
  present: TicketPrice;
  coming: TicketPrice;
  occasion: string;
}

/** Writes to employees who pay the whole price, in time for them to pause or cancel. Each gets one mail per price. */
async function writeToDeferred(
  tx: Tx,
  { company, employeeMails }: ComingPriceDeps,
  { present, coming, occasion }: Change,
): Promise<void> {
  const plan = { planType: 'deferred-plan', contributionCents: null } as const;
  const [oldCents, employeeCents] = [present, coming].map((price) => chargeTicket(price, plan).employeeShareCents);
  if (!employeeMails.isConfigured || oldCents === undefined || employeeCents === undefined) return;
  if (oldCents === employeeCents) return;
  const values = { from: coming.validFrom.toString().slice(0, 7), oldCents, employeeCents };
  const ids = await listDeferred(tx, company.id, { occasion, from: coming.validFrom });
  for (const some of chunksOf(ids, mailsAtOnce)) {
    const mails = some.map((employeeId) => ({ employeeId, kind: 'price-changed' as const, occasion, values }));
    await employeeMails.queue(tx, company.id, mails);
  }
}

/** Tells the users of a company of the next price: at once, and again before the cut-off. */
async function notifyUsers(
  tx: Tx,
  { company, notices }: ComingPriceDeps,
  { coming, occasion, cutOff }: Omit<Change, 'present'> & { cutOff: Day },
): Promise<void> {
  const noon = (day: Day) => ({ at: `${day}T12:00:00Z`, timeZone: 'UTC' });
  await notices.queueNotices(tx, company.id, {
    name: 'price-changes',
    occasion,
    page: '/policies',
    valuesIn: () => ({
      month: noon(coming.validFrom),
      cutOff: noon(cutOff),
      price: moneyFormat(company.locale, company.currency)(coming.listCents),
    }),
  });
}

/**
 * Tells of the next ticket price whoever must know: users of the company at once and before the cut-off, employees who pay
 * the whole price before the cut-off. The same again tells nobody twice.
 */
export async function announceComingPrice(tx: Tx, deps: ComingPriceDeps): Promise<void> {
  const { company, notices, employeeMails, today } = deps;
  if (!notices.isConfigured && !employeeMails.isConfigured) return;
  const { tickets } = await loadPrices(tx);
  const present = priceOn(tickets, firstOfMonth(today));
  const coming = tickets.find(({ validFrom }) => isBefore(today, validFrom));
  if (present === undefined || coming === undefined || !(await hasSubscribers(tx, company.id))) return;
  const cutOff = cutOffBefore(coming.validFrom, company.cutOffDay);
  const isNear = isNearCutOff(cutOff, today);
  const occasion = `${coming.validFrom}/${coming.listCents}`;
  await notifyUsers(tx, deps, { coming, cutOff, occasion: isNear ? `${occasion}/cut-off` : occasion });
  if (isNear) await writeToDeferred(tx, deps, { present, coming, occasion });
}
