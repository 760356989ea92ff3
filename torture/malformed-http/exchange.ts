import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from './message.ts';

export interface Exchange {
  /** The statuses of all complete responses, except interim ones. */
  statuses: number[];
  /** Bytes that are not a complete response. */
  rest: string;
  wasClosed: boolean;
}

/** Returns where a chunked body ends. Undefined while it is incomplete. */
function endOfChunks(text: string, from: number): number | undefined {
  for (let at = from; ; ) {
    const match = /^([0-9a-f]+)\r\n/i.exec(text.slice(at, at + 20));
    if (match === null) return undefined;
    const size = Number.parseInt(match[1] ?? '', 16);
    at += match[0].length + size + 2;
    if (at > text.length || text.slice(at - 2, at) !== '\r\n') return undefined;
    if (size === 0) return at;
  }
}

function endOfBody(text: string, head: string, from: number, status: number): number | undefined {
  if (status < 200 || status === 204 || status === 304) return from;
  if (/\r\ntransfer-encoding: chunked/i.test(head)) return endOfChunks(text, from);
  const end = from + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
  return end <= text.length ? end : undefined;
}

/** Splits the received text into responses. */
function readResponses(text: string): Pick<Exchange, 'statuses' | 'rest'> {
  const statuses: number[] = [];
  for (let at = 0; ; ) {
    const headEnd = text.indexOf('\r\n\r\n', at);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text.slice(at, at + 13))?.[1]);
    const end =
      headEnd < 0 || Number.isNaN(status) ? undefined : endOfBody(text, text.slice(at, headEnd), headEnd + 4, status);
    if (end === undefined) return { statuses, rest: text.slice(at) };
    if (status >= 200) statuses.push(status);
    at = end;
  }
}

const timeoutMs = 15_000;

/** Sends a message, in two pieces if it is cut, and reads until the connection is closed. */
export async function exchange(port: number, message: Message, cut: number | null): Promise<Exchange> {
  const { bytes, later, responses } = message;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const received: Buffer[] = [];
  const text = () => Buffer.concat(received).toString('latin1');
  const closed = once(socket, 'close').then(() => true);
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    if (received.length === 0 && later !== undefined) socket.write(later, 'latin1');
    received.push(chunk);
    if (responses !== undefined && readResponses(text()).statuses.length >= responses) socket.end();
  });
  socket.on('end', () => socket.end());
  await Promise.race([once(socket, 'connect'), closed]);
  const first = cut === null ? bytes.length : 1 + (cut % bytes.length);
  socket.write(bytes.slice(0, first), 'latin1');
  if (first < bytes.length) {
    await sleep(10);
    if (socket.writable) socket.write(bytes.slice(first), 'latin1');
  }
  if (responses === 0) socket.end();
  const timeout = new AbortController();
  const wasClosed = await Promise.race([
    closed,
    sleep(timeoutMs, false, { signal: timeout.signal }).catch(() => false),
  ]);
  timeout.abort();
  socket.destroy();
  return { ...readResponses(text()), wasClosed };
}
