/**
 * The catalogue of problems that the API returns. Status, title and remedy are defined only here: the error handler,
 * the OpenAPI document and the page /docs/errors derive from it. Codes are stable, because integrators branch on them.
 */
export const problems = {
  'invalid-parameters': {
    status: 400,
    title: 'Invalid parameters',
    remedy: 'Correct the parameters listed in `errors`; each names the parameter and what it must be.',
  },
  'invalid-body': {
    status: 400,
    title: 'Invalid body',
    remedy: 'Correct the places listed in `errors`; each points into the body and says what it must be.',
  },
  'malformed-body': {
    status: 400,
    title: 'Malformed body',
    remedy: 'Send a body that is one complete JSON value in UTF-8.',
  },
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    remedy: 'The message is no valid HTTP/1.1 request: check the request line, the headers and the address.',
  },
  'invalid-credentials': {
    status: 401,
    title: 'Invalid credentials',
    remedy:
      'Send `Authorization: Basic base64(username:password)` with a key of this environment that is neither revoked nor expired.',
  },
  'sign-in-failed': {
    status: 401,
    title: 'Sign-in failed',
    remedy: 'Check address and password of your portal account; an admin of your company can invite you again.',
  },
  'not-signed-in': {
    status: 401,
    title: 'Not signed in',
    remedy:
      'Sign in to the portal; sessions end after seven days without use, 30 days (unless set otherwise) after the sign-in, and when they are revoked.',
  },
  'missing-permission': {
    status: 403,
    title: 'Missing permission',
    remedy:
      'Use a key that has every permission listed in `missingPermissions`, or have them added in the developer portal.',
  },
  'missing-role': {
    status: 403,
    title: 'Role not sufficient',
    remedy: 'Have an admin of your company do it, or give you a role that includes it.',
  },
  'time-travel-not-allowed': {
    status: 403,
    title: 'Time travel is the operator’s',
    remedy:
      'Time travel moves every company of the environment: ask its operator to travel, or to allow it in the portal with `TIME_TRAVEL=portal`.',
  },
  'cross-site-request': {
    status: 403,
    title: 'Request from another site',
    remedy: 'The portal accepts changes from its own pages alone. Programs use the API under `/v1` with a key.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    remedy: 'Check the id. Records of other companies and removed records are answered the same way.',
  },
  'wallet-not-configured': {
    status: 404,
    title: 'Wallet not configured',
    remedy:
      'This service makes no passes for the wallet. Its operator sets `APPLE_WALLET_…` or `GOOGLE_WALLET_…` as `.env.example` explains.',
  },
  'route-not-found': {
    status: 404,
    title: 'No such path',
    remedy: 'Check the path against the API reference; every operation lives under `/v1`.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    remedy: 'Use one of the methods of the `Allow` header.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timed out',
    remedy: 'The request did not arrive completely in time. Send it again over a better connection.',
  },
  'document-not-downloadable': {
    status: 409,
    title: 'Document cannot be downloaded',
    remedy:
      'Download only documents whose `downloadable` is true; a document still being rendered becomes so by itself.',
  },
  'decision-refused': {
    status: 409,
    title: 'Decision not possible',
    remedy: 'Do what `detail` says first; the subscription is as it was.',
  },
  'confirmation-mismatch': {
    status: 409,
    title: 'Confirmation does not match',
    remedy: 'Look again at what `detail` names and confirm its number; nothing has changed.',
  },
  'no-removals-held': {
    status: 409,
    title: 'No removals are held',
    remedy: 'They were decided before, or a newer sync has replaced them.',
  },
  'sync-not-possible': {
    status: 409,
    title: 'Sync not possible',
    remedy: 'Do what `detail` says, then send the roster again. Syncs are possible while `canTriggerSync` is true.',
  },
  'email-taken': {
    status: 409,
    title: 'Address in use',
    remedy: 'Every portal account of a company has an email address of its own: use another one.',
  },
  'last-admin': {
    status: 409,
    title: 'Last admin',
    remedy: 'A company keeps at least one admin: make somebody else admin first.',
  },
  'body-too-large': {
    status: 413,
    title: 'Body too large',
    remedy:
      'Send at most 16 KiB. A roster may have 128 MiB and 250,000 entries unless the operator has set other limits.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    remedy: 'Send the body as `Content-Type: application/json`, not compressed.',
  },
  'invalid-roster': {
    status: 422,
    title: 'Invalid roster',
    remedy:
      'Correct the places listed in `errors` and send the whole roster again; nothing of it has been applied. `errorCount` says how many there are in all.',
  },
  'sync-id-reused': {
    status: 422,
    title: 'Sync id used before',
    remedy: 'Give every new roster a `syncId` of its own; repeat one only with exactly the same content.',
  },
  'wrong-password': {
    status: 422,
    title: 'Wrong password',
    remedy: 'Give the password that you sign in with now, then the new one.',
  },
  'sign-in-throttled': {
    status: 429,
    title: 'Too many attempts',
    remedy: 'Wait for the number of seconds in `Retry-After`, then try again with the right password.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    remedy: 'Wait for the number of seconds in `Retry-After`, then go on. There is no penalty beyond the window.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Request headers too large',
    remedy: 'Request line and headers together may have 16 KiB. Ask for fewer ids or email addresses at once.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    remedy: 'This is our fault and has been logged. Report the `requestId` to us.',
  },
  unavailable: {
    status: 503,
    title: 'Service unavailable',
    remedy: 'Nothing is wrong with the request. Repeat it after the number of seconds in `Retry-After`.',
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

export const notFound = (what: string) => new ApiError('not-found', `There is no such ${what} in your company.`);

export const unavailable = (detail: string) => new ApiError('unavailable', detail, {}, { 'retry-after': '2' });
