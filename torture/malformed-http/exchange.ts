import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readResponse } from '../support/raw-response.ts';
import type { MessageKind } from './messages.ts';

export interface Exchange {
  /** The statuses of all complete responses, except interim ones. */
  statuses: number[];
  /** Bytes that are not a complete response. */
  rest: string;
  wasClosed: boolean;
}

/** Splits the received text into responses. */
function readResponses(text: string): Pick<Exchange, 'statuses' | 'rest'> {
  const statuses: number[] = [];
  for (let at = 0; ; ) {
    const response = readResponse(text, at);
    if (response === undefined) return { statuses, rest: text.slice(at) };
    if (response.status >= 200) statuses.push(response.status);
    at = response.end;
  }
}

const timeoutMs = 15_000;

/** Sends a message, in two pieces if it is cut, and reads until the connection is closed. */
export async function exchange(port: number, kind: MessageKind, bytes: string, cut: number | null): Promise<Exchange> {
  const { later, responses } = kind;
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
  const wasClosed = await Promise.race([closed, sleep(timeoutMs, false, { ref: false })]);
  socket.destroy();
  return { ...readResponses(text()), wasClosed };
}
