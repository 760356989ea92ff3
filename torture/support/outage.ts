import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { WorkerProcess } from '../../harness/processes.ts';
import { ofCompany } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';
import { createRandom } from '../../src/demo/random.ts';
import { type Fixture, withFixture } from './fixture.ts';
import { OutageLoad, type Outcome } from './outage-load.ts';
import { RosterStream } from './roster-model.ts';
import { RosterPusher } from './roster-pusher.ts';
import { makeTestCompany } from './test-company.ts';

/** An API and a worker under load while their database fails. */
export interface Outage {
  fixture: Fixture;
  load: OutageLoad;
  worker: WorkerProcess;
  /** Returns the seconds since `from` until a new roster is accepted and applied. Infinite if that takes too long. */
  measureJobs(from: number, timeoutSeconds: number): Promise<number>;
  countEndedProcesses(): number;
}

/** Queries the database directly, because the API may be the part that has not recovered. */
async function isApplied(db: Db, { company }: RosterPusher, syncId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from syncs s where ${ofCompany(company.companyId, 's')} and s.sync_id = ${syncId}
      and s.state = 'succeeded'`.execute(db);
  return rows.length > 0;
}

/** Starts the processes on the database at `databaseUrl`, which may be a proxy. */
export function withOutage<T>(
  { charges, seed }: { charges: number; seed: number },
  openDatabase: (fixture: Fixture) => Promise<{ url: string; close(): Promise<void> }>,
  work: (outage: Outage) => Promise<T>,
): Promise<T> {
  return withFixture(async (fixture) => {
    const { db } = fixture;
    const database = await openDatabase(fixture);
    try {
      const api = await fixture.startApi({ DATABASE_URL: database.url });
      let endedApis = 0;
      api.exited.then(() => endedApis++);
      const worker = await fixture.startWorker(database.url);
      const load = await OutageLoad.open(db, api.url, charges, createRandom(seed + 1));
      // None of the jobs of this company is ever interrupted, so it shows whether new jobs are done.
      const probe = new RosterPusher(await makeTestCompany(db), api.url, new RosterStream(createRandom(seed + 2)));
      return await work({
        fixture,
        load,
        worker,
        countEndedProcesses: () => Number(!worker.isRunning()) + endedApis,
        async measureJobs(from, timeoutSeconds) {
          const syncId = probe.next(3);
          while (Date.now() < from + timeoutSeconds * 1_000) {
            const isAccepted = probe.acknowledged.has(syncId) || (await probe.post(syncId)) === 204;
            if (isAccepted && (await isApplied(db, probe, syncId).catch(() => false)))
              return (Date.now() - from) / 1_000;
            await sleep(50);
          }
          return Infinity;
        },
      });
    } finally {
      await database.close();
    }
  });
}

export const countResults = (outcomes: Outcome[], result: Outcome['result']) =>
  outcomes.filter((outcome) => outcome.result === result).length;

/** Runs the load while `fail` causes faults, and lets the last requests finish. */
export async function runUnderLoad<T>(load: OutageLoad, width: number, fail: () => Promise<T>): Promise<T> {
  let isOver = false;
  const running = load.run(() => isOver, width);
  const result = await fail().finally(() => {
    isOver = true;
  });
  await running;
  return result;
}
