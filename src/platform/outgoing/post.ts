import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';

export interface PostOptions {
  dispatcher: Dispatcher;
  /** Until the status of the response has arrived. */
  timeoutMillis: number;
  signal?: AbortSignal;
}

export interface PostRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface PostResponse {
  status: number;
  retryAfter: string | undefined;
  /** The beginning of the body as text, whatever its type. */
  body: string;
}

const keptBytes = 1024;
/** A longer body is not read to its end. Its connection is closed instead of being reused. */
const readBytes = 64 * 1024;
/** The status has arrived, so the body may only take this much longer. */
const bodyMillis = 2_000;

const decoder = new TextDecoder();

/** Makes text of what a receiver has sent, without the characters that the database refuses. */
const toText = (chunks: Buffer[]) =>
  decoder.decode(Buffer.concat(chunks).subarray(0, keptBytes)).replaceAll('\0', '\ufffd');

/** Reads the beginning of a body. A slow, endless or broken body changes nothing: the status has been sent. */
async function readBeginning(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  const timer = setTimeout(() => body.destroy(), bodyMillis);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (length < keptBytes) chunks.push(chunk);
      length += chunk.length;
      if (length > readBytes) break;
    }
  } catch {
    // What has arrived is kept.
  } finally {
    clearTimeout(timer);
    body.destroy();
  }
  return toText(chunks);
}

const firstOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

/** Sends a request and returns its response, also one that is a redirect or an error. Throws if there is none in time. */
export async function post(
  request: PostRequest,
  { dispatcher, timeoutMillis, signal }: PostOptions,
): Promise<PostResponse> {
  const url = new URL(request.url);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new PostTimeoutError(timeoutMillis)), timeoutMillis);
  try {
    const { statusCode, headers, body } = await dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'POST',
      headers: request.headers,
      body: request.body,
      signal: signal === undefined ? late.signal : AbortSignal.any([late.signal, signal]),
      headersTimeout: timeoutMillis,
      bodyTimeout: bodyMillis,
    });
    clearTimeout(timer);
    body.on('error', () => {});
    return { status: statusCode, retryAfter: firstOf(headers['retry-after']), body: await readBeginning(body) };
  } finally {
    clearTimeout(timer);
  }
}

class PostTimeoutError extends Error {
  readonly code = 'RESPONSE_TIMEOUT';
  constructor(millis: number) {
    super(`no response within ${millis / 1000} seconds`);
  }
}
