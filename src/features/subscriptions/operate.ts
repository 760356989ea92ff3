import { operator } from '../../domain/actor.ts';
import { type Day, isBefore } from '../../domain/calendar.ts';
import type { ConsentWay, RequestAction, SubscriptionStatus } from '../../domain/enums.ts';
import { formatMessage } from '../../domain/messages/message.ts';
import type { Consent } from '../../domain/subscription/subscription.ts';
import { writeOutput } from '../../platform/cli/files.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { createLinks } from '../../platform/http/links.ts';
import { createNoEmployeeError } from '../command-context.ts';
import { getCompany } from '../companies/companies.ts';
import type { EngineContext } from '../context.ts';
import { formatRow } from '../payroll/rules/formats.ts';
import { planBatch } from './batches/plan.ts';
import { insertBatch, runNextStep } from './batches/run.ts';
import { showBatch } from './batches/show.ts';
import { findBatch, listItems, listUndoable } from './batches/store.ts';
import { undoRequest } from './request.ts';
import { previewRequests, refuseRequest, submitRequests } from './submit.ts';

export interface OperatorRequest {
  employee: number | undefined;
  /** The employees of a file. */
  employeeIds: number[] | undefined;
  all: boolean;
  search: string | undefined;
  status: SubscriptionStatus[] | undefined;
  action: RequestAction;
  from: Day | undefined;
  until: Day | undefined;
  reason: string | undefined;
  given: ConsentWay | undefined;
  date: Day | undefined;
  dryRun: boolean;
  out: string | undefined;
}

async function openCompany({ db, clock, companyId }: EngineContext) {
  const { timeZone } = await getCompany(db, companyId);
  return { timeZone, today: todayIn(clock, timeZone) };
}

/** Returns how the employees agreed. Undefined: nothing is known about it. */
function readConsent({ given, date }: OperatorRequest, today: Day): Consent | undefined {
  if (given === undefined && date === undefined) return undefined;
  if (given === undefined) throw new OperatorError('--date needs --given: how did the employees agree?');
  if (date !== undefined && isBefore(today, date)) throw new OperatorError('--date must not be in the future.');
  return { given, on: date ?? today };
}

const explain = (problem: ApiError) => {
  const { earliestFrom } = problem.extra;
  const hint = earliestFrom ? ` The earliest possible month is ${earliestFrom}.` : '';
  return new OperatorError(`${problem.message}${problem.message.includes(String(earliestFrom)) ? '' : hint}`);
};

async function requestOne(engine: EngineContext, asked: OperatorRequest, employeeId: number, consent?: Consent) {
  const { config, db, companyId } = engine;
  const { action, from, until, reason, dryRun } = asked;
  const submission = { deps: engine, db, links: createLinks(config.publicUrl), companyId, actor: operator };
  const requests = [{ employeeId, action, from, until, reason, consent }];
  const [result] = dryRun
    ? await previewRequests(submission, requests)
    : await submitRequests(submission, requests, async () => {});
  if (result instanceof ApiError && result.code === 'subscription-request-refused') throw explain(result);
  if (result === undefined || result instanceof ApiError) throw createNoEmployeeError(companyId, employeeId);
  const { resource: _, _links, requestedBy: _by, requestedAt: _at, ...shown } = result;
  return shown;
}

/** Returns the result of each employee of a batch as a table for spreadsheet programs. */
async function writeResult({ db, companyId }: EngineContext, batchId: number, path: string): Promise<void> {
  const lines = ['\uFEFF', formatRow(['employeeId', 'firstName', 'lastName', 'email', 'outcome', 'from', 'reason'])];
  const perPage = 1_000;
  for (let page = 1, isMore = true; isMore; page++) {
    const { rows } = await writeCompany(db, companyId, (tx) => listItems(tx, companyId, { batchId, page, perPage }));
    isMore = rows.length === perPage;
    for (const { employeeId, firstName, lastName, email, outcome, from, message } of rows) {
      const cells = [firstName, lastName, email, outcome, from, message && formatMessage(message)];
      lines.push(formatRow([String(employeeId), ...cells.map((cell) => cell ?? '')]));
    }
  }
  await writeOutput(path, Buffer.from(lines.join('')));
}

const describeRefusals = (refusals: Awaited<ReturnType<typeof showBatch>>['refusals']) =>
  refusals.map(({ message, employees, named }) => ({
    ...{ employees, reason: formatMessage(message) },
    employeeIds: named.map(({ employeeId }) => employeeId),
  }));

async function presentBatch(engine: EngineContext, id: number, out: string | undefined) {
  const { timeZone } = await openCompany(engine);
  const { refusals, ...batch } = await showBatch(engine, { companyId: engine.companyId, timeZone }, id);
  if (out !== undefined) await writeResult(engine, id, out);
  return { ...batch, refusals: describeRefusals(refusals), ...(out === undefined ? {} : { out }) };
}

/** Does a batch, and shows how far it is. A worker does the same at the same time, and completes it if this stops. */
async function runBatch(engine: EngineContext, id: number, out: string | undefined) {
  const { db, companyId, report } = engine;
  let shown = 0;
  while (await runNextStep(db, engine, companyId)) {
    const { total = 0, decided = 0, refused = 0 } = (await findBatch(db, companyId, id)) ?? {};
    const percent = Math.floor((100 * (decided + refused)) / Math.max(total, 1));
    if (percent >= shown + 5) {
      shown = percent;
      report?.(`${decided + refused} of ${total} employees`);
    }
  }
  return presentBatch(engine, id, out);
}

async function requestMany(engine: EngineContext, asked: OperatorRequest, consent: Consent | undefined) {
  const { db, companyId } = engine;
  const { action, from, until, reason, employeeIds, search, status, dryRun, out } = asked;
  const filter = { ...(search === undefined ? {} : { search }), ...(status ? { subscriptionStatuses: status } : {}) };
  const selection = employeeIds === undefined ? { filter } : { employeeIds };
  const days = { ...(from ? { from: from.toString() } : {}), ...(until ? { until: until.toString() } : {}) };
  const plan = { actor: operator, wanted: { action, ...selection, ...days, consent } };
  const { preview, applicable } = await inSnapshot(db, (tx) => planBatch(tx, engine, companyId, plan));
  if (dryRun || applicable.length === 0) {
    const { refusals, named, ...counts } = preview;
    return { dryRun, ...counts, refusals: describeRefusals(refusals) };
  }
  const batch = { action, employeeIds: applicable, actor: operator, consent, from, until, reason };
  const id = await writeCompany(db, companyId, (tx) => insertBatch(tx, engine, companyId, batch));
  return runBatch(engine, id, out);
}

/** Requests a change of one subscription, of all that match a filter, or of the employees of a file. */
export async function requestByOperator(engine: EngineContext, asked: OperatorRequest) {
  const { employee, employeeIds, all, search, status, out, until, action } = asked;
  const isFiltered = search !== undefined || status !== undefined;
  const ways = [employee !== undefined, employeeIds !== undefined, all, isFiltered].filter(Boolean).length;
  if (ways !== 1) {
    throw new OperatorError('Choose employees by one of --employee, --file, --all, or --search and --status.');
  }
  if (until !== undefined && action !== 'pause') throw new OperatorError('--until is the end of a pause: remove it.');
  const consent = readConsent(asked, (await openCompany(engine)).today);
  if (employee === undefined) return requestMany(engine, asked, consent);
  if (out !== undefined) throw new OperatorError('--out is the result of many employees: remove it.');
  return requestOne(engine, asked, employee, consent);
}

/** Shows what became of a batch, and writes the result of each employee to a file. */
export const showByOperator = (engine: EngineContext, { batch, out }: { batch: number; out: string | undefined }) =>
  presentBatch(engine, batch, out);

/** Undoes one request, or all requests of a batch that can still be undone. */
export async function undoByOperator(
  engine: EngineContext,
  asked: { employee: number | undefined; request: number | undefined; batch: number | undefined; dryRun: boolean },
) {
  const { db, companyId } = engine;
  const { employee: employeeId, request: requestId, batch: batchId, dryRun } = asked;
  const { timeZone, today } = await openCompany(engine);
  if (batchId !== undefined && employeeId === undefined && requestId === undefined) {
    const { total } = await showBatch(engine, { companyId, timeZone }, batchId);
    const employeeIds = await listUndoable(db, companyId, { batchId, today });
    if (dryRun || employeeIds.length === 0) return { dryRun, employees: total, undoable: employeeIds.length };
    const undo = { action: 'undo' as const, employeeIds, actor: operator, undoOf: batchId };
    const id = await writeCompany(db, companyId, (tx) => insertBatch(tx, engine, companyId, undo));
    return runBatch(engine, id, undefined);
  }
  if (batchId !== undefined || employeeId === undefined || requestId === undefined) {
    throw new OperatorError('Give either --batch, or --employee and --request.');
  }
  if (dryRun) throw new OperatorError('--dry-run shows what undoing a batch does: give --batch.');
  const outcome = await writeCompany(db, companyId, (tx) =>
    undoRequest(tx, engine, companyId, { employeeId, requestId, actor: operator }),
  );
  if (outcome.status === 'unknown-employee') throw createNoEmployeeError(companyId, employeeId);
  if (outcome.status === 'unknown-request') {
    throw new OperatorError(`The company has made no request ${requestId} about employee ${employeeId}.`);
  }
  if (outcome.status === 'refused') throw explain(refuseRequest(outcome));
  const { subscription, nextTicketOn } = outcome.plan.employee;
  return { requestId, status: subscription.status, nextTicketAt: nextTicketOn?.toString() ?? null };
}
