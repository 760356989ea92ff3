import { formatMessage, type Message } from '../../domain/messages/message.ts';
import type { RefusalCode } from '../../domain/subscription/refusals.ts';

/** The catalogue of problems. Error handler, OpenAPI document and /docs/errors derive from it. Codes are stable. */
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
      'Send `Authorization: Basic base64(username:password)` with a key of this environment that is not revoked or expired. `detail` says what the header itself shows to be wrong: missing, not Basic, not Base64, a key of the other environment, or a mistyped one.',
  },
  'sign-in-failed': {
    status: 401,
    title: 'Sign-in failed',
    remedy:
      'Check the email address and password of your portal account. If you no longer have access, ask an admin of your company for a new invitation.',
  },
  'code-required': {
    status: 401,
    title: 'Code required',
    remedy:
      'Send the same request with `code`: the current code of your authenticator app, or one of your recovery codes.',
  },
  'sso-failed': {
    status: 401,
    title: 'Single sign-on failed',
    remedy: 'Start again on the sign-in page. If it fails again, contact an admin of your company.',
  },
  'passkey-required': {
    status: 401,
    title: 'Passkey required',
    remedy: 'Send the same request with `passkey`: what your authenticator has signed.',
  },
  'sso-required': {
    status: 403,
    title: 'Single sign-on required',
    remedy: 'Your company does not allow passwords. Choose single sign-on on the sign-in page.',
  },
  'not-signed-in': {
    status: 401,
    title: 'Not signed in',
    remedy:
      'Sign in to the portal. A session ends after seven days without use, 30 days after sign-in (unless configured otherwise), or when it is revoked. On the employee page, ask for a new link: a session there ends after 90 days without use.',
  },
  'access-refused': {
    status: 401,
    title: 'Access refused',
    remedy:
      'Ask for a new link on the sign-in page of the employee page and open it in the same browser, or ask the HR department for a letter with a code.',
  },
  'missing-permission': {
    status: 403,
    title: 'Missing permission',
    remedy:
      'Use a key with the permissions listed in `missingPermissions`, or have an admin add them to this key in the developer portal. Where `detail` says so, one of them is enough.',
  },
  'missing-role': {
    status: 403,
    title: 'Insufficient role',
    remedy: 'Ask an admin of your company to do this, or to give you a role that allows it.',
  },
  'step-up-required': {
    status: 403,
    title: 'Confirmation required',
    remedy: 'Confirm who you are with your second factor or, without one, with your password. Then repeat the request.',
  },
  'account-protected': {
    status: 403,
    title: 'Account protected',
    remedy:
      'Sign in with your password or a passkey to change your account. Your second factor at the identity provider is managed there.',
  },
  'second-factor-missing': {
    status: 403,
    title: 'Second factor missing',
    remedy:
      'Your company requires a second factor. Add a passkey or an authenticator app to your account, then repeat the request.',
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
    remedy:
      'The portal and the employee page accept changes only from their own pages. In programs, use the API under `/v1` with a key.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    remedy: 'Check the id. Records of other companies and removed records get the same response.',
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
  'issuer-not-possible': {
    status: 409,
    title: 'Not possible with this issuer now',
    remedy: 'Nothing has changed. Resolve what `detail` describes, then try again.',
  },
  'invalid-order-list': {
    status: 422,
    title: 'Returned order list cannot be applied',
    remedy: 'Nothing has changed. Correct what `detail` describes, then upload the list again.',
  },
  'ticket-not-possible': {
    status: 409,
    title: 'Ticket cannot be blocked or replaced',
    remedy: 'Nothing has changed. `detail` says what the ticket is now, and what is possible.',
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
  'subscription-request-refused': {
    status: 409,
    title: 'Subscription request not possible',
    remedy:
      'The subscription has not changed. `reason` is a stable code that says why, `detail` what to do. If another month is possible, `earliestFrom` is the first one.',
  },
  'request-in-progress': {
    status: 409,
    title: 'Request in progress',
    remedy:
      'The first request with this `Idempotency-Key` is still running. Repeat the request after the number of seconds in `Retry-After`: you get the response of the first one.',
  },
  'joining-not-allowed': {
    status: 409,
    title: 'Employees cannot join by themselves',
    remedy:
      'An admin allows it in the settings of the company, under Joining, or the operator with `company set ID --joining both`.',
  },
  'payroll-not-exportable': {
    status: 409,
    title: 'Payroll file cannot be exported',
    remedy: 'Nothing was exported. Resolve what `detail` describes, then export again.',
  },
  'payroll-not-voidable': {
    status: 409,
    title: 'Payroll export cannot be voided',
    remedy: 'Nothing has changed. `detail` says which export can be voided.',
  },
  'payroll-export-voided': {
    status: 409,
    title: 'Payroll export was voided',
    remedy: 'Nothing has changed. Use the export that contains the lines of this one now.',
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
  'not-connectable': {
    status: 409,
    title: 'Not connected to an HR system',
    remedy: 'Resolve what `detail` describes. Only integrations of type `hr-integration` connect to an HR system.',
  },
  'email-taken': {
    status: 409,
    title: 'Email address in use',
    remedy: 'Use another email address. Each portal account of a company needs its own.',
  },
  'too-many-invitations': {
    status: 429,
    title: 'Too many invitations',
    remedy: 'A company sends a limited number of invitations within 24 hours. Wait, then send the others.',
  },
  'account-shared': {
    status: 409,
    title: 'Account shared',
    remedy: 'The account opens other companies as well. Ask the operator, or let the user change it themselves.',
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
      'Send at most 16 KiB, or what the limits say of the operation: /docs/limits. A roster may have up to 128 MiB and 250,000 entries unless the operator has set other limits.',
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
  'idempotency-key-reused': {
    status: 422,
    title: 'Idempotency-Key already used',
    remedy: 'Use a new `Idempotency-Key` for each request. Repeat one only with exactly the same path and body.',
  },
  'wrong-code': {
    status: 422,
    title: 'Wrong code',
    remedy: 'Enter the code that your authenticator app shows now, or a recovery code that you have not used.',
  },
  'passkey-refused': {
    status: 422,
    title: 'Passkey refused',
    remedy: 'Try again with a passkey that you have added to your account, or use your password.',
  },
  'passkey-not-possible': {
    status: 409,
    title: 'Passkey not possible',
    remedy: 'Remove a passkey that you no longer use.',
  },
  'second-factor-exists': {
    status: 409,
    title: 'Second factor exists',
    remedy: 'Remove your authenticator app, then add the new one.',
  },
  'mail-not-configured': {
    status: 409,
    title: 'Mail is not configured',
    remedy:
      'Ask an admin of your company for a link to choose a new password, or the operator of the service to run `user reset-password`. Employees ask their HR department for a link or a letter.',
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

export const maxListedErrors = 100;

/** One error in a request: a query or path parameter, or a position in the body as a JSON pointer. */
export type RequestError = { code: string; detail: string; message: Message } & (
  | { parameter: string }
  // `hrId` is the id of the employee whose roster entry has the error, if known.
  | { pointer: string; hrId?: string }
);

interface Extra {
  errors?: RequestError[];
  errorCount?: number;
  missingPermissions?: string[];
  /** Why a subscription request is not possible, and the first month that is. */
  reason?: RefusalCode;
  earliestFrom?: string | null;
}

/** Thrown anywhere below a route; the error handler turns it into `application/problem+json`. */
export class ApiError extends Error {
  readonly code: ProblemCode;
  readonly extra: Extra;
  readonly headers: Record<string, string>;
  /** The detail for other languages, if it says more than the code. */
  readonly explanation: Message | undefined;

  constructor(code: ProblemCode, detail: string | Message, extra: Extra = {}, headers: Record<string, string> = {}) {
    super(typeof detail === 'string' ? detail : formatMessage(detail));
    this.code = code;
    this.explanation = typeof detail === 'string' ? undefined : detail;
    this.extra = extra;
    this.headers = headers;
  }
}

export const describeError = <P extends { parameter: string } | { pointer: string }, C extends string>(
  place: P,
  code: C,
  message: Message,
) => ({ ...place, code, detail: formatMessage(message), message });

export function invalidValue(pointer: string, code: string, message: Message): ApiError {
  const error = describeError({ pointer }, code, message);
  return new ApiError('invalid-body', `${pointer} ${error.detail}.`, { errors: [error] });
}

export function refuseBody(found: { pointer: string; code: string; message: Message }[]): ApiError {
  const errors = found.map(({ pointer, code, message }) => describeError({ pointer }, code, message));
  return new ApiError('invalid-body', errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; '), {
    errors,
  });
}

export class NotFoundError extends ApiError {
  readonly what: string;

  constructor(what: string) {
    super('not-found', `Your company has no such ${what}.`);
    this.what = what;
  }
}

export const notFound = (what: string) => new NotFoundError(what);

export const unavailable = (detail: string) => new ApiError('unavailable', detail, {}, { 'retry-after': '2' });
