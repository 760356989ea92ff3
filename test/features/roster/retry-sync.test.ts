import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { getCompany } from '../../../src/features/companies/companies.ts';
import { expireRecords } from '../../../src/features/employees/erase.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { testClock, useApp } from '../../support/app.ts';
import { makeUser, type PortalClient, signIn } from '../../support/portal.ts';
import { anEntry, entries, makePusher, type Pusher } from '../../support/sync.ts';

const roster = [anEntry(1, { firstName: 'Eva' }), anEntry(5, { lastName: 'Boom' })];

describe('a failed sync in the portal', () => {
  const app = useApp({ worker: 'without documents' });

  /** Lets a sync fail, and removes the cause. */
  async function makeFailedSync(): Promise<{ pusher: Pusher; client: PortalClient; path: string }> {
    const pusher = await makePusher(app);
    const client = await signIn(app, await makeUser(app, pusher.companyId));
    await pusher.sync('good', entries(1));
    await sql`alter table employees add constraint boom check (last_name <> 'Boom') not valid`.execute(app.db);
    try {
      assert.equal((await pusher.sync('bad', roster)).state, 'failed');
    } finally {
      await sql`alter table employees drop constraint boom`.execute(app.db);
    }
    return { pusher, client, path: `/integrations/${pusher.integrationId}/syncs/bad` };
  }

  const canRetry = async (client: PortalClient, path: string) =>
    (await client.get(`${path}/progress`)).body.data.canRetry;
  const auditOf = async ({ companyId }: Pusher) => {
    const { rows } = await sql<{ action: string; count: number }>`
      select action, count(*) from audit_log where company_id = ${companyId} and action in ('sync.retry', 'sync.apply')
      group by 1 order by 1`.execute(app.db);
    return Object.fromEntries(rows.map(({ action, count }) => [action, Number(count)]));
  };

  it('is applied again with its stored roster, once for several requests at the same time', async () => {
    const { pusher, client, path } = await makeFailedSync();
    assert.equal(await canRetry(client, path), true);
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await client.post(`${path}/retry`)).status),
    );
    // A request that arrives after the sync was applied is refused.
    assert.ok(statuses.includes(202) && statuses.every((status) => status === 202 || status === 409), `${statuses}`);
    const sync = await pusher.finished('bad');
    assert.deepEqual([sync.state, sync.reason, sync.counts.created], ['succeeded', null, 1]);
    assert.equal(sync.pushedBy, pusher.key.username);
    assert.deepEqual(await auditOf(pusher), { 'sync.apply': 2, 'sync.retry': 1 });
    const refused = await client.post(`${path}/retry`);
    assert.deepEqual([refused.status, refused.body.message.key], [409, 'sync-not-failed']);
    assert.equal(await canRetry(client, path), false);
  });

  it('is refused once a newer roster has arrived, which an old one must not undo', async () => {
    const { pusher, client, path } = await makeFailedSync();
    await pusher.sync('newer', entries(1));
    assert.equal(await canRetry(client, path), false);
    const refused = await client.post(`${path}/retry`);
    assert.deepEqual([refused.status, refused.body.message.key], [409, 'sync-roster-gone']);
    // The same roster can still be sent again.
    assert.equal((await pusher.sync('bad', roster)).state, 'succeeded');
  });

  it('can be sent again although its roster is stored, and keeps its roster for a week', async () => {
    const { pusher, client, path } = await makeFailedSync();
    const company = await getCompany(app.db, pusher.companyId);
    const expireAfter = (days: number) =>
      writeCompany(app.db, pusher.companyId, (tx) => {
        const now = testClock.now().add({ hours: 24 * days });
        return expireRecords(tx, company, now.toZonedDateTimeISO(company.timeZone).toPlainDate(), now);
      });
    await expireAfter(6);
    assert.equal(await canRetry(client, path), true);
    await expireAfter(8);
    assert.equal(await canRetry(client, path), false);
    const other = await makeFailedSync();
    assert.equal((await other.pusher.sync('bad', roster)).state, 'succeeded');
  });

  it('is refused while the integration is disabled, and for users who may not sync', async () => {
    const { pusher, client, path } = await makeFailedSync();
    const viewer = await signIn(app, await makeUser(app, pusher.companyId, 'viewer'));
    assert.equal((await viewer.post(`${path}/retry`)).status, 403);
    await client.post(`/integrations/${pusher.integrationId}/status`, { status: 'inactive' });
    const refused = await client.post(`${path}/retry`);
    assert.deepEqual([refused.status, refused.body.code], [409, 'sync-not-possible']);
  });

  it('does not change how a preview responds to clients that read its progress', async () => {
    const pusher = await makePusher(app);
    const client = await signIn(app, await makeUser(app, pusher.companyId));
    const path = `/integrations/${pusher.integrationId}/preview`;
    const preview = async (employees: object[]) => {
      const origin = new URL(app.config.publicUrl).origin;
      const headers = {
        cookie: client.cookie,
        origin,
        accept: 'application/x-ndjson',
        'content-type': 'application/json',
      };
      const body = JSON.stringify({ syncId: 'preview', employees });
      const response = await fetch(`${new URL(app.url).origin}/portal/api${path}`, { method: 'POST', headers, body });
      return { response, lines: (await response.text()).trim().split('\n') };
    };
    const { response, lines } = await preview(entries(1_500));
    assert.equal(response.headers.get('content-type'), 'application/x-ndjson');
    const last = lines.pop() ?? '';
    const plain = await client.post(path, { syncId: 'preview', employees: entries(1_500) });
    assert.deepEqual(JSON.parse(last), plain.body);
    const counts = lines.map((line) => JSON.parse(line));
    assert.deepEqual(counts.at(-1), { planned: 1_500, entries: 1_500 });
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a.planned - b.planned),
    );
    const refused = await preview([{ hrId: '' }]);
    assert.deepEqual([refused.response.status, JSON.parse(refused.lines[0] ?? '').code], [422, 'invalid-roster']);
    const one = await preview(entries(1));
    assert.equal(JSON.parse(one.lines.at(-1) ?? '').data?.entries, 1, one.lines.join('\n'));
  });
});
