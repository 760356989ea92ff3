import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Load, LoadedResponse, LoadReport } from './load.ts';

/** Returns the head and the total length of a response. Undefined until the head is complete. */
function measure(bytes: Buffer): { head: string; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  return { head, length: end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) };
}

/** One connection with one request at a time. It reconnects after the connection was lost. */
class Client {
  readonly #load: Load;
  readonly #done: (client: Client, response: LoadedResponse) => void;
  readonly #now: () => number;
  #socket: Socket | undefined;
  #received: Buffer = Buffer.alloc(0);
  #dueMs = -1;

  constructor(load: Load, now: () => number, done: (client: Client, response: LoadedResponse) => void) {
    this.#load = load;
    this.#now = now;
    this.#done = done;
  }

  send(dueMs: number): void {
    this.#dueMs = dueMs;
    this.#socket ??= this.#open();
    this.#socket.write(this.#load.message, 'latin1');
  }

  giveUpWhenLate(): void {
    if (this.#dueMs >= 0 && this.#now() - this.#dueMs > this.#load.timeoutMs) this.close();
  }

  close(): void {
    this.#socket?.destroy();
  }

  #open(): Socket {
    return connect(this.#load.port, '127.0.0.1')
      .setNoDelay(true)
      .on('data', (chunk: Buffer) => this.#receive(chunk))
      .on('error', () => {})
      .on('close', () => {
        this.#socket = undefined;
        if (this.#dueMs >= 0) this.#finish('');
      });
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const response = measure(this.#received);
    if (response !== undefined && this.#received.length >= response.length) this.#finish(response.head);
  }

  /** Reports the response with this head. Without one, the connection was lost. */
  #finish(head: string): void {
    const dueMs = this.#dueMs;
    this.#dueMs = -1;
    this.#received = Buffer.alloc(0);
    const hasRetryAfter = /\r\nretry-after: \d+/i.test(head);
    this.#done(this, { dueMs, tookMs: this.#now() - dueMs, status: Number(head.slice(9, 12)), hasRetryAfter });
  }
}

async function put(load: Load): Promise<LoadReport> {
  const begun = performance.now();
  const now = () => performance.now() - begun;
  const isOver = () => now() >= load.seconds * 1_000;
  const responses: LoadedResponse[] = [];
  const { arrivals } = load;
  const isClosed = 'concurrency' in arrivals;
  const idle: Client[] = [];
  const clients: Client[] = [];
  const open = () => {
    const client = new Client(load, now, (done, response) => {
      responses.push(response);
      if (isClosed && !isOver()) done.send(now());
      else idle.push(done);
    });
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

process.on('message', async (load: Load) => process.send?.(await put(load)));
