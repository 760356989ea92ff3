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

/** The service sends a few kilobytes. */
const maxBytes = 1024 * 1024;

const notReadable = (what: string, cause?: unknown) =>
  new WebhookVerificationError(`The body ${what}. Pass it as it arrived: as text or bytes, not parsed.`, { cause });

/** Reads the body of a request, and no more of it than a webhook can have. */
async function readRequest({ body }: Request): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  // A stream can be iterated everywhere, but not by its type.
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    length += piece.length;
    if (length > maxBytes) throw notReadable('is too long for a webhook');
  }
  const bytes = new Uint8Array(length);
  let end = 0;
  for (const piece of pieces) {
    bytes.set(piece, end);
    end += piece.length;
  }
  return bytes;
}

function toBytes(body: unknown): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  throw notReadable('is neither text nor bytes');
}

async function readBody(request: WebhookRequest): Promise<Uint8Array> {
  if (!(request instanceof Request)) return toBytes(request.body);
  if (request.bodyUsed) throw notReadable('was already read');
  try {
    return await readRequest(request);
  } catch (error) {
    throw error instanceof WebhookVerificationError ? error : notReadable('broke off', error);
  }
}

function assertFresh(timestamp: string, toleranceSeconds: number): void {
  const isFresh = /^\d+$/.test(timestamp) && Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds;
  if (!isFresh) throw new WebhookVerificationError('The request is too old, or a clock is wrong.');
}

function readEvent(body: Uint8Array): Event {
  let message: Partial<Message> | null;
  try {
    message = JSON.parse(new TextDecoder().decode(body)) as Partial<Message> | null;
  } catch (error) {
    throw new WebhookVerificationError('The body is no JSON.', { cause: error });
  }
  const { event, payload } = message ?? {};
  if (typeof event?.type !== 'string') throw new WebhookVerificationError('The body is no event.');
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
  if (body.length > maxBytes) throw notReadable('is too long for a webhook');
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
