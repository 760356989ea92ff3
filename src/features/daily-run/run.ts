import { sql } from 'kysely';
import { service } from '../../domain/actor.ts';
import { type Day, isBefore } from '../../domain/calendar.ts';
import { type Clock, confirmNow, todayIn } from '../../platform/clock/clock.ts';
import { asCompanyId, type CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { listRows, timeLiteral } from '../../platform/db/shards.ts';
import { writeCompany } from '../../platform/db/write.ts';
import type { Enqueue } from '../../platform/jobs/queue.ts';
import { insertAudit } from '../activity/record.ts';
import { billPeriod } from '../billing/run.ts';
import { type Company, getCompany, lockCompany } from '../companies/companies.ts';
import type { EmployeeMails } from '../employee-mails/queue.ts';
import { refreshEmployeeCounts } from '../employees/counts.ts';
import { eraseExpiredEmployees, expireRecords } from '../employees/erase.ts';
import { type DraftResult, draftInvoices } from '../invoices/draft.ts';
import { issueInvoices } from '../invoices/issue.ts';
import { insertOrderedTickets, requireTickets } from '../issuers/require.ts';
import { inviteNewcomers, remindInvited } from '../joining/invite.ts';
import type { Notices } from '../notices/notices.ts';
import { announceComingPrice } from '../policies/coming-price.ts';
import { remindBeforeDeadlines } from '../policies/mails.ts';
import { settlePlanChanges } from '../policies/settle.ts';
import { refreshShownPlans } from '../policies/shown-plans.ts';
import { issueTickets } from '../tickets/issue.ts';
import { advanceEmployees } from './advance.ts';
import { notifyOfBilling, notifyOfExpiringKeys } from './notices.ts';

export interface DailyRunDeps {
  clock: Clock;
  queue: Pick<Enqueue, 'enqueueDocuments' | 'enqueueFileRemoval' | 'enqueueInvoices' | 'enqueueOrders'>;
  notices: Notices;
  employeeMails: EmployeeMails;
  /** Whether a day of a made-up past is processed. What has expired is left to the day on which that past ends. */
  isPast?: boolean;
  /** Learns of each day that `catchUp` has processed and committed. */
  onDay?: (day: ProcessedDay) => void;
}

export interface DailyRunResult {
  days: number;
  moved: number;
  tickets: number;
  charges: number;
  removed: number;
  erased: number;
}

export const emptyResult = (): DailyRunResult => ({ days: 0, moved: 0, tickets: 0, charges: 0, removed: 0, erased: 0 });

export function addResult(total: DailyRunResult, more: DailyRunResult): void {
  for (const key of Object.keys(total) as (keyof DailyRunResult)[]) total[key] += more[key];
}

/** A day of a company that was processed. Holds only if its transaction commits. */
export interface ProcessedDay {
  day: Day;
  result: DailyRunResult;
  millis: number;
  /** How long billing took, on the first of a month. */
  billingMillis: number | undefined;
  invoices: DraftResult;
}

async function issueAndBill(tx: Tx, deps: DailyRunDeps, company: Company, month: Day) {
  const { queue, clock, notices } = deps;
  const now = clock.now();
  const { id: companyId } = company;
  // The tickets of a large company are sorted and kept in memory, not on disk.
  await sql`set local work_mem = '64MB'`.execute(tx);
  const isOwn = company.issuer === 'built-in';
  const tickets = await (isOwn
    ? issueTickets(tx, companyId, month, now)
    : insertOrderedTickets(tx, company, { month, now }));
  const start = performance.now();
  const charges = await billPeriod(tx, { companyId, month, now });
  const billingMillis = performance.now() - start;
  // In January also without tickets: the statements of the year that is over.
  if (tickets > 0 || month.month === 1) await queue.enqueueDocuments(tx, companyId, month.toString());
  if (tickets > 0) await deps.employeeMails.enqueueTickets(tx, companyId, month);
  if (charges > 0) await notifyOfBilling(tx, notices, companyId, month);
  return { tickets, charges, billingMillis };
}

const nothingBilled = { tickets: 0, charges: 0, billingMillis: undefined };

/** By the present day, also if earlier ones were missed: a mail and its reminder are not sent at once. */
async function writeMails(
  tx: Tx,
  { clock, notices, employeeMails }: DailyRunDeps,
  company: Company,
  { hasPlanChanges }: { hasPlanChanges: boolean },
): Promise<void> {
  const today = todayIn(clock, company.timeZone);
  const context = { company, employeeMails, today, by: { actor: service, at: clock.now() } };
  await inviteNewcomers(tx, context);
  await remindInvited(tx, context);
  if (hasPlanChanges) await remindBeforeDeadlines(tx, { company, employeeMails }, { today, now: clock.now() });
  await announceComingPrice(tx, { company, notices, employeeMails, today });
}

/**
 * Processes one day of one company, in this order: subscriptions advance, tickets are ordered, issued and billed, billed
 * months are invoiced, expired employees are erased.
 */
async function runDay(tx: Tx, deps: DailyRunDeps, company: Company, day: Day): Promise<ProcessedDay> {
  const start = performance.now();
  const { id: companyId } = company;
  const now = deps.clock.now();
  const { documents, ...moved } = await advanceEmployees(tx, company, day, now);
  const settled = await settlePlanChanges(tx, { company, employeeMails: deps.employeeMails, day, now });
  if (day.day === 1) await refreshShownPlans(tx, company, day);
  if (company.issuer !== 'built-in') await requireTickets(tx, deps.queue, company, { day, now });
  const { billingMillis, ...issued } = day.day === 1 ? await issueAndBill(tx, deps, company, day) : nothingBilled;
  const invoices = await draftInvoices(tx, { company, day, now }, { withCreditNotes: day.day === 1 });
  if (invoices.drafted > 0) await deps.queue.enqueueInvoices(tx, companyId);
  await writeMails(tx, deps, company, { hasPlanChanges: settled.changes > 0 });
  const erased = await eraseExpiredEmployees(tx, deps.queue, company, day);
  if (!deps.isPast) await expireRecords(tx, company, day, now);
  await notifyOfExpiringKeys(tx, deps.notices, companyId);
  if (moved.moved + moved.removed > 0) await refreshEmployeeCounts(tx, companyId);
  if (documents + settled.documents > 0) await deps.queue.enqueueDocuments(tx, companyId, null);
  await sql`update companies set processed_through = ${day.toString()}::date where id = ${companyId}`.execute(tx);
  const result = { days: 1, ...moved, ...issued, erased };
  const { days: _days, ...counts } = result;
  if (Object.values(counts).some((count) => count > 0)) {
    await insertAudit(tx, companyId, {
      actor: service,
      action: 'daily-run.finish',
      target: day.toString(),
      detail: counts,
      at: now,
    });
  }
  return { day, result, millis: performance.now() - start, billingMillis, invoices };
}

export interface LockedCompany {
  company: Company;
  today: Day;
  missedDays: ProcessedDay[];
}

/**
 * Returns the present day of a company by the clock of the database server. Throws if that of this machine differs: a wrong
 * clock would issue tickets and bill months that have not begun.
 */
async function findToday(tx: Tx, { clock }: DailyRunDeps, { timeZone }: Company): Promise<Day> {
  const now = await confirmNow(tx, clock);
  return todayIn({ now: () => now }, timeZone);
}

/**
 * Locks the company and processes every missed day up to today. Every operation that changes employees must call this
 * first: the lock excludes other writers, and the missed days are processed with the facts known before the change.
 */
export async function lockAndCatchUp(tx: Tx, deps: DailyRunDeps, companyId: CompanyId): Promise<LockedCompany> {
  await lockCompany(tx, companyId);
  const company = await getCompany(tx, companyId);
  const today = await findToday(tx, deps, company);
  const missedDays: ProcessedDay[] = [];
  for (let day = company.processedThrough; isBefore(day, today); ) {
    day = day.add({ days: 1 });
    missedDays.push(await runDay(tx, deps, company, day));
  }
  return { company, today, missedDays };
}

/** Processes the next missed day of a company in one transaction. Returns undefined if no day was missed. */
const runNextDay = (db: Db, deps: DailyRunDeps, companyId: CompanyId): Promise<ProcessedDay | undefined> =>
  writeCompany(db, companyId, async (tx) => {
    await lockCompany(tx, companyId);
    const company = await getCompany(tx, companyId);
    const next = company.processedThrough.add({ days: 1 });
    return isBefore(await findToday(tx, deps, company), next) ? undefined : runDay(tx, deps, company, next);
  });

/**
 * Processes every missed day of a company in order. Each day is one transaction that first reads which day is next. So
 * each day is processed exactly once, even if the run is late, repeated, concurrent or killed.
 */
export async function catchUp(
  db: Db,
  deps: DailyRunDeps,
  companyId: CompanyId,
  signal?: AbortSignal,
): Promise<DailyRunResult> {
  const total = emptyResult();
  for (let next = await runNextDay(db, deps, companyId); next; next = await runNextDay(db, deps, companyId)) {
    // Numbered in a transaction of its own: all companies wait for the counter. A worker does it if this is interrupted.
    if (next.invoices.drafted > 0) await issueInvoices(db, deps.clock, companyId);
    deps.onDay?.(next);
    addResult(total, next.result);
    signal?.throwIfAborted();
  }
  return total;
}

export interface DueCompanies {
  companyIds: CompanyId[];
  /** Whether every company was asked. On Citus, those of a node that does not respond are missing. */
  isComplete: boolean;
}

/** Returns the companies whose local date is later than the last day they processed. Throws if clocks differ, see `findToday`. */
export async function listDueCompanies(db: Db, clock: Clock): Promise<DueCompanies> {
  const today = `(${timeLiteral(await confirmNow(db, clock))} at time zone t.time_zone)::date`;
  const where = `t.processed_through < ${today}`;
  const { rows, isComplete } = await listRows<{ id: number }>(db, { table: 'companies', columns: 't.id', where });
  return { companyIds: rows.map(({ id }) => asCompanyId(id)).sort((a, b) => a - b), isComplete };
}
