import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { useApp } from '../../support/app.ts';
import { entries, makePusher } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

const large = 3_000;
/** From about so many on, PostgreSQL has chosen plans that read the whole company for each employee. */
const many = 30_000;

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

describe('a large roster that changes everybody', () => {
  const app = useApp({ worker: 'without documents' });

  /** Returns how many entries of indexes were read, of the tables that have a row per employee. */
  async function countReads(): Promise<number> {
    const { rows } = await sql<{ reads: number }>`
      select sum(idx_tup_read)::bigint as reads from pg_stat_user_indexes
      where relname in ('employees', 'hr_links')`.execute(app.db);
    return rows[0]?.reads ?? 0;
  }

  it('is compared and updated without reading all employees for each, if all of them have changed', async () => {
    // Otherwise statistics may be collected in between by chance.
    await sql`alter table employees set (autovacuum_enabled = false)`.execute(app.db);
    const pusher = await makePusher(app);
    const roster = entries(many).map((entry) => ({ ...entry, email: `of.${entry.email}` }));
    await pusher.sync('first', roster);
    const updated = async () =>
      (
        await sql<{
          updates: number;
        }>`select n_tup_upd as updates from pg_stat_user_tables where relname = 'employees'`.execute(app.db)
      ).rows[0]?.updates ?? 0;
    const before = { updates: await updated(), reads: await countReads() };
    const changed = roster.map((entry) => ({ ...entry, firstName: `${entry.firstName} Maria` }));
    assert.equal((await pusher.sync('changed', changed)).counts.updated, many);
    await until('the updates are counted', async () => (await updated()) >= before.updates + many);
    const reads = (await countReads()) - before.reads;
    assert(reads < many * 50, `${reads} entries of indexes were read for ${many} employees`);
  });
});
