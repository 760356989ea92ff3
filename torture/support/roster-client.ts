import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CompanyId } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';
import type { Random } from '../../src/demo/random.ts';
import type { RosterEntry } from '../../src/domain/roster/entry.ts';
import { basic } from '../../test/support/app.ts';
import { makeCompany, makeIntegration, makeKey } from '../../test/support/factories.ts';
import { RosterStream } from './roster-model.ts';

const retryMs = 100;
const chunkBytes = 64 * 1024;

interface Options {
  random: Random;
  /** The pause between two pieces of a body, so that kills sometimes interrupt large bodies. */
  pauseMs: number;
}

/** An HR system that pushes rosters to a service which may stop at any moment, and records the responses. */
export class RosterClient {
  readonly sent = new Map<string, RosterEntry[]>();
  /** The syncs acknowledged with 204, once or more. */
  readonly acknowledged = new Set<string>();
  /** Responses other than 204 and 503. */
  readonly odd: string[] = [];
  readonly companyId: CompanyId;
  readonly integrationId: number;
  repeats = 0;
  /** Requests that began and got no response. */
  broken = 0;
  /** How many bodies are being sent now. */
  sending = 0;
  readonly #base: string;
  readonly #headers: Record<string, string>;
  readonly #options: Options;
  readonly #stream: RosterStream;

  private constructor(
    place: { companyId: CompanyId; integrationId: number; base: string },
    key: string,
    options: Options,
  ) {
    this.companyId = place.companyId;
    this.integrationId = place.integrationId;
    this.#base = place.base;
    this.#headers = { authorization: key, 'content-type': 'application/json' };
    this.#options = options;
    this.#stream = new RosterStream(options.random);
  }

  static async open(db: Db, apiUrl: string, options: Options): Promise<RosterClient> {
    const companyId = await makeCompany(db);
    const integrationId = await makeIntegration(db, companyId);
    // These rosters shrink on purpose.
    await db.updateTable('companies').set({ guard_maximum_absent_percent: 100 }).where('id', '=', companyId).execute();
    const base = `${apiUrl}/hr-integrations/${integrationId}`;
    return new RosterClient({ companyId, integrationId, base }, basic(await makeKey(db, companyId)), options);
  }

  /** Pushes the next roster and repeats it until it is accepted. One in four is abandoned if the first try fails. */
  async push(size: number): Promise<void> {
    const { random } = this.#options;
    const syncId = `sync-${this.sent.size + 1}`;
    const employees = this.#stream.next(size);
    this.sent.set(syncId, employees);
    const body = Buffer.from(JSON.stringify({ syncId, employees }));
    const isPatient = !random.chance(0.25);
    const times = random.chance(0.3) ? 2 : 1;
    await Promise.all(Array.from({ length: times }, () => this.#insist(syncId, body, isPatient)));
    if (random.chance(0.2)) await this.#insist(syncId, body, isPatient);
  }

  async #insist(syncId: string, body: Buffer, isPatient: boolean): Promise<void> {
    for (;;) {
      const status = await this.#post(body);
      if (status === 204) {
        if (this.acknowledged.has(syncId)) this.repeats += 1;
        this.acknowledged.add(syncId);
        return;
      }
      if (status !== undefined && status !== 503) this.odd.push(`${syncId} was answered ${status}`);
      if (!isPatient) return;
      await sleep(retryMs);
    }
  }

  /** Returns the status of the response. Undefined if there was none. */
  #post(body: Buffer): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const headers = { ...this.#headers, 'content-length': body.length };
    const posting = request(`${this.#base}/sync`, { method: 'POST', headers, agent: false }, (response) => {
      response.on('end', () => resolve(response.statusCode)).on('close', () => resolve(undefined));
      response.resume();
    });
    posting.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'ECONNREFUSED') this.broken += 1;
      resolve(undefined);
    });
    const write = async () => {
      for (let from = 0; from < body.length && !posting.destroyed; from += chunkBytes) {
        posting.write(body.subarray(from, from + chunkBytes));
        if (from + chunkBytes < body.length) await sleep(this.#options.pauseMs);
      }
      posting.end();
    };
    this.sending += 1;
    write().finally(() => {
      this.sending -= 1;
    });
    return promise;
  }

  /** Returns how many entries the sync has according to the API. Undefined if the API does not return the sync. */
  async entriesOf(syncId: string): Promise<number | undefined> {
    const response = await fetch(`${this.#base}/syncs/${syncId}`, { headers: this.#headers });
    const { data } = (await response.json()) as { data?: { entries: number } };
    return data?.entries;
  }
}
