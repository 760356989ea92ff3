import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../src/demo/random.ts';

/** A request and the only status that is no fault. */
export interface Question {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON; text is sent as it is. */
  body?: unknown;
  status?: number;
}

export interface Asked {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/** Asked for in vain: counted already, so whoever meets it goes on with something else. */
export class Fault extends Error {}

const retryMs = 200;

/** Counts what was asked and remembers what was answered otherwise than it should. */
export class Tally {
  asked = 0;
  /** How often 503 was answered to somebody who has patience. */
  repeated = 0;
  readonly faults: string[] = [];
  readonly #isPatient: boolean;

  /** With patience 503 is no fault but asked again: for a machine that has other things to do than this. */
  constructor(isPatient: boolean) {
    this.#isPatient = isPatient;
  }

  fault(text: string): Fault {
    this.faults.push(text);
    return new Fault(text);
  }

  /** Rejects with a `Fault` unless the answer has the status and comes to its end. */
  async ask(url: string, question: Question = {}): Promise<Asked> {
    this.asked += 1;
    const { method = 'GET', headers = {}, body, status = 200 } = question;
    const name = `${method} ${url.replace(/^https?:\/\/[^/]+/, '')}`;
    const init = {
      method,
      redirect: 'manual',
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    } as const;
    for (;;) {
      const answer = await send(url, init).catch((error: Error) => {
        throw this.fault(`${name} failed: ${error.cause ?? error}`);
      });
      if (answer.status === status) return answer;
      if (!this.#isPatient || answer.status !== 503) {
        throw this.fault(`${name} was answered ${answer.status}: ${answer.bytes.subarray(0, 300)}`);
      }
      this.repeated += 1;
      await sleep(retryMs);
    }
  }

  /** Goes away in the middle of the answer. */
  async askAndLeave(url: string, headers: Record<string, string>): Promise<void> {
    this.asked += 1;
    const left = new AbortController();
    const response = await fetch(url, { headers, signal: left.signal });
    await response.body?.getReader().read();
    left.abort();
    if (response.status === 200 || (this.#isPatient && response.status === 503)) return;
    throw this.fault(`GET ${url} was answered ${response.status}.`);
  }
}

async function send(url: string, init: RequestInit): Promise<Asked> {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

export const jsonOf = <T>({ bytes }: Asked): T => JSON.parse(bytes.toString()) as T;

export interface Pace {
  random: Random;
  /** On average, after each time. */
  pauseMs: number;
  signal: AbortSignal;
}

/** Again and again until it is over. A fault is counted and keeps nobody from going on. */
export async function repeat({ random, pauseMs, signal }: Pace, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
    }
    await sleep(random.int(0, 2 * pauseMs), undefined, { signal }).catch(() => {});
  }
}
