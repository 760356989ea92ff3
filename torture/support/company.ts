import { setTimeout as sleep } from 'node:timers/promises';
import type { CompanyId } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';
import type { Random } from '../../src/demo/random.ts';
import type { RosterEntry } from '../../src/domain/roster/entry.ts';
import { basic } from '../../test/support/app.ts';
import { makeCompany, makeIntegration, makeKey } from '../../test/support/factories.ts';
import { type ModelCounts, RosterModel, RosterStream } from './roster-model.ts';

/** A company whose HR system pushes one roster after another, whatever happens to the service in the meantime. */
export interface PushingCompany {
  companyId: CompanyId;
  integrationId: number;
  model: RosterModel;
  /** The expected result of each accepted sync. */
  expected: Map<string, ModelCounts>;
  /** How many requests got 503 or no response. */
  retries: () => number;
  /** Pushes the next roster. By default the number is the size of the roster. */
  push(number: number): Promise<void>;
  /** Resolves when at most this many pushed syncs have no outcome. */
  waitFor(pending: number): Promise<void>;
}

const retryMs = 150;
/** Far longer than any fault may delay a sync. */
const limitMs = 300_000;

/** The rosters of the HR system. `next` receives the number that `push` was called with. */
interface Rosters {
  next(number: number): RosterEntry[];
}

/**
 * These rosters shrink on purpose, so the removal guard is off. The retention time is so long that no employee is
 * erased however far the clock travels. The plan requires a signed contract, and no employee signs: the documents of so
 * many employees would take longer than everything else.
 */
const settings = {
  guard_maximum_absent_percent: 100,
  retention_days: 36_500,
  plan_type: 'split-pay-plan',
  contribution_cents: 2_000,
} as const;

export async function makePushingCompany(
  db: Db,
  apiUrl: string,
  random: Random,
  rosters: Rosters = new RosterStream(random),
): Promise<PushingCompany> {
  const companyId = await makeCompany(db);
  const integrationId = await makeIntegration(db, companyId);
  const headers = { authorization: basic(await makeKey(db, companyId)), 'content-type': 'application/json' };
  await db.updateTable('companies').set(settings).where('id', '=', companyId).execute();
  const base = `${apiUrl}/hr-integrations/${integrationId}`;
  const model = new RosterModel();
  const expected = new Map<string, ModelCounts>();
  const pending: string[] = [];
  let retries = 0;

  /** Repeats the request until there is a response other than 503, as an integrator should. */
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
    async push(number) {
      const syncId = `sync-${expected.size + 1}`;
      const employees = rosters.next(number);
      const body = JSON.stringify({ syncId, employees });
      expected.set(syncId, model.apply(syncId, employees));
      await send(body);
      pending.push(syncId);
      if (random.chance(0.3)) await send(body);
    },
    async waitFor(count) {
      for (let deadline = Date.now() + limitMs; pending.length > count; ) {
        if (await hasOutcome(pending[0] as string)) {
          pending.shift();
          deadline = Date.now() + limitMs;
        } else if (Date.now() > deadline) throw new Error(`${pending[0]} has no outcome after ${limitMs / 1_000} s.`);
        else await sleep(50);
      }
    },
  };
}
