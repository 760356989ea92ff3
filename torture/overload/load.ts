import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { readResponse } from '../support/raw-response.ts';

/**
 * How requests arrive: one after another on each of some connections, or at a rate that does not wait for responses.
 */
export type Arrivals = { concurrency: number } | { perSecond: number; maxConnections: number };

interface Load {
  port: number;
  /** The request as it is sent, the same each time. */
  message: string;
  seconds: number;
  arrivals: Arrivals;
  /** The time after which a client without a complete response gives up. */
  timeoutMs: number;
}

/** One request: when it was due, in ms from the start, and how long its response took. Status 0 means no response. */
export interface LoadedResponse {
  dueMs: number;
  tookMs: number;
  status: number;
  hasRetryAfter: boolean;
}

interface LoadReport {
  responses: LoadedResponse[];
  /** Requests that were due while every connection was busy. */
  unsent: number;
}

/** Returns a client with one connection and one request at a time. It reconnects after the connection was lost. */
function createClient({ port, message, timeoutMs }: Load, now: () => number) {
  let socket: Socket | undefined;
  let received = '';
  let dueMs = -1;
  /** Reports the response. Without one, the connection was lost. */
  const finish = ({ status, head } = { status: 0, head: '' }) => {
    const hasRetryAfter = /\r\nretry-after: \d+/i.test(head);
    const response = { dueMs, tookMs: now() - dueMs, status, hasRetryAfter };
    dueMs = -1;
    received = '';
    client.done(response);
  };
  const receive = (chunk: string) => {
    received += chunk;
    const response = readResponse(received);
    if (response !== undefined) finish(response);
  };
  const open = () =>
    connect(port, '127.0.0.1')
      .setNoDelay(true)
      .setEncoding('latin1')
      .on('data', receive)
      .on('error', () => {})
      .on('close', () => {
        socket = undefined;
        if (dueMs >= 0) finish();
      });
  const client = {
    done: (_response: LoadedResponse) => {},
    send(due: number) {
      dueMs = due;
      socket ??= open();
      socket.write(message, 'latin1');
    },
    giveUpWhenLate() {
      if (dueMs >= 0 && now() - dueMs > timeoutMs) socket?.destroy();
    },
    close: () => socket?.destroy(),
  };
  return client;
}

async function put(load: Load): Promise<LoadReport> {
  const begun = performance.now();
  const now = () => performance.now() - begun;
  const isOver = () => now() >= load.seconds * 1_000;
  const responses: LoadedResponse[] = [];
  const { arrivals } = load;
  const isClosed = 'concurrency' in arrivals;
  const clients: ReturnType<typeof createClient>[] = [];
  const idle: typeof clients = [];
  const open = () => {
    const client = createClient(load, now);
    client.done = (response) => {
      responses.push(response);
      if (isClosed && !isOver()) client.send(now());
      else idle.push(client);
    };
    clients.push(client);
    return client;
  };
  let [due, unsent] = [0, 0];
  if (isClosed) for (let number = 0; number < arrivals.concurrency; number++) open().send(now());
  while (!isOver() || idle.length < clients.length) {
    for (; !isClosed && !isOver() && due < (now() / 1_000) * arrivals.perSecond; due++) {
      const client = idle.pop() ?? (clients.length < arrivals.maxConnections ? open() : undefined);
      if (client === undefined) unsent += 1;
      else client.send((due / arrivals.perSecond) * 1_000);
    }
    for (const client of clients) client.giveUpWhenLate();
    await sleep(1);
  }
  for (const client of clients) client.close();
  return { responses, unsent };
}

/**
 * Starts a process that creates load over raw sockets, so that it needs little processor time. It has a lower priority
 * than the service and its database, which share the processors with it. Otherwise its own processor time would worsen
 * their results.
 */
export function startLoadProcess() {
  const child = fork(import.meta.filename, { serialization: 'advanced' });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const died = once(child, 'exit').then(() => {
    process.off('exit', end);
    throw new Error('The load process has ended.');
  });
  died.catch(() => {});
  setPriority(child.pid ?? 0, 10);
  return {
    end,
    async put(load: Load): Promise<LoadReport> {
      child.send(load);
      const [report] = await Promise.race([once(child, 'message'), died]);
      return report;
    },
  };
}

// This file is also what the process runs.
if (process.argv[1] === import.meta.filename) {
  process.on('message', async (load: Load) => process.send?.(await put(load)));
}
