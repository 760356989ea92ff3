import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { getCompany } from '../../../src/features/companies/companies.ts';
import { expireRecords } from '../../../src/features/employees/erase.ts';
import { reportOverdueRosters } from '../../../src/features/roster/overdue.ts';
import { previewSync } from '../../../src/features/roster/preview.ts';
import { readRoster } from '../../../src/features/roster/read-roster.ts';
import type { DB } from '../../../src/platform/db/types.gen.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { createLinks } from '../../../src/platform/http/links.ts';
import { testClock, testDay, useApp } from '../../support/app.ts';
import { createTestDatabase } from '../../support/database.ts';
import { makeCompany, makeIntegration } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { makeUser, type PortalClient, signIn, usePortal } from '../../support/portal.ts';
import { before } from '../../support/prepare.ts';
import { insertRows } from '../../support/rows.ts';
import { anEntry, clockOn, entries, makePusher, type Pusher, usePusher } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

const app = useApp({ worker: 'without documents' });

describe('rows with errors in a table', () => {
  const pusher = usePusher(app);
  const client = usePortal(app, pusher);
  const heading = 'Personalnummer;Vorname;Nachname;E-Mail;Eintrittsdatum';
  const rowOf = (number: number, start = '01.03.2024') => `E-${number};Anna;Meier;anna${number}@example.com;${start}`;
  const csv = (...rows: string[]) => [heading, ...rows].join('\r\n');
  const send = (what: 'preview' | 'sync', body: string, query = '') =>
    client.post(`/integrations/${pusher.integrationId}/${what}${query}`, body, { 'content-type': 'text/csv' });
  const listHrIds = async () =>
    (await pusher.employees()).map(({ hrIntergartionLinks: [link] }) => link.hrId).toSorted();

  async function upload(body: string, query = ''): Promise<string> {
    const { status, body: answer } = await send('sync', body, query);
    assert.equal(status, 202, JSON.stringify(answer));
    const { syncId } = answer.data;
    const path = `/integrations/${pusher.integrationId}/syncs/${encodeURIComponent(syncId)}`;
    await until('it is applied', async () => (await client.get(path)).body.data.state === 'succeeded');
    return syncId;
  }

  before(async () => {
    await upload(csv(rowOf(1), rowOf(2), rowOf(3), rowOf(4)), '?fileName=Personal.csv');
  });

  it('titles a sync with the name of its file', async () => {
    const { body } = await client.get(`/integrations/${pusher.integrationId}/syncs`);
    assert.equal(body.data.data[0].fileName, 'Personal.csv');
  });

  it('names the column as the file does, and the date that does not exist', async () => {
    const { status, body } = await send('preview', csv(rowOf(1), rowOf(2, '31.02.2026')));
    assert.equal(status, 422);
    const [error] = body.errors;
    assert.equal(error.pointer, 'row 3, Eintrittsdatum');
    assert.deepEqual(error.message, { key: 'entry-no-such-date', values: { day: '2026-02-31' } });
  });

  it('recognizes a PDF', async () => {
    const { status, body } = await send('preview', '%PDF-1.7\nabc');
    assert.deepEqual([status, body.message.key], [400, 'table-pdf']);
  });

  it('leaves rows with errors out if their number is confirmed, and keeps the employees in them', async () => {
    const broken = csv(rowOf(1), rowOf(2, '31.02.2026'), 'E-9;Anna;Meier;anna3@example.com;soon');
    const wrong = await send('preview', broken, '?leaveOut=1');
    assert.deepEqual([wrong.status, wrong.body.code], [409, 'confirmation-mismatch']);
    const { body } = await send('preview', broken, '?leaveOut=2');
    const { counts, warnings } = body.data;
    assert.deepEqual([counts.offboarded, counts.unchanged, counts.created], [1, 1, 0], 'only E-4 is missing');
    const [warning] = warnings;
    assert.deepEqual(
      [warning.code, warning.records],
      [
        'left-out',
        [
          { hrId: 'E-2', pointer: 'row 3' },
          { hrId: 'E-9', pointer: 'row 4' },
        ],
      ],
    );
    await upload(broken, '?leaveOut=2');
    assert.deepEqual(await listHrIds(), ['E-1', 'E-2', 'E-3'], 'E-3 by the email address of their row');
    const { rows } = { rows: await app.db.selectFrom('syncs').select('left_out').execute() };
    assert(
      rows.every(({ left_out }) => left_out === null),
      'nothing of them is kept',
    );
  });

  it('offboards nobody if a row that is left out does not say whose it is', async () => {
    const { body } = await send('preview', csv(rowOf(1), ';Anna;Meier;;01.03.2024'), '?leaveOut=1');
    assert.deepEqual([body.data.counts.offboarded, body.data.counts.unchanged], [0, 1]);
  });
});

const roster = [anEntry(1, { firstName: 'Eva' }), anEntry(5, { lastName: 'Boom' })];

describe('a failed sync in the portal', () => {
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

describe('a roster that is overdue', () => {
  const pusher = usePusher(app);
  const client = usePortal(app, pusher);

  before(async () => {
    const before = [1, 2, 3, 4, 5, 6].map((day) =>
      testClock
        .now()
        .subtract({ hours: 24 * day })
        .toString(),
    );
    await insertRows(
      app.db,
      'syncs',
      before.map((finished_at, index) => ({
        company_id: pusher.companyId,
        hr_integration_id: pusher.integrationId,
        ...{ sync_id: `before-${index}`, state: 'succeeded', pushed_by: 'key', finished_at },
      })),
    );
  });

  const reportAfter = (hours: number) =>
    reportOverdueRosters({
      db: app.serviceDb,
      notices: app.deps.notices,
      clock: { now: () => testClock.now().add({ hours }) },
    });
  const listOverdue = async () =>
    (await client.get('/overview')).body.data.tasks.filter(({ kind }: { kind: string }) => kind === 'roster-overdue');
  const listEvents = async () => (await pusher.get('/events?types=roster-overdue')).body.data.data;

  it('reports a roster that misses its usual rhythm once, until the next one arrives', async () => {
    await pusher.sync('today', entries(2));
    assert.equal(await reportAfter(35), 0);
    assert.deepEqual(await listOverdue(), []);
    assert.equal(await reportAfter(37), 1);
    assert.equal(await reportAfter(38), 0, 'once');
    const dueAt = testClock.now().add({ hours: 36 }).toString();
    const [item] = await listOverdue();
    assert.deepEqual([item.integrationId, item.since], [pusher.integrationId, dueAt]);
    const [event, ...others] = await listEvents();
    assert.deepEqual(others, []);
    assert.deepEqual(event.payload, {
      hrIntegrationId: pusher.integrationId,
      lastSynced: testClock.now().toString(),
      dueAt,
    });
    await pusher.sync('late', entries(2));
    assert.deepEqual(await listOverdue(), []);
  });

  it('leaves out integrations that are switched off', async () => {
    await client.post(`/integrations/${pusher.integrationId}/status`, { status: 'inactive' });
    assert.equal(await reportAfter(100), 0);
    assert.deepEqual(await listOverdue(), []);
  });
});

const idleMillis = 200;

it('finishes a preview whose transaction is idle for longer than the default timeout', async () => {
  const database = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: database.url, idle_in_transaction_session_timeout: idleMillis, max: 1 });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  try {
    const companyId = await makeCompany(database.db);
    const target = { companyId, hrIntegrationId: await makeIntegration(database.db, companyId) };
    const body = Readable.from([Buffer.from(JSON.stringify({ syncId: 'paused', employees: entries(3) }))]);
    const roster = await readRoster(body, { maxBytes: 1_000_000, maxEntries: 10, today: testDay });
    let text = '';
    for await (const chunk of previewSync(
      { db, clock: testClock, target },
      roster,
      createLinks('http://localhost:3000'),
    )) {
      // Read the response slowly. PostgreSQL ends other transactions that are idle for as long.
      await sleep(2 * idleMillis);
      text += chunk;
    }
    assert.equal(JSON.parse(text).data.counts.created, 3);
  } finally {
    await db.destroy();
    await database.drop();
  }
});

describe('a roster accepted with warnings', () => {
  const app = useApp({ worker: 'without documents', clock: clockOn('2026-11-15') });
  const odd = [
    anEntry(1, { dateOfBirth: '2026-11-15' }),
    { ...anEntry(2, { dateOfBirth: '2026-11-16' }), department: 'Sales' },
    { ...anEntry(3, { startDate: '2027-01-01', terminationDate: '2026-12-31' }), department: null },
    anEntry(4, { dateOfBirth: '1990-04-23', startDate: '1990-04-22' }),
  ];
  const expected = [
    {
      ...{ code: 'unknown-field', field: 'department', count: 2, pointer: '/employees/1/department', hrId: 'E2' },
      ...{ detail: 'The field is unknown and was ignored.', records: [] },
    },
    {
      ...{
        code: 'born-in-the-future',
        field: 'dateOfBirth',
        count: 1,
        pointer: '/employees/1/dateOfBirth',
        hrId: 'E2',
      },
      detail: 'The date of birth is in the future.',
      records: [{ hrId: 'E2', pointer: '/employees/1/dateOfBirth' }],
    },
    {
      ...{ code: 'starts-after-termination', field: 'startDate', count: 1 },
      ...{ pointer: '/employees/2/startDate', hrId: 'E3', detail: 'The employment starts after it ends.' },
      records: [{ hrId: 'E3', pointer: '/employees/2/startDate' }],
    },
    {
      ...{ code: 'starts-before-birth', field: 'startDate', count: 1 },
      ...{ pointer: '/employees/3/startDate', hrId: 'E4', detail: 'The employment starts before the date of birth.' },
      records: [{ hrId: 'E4', pointer: '/employees/3/startDate' }],
    },
  ];

  it('shows them in the preview, in the sync and in the list of syncs', async () => {
    const pusher = await makePusher(app);
    const preview = await pusher.preview(odd);
    assert.deepEqual(preview.warnings, expected);
    const sync = await pusher.sync('one', odd);
    assert.deepEqual([sync.state, sync.warnings], ['succeeded', expected]);
    const list = await pusher.get(`/hr-integrations/${pusher.integrationId}/syncs`);
    assert.deepEqual(list.body.data.data[0].warnings, expected);
  });

  it('has no warnings for a correct roster', async () => {
    const pusher = await makePusher(app);
    assert.deepEqual((await pusher.preview([anEntry(1)])).warnings, []);
    assert.deepEqual((await pusher.sync('one', [anEntry(1)])).warnings, []);
  });

  it('stores field names that the database would refuse', async () => {
    const pusher = await makePusher(app);
    const { warnings } = await pusher.sync('one', [{ ...anEntry(1), 'a\0\ud800': 1, ['n'.repeat(5_000)]: 1 }]);
    assert.deepEqual(pluck(warnings, 'field'), ['a\ufffd\ufffd', `${'n'.repeat(64)}…`]);
  });

  it('has the warnings of the last push when it failed and runs again', async () => {
    const pusher = await makePusher(app);
    await pusher.sync('one', odd);
    await sql`update syncs set state = 'failed' where company_id = ${pusher.companyId}`.execute(app.db);
    const { department: _, ...second } = odd[1] as { department: string };
    const again = await pusher.sync('one', [odd[0] as object, second, ...odd.slice(2)]);
    assert.deepEqual(again.warnings[1], {
      ...expected[0],
      ...{ count: 1, pointer: '/employees/2/department', hrId: 'E3' },
    });
  });
});
