import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { usernameOf } from '../../src/auth/credentials.ts';
import { ofCompany } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';
import type { Random } from '../../src/demo/random.ts';
import { type Exchange, HttpClient, type HttpRequest, readCookies } from './http-client.ts';
import { RosterStream } from './roster-model.ts';
import { RosterPusher } from './roster-pusher.ts';
import { chargedPeriod, makeCharges, makeTestCompany, withoutGuard } from './test-company.ts';
import { listSyncIds } from './verify.ts';

type Session = { origin: string; cookie: string };

interface RequestKindOptions {
  status: number;
  /** The average pause after a response. */
  pauseMs: number;
  request(load: OutageLoad, session: Session): HttpRequest;
}

const get = (path: string, headers: Record<string, string> = {}) => ({ path, headers });
const post = (path: string, headers: Record<string, string>, body: object) => ({ method: 'POST', path, headers, body });
const asKey = ({ pusher }: OutageLoad) => ({ authorization: pusher.company.authorization });

/** Reads and writes of the API and of the portal. */
const requestKinds = {
  employees: { status: 200, pauseMs: 20, request: (load) => get('/v1/employees?perPage=20', asKey(load)) },
  export: {
    status: 200,
    pauseMs: 50,
    request: (load) => get(`/v1/billing/items/${chargedPeriod}/ticket-charge`, asKey(load)),
  },
  sync: { status: 204, pauseMs: 100, request: (load) => load.nextPush() },
  key: {
    status: 201,
    pauseMs: 60,
    request({ outcomes }, session) {
      const key = { name: `Key ${outcomes.length}`, permissions: ['view-billing'], expiresAt: null };
      return post('/portal/api/keys', { ...session }, key);
    },
  },
  'sign-in': {
    status: 204,
    pauseMs: 300,
    request({ pusher }, { origin }) {
      const { email, password } = pusher.company.user;
      return post('/portal/api/auth/sign-in/email', { origin }, { email, password });
    },
  },
  portal: { status: 200, pauseMs: 40, request: (_load, session) => get('/portal/api/overview', { ...session }) },
  health: { status: 204, pauseMs: 50, request: () => get('/v1/health') },
} satisfies Record<string, RequestKindOptions>;
type RequestKind = keyof typeof requestKinds;
export const kinds = Object.keys(requestKinds) as RequestKind[];

export interface Outcome {
  kind: RequestKind;
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

/** Runs clients of all kinds, each with one request after another, whatever happens to the database in the meantime. */
export class OutageLoad {
  readonly outcomes: Outcome[] = [];
  /** The start time of each request that has no response yet. */
  readonly underway = new Set<{ begunAt: number }>();
  readonly pusher: RosterPusher;
  readonly acknowledgedKeys = new Set<string>();
  readonly #client: HttpClient;
  readonly #charges: number;
  readonly #random: Random;
  #cookie = '';

  private constructor(pusher: RosterPusher, apiUrl: string, charges: number, random: Random) {
    this.pusher = pusher;
    this.#client = new HttpClient(apiUrl);
    this.#charges = charges;
    this.#random = random;
  }

  static async open(db: Db, apiUrl: string, charges: number, random: Random): Promise<OutageLoad> {
    const company = await makeTestCompany(db, withoutGuard);
    await makeCharges(db, company.companyId, charges);
    await sql`analyze`.execute(db);
    const load = new OutageLoad(new RosterPusher(company, apiUrl, new RosterStream(random)), apiUrl, charges, random);
    for (const kind of ['sign-in', ...kinds] as const) {
      const { result, detail } = await load.sendOne(kind);
      if (result !== 'done') throw new Error(`${kind} fails before there is any fault: ${detail}`);
    }
    return load;
  }

  /** Runs this many clients of each kind until `isOver`. Requests in progress at that time still finish. */
  async run(isOver: () => boolean, width = 1): Promise<void> {
    const loop = async (kind: RequestKind) => {
      while (!isOver()) {
        await this.sendOne(kind);
        await sleep(this.#random.int(0, 2 * requestKinds[kind].pauseMs));
      }
    };
    await Promise.all(Array.from({ length: width }, () => kinds.map(loop)).flat());
  }

  async sendOne(kind: RequestKind): Promise<Outcome> {
    const started = { begunAt: Date.now() };
    this.underway.add(started);
    const session = { origin: this.#client.origin, cookie: this.#cookie };
    const request = requestKinds[kind].request(this, session);
    const response = await this.#exchange(request);
    const outcome = { kind, ...started, endedAt: Date.now(), ...this.#classify(kind, request, response) };
    this.outcomes.push(outcome);
    this.underway.delete(started);
    return outcome;
  }

  async #exchange(request: HttpRequest): Promise<Exchange> {
    const response = await this.#client.exchange(request, { slowRead: true, timeoutMs });
    // A persistent connection may close at the moment it is reused. That is no fault of the request.
    const isClosed = response.ending === 'no response' && response.isReusedConnection;
    return isClosed ? this.#exchange(request) : response;
  }

  /** Judges a response. Records what it acknowledges, so that the end of the run can verify it. */
  #classify(kind: RequestKind, request: HttpRequest, response: Exchange): Pick<Outcome, 'result' | 'detail'> {
    const { status, bytes, ending, error } = response;
    const detail = `${status} ${ending} ${error ?? bytes.subarray(0, 200)}`;
    if (isProperRefusal(response)) return { result: 'unavailable', detail };
    if (status !== requestKinds[kind].status) return { result: 'unexpected', detail };
    if (ending !== 'complete') return { result: kind === 'export' ? 'cut' : 'unexpected', detail };
    if (kind === 'sync') this.pusher.acknowledged.add((request.body as { syncId: string }).syncId);
    if (kind === 'key') this.acknowledgedKeys.add(JSON.parse(bytes.toString()).data.username);
    if (kind === 'sign-in') this.#cookie = readCookies(response);
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
