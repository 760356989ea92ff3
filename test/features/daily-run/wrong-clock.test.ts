import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { catchUp, listDueCompanies, lockAndCatchUp } from '../../../src/features/daily-run/run.ts';
import { noNotices } from '../../../src/features/notices/notices.ts';
import { type Clock, type EnvironmentClock, openClock } from '../../../src/platform/clock/clock.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { isDatabaseUnavailable } from '../../../src/platform/db/unavailable.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { useDatabase } from '../../support/database.ts';
import { makeCompany } from '../../support/factories.ts';

const shifted = (seconds: number): Clock => ({ now: () => Temporal.Now.instant().add({ seconds }) });
const day = 86_400;
const queue = { enqueueDocuments: async () => {}, enqueueFileRemoval: async () => {}, enqueueInvoices: async () => {} };

describe('the daily run with a wrong clock', () => {
  const database = useDatabase();
  let companyId: CompanyId;
  before(async () => {
    companyId = await makeCompany(database.db);
  });

  /** The company has processed everything up to the day before yesterday, by the clock of the database server. */
  beforeEach(async () => {
    await sql`update environment set clock_ahead_seconds = 0`.execute(database.db);
    await sql`update companies set time_zone = 'UTC', processed_through = (now() at time zone 'UTC')::date - 2
      where id = ${companyId}`.execute(database.db);
  });

  /** How many days the company is behind the clock of the database server. */
  const readLag = async () => {
    const { rows } = await sql<{ lag: number }>`select (now() at time zone 'UTC')::date - processed_through as lag
      from companies where id = ${companyId}`.execute(database.db);
    return rows[0]?.lag;
  };
  const depsOf = (clock: EnvironmentClock) => ({ clock, queue, notices: noNotices });

  for (const environment of ['production', 'staging'] as const) {
    it(`refuses on ${environment} if the clock of the process is ahead or behind`, async () => {
      for (const seconds of [20 * day, -20 * day, 90, -90]) {
        const clock = await openClock(database.db, environment, shifted(seconds));
        const attempts = {
          schedule: () => listDueCompanies(database.db, clock),
          catchUp: () => catchUp(database.db, depsOf(clock), companyId),
          change: () => writeCompany(database.db, companyId, (tx) => lockAndCatchUp(tx, depsOf(clock), companyId)),
        };
        for (const [name, attempt] of Object.entries(attempts)) {
          await assert.rejects(attempt, (error: Error) => {
            assert.match(error.message, /differs from that of the database server by \d+ s.*NTP/, name);
            // Jobs are repeated, and requests get 503.
            return isDatabaseUnavailable(error);
          });
        }
        assert.equal(await readLag(), 2);
        await clock.stop();
      }
    });
  }

  it('takes the day of the database server if the clocks differ by less than a minute', async () => {
    const clock = await openClock(database.db, 'production', shifted(40));
    assert.deepEqual((await listDueCompanies(database.db, clock)).companyIds.includes(companyId), true);
    assert.equal((await catchUp(database.db, depsOf(clock), companyId)).days, 2);
    assert.equal(await readLag(), 0);
  });

  it('processes the days of time travel, which adds to the right clock', async () => {
    await sql`update environment set clock_ahead_seconds = ${20 * day}`.execute(database.db);
    const clock = await openClock(database.db, 'staging', shifted(3));
    try {
      assert.equal((await catchUp(database.db, depsOf(clock), companyId)).days, 22);
      assert.equal(await readLag(), -20);
    } finally {
      await clock.stop();
    }
  });
});
