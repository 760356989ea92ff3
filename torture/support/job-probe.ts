import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { ofCompany } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';
import { type Customer, makeCustomer, rosterOf } from './customers.ts';

/**
 * Pushes rosters of a separate company only to check whether jobs are done. None of its own jobs was ever interrupted.
 */
export class JobProbe {
  readonly #db: Db;
  readonly #api: string;
  readonly #customer: Customer;
  #pushed = 0;

  private constructor(db: Db, apiUrl: string, customer: Customer) {
    this.#db = db;
    this.#api = apiUrl;
    this.#customer = customer;
  }

  static async open(db: Db, apiUrl: string): Promise<JobProbe> {
    return new JobProbe(db, apiUrl, await makeCustomer(db, 3));
  }

  /**
   * Returns the seconds since `from` until a roster is accepted and applied. Infinite if that takes longer than
   * `patienceSeconds`.
   */
  async measure(from: number, patienceSeconds: number): Promise<number> {
    const syncId = `probe-${++this.#pushed}`;
    const deadline = from + patienceSeconds * 1_000;
    let isAccepted = false;
    while (Date.now() < deadline) {
      isAccepted ||= await this.#push(syncId);
      if (isAccepted && (await this.#isApplied(syncId).catch(() => false))) return (Date.now() - from) / 1_000;
      await sleep(50);
    }
    return Infinity;
  }

  async #push(syncId: string): Promise<boolean> {
    const { authorization, integrationId, size } = this.#customer;
    const response = await fetch(`${this.#api}/hr-integrations/${integrationId}/sync`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ syncId, employees: rosterOf(size, 0) }),
    }).catch(() => undefined);
    await response?.arrayBuffer().catch(() => {});
    return response?.status === 204;
  }

  /** Queries the database directly, because the API may be the part that has not recovered. */
  async #isApplied(syncId: string): Promise<boolean> {
    const { rows } = await sql`
      select 1 from syncs s where ${ofCompany(this.#customer.companyId, 's')} and s.sync_id = ${syncId}
        and s.state = 'succeeded'`.execute(this.#db);
    return rows.length > 0;
  }
}
