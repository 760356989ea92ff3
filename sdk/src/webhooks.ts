import { WebhookVerificationError } from './errors.ts';
import type { Event } from './types.gen.ts';

/** The body of a webhook. */
interface Message {
  event: { id: string; type: string; sequence: number; timestamp: string };
  payload: unknown;
}

/** A request as web frameworks have it: a `Request`, or its headers and its body as it arrived, not parsed. */
export type WebhookRequest =
  | Request
  | {
      headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
      body: string | Uint8Array;
    };

export interface VerifyOptions {
  /** How far the time of the request may be from this machine's clock. Default 300 s. */
  toleranceSeconds?: number | undefined;
}

const encoder = new TextEncoder();

function readHeader(headers: WebhookRequest['headers'], name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const value = headers[name];
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function importKey(secret: string): Promise<CryptoKey> {
  const key = decodeBase64(secret.replace(/^whsec_/, ''));
  if (!key?.length) throw new WebhookVerificationError('The secret is not valid. It begins with whsec_.');
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

function join(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  return signed;
}

async function readBody(request: WebhookRequest): Promise<Uint8Array> {
  if (request instanceof Request) return new Uint8Array(await request.arrayBuffer());
  return typeof request.body === 'string' ? encoder.encode(request.body) : request.body;
}

function assertFresh(timestamp: string, toleranceSeconds: number): void {
  const isFresh = /^\d+$/.test(timestamp) && Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds;
  if (!isFresh) throw new WebhookVerificationError('The request is too old, or a clock is wrong.');
}

function readEvent(body: Uint8Array): Event {
  const { event, payload } = JSON.parse(new TextDecoder().decode(body)) as Message;
  const { id, type, sequence, timestamp } = event;
  return { id, type, sequence, occurredAt: timestamp, payload } as Event;
}

/**
 * Returns the event of a genuine webhook, in the form in which the API lists events. Throws `WebhookVerificationError`
 * for every other request. Accepts several secrets, for the time of a rotation.
 */
export async function verifyWebhook(
  request: WebhookRequest,
  secret: string | readonly string[],
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<Event> {
  const [id = '', timestamp = '', signatures = ''] = ['id', 'timestamp', 'signature'].map((name) =>
    readHeader(request.headers, `webhook-${name}`),
  );
  if (id === '' || signatures === '') throw new WebhookVerificationError('The request has no signature.');
  assertFresh(timestamp, toleranceSeconds);
  const body = await readBody(request);
  const signed = join(id, timestamp, body);
  const given = signatures
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? (decodeBase64(one.slice(3)) ?? []) : []));
  for (const one of [secret].flat()) {
    const key = await importKey(one);
    for (const signature of given) {
      // Compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) {
        return readEvent(body);
      }
    }
  }
  throw new WebhookVerificationError('The signature does not match. Check the secret, and that the body is unchanged.');
}

/** Returns the headers with which the service would send this body now. For tests of receivers. */
export async function signWebhook(body: string, secret: string, id: string): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = await importKey(secret);
  const signature = await crypto.subtle.sign('HMAC', key, join(id, timestamp, encoder.encode(body)));
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
  };
}
