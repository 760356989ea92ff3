/**
 * The catalogue of problems that the API returns. Status, title and remedy are defined only here: the error handler,
 * the OpenAPI document and the page /docs/errors derive from it. Codes are stable, because integrators branch on them.
 */
export const problems = {
  'invalid-parameters': {
    status: 400,
    title: 'Invalid parameters',
    remedy: 'Correct the parameters listed in `errors`. Each entry names the parameter and the expected value.',
  },
  'invalid-body': {
    status: 400,
    title: 'Invalid body',
    remedy: 'Correct the values listed in `errors`. Each entry points into the body and describes the expected value.',
  },
  'malformed-body': {
    status: 400,
    title: 'Malformed body',
    remedy: 'Send exactly one complete JSON value in UTF-8.',
  },
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    remedy: 'The message is not a valid HTTP/1.1 request. Check the request line, the headers and the URL.',
  },
  'invalid-credentials': {
    status: 401,
    title: 'Invalid credentials',
    remedy:
      'Send `Authorization: Basic base64(username:password)` with a key of this environment that is not revoked or expired.',
  },
  'sign-in-failed': {
    status: 401,
    title: 'Sign-in failed',
    remedy:
      'Check the email address and password of your portal account. If you no longer have access, ask an admin of your company for a new invitation.',
  },
  'not-signed-in': {
    status: 401,
    title: 'Not signed in',
    remedy:
      'Sign in to the portal. A session ends after seven days without use, 30 days after sign-in (unless configured otherwise), or when it is revoked.',
  },
  'missing-permission': {
    status: 403,
    title: 'Missing permission',
    remedy:
      'Use a key that has every permission listed in `missingPermissions`, or add them to the key in the developer portal.',
  },
  'missing-role': {
    status: 403,
    title: 'Insufficient role',
    remedy: 'Ask an admin of your company to do this, or to give you a role that allows it.',
  },
  'time-travel-not-allowed': {
    status: 403,
    title: 'Time travel not allowed',
    remedy:
      'Time travel changes the date for every company in the environment. Ask the operator to do it, or to allow it in the portal with `TIME_TRAVEL=portal`.',
  },
  'cross-site-request': {
    status: 403,
    title: 'Request from another site',
    remedy: 'The portal accepts changes only from its own pages. In programs, use the API under `/v1` with a key.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    remedy: 'Check the id. Records of other companies and removed records get the same response.',
  },
  'wallet-not-configured': {
    status: 404,
    title: 'Wallet not configured',
    remedy:
      'This service does not issue passes for this wallet. The operator can enable them with the `APPLE_WALLET_…` or `GOOGLE_WALLET_…` settings described in `.env.example`.',
  },
  'route-not-found': {
    status: 404,
    title: 'Path not found',
    remedy: 'Check the path against the API reference. All operations are under `/v1`.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timed out',
    remedy: 'The complete request did not arrive in time. Send it again over a faster connection.',
  },
  'too-many-webhooks': {
    status: 409,
    title: 'Too many webhook endpoints',
    remedy: 'A company may have 20 endpoints. Delete one that you do not need any more.',
  },
  'webhook-disabled': {
    status: 409,
    title: 'Webhook endpoint disabled',
    remedy: 'Enable the endpoint first. Nothing is sent to it while it is disabled.',
  },
  'document-not-downloadable': {
    status: 409,
    title: 'Document cannot be downloaded',
    remedy:
      'Download only documents whose `downloadable` is true. A document that is still being rendered becomes downloadable shortly.',
  },
  'decision-refused': {
    status: 409,
    title: 'Decision not possible',
    remedy: 'The subscription has not changed. Resolve what `detail` describes, then try again.',
  },
  'payroll-not-exportable': {
    status: 409,
    title: 'Payroll file cannot be exported',
    remedy: 'Nothing was exported. Resolve what `detail` describes, then export again.',
  },
  'confirmation-mismatch': {
    status: 409,
    title: 'Confirmation does not match',
    remedy: 'Nothing has changed. Check what `detail` names and confirm with the current number.',
  },
  'no-removals-held': {
    status: 409,
    title: 'No pending removals',
    remedy:
      'The removals were already approved or rejected, or a newer sync replaced them. Check the latest sync of the integration.',
  },
  'sync-not-possible': {
    status: 409,
    title: 'Sync not possible',
    remedy:
      'Resolve what `detail` describes, then send the roster again. Syncs are possible while `canTriggerSync` is true.',
  },
  'email-taken': {
    status: 409,
    title: 'Email address in use',
    remedy: 'Use another email address. Each portal account of a company needs its own.',
  },
  'last-admin': {
    status: 409,
    title: 'Last admin',
    remedy: 'A company must keep at least one admin. Make another user an admin first.',
  },
  'events-expired': {
    status: 410,
    title: 'Events expired',
    remedy:
      'Events are kept for 30 days, and some after `after` have been deleted. Fetch the records that you keep again, then continue without `after`, which starts with the oldest event that is kept.',
  },
  'body-too-large': {
    status: 413,
    title: 'Body too large',
    remedy:
      'Send at most 16 KiB. A roster may have up to 128 MiB and 250,000 entries unless the operator has set other limits.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    remedy: 'Send the body uncompressed, with `Content-Type: application/json`.',
  },
  'invalid-roster': {
    status: 422,
    title: 'Invalid roster',
    remedy:
      'Nothing has been applied. Correct the entries listed in `errors` and send the complete roster again. `errorCount` is the total number of errors.',
  },
  'sync-id-reused': {
    status: 422,
    title: 'Sync id already used',
    remedy: 'Use a new `syncId` for each roster. Repeat a `syncId` only with exactly the same content.',
  },
  'wrong-password': {
    status: 422,
    title: 'Wrong password',
    remedy: 'Enter your current password, then the new one.',
  },
  'sign-in-throttled': {
    status: 429,
    title: 'Too many attempts',
    remedy: 'Wait for the number of seconds in `Retry-After`, then try again with the correct password.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    remedy: 'Wait for the number of seconds in `Retry-After`, then continue. There is no further penalty.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Request headers too large',
    remedy:
      'The request line and the headers together must not exceed 16 KiB. Request fewer ids or email addresses at a time.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    remedy: 'The error is on our side and has been logged. Contact us with the `requestId`.',
  },
  unavailable: {
    status: 503,
    title: 'Service unavailable',
    remedy: 'The request itself is valid. Repeat it after the number of seconds in `Retry-After`.',
  },
} as const satisfies Record<string, { status: number; title: string; remedy: string }>;

export type ProblemCode = keyof typeof problems;

/** The maximum number of errors that the response to a request lists. */
export const maxListedErrors = 100;

/** One error in a request: a query or path parameter, or a position in the body as a JSON pointer. */
export type RequestError = { code: string; detail: string } & (
  | { parameter: string }
  // `hrId` is the id of the employee whose roster entry has the error, if known.
  | { pointer: string; hrId?: string }
);

interface Extra {
  errors?: RequestError[];
  errorCount?: number;
  missingPermissions?: string[];
}

/** Thrown anywhere below a route; the error handler turns it into `application/problem+json`. */
export class ApiError extends Error {
  readonly code: ProblemCode;
  readonly extra: Extra;
  readonly headers: Record<string, string>;

  constructor(code: ProblemCode, detail: string, extra: Extra = {}, headers: Record<string, string> = {}) {
    super(detail);
    this.code = code;
    this.extra = extra;
    this.headers = headers;
  }
}

export const notFound = (what: string) => new ApiError('not-found', `Your company has no such ${what}.`);

export const unavailable = (detail: string) => new ApiError('unavailable', detail, {}, { 'retry-after': '2' });
