import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { useApp } from '../../support/app.ts';
import { entries, makePusher } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

const large = 3_000;

describe('a large roster after small ones', () => {
  const app = useApp({ worker: 'without documents' });

  async function countScans() {
    const { rows } = await sql<{ name: string; scans: number; inserted: number }>`
      select relname as name, seq_scan as scans, n_tup_ins as inserted from pg_stat_user_tables order by relname`.execute(
      app.db,
    );
    return new Map(rows.map(({ name, scans, inserted }) => [name, { scans, inserted }]));
  }

  /** The sessions of the server report what they did up to a second later. */
  const untilReported = (inserted: number) =>
    until(
      `${inserted} employees are counted`,
      async () => (await countScans()).get('employees')?.inserted === inserted,
    );

  it('is checked by index, although the plans were made for tiny tables', async () => {
    // Otherwise statistics may be collected in between by chance.
    await sql`alter table employees set (autovacuum_enabled = false)`.execute(app.db);
    const pusher = await makePusher(app);
    for (let round = 1; round <= 8; round++) {
      const { state } = await pusher.sync(`small ${round}`, entries(20 + round));
      assert.equal(state, 'succeeded');
    }
    await untilReported(28);
    const before = await countScans();
    assert.equal((await pusher.sync('everybody', entries(large))).counts.created, large - 28);
    await untilReported(large);
    const after = await countScans();
    const scans = [...after].map(([name, table]) => ({ name, scans: table.scans - (before.get(name)?.scans ?? 0) }));
    // Checked one by one, the foreign keys of this roster would take about three per employee.
    assert.deepEqual(
      scans.filter((one) => one.scans > large / 20),
      [],
    );
  });
});
