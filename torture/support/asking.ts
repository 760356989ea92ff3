import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../src/demo/random.ts';

/** A request and its expected status. Any other status is a fault. */
export interface Question {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. A string is sent unchanged. */
  body?: unknown;
  status?: number;
}

export interface Asked {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/** Signals a failed request. The tally has already counted it, so the caller continues with something else. */
export class Fault extends Error {}

const retryMs = 200;

/** Counts requests and records unexpected responses. */
export class Tally {
  asked = 0;
  /** How often a request was repeated because the response was 503. */
  repeated = 0;
  readonly faults: string[] = [];
  readonly #isPatient: boolean;

  /**
   * If `isPatient`, repeats a request after 503 instead of counting a fault. This is for a machine that also does other
   * work.
   */
  constructor(isPatient: boolean) {
    this.#isPatient = isPatient;
  }

  fault(text: string): Fault {
    this.faults.push(text);
    return new Fault(text);
  }

  /** Rejects with a `Fault` unless the response has the expected status and is complete. */
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

  /** Disconnects in the middle of the response. */
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
  /** The average pause after each run. */
  pauseMs: number;
  signal: AbortSignal;
}

/** Repeats the work until the signal aborts. The tally counts a fault, and the loop continues. */
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
