import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { usernameOf } from '../../src/features/keys/credentials.ts';
import type { Random } from '../../src/operator/demo/random.ts';
import { ofCompany } from '../../src/platform/db/company-scope.ts';
import type { Db } from '../../src/platform/db/database.ts';
import {
  type Exchange,
  HttpClient,
  type HttpRequest,
  portalRequest,
  readCookies,
  signInRequest,
} from './http-client.ts';
import { RosterStream } from './roster-model.ts';
import { RosterPusher } from './roster-pusher.ts';
import { chargedPeriod, makeCharges, makeTestCompany, withoutGuard } from './test-company.ts';
import { listSyncIds } from './verify.ts';

type Kind = 'employees' | 'export' | 'sync' | 'key' | 'sign-in' | 'portal' | 'health';

/** Reads and writes of the API and of the portal: their status, and the average pause after a response. */
const requests: Record<Kind, [status: number, pauseMs: number, next: (load: OutageLoad) => HttpRequest]> = {
  employees: [200, 20, ({ headers }) => ({ path: '/v1/employees?perPage=20', headers })],
  export: [200, 50, ({ headers }) => ({ path: `/v1/billing/items/${chargedPeriod}/ticket-charge`, headers })],
  sync: [204, 100, (load) => load.nextPush()],
  key: [201, 60, ({ origin, cookie, outcomes }) => portalRequest(origin, '/keys', keyNamed(outcomes.length), cookie)],
  'sign-in': [204, 300, ({ origin, pusher }) => signInRequest(origin, pusher.company.user)],
  portal: [200, 40, ({ origin, cookie }) => portalRequest(origin, '/overview', undefined, cookie)],
  health: [204, 50, () => ({ path: '/v1/health' })],
};
export const kinds = Object.keys(requests) as Kind[];

const keyNamed = (number: number) => ({ name: `Key ${number}`, permissions: ['view-billing'], expiresAt: null });

export interface Outcome {
  kind: Kind;
  begunAt: number;
  endedAt: number;
  /**
   * `cut`: an export that was broken off after it had started, as the contract allows. `unexpected`: a result that must
   * never occur.
   */
  result: 'done' | 'unavailable' | 'cut' | 'unexpected';
  detail: string;
}

/** The time after which a client gives up. It is longer than every timeout of the service. */
const timeoutMs = 90_000;

const isProperRefusal = ({ status, headers, bytes, ending }: Exchange) =>
  status === 503 &&
  ending === 'complete' &&
  headers['content-type']?.startsWith('application/problem+json') === true &&
  /^[1-9]\d*$/.test(headers['retry-after'] ?? '') &&
  bytes.includes('"code":"unavailable"');

/** Clients of all kinds, each with one request after another, whatever happens to the service in the meantime. */
export class OutageLoad {
  readonly outcomes: Outcome[] = [];
  /** The start time of each request that has no response yet. */
  readonly underway = new Set<{ begunAt: number }>();
  readonly pusher: RosterPusher;
  readonly acknowledgedKeys = new Set<string>();
  readonly headers: { authorization: string };
  readonly origin: string;
  cookie = '';
  readonly #client: HttpClient;
  readonly #charges: number;
  readonly #random: Random;

  private constructor(pusher: RosterPusher, apiUrl: string, charges: number, random: Random) {
    this.pusher = pusher;
    this.headers = { authorization: pusher.company.authorization };
    this.#client = new HttpClient(apiUrl);
    this.origin = this.#client.origin;
    this.#charges = charges;
    this.#random = random;
  }

  static async open(db: Db, apiUrl: string, charges: number, random: Random): Promise<OutageLoad> {
    const company = await makeTestCompany(db, withoutGuard);
    await makeCharges(db, company.companyId, charges);
    await sql`analyze`.execute(db);
    const load = new OutageLoad(new RosterPusher(company, apiUrl, new RosterStream(random)), apiUrl, charges, random);
    for (const kind of ['sign-in', ...kinds] as const) {
      const { result, detail } = await load.#sendOne(kind);
      if (result !== 'done') throw new Error(`${kind} fails before there is any fault: ${detail}`);
    }
    return load;
  }

  /** Runs this many clients of each kind until `work` has ended. Requests in progress at that time still finish. */
  async runDuring<T>(width: number, work: () => Promise<T>): Promise<T> {
    let isOver = false;
    const loop = async (kind: Kind) => {
      while (!isOver) {
        await this.#sendOne(kind);
        await sleep(this.#random.int(0, 2 * requests[kind][1]));
      }
    };
    const running = Array.from({ length: width }, () => kinds.map(loop)).flat();
    const result = await work().finally(() => {
      isOver = true;
    });
    await Promise.all(running);
    return result;
  }

  async #sendOne(kind: Kind): Promise<Outcome> {
    const started = { begunAt: Date.now() };
    this.underway.add(started);
    const request = requests[kind][2](this);
    const response = await this.#client.exchangeAgain(request, { slowRead: true, timeoutMs });
    const outcome = { kind, ...started, endedAt: Date.now(), ...this.#classify(kind, request, response) };
    this.outcomes.push(outcome);
    this.underway.delete(started);
    return outcome;
  }

  /** Judges a response. Records what it acknowledges, so that the end of the run can verify it. */
  #classify(kind: Kind, request: HttpRequest, response: Exchange): Pick<Outcome, 'result' | 'detail'> {
    const { status, bytes, ending, error } = response;
    const detail = `${status} ${ending} ${error ?? bytes.subarray(0, 200)}`;
    if (isProperRefusal(response)) return { result: 'unavailable', detail };
    if (status !== requests[kind][0]) return { result: 'unexpected', detail };
    if (ending !== 'complete') return { result: kind === 'export' ? 'cut' : 'unexpected', detail };
    if (kind === 'sync') this.pusher.acknowledged.add((request.body as { syncId: string }).syncId);
    if (kind === 'key') this.acknowledgedKeys.add(JSON.parse(bytes.toString()).data.username);
    if (kind === 'sign-in') this.cookie = readCookies(response);
    const isWhole = kind !== 'export' || JSON.parse(bytes.toString()).data.length === this.#charges;
    return { result: isWhole ? 'done' : 'unexpected', detail: isWhole ? '' : `incomplete: ${detail}` };
  }

  /** Returns the push of a new roster, or of the last one until it is acknowledged. */
  nextPush(): HttpRequest {
    const last = [...this.pusher.sent.keys()].at(-1);
    const isOpen = last !== undefined && !this.pusher.acknowledged.has(last);
    return this.pusher.requestFor(isOpen ? last : this.pusher.next(this.#random.int(50, 300)));
  }

  /** Returns the acknowledged writes that are missing in the database. */
  async findLostWrites(db: Db): Promise<string[]> {
    const { companyId } = this.pusher.company;
    const { rows } = await sql<{ id: string }>`
      select k.id from api_keys k where ${ofCompany(companyId, 'k')}`.execute(db);
    const usernames = new Set(rows.map(({ id }) => usernameOf({ companyId, keyId: id })));
    const syncIds = new Set(await listSyncIds(db, companyId));
    return [...this.pusher.acknowledged.difference(syncIds), ...this.acknowledgedKeys.difference(usernames)];
  }
}
