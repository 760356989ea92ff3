import { createMessage } from '../domain/messages/message.ts';
import { toEmployee } from '../domain/messages/to-employee.ts';
import type { Refusal } from '../domain/subscription/refusals.ts';
import { type AgreementDeps, joinWithAgreement } from '../features/contracts/my-agreement.ts';
import { agreementHasChanged } from '../features/contracts/sign.ts';
import { type EmployeeCall, myRoutes } from '../features/my-route.ts';
import {
  PreviewRequestBody,
  RequestBody,
  RequestOutcomeSchema,
  type RequestOutcomeView,
  RequestPreviewSchema,
  UndoBody,
} from '../features/subscriptions/my-contract.ts';
import { loadOwnSituation, presentOutcome, presentPreview } from '../features/subscriptions/own-subscription.ts';
import { applyRequests, listRequests, undoRequest } from '../features/subscriptions/request.ts';
import { planOwnRequest } from '../features/subscriptions/rules/own-subscription.ts';
import { refuseRequest } from '../features/subscriptions/submit.ts';
import type { Tx } from '../platform/db/database.ts';
import { inSnapshot } from '../platform/db/snapshot.ts';
import { invalidValue, notFound } from '../platform/http/errors.ts';

/** Reads the first day of a month. Throws for any other day. */
function readMonth(text: string | null | undefined, pointer: string) {
  if (text == null) return undefined;
  const day = Temporal.PlainDate.from(text);
  if (day.day !== 1) throw invalidValue(pointer, 'first-of-month', createMessage('value-first-of-month'));
  return day;
}

/** Reads what an employee asks for. Only a pause has an end. */
const readRequest = ({ action, from, until }: PreviewRequestBody) => ({
  action,
  from: readMonth(from, '/from'),
  until: action === 'pause' ? (readMonth(until, '/until') ?? null) : undefined,
});

const refuse = (refusal: Pick<Refusal, 'code' | 'message' | 'earliestFrom'>) =>
  refuseRequest({ ...refusal, message: toEmployee(refusal.message) });

/** Applies a request of an employee. Whoever joins accepts the agreement that they were shown in the same transaction. */
async function applyOwnRequest(
  { employee, by, write }: Pick<EmployeeCall, 'employee' | 'by' | 'write'>,
  deps: AgreementDeps,
  { reason, agreementSha256, ...body }: RequestBody,
): Promise<RequestOutcomeView> {
  const { companyId, employeeId } = employee;
  const asked = readRequest(body);
  const situation = await inSnapshot(deps.db, (tx) => loadOwnSituation(tx, deps.clock, employee));
  const { refusal, needsAgreement } = planOwnRequest(situation, asked);
  if (refusal !== null) throw refuse(refusal);
  const apply = async (tx: Tx) => {
    const requests = [{ employeeId, ...asked, reason: reason?.trim() || undefined }];
    const [outcome] = await applyRequests(tx, deps, companyId, { requests, actor: by.actor });
    if (outcome === undefined || outcome.status === 'unknown-employee') throw notFound('employee');
    if (outcome.status === 'refused') throw refuse(outcome);
    return outcome;
  };
  const join = () => {
    if (agreementSha256 === undefined) throw agreementHasChanged();
    const reader = { companyId, employeeId, sha256: agreementSha256, actor: by.actor };
    return joinWithAgreement(deps, reader, (accept) =>
      write(async (tx) => {
        await accept(tx);
        return apply(tx);
      }),
    );
  };
  const outcome = await (needsAgreement ? join() : write(apply));
  if (outcome.requestId === null) throw new Error('An applied request has an id.');
  return { requestId: outcome.requestId, ...presentOutcome(situation, asked.action, outcome) };
}

async function undoOwnRequest(
  { employee, by, write }: Pick<EmployeeCall, 'employee' | 'by' | 'write'>,
  deps: AgreementDeps,
  { requestId }: UndoBody,
): Promise<RequestOutcomeView> {
  const { companyId, employeeId } = employee;
  const situation = await inSnapshot(deps.db, (tx) => loadOwnSituation(tx, deps.clock, employee));
  const requests = await listRequests(deps.db, companyId, employeeId, situation.today);
  const request = requests.find(({ id, side }) => id === requestId && side === 'employee');
  if (request === undefined) throw notFound('request of yours');
  const undo = { requestId, employeeId, actor: by.actor };
  const outcome = await write((tx) => undoRequest(tx, deps, companyId, undo));
  if (outcome.status === 'refused') throw refuse(outcome);
  if (outcome.status !== 'applied') throw notFound('request of yours');
  const { plan } = outcome;
  return {
    requestId,
    ...presentOutcome(situation, request.action, { plan, from: null, until: null, undoUntil: null }),
  };
}

/** Lets employees pause, resume, cancel and start their own subscription. */
export const ownRequestRoutes = myRoutes<AgreementDeps>((route, deps) => {
  const { db, clock } = deps;

  route('POST /subscription/preview', {
    summary: 'Preview a change of my subscription',
    description: 'Changes nothing.',
    access: 'employee',
    body: PreviewRequestBody,
    data: RequestPreviewSchema,
    problems: ['not-found'],
    handle: ({ employee, body }) =>
      inSnapshot(db, async (tx) => {
        const asked = readRequest(body);
        const situation = await loadOwnSituation(tx, clock, employee);
        return presentPreview(situation, asked.action, planOwnRequest(situation, asked));
      }),
  });

  route('POST /subscription', {
    summary: 'Change my subscription',
    access: 'employee',
    body: RequestBody,
    data: RequestOutcomeSchema,
    problems: ['not-found', 'subscription-request-refused', 'confirmation-mismatch'],
    handle: ({ body, ...call }) => applyOwnRequest(call, deps, body),
  });

  route('POST /subscription/undo', {
    summary: 'Undo a change of my subscription',
    access: 'employee',
    body: UndoBody,
    data: RequestOutcomeSchema,
    problems: ['not-found', 'subscription-request-refused'],
    handle: ({ body, ...call }) => undoOwnRequest(call, deps, body),
  });
});
