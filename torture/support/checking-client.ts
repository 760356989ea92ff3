import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../src/demo/random.ts';
import { HttpClient, type HttpRequest, type HttpResponse } from './http-client.ts';

/** A request and its expected status. Any other status is a fault. */
export interface CheckedRequest extends Omit<HttpRequest, 'path'> {
  status?: number;
}

/** Signals a failed request that was already recorded, so the caller continues with something else. */
export class Fault extends Error {}

const retryMs = 200;

/** Counts requests to any number of processes and records unexpected responses. */
export class CheckingClient {
  sent = 0;
  /** How often a request was repeated because the response was 503. */
  repeated = 0;
  readonly faults: string[] = [];
  readonly #repeatsAfter503: boolean;
  readonly #clients = new Map<string, HttpClient>();

  /** `repeatsAfter503`: does not count 503 as a fault. This is for a machine that also does other work. */
  constructor(repeatsAfter503: boolean) {
    this.#repeatsAfter503 = repeatsAfter503;
  }

  fault(text: string): Fault {
    this.faults.push(text);
    return new Fault(text);
  }

  #clientOf(url: string): { client: HttpClient; path: string } {
    const { origin } = new URL(url);
    const client = this.#clients.get(origin) ?? new HttpClient(origin);
    this.#clients.set(origin, client);
    return { client, path: url.slice(origin.length) };
  }

  /** Rejects with a `Fault` unless the response has the expected status and is complete. */
  async request(url: string, { status = 200, ...request }: CheckedRequest = {}): Promise<HttpResponse> {
    this.sent += 1;
    const { client, path } = this.#clientOf(url);
    const name = `${request.method ?? 'GET'} ${path}`;
    for (;;) {
      const response = await client.send({ path, ...request }).catch((error: Error) => {
        throw this.fault(`${error.message} (${error.cause})`);
      });
      if (response.status === status) return response;
      if (!this.#repeatsAfter503 || response.status !== 503) {
        throw this.fault(`${name} returned ${response.status}: ${response.bytes.subarray(0, 300)}`);
      }
      this.repeated += 1;
      await sleep(retryMs);
    }
  }

  async json<T>(url: string, request: CheckedRequest = {}): Promise<T> {
    return JSON.parse((await this.request(url, request)).bytes.toString()) as T;
  }

  /** Disconnects in the middle of the response. */
  async abandon(url: string, headers: Record<string, string>): Promise<void> {
    this.sent += 1;
    const left = new AbortController();
    const response = await fetch(url, { headers, signal: left.signal });
    await response.body?.getReader().read();
    left.abort();
    if (response.status === 200 || (this.#repeatsAfter503 && response.status === 503)) return;
    throw this.fault(`GET ${url} returned ${response.status}.`);
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
  }
}

export interface Pace {
  random: Random;
  /** The average pause after each run. */
  pauseMs: number;
  signal: AbortSignal;
}

/** Repeats the work until the signal aborts. A fault is recorded already, so the loop continues. */
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
