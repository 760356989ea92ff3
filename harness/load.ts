import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** One request after another on each of some connections, or at a rate that does not wait for responses. */
export type Arrivals = { concurrency: number } | { perSecond: number; maxConnections: number };

export interface Load {
  port: number;
  /** The requests as they are sent, in turn. At the last one it begins again, unless they are sent once. */
  messages: string[];
  isSentOnce?: boolean;
  seconds: number;
  arrivals: Arrivals;
  timeoutMs: number;
}

/** One request: when it was due, in ms from the start, and how long its response took. Status 0 means no response. */
export interface LoadedResponse {
  dueMs: number;
  tookMs: number;
  status: number;
  hasRetryAfter: boolean;
}

export interface LoadReport {
  responses: LoadedResponse[];
  unsent: number;
  seconds: number;
}

const lastChunk = '\r\n0\r\n\r\n';

/** Finds the complete response that begins here, in the bytes of a connection with one character per byte. */
export function readResponse(received: string, at = 0) {
  const headEnd = received.indexOf('\r\n\r\n', at) + 4;
  const head = received.slice(at, headEnd);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  if (headEnd < 4 || Number.isNaN(status)) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  let end = headEnd + Number(status < 200 || status === 204 || status === 304 ? 0 : length);
  if (/\r\ntransfer-encoding: chunked/i.test(head)) {
    const last = received.indexOf(lastChunk, headEnd - 2);
    end = last < 0 ? Number.NaN : last + lastChunk.length;
  }
  return end <= received.length ? { status, head, end } : undefined;
}

function createClient({ port, timeoutMs }: Load, now: () => number) {
  let socket: Socket | undefined;
  let received = '';
  let dueMs = -1;
  const finish = ({ status, head } = { status: 0, head: '' }) => {
    const hasRetryAfter = status === 503 && /\r\nretry-after: \d+/i.test(head);
    const response = { dueMs, tookMs: now() - dueMs, status, hasRetryAfter };
    dueMs = -1;
    received = '';
    client.done(response);
  };
  const receive = (chunk: Buffer) => {
    received += chunk.toString('latin1');
    const response = readResponse(received);
    if (response !== undefined) finish(response);
  };
  const open = () =>
    connect(port, '127.0.0.1')
      .setNoDelay(true)
      .on('data', receive)
      .on('error', () => {})
      .on('close', () => {
        socket = undefined;
        if (dueMs >= 0) finish();
      });
  const client = {
    done: (_response: LoadedResponse) => {},
    send(due: number, message: Buffer) {
      dueMs = due;
      socket ??= open();
      socket.write(message);
    },
    giveUpWhenLate() {
      if (dueMs >= 0 && now() - dueMs > timeoutMs) socket?.destroy();
    },
    close: () => socket?.destroy(),
  };
  return client;
}

async function put(load: Load): Promise<LoadReport> {
  const messages = load.messages.map((message) => Buffer.from(message, 'latin1'));
  const { arrivals, isSentOnce } = load;
  const isClosed = 'concurrency' in arrivals;
  const responses: LoadedResponse[] = [];
  const clients: ReturnType<typeof createClient>[] = [];
  const idle: typeof clients = [];
  const begun = performance.now();
  const now = () => performance.now() - begun;
  let [due, sent, unsent] = [0, 0, 0];
  const isOver = () => now() >= load.seconds * 1_000 || (isSentOnce === true && sent >= messages.length);
  const send = (client: (typeof clients)[number], dueMs: number) =>
    client.send(dueMs, messages[sent++ % messages.length] as Buffer);
  const open = () => {
    const client = createClient(load, now);
    client.done = (response) => {
      responses.push(response);
      if (isClosed && !isOver()) send(client, now());
      else idle.push(client);
    };
    clients.push(client);
    return client;
  };
  if (isClosed) for (let number = 0; number < arrivals.concurrency; number++) send(open(), now());
  while (!isOver() || idle.length < clients.length) {
    for (; !isClosed && !isOver() && due < (now() / 1_000) * arrivals.perSecond; due++) {
      const client = idle.pop() ?? (clients.length < arrivals.maxConnections ? open() : undefined);
      if (client === undefined) unsent += 1;
      else send(client, (due / arrivals.perSecond) * 1_000);
    }
    for (const client of clients) client.giveUpWhenLate();
    await sleep(1);
  }
  const seconds = now() / 1_000;
  for (const client of clients) client.close();
  return { responses, unsent, seconds };
}

export type LoadProcess = ReturnType<typeof startLoadProcess>;

/** Starts a process that creates load over raw sockets. It has a lower priority than the service that it measures. */
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
