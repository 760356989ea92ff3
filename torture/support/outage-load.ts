import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../src/db/database.ts';
import type { Random } from '../../src/demo/random.ts';
import type { RosterEntry } from '../../src/domain/roster/entry.ts';
import { cookiesOf } from '../../test/support/portal.ts';
import { type Customer, makeCustomer } from './customers.ts';
import { RosterStream } from './roster-model.ts';

/** Reads and writes of the API and of the portal, with the status of each when the service is healthy. */
const wellStatuses = { employees: 200, export: 200, sync: 204, key: 201, 'sign-in': 204, portal: 200, health: 204 };
type Kind = keyof typeof wellStatuses;
export const kinds = Object.keys(wellStatuses) as Kind[];

export interface Outcome {
  kind: Kind;
  begunAt: number;
  endedAt: number;
  /**
   * `cut`: an export that was broken off after it had started, as the contract allows. `odd`: a result that must never
   * occur.
   */
  result: 'done' | 'unavailable' | 'cut' | 'odd';
  detail: string;
}

const period = '2026-11-01';
/** The time after which a client gives up. It is longer than every timeout of the service. */
const clientPatienceMs = 90_000;
const pauseMs: Record<Kind, number> = {
  employees: 20,
  export: 50,
  sync: 100,
  key: 60,
  'sign-in': 300,
  portal: 40,
  health: 50,
};

async function makeCharges(db: Db, { companyId }: Customer, count: number): Promise<void> {
  await sql`
    insert into billing_items (company_id, period, charge_type, net_cents, tax_cents, gross_cents, hr_id, plan_type,
      company_share_cents, employee_share_cents, billed_at)
    select ${companyId}, ${period}, 'ticket-charge', 5593, 392, 5985, 'E-' || n, 'split-pay-plan', 3985, 2000,
      '2026-11-01T00:05:00Z' from generate_series(1, ${count}::int) n`.execute(db);
}

interface Answer {
  status: number;
  headers: Headers;
  bytes: Buffer;
  isCut: boolean;
}

/** Reads a long response slowly, so that faults occur in the middle of it. */
async function read(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of response.body ?? []) {
      if (chunks.push(chunk) % 4 === 0) await sleep(5);
    }
  } catch {
    return { status, headers, bytes: Buffer.concat(chunks), isCut: true };
  }
  return { status, headers, bytes: Buffer.concat(chunks), isCut: false };
}

const isProperRefusal = ({ status, headers, bytes, isCut }: Answer) =>
  status === 503 &&
  !isCut &&
  headers.get('content-type')?.startsWith('application/problem+json') === true &&
  /^[1-9]\d*$/.test(headers.get('retry-after') ?? '') &&
  bytes.includes('"code":"unavailable"');

/** Runs clients of all kinds, each with one request after another, whatever happens to the database in the meantime. */
export class OutageLoad {
  readonly outcomes: Outcome[] = [];
  /** The start time of each request that has no response yet. */
  readonly underway = new Set<{ begunAt: number }>();
  readonly customer: Customer;
  /** Every roster by its syncId. `acknowledgedSyncs` are those accepted with 204. */
  readonly sent = new Map<string, RosterEntry[]>();
  readonly acknowledgedSyncs = new Set<string>();
  readonly acknowledgedKeys = new Set<string>();
  readonly #api: string;
  readonly #charges: number;
  readonly #random: Random;
  readonly #stream: RosterStream;
  #cookie = '';

  private constructor(apiUrl: string, customer: Customer, charges: number, random: Random) {
    this.#api = apiUrl;
    this.customer = customer;
    this.#charges = charges;
    this.#random = random;
    this.#stream = new RosterStream(random);
  }

  static async open(db: Db, apiUrl: string, charges: number, random: Random): Promise<OutageLoad> {
    const customer = await makeCustomer(db, 0);
    const { companyId } = customer;
    // Its rosters shrink on purpose.
    await sql`update companies set guard_maximum_absent_percent = 100 where id = ${companyId}`.execute(db);
    await makeCharges(db, customer, charges);
    await sql`analyze`.execute(db);
    const load = new OutageLoad(apiUrl, customer, charges, random);
    for (const kind of ['sign-in', ...kinds] as const) {
      const { result, detail } = await load.once(kind);
      if (result !== 'done') throw new Error(`${kind} fails before there is any fault: ${detail}`);
    }
    return load;
  }

  /** Runs this many clients of each kind until `isOver`. Requests in progress at that time still finish. */
  async run(isOver: () => boolean, width = 1): Promise<void> {
    const loop = async (kind: Kind) => {
      while (!isOver()) {
        await this.once(kind);
        await sleep(this.#random.int(0, 2 * pauseMs[kind]));
      }
    };
    await Promise.all(Array.from({ length: width }, () => kinds.map(loop)).flat());
  }

  async once(kind: Kind): Promise<Outcome> {
    const begunAt = Date.now();
    const request = { begunAt };
    this.underway.add(request);
    const note = (result: Outcome['result'], detail = '') => {
      const outcome = { kind, begunAt, endedAt: Date.now(), result, detail };
      this.outcomes.push(outcome);
      this.underway.delete(request);
      return outcome;
    };
    try {
      const answer = kind === 'sync' ? await this.#push() : await this.#ask(kind);
      if (isProperRefusal(answer)) return note('unavailable', JSON.parse(answer.bytes.toString()).detail);
      const told = `${answer.status} ${answer.bytes.subarray(0, 200)}`;
      if (answer.status !== wellStatuses[kind]) return note('odd', told);
      if (answer.isCut) return note(kind === 'export' ? 'cut' : 'odd', 'broken off');
      return this.#isWhole(kind, answer) ? note('done') : note('odd', `incomplete: ${told}`);
    } catch (error) {
      return note('odd', String((error as Error).cause ?? error));
    }
  }

  /**
   * Checks that a successful response is complete. Records what it acknowledges, so that the end of the run can verify
   * it.
   */
  #isWhole(kind: Kind, { bytes, headers }: Answer): boolean {
    if (kind === 'export') return JSON.parse(bytes.toString()).data.length === this.#charges;
    if (kind === 'key') this.acknowledgedKeys.add(JSON.parse(bytes.toString()).data.username);
    if (kind === 'sign-in') this.#cookie = cookiesOf({ headers });
    return true;
  }

  /** Pushes a new roster, or repeats the last one until it is accepted. */
  async #push(): Promise<Answer> {
    const last = `sync-${this.sent.size}`;
    const isNew = this.sent.size === 0 || this.acknowledgedSyncs.has(last);
    const syncId = isNew ? `sync-${this.sent.size + 1}` : last;
    if (isNew) this.sent.set(syncId, this.#stream.next(this.#random.int(50, 300)));
    const { authorization, integrationId } = this.customer;
    const body = { syncId, employees: this.sent.get(syncId) };
    const answer = await this.#fetch(`${this.#api}/hr-integrations/${integrationId}/sync`, { authorization }, body);
    if (answer.status === 204) this.acknowledgedSyncs.add(syncId);
    return answer;
  }

  #ask(kind: Exclude<Kind, 'sync'>): Promise<Answer> {
    const { authorization, person } = this.customer;
    const { origin } = new URL(this.#api);
    const visitor = { origin, cookie: this.#cookie };
    switch (kind) {
      case 'employees':
        return this.#fetch(`${this.#api}/employees?perPage=20`, { authorization });
      case 'export':
        return this.#fetch(`${this.#api}/billing/items/${period}/ticket-charge`, { authorization });
      case 'health':
        return this.#fetch(`${this.#api}/health`, {});
      case 'portal':
        return this.#fetch(`${origin}/portal/api/overview`, visitor);
      case 'key': {
        const body = { name: `Key ${this.outcomes.length}`, permissions: ['view-billing'], expiresAt: null };
        return this.#fetch(`${origin}/portal/api/keys`, visitor, body);
      }
      case 'sign-in': {
        const { email, password } = person;
        return this.#fetch(`${origin}/portal/api/auth/sign-in/email`, { origin }, { email, password });
      }
    }
  }

  async #fetch(url: string, headers: Record<string, string>, body?: object): Promise<Answer> {
    const post = { method: 'POST', body: JSON.stringify(body) };
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(url, {
      ...(body === undefined ? {} : post),
      headers: { ...json, ...headers },
      signal: AbortSignal.timeout(clientPatienceMs),
    });
    return read(response);
  }
}
