import { setTimeout as sleep } from 'node:timers/promises';
import type { CompanyId } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';
import type { Random } from '../../src/demo/random.ts';
import { basic } from '../../test/support/app.ts';
import { makeCompany, makeIntegration, makeKey } from '../../test/support/factories.ts';
import { type ModelCounts, RosterModel, RosterStream } from './roster-model.ts';

/** A company whose HR system pushes one roster after another, whatever happens to the service meanwhile. */
export interface PushingCompany {
  companyId: CompanyId;
  integrationId: number;
  model: RosterModel;
  /** What each accepted sync must have done. */
  expected: Map<string, ModelCounts>;
  /** How often an answer was 503 or none at all. */
  retries: () => number;
  push(size: number): Promise<void>;
  /** Resolves when no more than this many pushed syncs are without an outcome. */
  waitFor(pending: number): Promise<void>;
}

const retryMs = 150;

export async function makePushingCompany(db: Db, apiUrl: string, random: Random): Promise<PushingCompany> {
  const companyId = await makeCompany(db);
  const integrationId = await makeIntegration(db, companyId);
  const headers = { authorization: basic(await makeKey(db, companyId)), 'content-type': 'application/json' };
  // These rosters shrink on purpose.
  await db.updateTable('companies').set({ guard_maximum_absent_percent: 100 }).where('id', '=', companyId).execute();
  const base = `${apiUrl}/hr-integrations/${integrationId}`;
  const stream = new RosterStream(random);
  const model = new RosterModel();
  const expected = new Map<string, ModelCounts>();
  const pending: string[] = [];
  let retries = 0;

  /** As an integrator should: the same request again until there is an answer. */
  async function insist(url: string, init: RequestInit = {}): Promise<Response> {
    for (;;) {
      const response = await fetch(url, { headers, ...init }).catch(() => undefined);
      if (response !== undefined && response.status !== 503) return response;
      await response?.arrayBuffer().catch(() => {});
      retries += 1;
      await sleep(retryMs);
    }
  }

  async function send(body: string): Promise<void> {
    const response = await insist(`${base}/sync`, { method: 'POST', body });
    if (response.status !== 204) throw new Error(`A roster was answered ${response.status}: ${await response.text()}`);
  }

  async function hasOutcome(syncId: string): Promise<boolean> {
    const response = await insist(`${base}/syncs/${syncId}`);
    if (response.status !== 200) throw new Error(`${syncId} was accepted, but is answered ${response.status}.`);
    const { data } = (await response.json()) as { data: { state: string } };
    return !['accepted', 'processing'].includes(data.state);
  }

  return {
    companyId,
    integrationId,
    model,
    expected,
    retries: () => retries,
    async push(size) {
      const syncId = `sync-${expected.size + 1}`;
      const employees = stream.next(size);
      const body = JSON.stringify({ syncId, employees });
      expected.set(syncId, model.apply(syncId, employees));
      await send(body);
      pending.push(syncId);
      if (random.chance(0.3)) await send(body);
    },
    async waitFor(count) {
      while (pending.length > count) {
        if (await hasOutcome(pending[0] as string)) pending.shift();
        else await sleep(50);
      }
    },
  };
}
