import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { info, type Metric, none, noneOf } from '../../harness/metrics.ts';
import type { Context } from '../../harness/scenario.ts';
import { createRandom } from '../../src/operator/demo/random.ts';
import { ofCompany } from '../../src/platform/db/company-scope.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { holdsWithin } from '../../test/support/until.ts';
import type { Fixture } from './fixture.ts';
import { kinds, OutageLoad, type Outcome } from './outage-load.ts';
import { RosterStream } from './roster-model.ts';
import { RosterPusher } from './roster-pusher.ts';
import { makeTestCompany } from './test-company.ts';
import { findWrongCompanies, untilApplied } from './verify.ts';

export const countResults = (outcomes: Outcome[], result: Outcome['result']) =>
  outcomes.filter((outcome) => outcome.result === result).length;

/**
 * Returns the seconds from `since` until nothing fails any more: until the last failure or, if later, until the start
 * of the first successful request of the slowest kind. How long a large export takes after that is not counted, because
 * it depends on its reader. Nothing may fail for `steadyMs`. Infinite if that takes too long.
 */
async function untilRequestsSucceed(
  { outcomes, underway }: OutageLoad,
  since: number,
  { steadyMs, timeoutSeconds }: RecoveryLimits,
): Promise<number> {
  const after = () => outcomes.filter(({ endedAt }) => endedAt >= since);
  const lastFailure = () => Math.max(since, ...after().flatMap((one) => (one.result === 'done' ? [] : one.endedAt)));
  const firstDone = () => {
    const done = after().filter(({ begunAt, result }) => begunAt >= since && result === 'done');
    return Math.max(...kinds.map((kind) => done.find((one) => one.kind === kind)?.begunAt ?? Infinity));
  };
  const isSteady = () =>
    Date.now() - lastFailure() >= steadyMs &&
    firstDone() < Infinity &&
    [...underway].every(({ begunAt }) => begunAt >= since);
  if (!(await holdsWithin(timeoutSeconds * 1_000, isSteady))) return Infinity;
  return (Math.max(lastFailure(), firstDone()) - since) / 1_000;
}

/** Returns the seconds from `since` until a new roster is accepted and applied. Infinite if that takes too long. */
async function untilJobsAreDone(db: Db, probe: RosterPusher, since: number, timeoutSeconds: number): Promise<number> {
  const syncId = probe.next(3);
  // Queries the database directly, because the API may be the part that has not recovered.
  const isApplied = async () => {
    const { rows } = await sql`
      select 1 from syncs s where ${ofCompany(probe.company.companyId, 's')} and s.sync_id = ${syncId}
        and s.state = 'succeeded'`.execute(db);
    return rows.length > 0;
  };
  while (Date.now() < since + timeoutSeconds * 1_000) {
    const isAccepted = probe.acknowledged.has(syncId) || (await probe.post(syncId)) === 204;
    if (isAccepted && (await isApplied().catch(() => false))) return (Date.now() - since) / 1_000;
    await sleep(50);
  }
  return Infinity;
}

interface RecoveryLimits {
  /** How long no request may fail before the fault counts as over. */
  steadyMs: number;
  timeoutSeconds: number;
}

/** Starts an API and a worker on the database at this address, which may be a proxy, and puts them under load. */
export async function startOutage(fixture: Fixture, url: string, charges: number, { seed, log }: Context) {
  const { db } = fixture;
  const api = await fixture.startApi({ DATABASE_URL: url });
  let endedApis = 0;
  api.exited.then(() => endedApis++);
  const worker = await fixture.startWorker(url);
  const load = await OutageLoad.open(db, api.url, charges, createRandom(seed + 1));
  // None of the jobs of this company is ever interrupted, so it shows whether new jobs are done.
  const probe = new RosterPusher(await makeTestCompany(db), api.url, new RosterStream(createRandom(seed + 2)));
  const { outcomes, pusher } = load;
  return {
    load,
    /** Returns the seconds from now until requests succeed and jobs are done again. */
    async measureRecovery(limits: RecoveryLimits) {
      const since = Date.now();
      const [requests, jobs] = await Promise.all([
        untilRequestsSucceed(load, since, limits),
        untilJobsAreDone(db, probe, since, limits.timeoutSeconds),
      ]);
      return { requests, jobs };
    },
    /** Waits until the worker has applied everything that was accepted. Checks it, and all responses. */
    async judge(settleMs: number): Promise<Metric[]> {
      await untilApplied(db, settleMs, () => !worker.isRunning());
      const wrong = await findWrongCompanies(db, [pusher]);
      const lost = await load.findLostWrites(db);
      const unexpected = outcomes.flatMap(({ result, kind, detail }) =>
        result === 'unexpected' ? `${kind}: ${detail}` : [],
      );
      return [
        info('requests that succeeded', countResults(outcomes, 'done')),
        info('requests refused with 503', countResults(outcomes, 'unavailable')),
        info('exports broken off in the middle', countResults(outcomes, 'cut')),
        noneOf('responses other than success and a proper 503, and broken connections', unexpected, log),
        info('writes acknowledged', pusher.acknowledged.size + load.acknowledgedKeys.size),
        noneOf('acknowledged writes lost', lost, log),
        noneOf('companies that differ from their rosters', wrong, log),
        none('processes that ended', Number(!worker.isRunning()) + endedApis),
      ];
    },
  };
}

export type Outage = Awaited<ReturnType<typeof startOutage>>;
