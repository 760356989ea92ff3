import { connect, type Socket } from 'node:net';
import type { Load, LoadedResponse, LoadReport } from './load.ts';

/** Returns the status and the total length of a response, including its head. Undefined until the head is complete. */
function measure(bytes: Buffer): { status: number; length: number; head: string } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const body = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return { status: Number(head.slice(9, 12)), length: end + 4 + body, head };
}

/** One connection with one request at a time. It reconnects after the connection was lost. */
class Client {
  readonly #load: Load;
  readonly #done: (client: Client, response: LoadedResponse) => void;
  readonly #now: () => number;
  #socket: Socket | undefined;
  #received: Buffer[] = [];
  #expectedBytes = 0;
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
    if (this.#dueMs >= 0 && this.#now() - this.#dueMs > this.#load.timeoutMs) this.#lose();
  }

  close(): void {
    this.#socket
      ?.removeAllListeners()
      .on('error', () => {})
      .destroy();
  }

  #open(): Socket {
    const socket = connect(this.#load.port, '127.0.0.1').setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.#socket === socket) this.#lose();
    });
    return socket;
  }

  #receive(chunk: Buffer): void {
    this.#received.push(chunk);
    const size = this.#received.reduce((sum, { length }) => sum + length, 0);
    if (size < this.#expectedBytes) return;
    const bytes = this.#received.length === 1 ? chunk : Buffer.concat(this.#received);
    const response = measure(bytes);
    this.#expectedBytes = response?.length ?? 0;
    this.#received = [bytes];
    if (response === undefined || size < response.length) return;
    this.#received = [];
    this.#expectedBytes = 0;
    this.#finish(response.status, /\r\nretry-after: \d+/i.test(response.head));
  }

  #lose(): void {
    this.close();
    this.#socket = undefined;
    this.#received = [];
    this.#expectedBytes = 0;
    if (this.#dueMs >= 0) this.#finish(0, false);
  }

  #finish(status: number, hasRetryAfter: boolean): void {
    const dueMs = this.#dueMs;
    this.#dueMs = -1;
    this.#done(this, { dueMs, tookMs: this.#now() - dueMs, status, hasRetryAfter });
  }
}

const nextTick = () => new Promise((resolve) => setTimeout(resolve, 1));

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
  while (!isOver()) {
    for (; !isClosed && due < (now() / 1_000) * arrivals.perSecond; due++) {
      const client = idle.pop() ?? (clients.length < arrivals.maxConnections ? open() : undefined);
      if (client === undefined) unsent += 1;
      else client.send((due / arrivals.perSecond) * 1_000);
    }
    for (const client of clients) client.giveUpWhenLate();
    await nextTick();
  }
  while (idle.length < clients.length) {
    for (const client of clients) client.giveUpWhenLate();
    await nextTick();
  }
  for (const client of clients) client.close();
  return { responses, unsent };
}

process.on('message', async (load: Load) => process.send?.(await put(load)));
