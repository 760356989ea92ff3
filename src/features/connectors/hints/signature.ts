import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Provider } from '../../../domain/enums.ts';

/** Verifies what an HR system signs. Only some do: of the others, the address alone is the secret. */

type Verify = (headers: IncomingHttpHeaders, body: Buffer, secret: string, now: Temporal.Instant) => boolean;

/** How far the time of a webhook may differ, so that nobody repeats it later. */
const toleranceSeconds = 300;

const textOf = (value: string | string[] | undefined) => (typeof value === 'string' ? value.trim() : '');

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** HiBob signs the body. */
const verifyHibob: Verify = (headers, body, secret) =>
  isEqual(textOf(headers['bob-signature']), createHmac('sha512', secret).update(body).digest('base64'));

/** BambooHR signs the body, followed by the time of the request in seconds. */
const verifyBamboohr: Verify = (headers, body, secret, now) => {
  const timestamp = textOf(headers['x-bamboohr-timestamp']);
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.epochMilliseconds / 1000 - Number(timestamp)) > toleranceSeconds) return false;
  const expected = createHmac('sha256', secret).update(body).update(timestamp).digest('hex');
  return isEqual(textOf(headers['x-bamboohr-signature']).toLowerCase(), expected);
};

const verifiers: Partial<Record<Provider, Verify>> = { hibob: verifyHibob, bamboohr: verifyBamboohr };

export const signsHints = (provider: Provider) => verifiers[provider] !== undefined;

interface Hint {
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Null: it is not known yet. */
  secret: string | null;
  now: Temporal.Instant;
}

/** Returns whether a hint comes from the HR system, as far as it can be verified. */
export function isVerified(provider: Provider, { headers, body, secret, now }: Hint): boolean {
  const verify = verifiers[provider];
  return verify === undefined || (secret !== null && verify(headers, body, secret, now));
}
