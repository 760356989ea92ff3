import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { messages } from '../../../src/features/scim/rules/names.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Serving, work } from '../../support/process.ts';
import { aUser, connectProvider, type Provider, patchOf } from '../../support/scim.ts';
import { makePusher, type Pusher } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

/** More than are collected before the minute is over, so that nobody has to wait for it. */
const count = 600;

describe('SCIM changes whose worker is killed', () => {
  let app: TestApp;
  let folder: string;
  let pusher: Pusher;
  let idp: Provider;
  const ids: string[] = [];
  const env: Record<string, string> = { SECRET: randomBytes(16).toString('hex') };
  const workers: Serving[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transit-killed-scim-'));
    app = await startTestApp({ env });
    Object.assign(env, { DATABASE_URL: app.databaseUrl, DATA_DIR: folder, DEMO: 'off' });
    pusher = await makePusher(app);
    idp = await connectProvider(pusher);
  });
  after(async () => {
    for (const worker of workers) await worker.end('SIGKILL');
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });

  const startWorker = async () => {
    const worker = await work({ env });
    workers.push(worker);
    return worker;
  };

  /** Sends operations, a hundred per request. Throws unless each is accepted. Returns the ids of the users. */
  async function send(operations: { method: string; path: string; data?: object }[]): Promise<string[]> {
    const accepted: string[] = [];
    for (let at = 0; at < operations.length; at += 100) {
      const Operations = operations.slice(at, at + 100).map((one, index) => ({ ...one, bulkId: `b${at + index}` }));
      const { status, body } = await idp.request('POST', '/Bulk', { schemas: [messages.bulkRequest], Operations });
      assert.equal(status, 200, JSON.stringify(body));
      for (const { status: own, location } of body.Operations) {
        assert(['200', '201', '204'].includes(own), own);
        accepted.push(location?.split('/').at(-1) ?? '');
      }
    }
    return accepted;
  }
  const create = (from: number, to: number) =>
    send(
      Array.from({ length: to - from + 1 }, (_, index) => ({
        ...{ method: 'POST', path: '/Users' },
        data: aUser(from + index),
      })),
    );
  const patch = (some: readonly string[], path: string, makeValue: (index: number) => unknown) =>
    send(
      some.map((id, index) => ({
        ...{ method: 'PATCH', path: `/Users/${id}` },
        data: patchOf({ op: 'replace', path, value: makeValue(index) }),
      })),
    );

  /** Lets what was accepted be collected at once. */
  async function collectNow(): Promise<void> {
    await sql`update scim_connections set collect_at = now() where company_id = ${pusher.companyId}`.execute(app.db);
    await app.db
      .transaction()
      .execute((tx) => app.deps.queue.enqueueScimChanges(tx, pusher.companyId, pusher.integrationId, 0));
  }
  const listSyncs = async () => {
    const { rows } = await sql<{ syncId: string; state: string }>`
      select sync_id as "syncId", state from syncs where company_id = ${pusher.companyId} order by id`.execute(app.db);
    return rows;
  };
  const countWaiting = async () => {
    const { rows } = await sql<{ changes: number }>`
      select changes from scim_connections where company_id = ${pusher.companyId}`.execute(app.db);
    return rows[0]?.changes;
  };

  /** Kills a worker that waits for rows which somebody holds. Changes that arrive meanwhile are accepted. */
  async function killAt(what: string, rows: RawBuilder<unknown>, statement: string, meanwhile: () => Promise<unknown>) {
    const waiting = sql`wait_event_type = 'Lock' and query ilike ${`%${statement}%`} and pid <> pg_backend_pid()`;
    const blocker = await app.db.startTransaction().execute();
    await rows.execute(blocker);
    const worker = await startWorker();
    await until(what, async () => {
      const { rows: found } = await sql`select from pg_stat_activity where ${waiting}`.execute(app.db);
      return found.length > 0;
    });
    await worker.end('SIGKILL');
    // Otherwise the database would finish what it has received before the worker died.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where ${waiting}`.execute(app.db);
    await blocker.rollback().execute();
    await meanwhile();
  }

  /** Lets another worker finish, and returns the records of the syncs since, each as `hrId outcome`. */
  async function finish(before: number): Promise<string[][]> {
    await collectNow();
    const worker = await startWorker();
    await until('all changes are collected and applied', async () => {
      if ((await countWaiting()) !== 0) return false;
      const syncs = await listSyncs();
      return syncs.length > before && syncs.every(({ state }) => !['accepted', 'processing'].includes(state));
    });
    await worker.end('SIGTERM');
    const syncs = (await listSyncs()).slice(before);
    assert(syncs.every(({ syncId, state }) => /^scim-\d{4}-/.test(syncId) && state === 'succeeded'));
    const all: string[][] = [];
    for (const { syncId } of syncs) {
      const records = await pusher.records(syncId);
      all.push(
        records.filter(({ outcome }) => outcome !== 'unchanged').map(({ hrId, outcome }) => `${hrId} ${outcome}`),
      );
    }
    assert.equal((await pusher.integration()).lastSyncId, syncs.at(-1)?.syncId);
    return all;
  }
  const numbered = (from: number, to: number, outcome: string) =>
    Array.from({ length: to - from + 1 }, (_, index) => `E${from + index} ${outcome}`).sort();

  it('while it makes a sync of them, become one sync, with those that arrived meanwhile', async () => {
    ids.push(...(await create(1, count)));
    const { companyId } = pusher;
    await killAt(
      'the worker takes the changes',
      sql`select from scim_connections where company_id = ${companyId} for update`,
      'update scim_connections',
      async () => {
        assert.deepEqual([await listSyncs(), await countWaiting()], [[], count], 'nothing is half collected');
        ids.push(...(await create(count + 1, count + 50)));
      },
    );
    const [first = [], ...others] = await finish(0);
    assert.deepEqual(others, []);
    assert.deepEqual(first.sort(), numbered(1, count + 50, 'created'));
    assert.equal((await pusher.employees()).length, count + 50);
  });

  it('while the sync is applied, are applied once, and later ones by the next sync', async () => {
    const before = (await listSyncs()).length;
    await patch(ids.slice(0, count), 'name.familyName', (index) => `New${index + 1}`);
    const { companyId } = pusher;
    await killAt(
      'the worker changes employees',
      sql`select from employees where company_id = ${companyId} and email = 'anna300@example.com' for update`,
      'employees',
      async () => {
        const syncs = await listSyncs();
        assert.deepEqual([syncs.length, syncs.at(-1)?.state], [before + 1, 'processing']);
        // Of one that was already changed, of another one, and a removal.
        await patch(ids.slice(0, 1), 'name.familyName', () => 'Newer');
        await patch(ids.slice(count, count + 10), 'name.givenName', () => 'Eva');
        await patch(ids.slice(-5), 'active', () => false);
      },
    );
    const [changed = [], later = [], ...others] = await finish(before);
    assert.deepEqual(others, []);
    assert.deepEqual(changed.sort(), numbered(1, count, 'updated'));
    assert.deepEqual(
      later.sort(),
      [
        'E1 updated',
        ...numbered(count + 1, count + 10, 'updated'),
        ...numbered(count + 46, count + 50, 'offboarded'),
      ].sort(),
    );
    const employees = await pusher.employees();
    assert.equal(employees.length, count + 45);
    const names = new Set(employees.map(({ firstName, lastName }) => `${firstName} ${lastName}`));
    assert.equal(names.size, count + 45);
    for (const name of ['Anna Newer', 'Anna New2', `Anna New${count}`, `Eva Muster${count + 1}`]) {
      assert(names.has(name), name);
    }
  });
});
