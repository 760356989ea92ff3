import type { IncomingMessage } from 'node:http';
import { ApiError } from './errors.ts';

/** A host name or IP address with an optional port, in the characters that RFC 3986 allows. */
const pattern = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

const isHost = (name: string) => name.length === 4 && name.toLowerCase() === 'host';

/**
 * Throws if the request head violates RFC 9112, section 3.2. Node would also refuse some of these requests, but without
 * a body, and of two Host headers it uses the first.
 */
export function assertHead({ method, url, headers: { host }, rawHeaders, httpVersion }: IncomingMessage): void {
  if (url === '*' && method !== 'OPTIONS') {
    throw new ApiError('malformed-request', 'The target * is only valid with OPTIONS. Send the path of an operation.');
  }
  if (host === undefined && httpVersion === '1.1') {
    throw new ApiError('malformed-request', 'The Host header is missing. Send exactly one.');
  }
  const count = rawHeaders.filter((name, index) => index % 2 === 0 && isHost(name)).length;
  if (count > 1) throw new ApiError('malformed-request', 'There is more than one Host header. Send exactly one.');
  if (host !== undefined && !pattern.test(host)) {
    throw new ApiError(
      'malformed-request',
      'The Host header is not a host name or IP address. Send the host of the URL.',
    );
  }
}
