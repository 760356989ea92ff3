import type { Dispatcher } from 'undici';
import type { View } from '../../platform/http/view.ts';
import { post } from '../../platform/outgoing/post.ts';
import type { EventRow } from '../events/present.ts';
import type { Claimed } from './claim.ts';
import { renderBody } from './present.ts';
import { isSuccess, nextDelay, parseRetryAfter } from './rules/retry.ts';
import { signDelivery } from './sign.ts';

const timeoutMillis = 15_000;

export interface AttemptResult {
  sequence: number;
  eventId: string;
  eventType: string;
  /** How many attempts were made before this one. */
  attempts: number;
  failures: number;
  attemptedAt: string;
  status: number | null;
  /** A code. Null: success. */
  error: string | null;
  durationMs: number;
  responseBody: string;
  /** Undefined: there is no further attempt. */
  retryInMillis: number | undefined;
}

export interface Sending {
  dispatcher: Dispatcher;
  url: string;
  secrets: readonly string[];
  view: View;
}

/** Returns a short code for a failed connection: the delivery log shows it to the client. */
function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'CONNECTION_FAILED';
}

async function send(event: EventRow, { dispatcher, url, secrets, view }: Sending) {
  const body = renderBody(event, view);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'transit-benefits-webhooks/1',
    ...signDelivery({ eventId: event.id, at: Temporal.Now.instant(), body, secrets }),
  };
  try {
    const {
      status,
      retryAfter,
      body: responseBody,
    } = await post({ url, headers, body }, { dispatcher, timeoutMillis });
    const pause = parseRetryAfter(retryAfter, Date.now());
    return { status, error: isSuccess(status) ? null : `HTTP_${status}`, responseBody, pause };
  } catch (error) {
    return { status: null, error: codeOf(error), responseBody: '', pause: 0 };
  }
}

/** Attempts a delivery once. Never throws: whatever goes wrong is the result. */
export async function attemptDelivery(
  claimed: Claimed & { event: EventRow },
  sending: Sending,
): Promise<AttemptResult> {
  const start = performance.now();
  const attemptedAt = new Date().toISOString();
  const { status, error, responseBody, pause } = await send(claimed.event, sending);
  const failures = claimed.failures + (error === null ? 0 : 1);
  const { sequence, eventId, eventType, attempts } = claimed;
  return {
    ...{ sequence, eventId, eventType, attempts, failures, attemptedAt, status, error, responseBody },
    durationMs: Math.round(performance.now() - start),
    retryInMillis: error === null ? undefined : nextDelay({ failures, retryAfter: pause, random: Math.random() }),
  };
}
