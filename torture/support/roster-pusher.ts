import { setTimeout as sleep } from 'node:timers/promises';
import type { RosterEntry } from '../../src/features/roster/rules/entry.ts';
import type { Random } from '../../src/operator/demo/random.ts';
import { anEntry } from '../../test/support/sync.ts';
import { until } from '../../test/support/until.ts';
import { HttpClient, type HttpResponse, readJson } from './http-client.ts';
import type { TestCompany } from './test-company.ts';

export interface ModelCounts {
  created: number;
  updated: number;
  unchanged: number;
  offboarded: number;
}

/** Models the expected state of a company after a sequence of rosters, with a map and no business rules. */
export class RosterModel {
  readonly employees = new Map<string, { text: string; entry: RosterEntry; isVisible: boolean }>();
  lastSyncId: string | undefined;

  apply(syncId: string, entries: RosterEntry[]): ModelCounts {
    const counts = { created: 0, updated: 0, unchanged: 0, offboarded: 0 };
    const present = new Set(entries.map(({ hrId }) => hrId));
    for (const [hrId, employee] of this.employees) {
      if (!employee.isVisible || present.has(hrId)) continue;
      employee.isVisible = false;
      counts.offboarded += 1;
    }
    for (const entry of entries) {
      const text = JSON.stringify(entry);
      const known = this.employees.get(entry.hrId);
      if (known === undefined) counts.created += 1;
      else if (known.isVisible && known.text === text) counts.unchanged += 1;
      else counts.updated += 1;
      this.employees.set(entry.hrId, { text, entry, isVisible: true });
    }
    this.lastSyncId = syncId;
    return counts;
  }
}

/** One employee in ten has a subscription from the next month on. */
export const hireForNextMonth = (number: number) =>
  anEntry(number, { dateOfBirth: `19${70 + (number % 30)}-03-15`, autoSyncEmployee: number % 10 === 0 });

/** A start date far in the future, so that rosters have the same effect on whatever day they are applied. */
const farOff = '2100-01-01';

const hire = (number: number) => anEntry(number, number % 3 === 0 ? { autoSyncEmployee: true, startDate: farOff } : {});

export class RosterStream {
  readonly #random: Random;
  readonly #hire: (number: number) => RosterEntry;
  /** Everybody who was ever employed. A roster has as many of them, from the front, as it needs. */
  readonly #all: RosterEntry[] = [];
  #version = 0;

  constructor(random: Random, hireNext: (number: number) => RosterEntry = hire) {
    this.#random = random;
    this.#hire = hireNext;
  }

  next(size: number): RosterEntry[] {
    while (this.#all.length < size) this.#all.push(this.#hire(this.#all.length + 1));
    const roster = this.#all.slice(0, size);
    for (let changes = this.#random.int(0, 40); changes > 0; changes--) this.#rename(roster);
    if (this.#random.chance(0.5)) this.#swapEmails(roster);
    return this.#random.chance(0.5) ? roster : this.#random.shuffle(roster);
  }

  #replace(roster: RosterEntry[], at: number, fields: Partial<RosterEntry>): void {
    const entry = { ...(roster[at] as RosterEntry), ...fields };
    roster[at] = entry;
    this.#all[at] = entry;
  }

  #rename(roster: RosterEntry[]): void {
    const at = this.#random.int(0, roster.length - 1);
    const version = ++this.#version;
    const email = this.#random.chance(0.5) ? { email: `e${at + 1}.${version}@example.com` } : {};
    this.#replace(roster, at, { lastName: `Muster${at + 1}-${version}`, ...email });
  }

  #swapEmails(roster: RosterEntry[]): void {
    const [one, other] = [this.#random.int(0, roster.length - 1), this.#random.int(0, roster.length - 1)];
    const [first, second] = [roster[one]?.email, roster[other]?.email];
    if (one === other || first === undefined || second === undefined) return;
    this.#replace(roster, one, { email: second });
    this.#replace(roster, other, { email: first });
  }
}

/** The rosters of an HR system, one after another. What the number means is up to them. */
export interface Rosters {
  next(number: number): RosterEntry[];
}

const retryMs = 100;

/** An HR system that pushes rosters to a service which may stop at any moment, and records what was acknowledged. */
export class RosterPusher {
  readonly company: TestCompany;
  /** Every roster by its syncId. Recorded before it is sent, because the service may store it without a response. */
  readonly sent = new Map<string, RosterEntry[]>();
  readonly acknowledged = new Set<string>();
  /** Responses other than 204 and 503, and syncs that were not applied. */
  readonly unexpected: string[] = [];
  retries = 0;
  repeats = 0;
  broken = 0;
  sending = 0;
  /** The pause between two pieces of a body, so that faults sometimes interrupt large bodies. */
  pauseMs = 0;
  #finished = 0;
  #origin: string;
  readonly #client: HttpClient;
  readonly #base: string;
  readonly #rosters: Rosters;

  constructor(company: TestCompany, apiUrl: string, rosters: Rosters) {
    this.company = company;
    this.#client = new HttpClient(apiUrl);
    this.#origin = this.#client.origin;
    this.#base = `/v1/hr-integrations/${company.integrationId}`;
    this.#rosters = rosters;
  }

  connect(apiUrl: string): void {
    this.#origin = new URL(apiUrl).origin;
  }

  next(number: number): string {
    const syncId = `sync-${this.sent.size + 1}`;
    this.sent.set(syncId, this.#rosters.next(number));
    return syncId;
  }

  #request = (path: string) => ({
    origin: this.#origin,
    path: `${this.#base}${path}`,
    headers: { authorization: this.company.authorization },
  });

  requestFor(syncId: string) {
    return { ...this.#request('/sync'), method: 'POST', body: { syncId, employees: this.sent.get(syncId) } };
  }

  async post(syncId: string): Promise<number> {
    const pieces = { bytes: 64 * 1024, pauseMs: this.pauseMs };
    this.sending += 1;
    const { status, ending } = await this.#client.exchange(this.requestFor(syncId), { isAlone: true, pieces });
    this.sending -= 1;
    if (ending !== 'complete') {
      if (ending !== 'refused') this.broken += 1;
      return 0;
    }
    if (status === 204) {
      if (this.acknowledged.has(syncId)) this.repeats += 1;
      this.acknowledged.add(syncId);
    } else if (status !== 503) this.unexpected.push(`${syncId} returned ${status}`);
    return status;
  }

  async deliver(syncId: string): Promise<void> {
    while ((await this.post(syncId)) !== 204) {
      this.retries += 1;
      await sleep(retryMs);
    }
  }

  /** Sends a new roster, sometimes twice at once. One in four is abandoned if the first try fails. */
  async pushCarelessly(number: number, random: Random): Promise<void> {
    const syncId = this.next(number);
    const isAbandoned = random.chance(0.25);
    const send = () => (isAbandoned ? this.post(syncId) : this.deliver(syncId));
    await Promise.all(Array.from({ length: random.chance(0.3) ? 2 : 1 }, send));
    if (random.chance(0.2)) await send();
  }

  async push(number: number): Promise<string> {
    const syncId = this.next(number);
    await this.deliver(syncId);
    return syncId;
  }

  async read(syncId: string): Promise<{ state: string; entries: number } | undefined> {
    for (;;) {
      const request = this.#request(`/syncs/${syncId}`);
      const response: HttpResponse | undefined = await this.#client.send(request).catch(() => undefined);
      if (response !== undefined && response.status !== 503) return readJson<{ data?: never }>(response)?.data;
      this.retries += 1;
      await sleep(retryMs);
    }
  }

  async waitFor(pending: number): Promise<void> {
    const awaited = [...this.acknowledged].slice(this.#finished, this.acknowledged.size - pending);
    for (const syncId of awaited) {
      await until(`${syncId} has an outcome`, async () => {
        const sync = await this.read(syncId);
        if (sync === undefined) throw new Error(`${syncId} was accepted, but the API does not return it.`);
        if (['accepted', 'processing'].includes(sync.state)) return false;
        if (sync.state !== 'succeeded') this.unexpected.push(`${syncId} ended as ${sync.state}`);
        return true;
      });
      this.#finished += 1;
    }
  }
}
