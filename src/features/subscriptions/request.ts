import { setImmediate } from 'node:timers/promises';
import type { Actor } from '../../domain/actor.ts';
import { type Day, isBefore } from '../../domain/calendar.ts';
import { type EmployeePlan, type EmployeeState, planRequestFor, planUndoFor } from '../../domain/employee.ts';
import type { RequestAction, Side } from '../../domain/enums.ts';
import type { Message } from '../../domain/messages/message.ts';
import type { Refusal, RefusalCode } from '../../domain/subscription/refusals.ts';
import { requestedFields } from '../../domain/subscription/requested.ts';
import type { Consent, Subscription } from '../../domain/subscription/subscription.ts';
import { type Clock, todayIn } from '../../platform/clock/clock.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { insertAudits } from '../activity/record.ts';
import { loadPrices } from '../billing/prices.ts';
import { type Company, getCompany } from '../companies/companies.ts';
import { type DailyRunDeps, lockAndCatchUp } from '../daily-run/run.ts';
import { refreshEmployeeCounts } from '../employees/counts.ts';
import { loadEmployees } from '../employees/load.ts';
import { updateSubscriptions, writeHistoryAndDocuments } from '../employees/write.ts';
import { confirmRequests } from './confirm.ts';
import {
  findStandingRequests,
  findStates,
  insertRequests,
  listNewestRequests,
  markUndone,
  type StoredRequest,
} from './store.ts';

/** What somebody asks for about one subscription. Months are named by their first day. */
export interface SubscriptionRequest {
  employeeId: number;
  action: RequestAction;
  /** Absent: the earliest possible month. */
  from?: Day | undefined;
  /** The month in which tickets resume after a pause. Null or absent: until further notice. */
  until?: Day | null | undefined;
  reason?: string | undefined;
  /** How the employee agreed. The company needs it to restart what the employee has ended. */
  consent?: Consent | undefined;
}

export type RequestOutcome =
  | { status: 'unknown-employee' }
  | { status: 'refused'; code: RefusalCode; message: Message; sentence: string; earliestFrom: Day | null }
  | {
      status: 'applied';
      /** Null: nothing was stored, because it was only planned. */
      requestId: number | null;
      plan: EmployeePlan;
      from: Day;
      until: Day | null;
      /** The last day on which undo restores what was before. Null: it cannot be undone. */
      undoUntil: Day | null;
    };

export type Applied = Extract<RequestOutcome, { status: 'applied' }>;

/** Returns whose request it is: the company's, unless an employee asks. */
const sideOf = ({ type }: Actor): Side => (type === 'employee' ? 'employee' : 'company');

const refused = ({ code, message, sentence, earliestFrom }: Refusal): RequestOutcome => ({
  ...{ status: 'refused', code, message, sentence, earliestFrom },
});

/** A request that can be applied, and the outcome whose id it gets. */
interface Step {
  request: SubscriptionRequest;
  outcome: Applied;
}

interface Planned {
  /** In the order of the requests. */
  outcomes: RequestOutcome[];
  /** Several requests about one employee follow each other: each round has one per employee. */
  rounds: Step[][];
}

const plansAtOnce = 50;

/** Plans each request on what the ones before it leave. */
async function planAll(
  employees: ReadonlyMap<number, EmployeeState>,
  requests: readonly SubscriptionRequest[],
  { side, company, today }: { side: Side; company: Company; today: Day },
): Promise<Planned> {
  const known = new Map(employees);
  const rounds: Step[][] = [];
  const counts = new Map<number, number>();
  const plan = (request: SubscriptionRequest): RequestOutcome => {
    const { employeeId, action, from: asked, until: askedUntil, consent } = request;
    const employee = known.get(employeeId);
    if (employee === undefined || employee.isRemoved) return { status: 'unknown-employee' };
    const wanted = { action, side, from: asked, until: askedUntil };
    const planned = planRequestFor(employee, wanted, today, { ...company, consent });
    const { refusal, from, until, undoUntil, ...employeePlan } = planned;
    if (refusal !== null) return refused(refusal);
    if (from === null) throw new Error('A request that is not refused takes effect in some month.');
    known.set(employeeId, employeePlan.employee);
    const outcome: Applied = { status: 'applied', requestId: null, plan: employeePlan, from, until, undoUntil };
    const round = counts.get(employeeId) ?? 0;
    counts.set(employeeId, round + 1);
    const steps = rounds[round];
    if (steps === undefined) rounds.push([{ request, outcome }]);
    else steps.push({ request, outcome });
    return outcome;
  };
  const outcomes: RequestOutcome[] = [];
  for (const [index, request] of requests.entries()) {
    // A thousand requests take a tenth of a second. Other requests of the process must not wait for it.
    if (index % plansAtOnce === plansAtOnce - 1) await setImmediate();
    outcomes.push(plan(request));
  }
  return { outcomes, rounds };
}

const idsOf = (requests: readonly { employeeId: number }[]) => [
  ...new Set(requests.map(({ employeeId }) => employeeId)),
];

export interface RequestsInput {
  requests: readonly SubscriptionRequest[];
  /** Decides whose requests they are: an employee's own, or the company's. */
  actor: Actor;
}

/** Returns what each request would do, in the same order. Plans it exactly as when it is applied, but writes nothing. */
export async function planRequests(
  tx: Db,
  { clock }: { clock: Clock },
  companyId: CompanyId,
  { requests, actor }: RequestsInput,
): Promise<RequestOutcome[]> {
  const company = await getCompany(tx, companyId);
  const today = todayIn(clock, company.timeZone);
  const employees = await loadEmployees(tx, companyId, idsOf(requests), today);
  return (await planAll(employees, requests, { side: sideOf(actor), company, today })).outcomes;
}

interface Recording {
  company: Company;
  today: Day;
  actor: Actor;
  /** How the employee agreed to the contract. */
  consent?: Consent | undefined;
  /** The name of the user who records it, for the agreement. */
  recordedBy?: string | undefined;
}

/** Writes plans with everything that results from them: the history, events and documents. */
export async function writePlans(
  tx: Tx,
  deps: DailyRunDeps,
  planned: readonly { id: number; plan: EmployeePlan }[],
  { company, today, actor, consent, recordedBy }: Recording,
): Promise<void> {
  const changed = planned.filter(({ plan }) => plan.subscriptionChanges.length > 0);
  if (changed.length === 0) return;
  const now = deps.clock.now();
  const isOwn = actor.type === 'employee';
  const isAccepted = changed.some(({ plan }) => plan.documents.some(({ kind }) => kind === 'contribution-agreement'));
  const agreement = {
    ticketPrices: isAccepted ? (await loadPrices(tx)).tickets : [],
    given: consent?.given ?? (isOwn ? ('electronically' as const) : null),
    agreedOn: (consent?.on ?? today).toString(),
    isOwn,
    recordedBy: recordedBy ?? null,
  };
  const changeContext = { actor, syncKey: null, hrIntegrationId: null, now, removedAt: now, agreement };
  await updateSubscriptions(tx, company.id, changed, changeContext);
  const documents = await writeHistoryAndDocuments(tx, company, changed, changeContext);
  if (documents > 0) await deps.queue.enqueueDocuments(tx, company.id, null);
}

/** Stores a round of requests. One that changes nothing repeats the request that stands, which keeps its id. */
async function storeRound(tx: Tx, deps: DailyRunDeps, steps: readonly Step[], recording: Recording): Promise<void> {
  const { company, actor } = recording;
  const side = sideOf(actor);
  const at = deps.clock.now();
  const idle = steps.filter(({ outcome }) => outcome.plan.subscriptionChanges.length === 0);
  const standing = await findStandingRequests(
    tx,
    company.id,
    idle.map(({ request }) => request.employeeId),
    side,
  );
  const isRepeated = ({ request }: Step) => standing.get(request.employeeId)?.action === request.action;
  const repeated = idle.filter(isRepeated);
  for (const { request, outcome } of repeated) outcome.requestId = standing.get(request.employeeId)?.id ?? null;
  const added = steps.filter((step) => !repeated.includes(step));
  const rows = added.map(({ request, outcome: { plan, from, until, undoUntil } }) => ({
    ...{ employeeId: request.employeeId, action: request.action, from, until, undoUntil },
    ...{ reason: request.reason ?? null, consent: request.consent ?? null },
    before: plan.before,
    after: { ...plan.employee.subscription, nextTicketOn: plan.employee.nextTicketOn },
  }));
  const ids = await insertRequests(tx, company.id, rows, { actor, side, at });
  for (const { request, outcome } of added) outcome.requestId = ids.get(request.employeeId) ?? null;
  const confirmed = added.flatMap(({ request: { employeeId, action }, outcome: { requestId, ...outcome } }) =>
    requestId === null ? [] : [{ ...outcome, employeeId, action, requestId }],
  );
  await confirmRequests(tx, deps, company.id, { confirmed, actor, today: recording.today });
  await insertAudits(
    tx,
    company.id,
    added.map(({ request: { employeeId, action, consent }, outcome: { requestId, plan, from, until } }) => ({
      actor,
      action: `subscription.${action}`,
      target: String(employeeId),
      detail: {
        ...{ requestId, from: from.toString(), until: until?.toString() ?? null },
        ...{ status: plan.employee.subscription.status, changes: plan.subscriptionChanges.length },
        ...(consent ? { given: consent.given, givenOn: consent.on.toString() } : {}),
      },
      at,
    })),
  );
}

/**
 * Applies requests and returns what became of each, in the same order. A refused one leaves nothing behind and does not
 * stop the others. Repeating a request changes nothing.
 */
export async function applyRequests(
  tx: Tx,
  deps: DailyRunDeps,
  companyId: CompanyId,
  { requests, actor, recordedBy }: RequestsInput & Pick<Recording, 'recordedBy'>,
): Promise<RequestOutcome[]> {
  const { company, today } = await lockAndCatchUp(tx, deps, companyId);
  const employees = await loadEmployees(tx, companyId, idsOf(requests), today);
  const { outcomes, rounds } = await planAll(employees, requests, { side: sideOf(actor), company, today });
  const recording = { company, today, actor, recordedBy };
  for (const steps of rounds) {
    const planned = steps.map(({ request, outcome }) => ({ id: request.employeeId, plan: outcome.plan }));
    await writePlans(tx, deps, planned, recording);
    await storeRound(tx, deps, steps, recording);
  }
  if (rounds.length > 0) await refreshEmployeeCounts(tx, companyId);
  return outcomes;
}

const dayFields: readonly string[] = [
  ...['startOn', 'pausedOn', 'resumesOn', 'cancelledOn', 'reactivatedOn'],
  ...['employedFrom', ...requestedFields],
];

/** Reads a stored state of a subscription. */
function readState(stored: Record<string, unknown>): Subscription {
  const entries = Object.entries(stored).map(([field, value]) => [
    field,
    dayFields.includes(field) && typeof value === 'string' ? Temporal.PlainDate.from(value) : value,
  ]);
  return Object.fromEntries(entries) as Subscription;
}

export type UndoOutcome = RequestOutcome | { status: 'unknown-request' };

/** A request that is to be undone. One per employee. */
interface Undo {
  requestId: number;
  employeeId: number;
}

interface UndoStep extends Undo {
  action: RequestAction;
  plan: EmployeePlan;
}

/** Stores that requests are undone, and confirms it. */
async function storeUndone(tx: Tx, deps: DailyRunDeps, steps: readonly UndoStep[], recording: Recording) {
  const { company, today, actor } = recording;
  const at = deps.clock.now();
  const planned = steps.map(({ employeeId, plan }) => ({ id: employeeId, plan }));
  await writePlans(tx, deps, planned, recording);
  await markUndone(tx, company.id, steps, { actor, at });
  const confirmed = steps.map(({ employeeId, requestId, action, plan }) => ({
    ...({ employeeId, requestId, action: 'undo', undone: action, plan, from: today, undoUntil: null } as const),
  }));
  await confirmRequests(tx, deps, company.id, { confirmed, actor, today });
  await refreshEmployeeCounts(tx, company.id);
  const audits = steps.map(({ employeeId, requestId, action, plan }) => ({
    ...{ actor, action: 'subscription.undo', target: String(employeeId), at },
    detail: { requestId, undone: action, status: plan.employee.subscription.status },
  }));
  await insertAudits(tx, company.id, audits);
}

/**
 * Undoes the last request of a side about each of some employees, until the cut-off of its change: what was before
 * applies again, together with what has changed since for other reasons. Returns what became of each, in the same order.
 */
export async function undoRequests(
  tx: Tx,
  deps: DailyRunDeps,
  companyId: CompanyId,
  { undos, actor }: { undos: readonly Undo[]; actor: Actor },
): Promise<UndoOutcome[]> {
  const { company, today } = await lockAndCatchUp(tx, deps, companyId);
  const employees = await loadEmployees(tx, companyId, idsOf(undos), today);
  const known = await findStates(
    tx,
    companyId,
    undos.map(({ requestId }) => requestId),
  );
  const steps: UndoStep[] = [];
  const outcomes = undos.map(({ requestId, employeeId }): UndoOutcome => {
    const employee = employees.get(employeeId);
    if (employee === undefined || employee.isRemoved) return { status: 'unknown-employee' };
    const stored = known.get(requestId);
    // Who asked for something else must not learn that it exists.
    if (stored?.employeeId !== employeeId || stored.side !== sideOf(actor)) return { status: 'unknown-request' };
    const { action } = stored;
    const undoable = {
      action,
      before: readState(stored.before),
      after: readState(stored.after),
      undoUntil: stored.status === 'applied' && stored.undoUntil ? Temporal.PlainDate.from(stored.undoUntil) : null,
    };
    const { refusal, ...plan } = planUndoFor(employee, undoable, today, company);
    if (refusal !== null) return refused(refusal);
    steps.push({ employeeId, requestId, action, plan });
    return { status: 'applied', requestId, plan, from: today, until: null, undoUntil: null };
  });
  if (steps.length > 0) await storeUndone(tx, deps, steps, { company, today, actor });
  return outcomes;
}

export async function undoRequest(
  tx: Tx,
  deps: DailyRunDeps,
  companyId: CompanyId,
  { actor, ...undo }: Undo & { actor: Actor },
): Promise<UndoOutcome> {
  const [outcome] = await undoRequests(tx, deps, companyId, { undos: [undo], actor });
  return outcome ?? { status: 'unknown-request' };
}

export interface ListedRequest extends StoredRequest {
  /** Whether the side that asked can undo it today. */
  isUndoable: boolean;
}

const isUndoableOn = ({ status, undoUntil }: Pick<StoredRequest, 'status' | 'undoUntil'>, today: Day): boolean =>
  status === 'applied' && undoUntil !== null && !isBefore(Temporal.PlainDate.from(undoUntil), today);

/** More than anybody makes in years. */
const maxListed = 100;

/** Returns the requests about an employee, newest first. */
export async function listRequests(
  db: Db,
  companyId: CompanyId,
  employeeId: number,
  today: Day,
): Promise<ListedRequest[]> {
  const requests = await listNewestRequests(db, companyId, employeeId, maxListed);
  return requests.map((request) => ({ ...request, isUndoable: isUndoableOn(request, today) }));
}
