import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';

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

interface SlowRequest {
  /** The header lines that authenticate a request. */
  credentials: string;
  integrationId: number;
}

interface Slow {
  first: string;
  more: string | undefined;
}

const kinds = ({ credentials, integrationId }: SlowRequest): Record<keyof SlowCounts, Slow> => ({
  heads: { first: `GET /v1/me HTTP/1.1\r\nHost: localhost\r\n${credentials}`, more: 'X-More: 1\r\n' },
  bodies: {
    first: `POST /v1/hr-integrations/${integrationId}/sync HTTP/1.1\r\nHost: localhost\r\n${credentials}Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{`,
    more: ' ',
  },
  readers: {
    first: `GET /v1/billing/items/2026-11-01/ticket-charge HTTP/1.1\r\nHost: localhost\r\n${credentials}\r\n`,
    more: undefined,
  },
});

async function open(port: number, { first, more }: Slow): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.write(first);
  if (more === undefined) return socket.pause();
  const begun = performance.now();
  const timer = setInterval(() => {
    if (socket.writable) socket.write(more);
    // A head that never ends has a separate timeout.
    if (more === ' ' && performance.now() - begun > trickleMs) clearInterval(timer);
  }, everyMs);
  socket.once('close', () => clearInterval(timer));
  return socket.resume();
}

/** Opens all slow connections in batches. `end` closes those that the service has not closed. */
export async function openSlowConnections(
  port: number,
  counts: SlowCounts,
  request: SlowRequest,
): Promise<{ end(): void }> {
  const slow = kinds(request);
  const wanted = (Object.entries(counts) as [keyof SlowCounts, number][]).flatMap(([kind, count]) =>
    Array<Slow>(count).fill(slow[kind]),
  );
  const sockets: Socket[] = [];
  while (sockets.length < wanted.length) {
    const next = wanted.slice(sockets.length, sockets.length + batchSize);
    sockets.push(...(await Promise.all(next.map((one) => open(port, one)))));
  }
  return {
    end() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** States of a connection that the process has not closed yet: established, and closed by the other side only. */
const openStates = ['01', '08'];

/** Returns how many connections to this port the listening process has open, according to the kernel. */
export async function countConnections(port: number): Promise<number> {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/));
  return lines.filter(([, local, , state = '']) => local?.endsWith(ending) && openStates.includes(state)).length;
}
