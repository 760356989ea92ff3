import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../src/operator/demo/random.ts';
import { type Exchange, HttpClient } from '../support/http-client.ts';
import type { RosterPusher } from '../support/roster-pusher.ts';

/** One read of a company, and when it was sent and answered. */
export interface Read {
  port: number;
  begunAt: number;
  endedAt: number;
  result: 'done' | 'unavailable' | 'unexpected';
  detail: string;
}

const isRefusal = ({ status, headers, ending }: Exchange) =>
  status === 503 && ending === 'complete' && Number(headers['retry-after']) > 0;

function judge(response: Exchange): Read['result'] {
  if (isRefusal(response)) return 'unavailable';
  return response.status === 200 && response.ending === 'complete' ? 'done' : 'unexpected';
}

/** An HR system that pushes rosters and another client that reads, for one company on one node. */
export interface Client {
  pusher: RosterPusher;
  /** The port of the company's node. */
  port: number;
}

/** How many rosters of a company may wait for their outcome before it pushes the next one. */
const maxWaiting = 3;

/**
 * Waits until few rosters wait. An acknowledged one is not returned by the API while its transaction is prepared and
 * waits for its recovery.
 */
async function awaitTurn({ pusher }: Client, signal: AbortSignal): Promise<void> {
  const syncId = [...pusher.acknowledged].at(-maxWaiting);
  const isWaiting = async () =>
    syncId !== undefined && ['accepted', 'processing', undefined].includes((await pusher.read(syncId))?.state);
  while (!signal.aborted && (await isWaiting())) await sleep(500, undefined, { signal }).catch(() => {});
}

/** Pushes rosters until the signal aborts. Some are sent twice at once, and one in four is given up after a failure. */
export async function keepPushing(client: Client, random: Random, signal: AbortSignal): Promise<void> {
  const { pusher } = client;
  while (!signal.aborted) {
    const syncId = pusher.next(random.int(5, 40));
    const isAbandoned = random.chance(0.25);
    const send = () => (isAbandoned ? pusher.post(syncId) : pusher.deliver(syncId));
    await Promise.all(Array.from({ length: random.chance(0.2) ? 2 : 1 }, send));
    await sleep(random.int(0, 1_000), undefined, { signal }).catch(() => {});
    await awaitTurn(client, signal);
  }
}

/** Reads until the signal aborts. */
export async function keepReading(
  { pusher: { company }, port }: Client,
  url: string,
  reads: Read[],
  signal: AbortSignal,
): Promise<void> {
  const client = new HttpClient(url);
  const request = { path: '/v1/employees?perPage=5', headers: { authorization: company.authorization } };
  while (!signal.aborted) {
    const begunAt = Date.now();
    const response = await client.exchangeAgain(request, { timeoutMs: 90_000 });
    const detail = `${response.status} ${response.ending} ${response.bytes.subarray(0, 200)}`;
    reads.push({ port, begunAt, endedAt: Date.now(), result: judge(response), detail });
    await sleep(200, undefined, { signal }).catch(() => {});
  }
}
