import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Signs deliveries as Standard Webhooks 1.0.0 does, so that receivers can use any of its libraries. */

const prefix = 'whsec_';

export const createWebhookSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`;

const signatureOf = (secret: string, content: string) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(content)
    .digest('base64')}`;

export interface Signed {
  eventId: string;
  at: Temporal.Instant;
  body: string;
  /** The current secret first, then the previous one while a rotation lasts. */
  secrets: readonly string[];
}

/** Returns the headers of one attempt. The id is the same on every attempt. */
export function signDelivery({ eventId, at, body, secrets }: Signed): Record<string, string> {
  const timestamp = Math.floor(at.epochMilliseconds / 1000);
  const content = `${eventId}.${timestamp}.${body}`;
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => signatureOf(secret, content)).join(' '),
  };
}

/** How far the time of a delivery may differ, so that nobody repeats it later. */
const toleranceSeconds = 300;

const headerOf = (value: string | string[] | undefined) => (typeof value === 'string' ? value : '');

/** Returns whether somebody who knows the secret has signed these bytes within the last minutes. */
export function isSignedDelivery(
  headers: Record<string, string | string[] | undefined>,
  { body, secret, now }: { body: Buffer; secret: string; now: number },
): boolean {
  const [id, timestamp] = [headerOf(headers['webhook-id']), headerOf(headers['webhook-timestamp'])];
  if (id === '' || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds) return false;
  const expected = Buffer.from(signatureOf(secret, `${id}.${timestamp}.${body.toString()}`));
  return headerOf(headers['webhook-signature'])
    .split(' ')
    .map((text) => Buffer.from(text))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}
