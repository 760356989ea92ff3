import { sql } from 'kysely';
import pLimit from 'p-limit';
import type { Clock } from '../../platform/clock/clock.ts';
import { asCompanyId, type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { listRows, timeLiteral } from '../../platform/db/shards.ts';
import { writeCompany, writeShared } from '../../platform/db/write.ts';
import type { Enqueue } from '../../platform/jobs/queue.ts';
import { getCompany } from '../companies/companies.ts';
import type { EmployeeMails } from '../employee-mails/queue.ts';
import type { Notices } from '../notices/notices.ts';
import { type AppliedAnswers, addApplied, applyAnswers } from './apply.ts';
import type { Reconciliation } from './contract.ts';
import { concurrency } from './providers/http.ts';
import { openIssuer } from './providers/index.ts';
import { type IssuerConnection, type IssuerDeps, IssuerOutage, OrderRefused } from './providers/issuer.ts';
import { reconcileIfDue } from './reconcile.ts';
import type { Answer } from './rules/decide.ts';
import { nextDelay, nextPoll } from './rules/schedule.ts';
import {
  findIssuerRow,
  firstKey,
  type IssuerRow,
  listDueOrders,
  listOrders,
  type OrderKey,
  type OrderRow,
  updateIssuer,
} from './store.ts';

/** How many orders are placed before their answers are written. */
const batchSize = 100;
/** Afterwards other companies come first. */
const sliceMillis = 60_000;
/** With more orders that wait for their tickets, a list of the month is shorter than one request each. */
const listedFrom = 50;
/** A job that is due so soon waits in the queue. The schedule starts later ones. */
const queuedSeconds = 120;
/** A job that ended without a trace is started again after this time. */
const leaseMinutes = 10;

export interface ProcessResult extends AppliedAnswers {
  /** How many order lists were sent. */
  sent: number;
  /** How many requests about orders were answered. */
  answered: number;
  /** The code of what keeps the issuer from being worked with. */
  outage: string | null;
  /** What a reconciliation has found, if a month was due. */
  reconciled: Reconciliation | null;
}

export interface ProcessDeps {
  db: Db;
  clock: Clock;
  queue: Pick<Enqueue, 'enqueueOrders' | 'enqueueDocuments'>;
  notices: Notices;
  employeeMails: EmployeeMails;
  issuers: IssuerDeps;
  signal: AbortSignal;
  onProcessed?: (result: ProcessResult) => void;
}

/** What asking the issuer takes. */
type WorkDeps = Pick<ProcessDeps, 'db' | 'signal'> & { clock: Pick<Clock, 'now'> };

/** Names the person to the issuer, without data of the HR system. */
const referenceOf = (companyId: CompanyId, employeeId: number) => `${companyId}-${employeeId}`;

/** Keeps what will be ordered, so that a repeated request is the same, whatever changes meanwhile. */
async function freezeOrders(
  { db, clock }: WorkDeps,
  companyId: CompanyId,
  { product }: IssuerRow,
  orders: readonly OrderRow[],
): Promise<OrderRow[]> {
  const ids = orders.filter(({ state, orderedAt }) => state === 'required' && orderedAt === null).map((o) => o.orderId);
  if (ids.length === 0) return [...orders];
  await writeCompany(db, companyId, (tx) =>
    sql`
    update ticket_orders o set ordered_at = ${clock.now().toString()}::timestamptz, first_name = e.first_name,
      last_name = e.last_name, date_of_birth = e.date_of_birth, product = ${product}
    from employees e
    where ${ofCompany(companyId, 'o')} and ${ofCompany(companyId, 'e')} and e.id = o.employee_id
      and o.order_id = any(${ids}::text[]) and o.state = 'required' and o.ordered_at is null`.execute(tx),
  );
  const known = orders.map(({ orderId }) => orderId);
  return listOrders(db, companyId, sql`o.order_id = any(${known}::text[]) and o.next_attempt_at is not null`);
}

/** Returns the order that one replaces at the issuer, if the issuer still has its ticket. */
async function findReplaced(db: Db, companyId: CompanyId, { employeeId, month, replacesAttempt }: OrderRow) {
  if (replacesAttempt === null) return undefined;
  const [found] = await listOrders(
    db,
    companyId,
    sql`o.employee_id = ${employeeId} and o.month = ${month}::date and o.attempt = ${replacesAttempt} and o.is_at_issuer`,
  );
  return found;
}

/** Asks the issuer what an order needs: to be placed, replaced, fetched or blocked. */
async function askIssuer(db: Db, companyId: CompanyId, issuer: IssuerConnection, row: OrderRow): Promise<Answer[]> {
  const { orderId } = row;
  if (row.state === 'blocked' || row.state === 'replaced') {
    return [{ orderId, order: await issuer.cancel(orderId, row.reasonCode ?? 'other') }];
  }
  if (row.state === 'ordered') return [{ orderId, order: await issuer.fetch(orderId) }];
  const replaced = await findReplaced(db, companyId, row);
  if (replaced !== undefined) {
    const ended = { orderId: replaced.orderId, order: undefined };
    try {
      const order = await issuer.replace(replaced.orderId, { orderId, reason: replaced.reasonCode ?? 'other' });
      return [{ orderId, order }, ended];
    } catch (error) {
      // Nothing is there to be replaced. The next job places the new order like any other.
      if (error instanceof OrderRefused && error.code === 'unknown') return [ended];
      throw error;
    }
  }
  const { firstName, lastName, dateOfBirth, product, month, employeeId } = row;
  const reference = referenceOf(companyId, employeeId);
  const person = { reference, firstName: firstName ?? '', lastName: lastName ?? '', dateOfBirth };
  const order = await issuer.order({ orderId, month: month.slice(0, 7), product: product ?? '', person });
  return [{ orderId, order }];
}

/** Asks about several orders at once. After an outage no request is begun, but the answers that came count. */
async function askAll(deps: WorkDeps, companyId: CompanyId, issuer: IssuerConnection, rows: readonly OrderRow[]) {
  const limit = pLimit(concurrency);
  const answers: Answer[] = [];
  let outage: IssuerOutage | undefined;
  await Promise.all(
    rows.map((row) =>
      limit(async () => {
        if (outage !== undefined || deps.signal.aborted) return;
        try {
          const found = await askIssuer(deps.db, companyId, issuer, row);
          answers.push(...found.map((one) => ({ ...one, isPolled: issuer.isPolled })));
        } catch (error) {
          if (error instanceof OrderRefused) {
            const { code, explanation } = error;
            answers.push({ orderId: row.orderId, refused: { code, explanation } });
          } else if (error instanceof IssuerOutage) outage ??= error;
          else throw error;
        }
      }),
    ),
  );
  return { answers, outage };
}

/** Reads all orders of a month at once, as most of them wait for their tickets. */
async function pollMonth(deps: WorkDeps, companyId: CompanyId, issuer: IssuerConnection, month: string) {
  let applied: AppliedAnswers = { issued: 0, failed: 0, late: 0 };
  for await (const orders of issuer.list(month.slice(0, 7))) {
    const ids = orders.map(({ orderId }) => orderId);
    const waiting = await listOrders(deps.db, companyId, sql`o.order_id = any(${ids}::text[]) and o.state = 'ordered'`);
    const byId = new Map(orders.map((order) => [order.orderId, order]));
    const answers = waiting.flatMap(({ orderId }) => {
      const order = byId.get(orderId);
      return order === undefined || order.status === 'ordered' ? [] : [{ orderId, order }];
    });
    applied = addApplied(applied, await applyAnswers(deps.db, companyId, answers, deps.clock.now()));
    deps.signal.throwIfAborted();
  }
  const now = deps.clock.now();
  await writeCompany(deps.db, companyId, (tx) =>
    sql`
    update ticket_orders o set failures = o.failures + 1,
      next_attempt_at = ${now.add({ milliseconds: nextPoll(2) }).toString()}::timestamptz
    where ${ofCompany(companyId, 'o')} and o.month = ${month}::date and o.state = 'ordered'
      and o.next_attempt_at <= ${now.toString()}::timestamptz`.execute(tx),
  );
  return applied;
}

async function countWaiting(db: Db, companyId: CompanyId, month: string, now: string): Promise<number> {
  const { rows } = await sql<{ orders: number }>`
    select count(*) as orders from (select 1 from ticket_orders o
      where ${ofCompany(companyId, 'o')} and o.month = ${month}::date and o.state = 'ordered'
        and o.next_attempt_at <= ${now}::timestamptz limit ${listedFrom}) w`.execute(db);
  return rows[0]?.orders ?? 0;
}

/** Works on what is due, oldest month first, until nothing is, the issuer fails, or others are to come first. */
export async function workOn(deps: WorkDeps, companyId: CompanyId, row: IssuerRow, issuer: IssuerConnection) {
  const end = performance.now() + sliceMillis;
  const polled = new Set<string>();
  let after: OrderKey = firstKey;
  let applied: AppliedAnswers = { issued: 0, failed: 0, late: 0 };
  let [answered, isComplete] = [0, false];
  while (performance.now() < end && !deps.signal.aborted) {
    const now = deps.clock.now().toString();
    const due = await listDueOrders(deps.db, companyId, { after, now, limit: batchSize });
    const last = due.at(-1);
    isComplete = last === undefined;
    if (last === undefined) break;
    after = { month: last.month, employeeId: last.employeeId, attempt: last.attempt };
    for (const month of new Set(due.filter(({ state }) => state === 'ordered').map((order) => order.month))) {
      if (polled.has(month) || (await countWaiting(deps.db, companyId, month, now)) < listedFrom) continue;
      polled.add(month);
      applied = addApplied(applied, await pollMonth(deps, companyId, issuer, month));
    }
    const single = due.filter(({ state, month }) => state !== 'ordered' || !polled.has(month));
    const frozen = await freezeOrders(deps, companyId, row, single);
    const { answers, outage } = await askAll(deps, companyId, issuer, frozen);
    applied = addApplied(applied, await applyAnswers(deps.db, companyId, answers, deps.clock.now()));
    answered += answers.length;
    if (issuer.isPolled && answers.length > 0 && row.failures > 0 && outage === undefined)
      await recordSuccess(deps, companyId);
    if (outage !== undefined) throw Object.assign(outage, { applied, answered });
  }
  return { isComplete, result: { ...applied, answered, outage: null } };
}

const recordSuccess = ({ db }: WorkDeps, companyId: CompanyId) =>
  writeShared(db, (tx) =>
    updateIssuer(tx, companyId, { failures: 0, failing_since: null, paused_until: null, last_error: null }),
  );

/**
 * Leaves the issuer alone for a while, longer after each failure without an answer in between. Its orders wait, and keep
 * their order.
 */
async function recordOutage(
  { db, clock }: ProcessDeps,
  companyId: CompanyId,
  { outage, hasAnswered }: { outage: IssuerOutage; hasAnswered: boolean },
): Promise<void> {
  const now = clock.now();
  await writeShared(db, async (tx) => {
    const row = await findIssuerRow(tx, companyId, { lock: true });
    const known = hasAnswered ? undefined : row;
    const failures = (known?.failures ?? 0) + 1;
    const pause = Math.max(
      outage.retryAfterMillis ?? 0,
      outage.retryAfterMillis === undefined ? nextDelay(failures) : 0,
    );
    await updateIssuer(tx, companyId, {
      failures,
      failing_since: known?.failingSince ?? now.toString(),
      paused_until: now.add({ milliseconds: pause }).toString(),
      last_error: JSON.stringify(outage.explanation),
    });
  });
}

/** Adds the job that is due next, and the confirmations and mails of tickets that came late. */
async function scheduleNext(
  { db, clock, queue, employeeMails }: ProcessDeps,
  companyId: CompanyId,
  again: number | null,
): Promise<void> {
  await writeShared(db, async (tx) => {
    const row = await findIssuerRow(tx, companyId, { lock: true });
    if (row === undefined) return;
    if (row.documentsDue !== null) {
      await queue.enqueueDocuments(tx, companyId, row.documentsDue);
      await employeeMails.enqueueTickets(tx, companyId, Temporal.PlainDate.from(row.documentsDue));
    }
    const { rows } = await sql<{ at: string | null }>`
      select least((select min(o.next_attempt_at) from ticket_orders o
          where ${ofCompany(companyId, 'o')} and o.next_attempt_at is not null),
        (select min(f.due_at) from order_files f
          where ${ofCompany(companyId, 'f')} and f.due_at is not null and f.delivered_at is null and f.problem is null
            and f.leased_until is null)) as at`.execute(tx);
    const now = clock.now();
    const due = rows[0]?.at ?? null;
    const [earliest] = [due, again === null ? null : now.add({ milliseconds: again }).toString()]
      .flatMap((text) => (text === null ? [] : Temporal.Instant.from(text)))
      .sort(Temporal.Instant.compare);
    const isWaiting = earliest !== undefined || row.failingSince !== null;
    const next = [earliest, isWaiting && row.pausedUntil !== null ? Temporal.Instant.from(row.pausedUntil) : undefined]
      .flatMap((at) => at ?? [])
      .sort(Temporal.Instant.compare)
      .at(-1);
    await updateIssuer(tx, companyId, { documents_due: null, next_run_at: next?.toString() ?? null });
    const seconds = next === undefined ? Number.POSITIVE_INFINITY : now.until(next).total('seconds');
    if (seconds < queuedSeconds) await queue.enqueueOrders(tx, companyId, Math.max(0, Math.ceil(seconds)));
  });
}

const isPaused = (row: IssuerRow, now: Temporal.Instant) =>
  row.pausedUntil !== null && Temporal.Instant.compare(now, Temporal.Instant.from(row.pausedUntil)) < 0;

/**
 * Works on the orders of a company: places, fetches and blocks what is due, and reconciles a month. Every step may be
 * repeated: the issuer knows orders by their ids, and an answer is applied once.
 */
export async function processOrders(deps: ProcessDeps, companyId: CompanyId): Promise<void> {
  const row = await findIssuerRow(deps.db, companyId);
  if (row === undefined) return;
  const { db, clock, signal, issuers } = deps;
  const { issuer: kind } = await getCompany(db, companyId);
  const issuer = openIssuer(kind, { db, clock, companyId, row, deps: issuers, signal });
  let again: number | null = null;
  let result: ProcessResult = { issued: 0, failed: 0, late: 0, sent: 0, answered: 0, outage: null, reconciled: null };
  try {
    if (issuer !== undefined && !isPaused(row, deps.clock.now())) {
      const worked = await workOn(deps, companyId, row, issuer);
      result = { ...result, ...worked.result };
      if (worked.isComplete) ({ again, sent: result.sent } = await issuer.finish());
      if (worked.isComplete && row.failures > 0) await recordSuccess(deps, companyId);
    }
    result.reconciled = await reconcileIfDue(deps, companyId, issuer);
  } catch (error) {
    if (!(error instanceof IssuerOutage)) throw error;
    const { applied, answered = result.answered } = error as IssuerOutage & {
      applied?: AppliedAnswers;
      answered?: number;
    };
    await recordOutage(deps, companyId, { outage: error, hasAnswered: issuer?.isPolled === true && answered > 0 });
    result = { ...result, ...applied, answered, outage: error.explanation.key };
  } finally {
    await issuer?.close();
    if (!deps.signal.aborted) await scheduleNext(deps, companyId, again);
  }
  deps.onProcessed?.(result);
}

/** Starts the jobs that are due, also after days without a worker. Returns how many. */
export async function scheduleOrders({
  db,
  clock,
  queue,
}: Pick<ProcessDeps, 'db' | 'clock' | 'queue'>): Promise<{ companies: number; isComplete: boolean }> {
  const now = clock.now();
  const { rows, isComplete } = await listRows<{ companyId: number }>(db, {
    table: 'issuer_settings',
    columns: 't.company_id as "companyId"',
    where: `t.next_run_at <= ${timeLiteral(now)}`,
  });
  for (const { companyId: id } of rows) {
    const companyId = asCompanyId(id);
    await writeShared(db, async (tx) => {
      await updateIssuer(tx, companyId, { next_run_at: now.add({ minutes: leaseMinutes }).toString() });
      await queue.enqueueOrders(tx, companyId);
    });
  }
  return { companies: rows.length, isComplete };
}
