import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readResponse } from '../support/http-client.ts';
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

/** How often a slow connection sends something. */
const everyMs = 2_000;
/** How long it sends bytes of a body. After that, the service must end the connection. */
const trickleMs = 10_000;
const batchSize = 100;

async function open(port: number, first: string, more = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.write(first);
  if (more === '') return socket.pause();
  const begun = performance.now();
  const timer = setInterval(() => {
    if (socket.writable) socket.write(more);
    // A head that never ends has a separate timeout.
    if (more === ' ' && performance.now() - begun > trickleMs) clearInterval(timer);
  }, everyMs);
  socket.once('close', () => clearInterval(timer));
  return socket.resume();
}

/** Opens slow connections: heads that never end, rosters of single bytes, and exports that nobody reads. */
export async function openSlowConnections(
  port: number,
  { heads, bodies, readers }: Record<'heads' | 'bodies' | 'readers', number>,
  { credentials, integrationId }: { credentials: string; integrationId: number },
): Promise<Socket[]> {
  const start = (line: string) => `${line} HTTP/1.1\r\nHost: localhost\r\n${credentials}`;
  const push = start(`POST /v1/hr-integrations/${integrationId}/sync`);
  const head = [start('GET /v1/me'), 'X-More: 1\r\n'] as const;
  const body = [`${push}Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{`, ' '] as const;
  const reader = [`${start('GET /v1/billing/items/2026-11-01/ticket-charge')}\r\n`] as const;
  const all = [...Array(heads).fill(head), ...Array(bodies).fill(body), ...Array(readers).fill(reader)];
  const sockets: Socket[] = [];
  while (sockets.length < all.length) {
    const next = all.slice(sockets.length, sockets.length + batchSize);
    sockets.push(...(await Promise.all(next.map(([first, more]) => open(port, first, more)))));
  }
  return sockets;
}

/** States of a connection that the process has not closed yet: established, and closed by the other side only. */
const openStates = ['01', '08'];

/** Returns how many connections to this port the listening process has open, according to the kernel. */
export async function countConnections(port: number): Promise<number> {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/));
  return lines.filter(([, local, , state = '']) => local?.endsWith(ending) && openStates.includes(state)).length;
}
