import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';

/** How many slow connections of each kind to open. */
export interface SlowCounts {
  /** Requests whose head arrives one line at a time and never ends. */
  heads: number;
  /** Rosters of which single bytes arrive at intervals, and then nothing more. */
  bodies: number;
  /** Exports that the client does not read. */
  readers: number;
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

/** Opens all slow connections in batches. */
export async function openSlowConnections(
  port: number,
  { heads, bodies, readers }: SlowCounts,
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
