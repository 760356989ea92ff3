import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestApp } from '../../support/app.ts';
import { connectAs } from '../../support/database.ts';
import { makeUser, signIn } from '../../support/portal.ts';
import { entries, makePusher } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

/** Adds a column to every table of the service, as a migration of a newer version would. */
async function widenEveryTable(url: string): Promise<void> {
  const other = await connectAs(url);
  const { rows } = await other.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations'",
  );
  for (const { name } of rows) await other.query(`alter table ${name} add column added_later text`);
  await other.end();
}

describe('A service whose database another process migrates under load', () => {
  it('fails no request, neither during nor after the migration', async () => {
    await using app = await startTestApp({ worker: true, poolSize: 4 });
    const pusher = await makePusher(app);
    await pusher.sync('first', entries(20));
    const portal = await signIn(app, await makeUser(app, pusher.companyId));
    const requests = [
      () => pusher.get('/employees'),
      () => pusher.get('/me'),
      () => pusher.get('/hr-integrations'),
      () => pusher.push('preview', entries(20, { lastName: 'Other' }), '?dryRun=true'),
      () => portal.get('/me'),
    ];
    const statuses: number[][] = requests.map(() => []);
    let isDone = false;
    const loads = requests.map(async (request, index) => {
      while (!isDone) statuses[index]?.push((await request()).status);
    });
    const responses = (count: number) => {
      const goals = statuses.map((seen) => seen.length + count);
      return until('every request was answered', () => statuses.every((seen, at) => seen.length >= (goals[at] ?? 0)));
    };
    await responses(20);
    await widenEveryTable(app.adminUrl);
    await responses(20);
    isDone = true;
    await Promise.all(loads);
    for (const seen of statuses) assert.deepEqual(new Set(seen), new Set([200]));
    assert.equal((await pusher.sync('second', entries(20, { lastName: 'Other' }))).state, 'succeeded');
  });
});
