import type { Actor } from '../../domain/actor.ts';
import type { Day } from '../../domain/calendar.ts';
import { isBefore } from '../../domain/calendar.ts';
import { createMessage } from '../../domain/messages/message.ts';
import type { Refusal } from '../../domain/subscription/refusals.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError, notFound, refuseBody } from '../../platform/http/errors.ts';
import type { Links } from '../../platform/http/links.ts';
import { presentProblem } from '../../platform/http/problem.ts';
import type { DailyRunDeps } from '../daily-run/run.ts';
import type { SubscriptionRequestBody, SubscriptionRequestRecord, SubscriptionRequestResult } from './contract.ts';
import { presentPlanned, presentRequest } from './present.ts';
import { applyRequests, planRequests, type RequestOutcome, type SubscriptionRequest } from './request.ts';
import { findRequests } from './store.ts';

const day = (text: string | undefined) => (text === undefined ? undefined : Temporal.PlainDate.from(text));

/** Reads requests. Throws if a consent is still to come. `pointerOf` returns the place of each in the body. */
export function readRequests(
  bodies: readonly (SubscriptionRequestBody & { employeeId: number })[],
  today: Day,
  pointerOf: (index: number) => string,
): SubscriptionRequest[] {
  const requests = bodies.map(({ from, until, consent, ...request }) => ({
    ...request,
    from: day(from),
    until: until === null ? null : day(until),
    consent: consent && { given: consent.given, on: Temporal.PlainDate.from(consent.on) },
  }));
  const late = requests.flatMap(({ consent }, index) =>
    consent && isBefore(today, consent.on) ? [`${pointerOf(index)}/consent/on`] : [],
  );
  if (late.length > 0) {
    const message = createMessage('value-not-future');
    throw refuseBody(late.map((pointer) => ({ pointer, code: 'not-future', message })));
  }
  return requests;
}

interface Submission {
  deps: DailyRunDeps;
  db: Db;
  links: Links;
  companyId: CompanyId;
  actor: Actor;
}

/** What became of a request: its record, or why it was refused. */
type Result = SubscriptionRequestRecord | ApiError;

/** Returns the problem of a request that is refused, whoever asks and wherever. */
export const refuseRequest = ({ code, message, earliestFrom }: Pick<Refusal, 'code' | 'message' | 'earliestFrom'>) =>
  new ApiError('subscription-request-refused', message, {
    reason: code,
    earliestFrom: earliestFrom?.toString() ?? null,
  });

const refusalOf = (outcome: RequestOutcome): ApiError =>
  outcome.status === 'refused' ? refuseRequest(outcome) : notFound('employee');

/** Returns what each request would do. */
export function previewRequests(
  { deps, db, links, companyId, actor }: Submission,
  requests: readonly SubscriptionRequest[],
): Promise<Result[]> {
  return inSnapshot(db, async (tx) => {
    const outcomes = await planRequests(tx, deps, companyId, { requests, actor });
    const planning = { links, requestedBy: actor.type, now: deps.clock.now() };
    return outcomes.map((outcome, index): Result => {
      const request = requests[index];
      if (outcome.status !== 'applied' || request === undefined) return refusalOf(outcome);
      return presentPlanned(request, outcome, planning);
    });
  });
}

/** Applies requests in one transaction, in which `finish` stores the response, and returns what became of each. */
export function submitRequests(
  { deps, db, links, companyId, actor }: Submission,
  requests: readonly SubscriptionRequest[],
  finish: (tx: Tx, results: Result[]) => Promise<void>,
): Promise<Result[]> {
  return writeCompany(db, companyId, async (tx) => {
    const outcomes = await applyRequests(tx, deps, companyId, { requests, actor });
    const ids = outcomes.flatMap((outcome) => (outcome.status === 'applied' ? (outcome.requestId ?? []) : []));
    const rows = await findRequests(tx, companyId, ids);
    const results = outcomes.map((outcome): Result => {
      if (outcome.status !== 'applied') return refusalOf(outcome);
      const row = rows.get(outcome.requestId ?? 0);
      if (row === undefined) throw new Error('A request that was applied is stored.');
      return presentRequest(row, links);
    });
    await finish(tx, results);
    return results;
  });
}

/** Presents what became of one of many requests. */
export function presentResult(
  result: Result,
  { employeeId, links, requestId }: { employeeId: number; links: Links; requestId: string },
): SubscriptionRequestResult {
  return result instanceof ApiError
    ? { employeeId, status: 'refused', problem: presentProblem(result, links, requestId) }
    : { employeeId, status: 'applied', request: result };
}
