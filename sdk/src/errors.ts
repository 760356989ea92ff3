import { type Problem, remedies, type Sync, type SyncRecord } from './types.gen.ts';

/** Every error that this library throws by itself. */
export class TransitBenefitsError extends Error {
  override name = 'TransitBenefitsError';
}

/** The codes of problems. Stable, but new ones may be added. */
export type ProblemCode = Problem['code'] | (string & {});

/** One of several things that are wrong with a request. */
export type ProblemEntry = NonNullable<Problem['errors']>[number];

/** The API has refused a request. */
export class ApiError extends TransitBenefitsError {
  override name = 'ApiError';
  readonly status: number;
  /** Stable: branch on it. `unexpected-response` if the response did not come from the API, but from a proxy. */
  readonly code: ProblemCode;
  readonly detail: string;
  /** What to do about it. */
  readonly remedy: string;
  /** Everything that is wrong, at most 100 entries. */
  readonly errors: readonly ProblemEntry[];
  /** How many things are wrong, including those that `errors` leaves out. */
  readonly errorCount: number;
  readonly missingPermissions: readonly string[];
  /** Why a subscription request was refused. Stable: branch on it. */
  readonly reason: string | undefined;
  /** The first month for which a refused subscription request is possible. */
  readonly earliestFrom: string | null | undefined;
  /** Identifies the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** After how many milliseconds the service wants the request to be repeated. */
  readonly retryAfterMs: number | undefined;

  constructor(response: Response, problem: Partial<Problem>) {
    const detail = problem.detail ?? `The server responded with status ${response.status}.`;
    super(detail);
    this.status = response.status;
    this.code = problem.code ?? 'unexpected-response';
    this.detail = detail;
    this.remedy = remedies[this.code] ?? 'Check the base URL, and whether a proxy is between you and the service.';
    this.errors = problem.errors ?? [];
    this.errorCount = problem.errorCount ?? this.errors.length;
    this.missingPermissions = problem.missingPermissions ?? [];
    this.reason = problem.reason;
    this.earliestFrom = problem.earliestFrom;
    this.requestId = problem.requestId ?? response.headers.get('x-request-id') ?? undefined;
    this.retryAfterMs = readRetryAfter(response.headers.get('retry-after'));
  }
}

/** 400, 413, 415 and 422: the request is wrong. */
export class InvalidRequestError extends ApiError {
  override name = 'InvalidRequestError';
}
/** 401: the key is wrong, revoked or expired, or belongs to another environment. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}
/** 403: the key lacks a permission. */
export class PermissionError extends ApiError {
  override name = 'PermissionError';
}
/** 404: there is no such record in the company of the key. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}
/** 409: the state of a record does not allow it. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}
/** 410: the events are no longer kept. */
export class EventsExpiredError extends ApiError {
  override name = 'EventsExpiredError';
}
/** 429: too many requests, even after waiting. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}
/** 503: out of service, even after waiting. */
export class UnavailableError extends ApiError {
  override name = 'UnavailableError';
}

/** The request could not be sent, or its response was not received completely. */
export class ConnectionError extends TransitBenefitsError {
  override name = 'ConnectionError';
}

/** A sync has failed, or some of its records have. */
export class SyncFailedError extends TransitBenefitsError {
  override name = 'SyncFailedError';
  readonly sync: Sync;
  /** The first 1,000 records that failed. `sync.counts.failed` is their total number. */
  readonly failedRecords: readonly SyncRecord[];

  constructor(sync: Sync, failedRecords: readonly SyncRecord[]) {
    const { failed } = sync.counts;
    const what = sync.state === 'partially-failed' ? `${failed} of its records failed` : `it ended as ${sync.state}`;
    super(`Sync ${sync.syncId}: ${what}.${sync.reason === null ? '' : ` ${sync.reason}`}`);
    this.sync = sync;
    this.failedRecords = failedRecords;
  }
}

/** A request is no genuine webhook: do not process it, and respond with 401. */
export class WebhookVerificationError extends TransitBenefitsError {
  override name = 'WebhookVerificationError';
}

/** Returns the milliseconds of a `Retry-After` header: a number of seconds, or a date. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

const classes: Record<number, typeof ApiError> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: EventsExpiredError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitError,
  503: UnavailableError,
};

/** Returns the error of a response that is no success. */
export async function readError(response: Response): Promise<ApiError> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
  const problem = isProblem ? ((await response.json().catch(() => ({}))) as Partial<Problem>) : {};
  if (!isProblem) await response.body?.cancel();
  return new (classes[response.status] ?? ApiError)(response, problem);
}

/** Returns whether the same request may succeed later: 429, 503, and everything that happens to connections. */
export const isTransient = (error: unknown): boolean =>
  error instanceof RateLimitError ||
  error instanceof UnavailableError ||
  error instanceof ConnectionError ||
  // The first attempt, whose connection was lost, is still running.
  (error instanceof ConflictError && error.code === 'request-in-progress');
