import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { permissions } from '../../../src/domain/enums.ts';
import { basic, useApp } from '../../support/app.ts';
import { makeKey } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { useEach } from '../../support/prepare.ts';
import { anEntry, clockOn, entries, makePusher, type Pusher } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

const needed = ['view-employees', 'add-employees', 'update-employees', 'remove-employees'] as const;

async function stored({ app, companyId }: Pusher) {
  const { rows } = await sql<{ syncs: number; rosters: number; jobs: number; audited: number }>`
    select (select count(*) from syncs where company_id = ${companyId}) as syncs,
      (select count(*) from sync_rosters where company_id = ${companyId}) as rosters,
      (select count(*) from queue.job where (data ->> 'companyId')::bigint = ${companyId}) as jobs,
      (select count(*) from audit_log where company_id = ${companyId} and action like 'sync.%') as audited`.execute(
    app.db,
  );
  return rows[0];
}
const nothing = { syncs: 0, rosters: 0, jobs: 0, audited: 0 };

const body = (employees: unknown, syncId: unknown = 'one') => JSON.stringify({ syncId, employees });

describe('a rejected roster', () => {
  const app = useApp({ env: { MAX_SYNC_BYTES: '65536', MAX_SYNC_ENTRIES: '300' } });
  let pusher: Pusher;
  before(async () => {
    pusher = await makePusher(app);
  });

  async function assertRefused(status: number, code: string, text: string, headers: Record<string, string> = {}) {
    const response = await pusher.send(text, { headers });
    assert.deepEqual(
      [response.status, response.body?.code],
      [status, code],
      `${text.slice(0, 80)} ${response.body?.detail}`,
    );
    assert.deepEqual(await stored(pusher), nothing);
    return response.body;
  }

  it('needs all four permissions on one key, and lists the missing ones', async () => {
    for (const missing of needed) {
      const key = await makeKey(
        app.db,
        pusher.companyId,
        permissions.filter((permission) => permission !== missing),
      );
      const response = await pusher.send(body(entries(1)), { key });
      assert.deepEqual([response.status, response.body.code], [403, 'missing-permission']);
      assert.deepEqual(response.body.missingPermissions, [missing]);
    }
    const none = await makeKey(app.db, pusher.companyId, ['view-billing']);
    const response = await pusher.send(body(entries(1)), { key: none });
    assert.deepEqual(response.body.missingPermissions.toSorted(), needed.toSorted());
    assert.deepEqual(await stored(pusher), nothing);
  });

  it('needs credentials, and checks permissions before it looks up the integration', async () => {
    assert.equal((await pusher.send(body(entries(1)), { key: undefined })).status, 401);
    const key = await makeKey(app.db, pusher.companyId, ['view-employees']);
    assert.equal((await pusher.withIntegration(999_999).send(body(entries(1)), { key })).status, 403);
    assert.deepEqual(await stored(pusher), nothing);
  });

  it('returns the same 404 for an unknown integration and one of another company', async () => {
    const otherPusher = await makePusher(app);
    const responses = [];
    for (const id of [999_999, otherPusher.integrationId]) {
      const response = await pusher.withIntegration(id).send(body(entries(1)));
      assert.equal(response.status, 404);
      responses.push({ ...response.body, requestId: '' });
      const dry = await pusher.withIntegration(id).push('x', entries(1), '?dryRun=true');
      assert.equal(dry.status, 404);
    }
    assert.deepEqual(responses[0], responses[1]);
    assert.deepEqual(await stored(otherPusher), nothing);
  });

  it('returns 400 for an id that is not a number and for an invalid dryRun', async () => {
    const post = (path: string) =>
      app.request(path, {
        method: 'POST',
        key: pusher.key,
        headers: { 'content-type': 'application/json' },
        body: body(entries(1)),
      });
    assert.equal((await post('/hr-integrations/abc/sync')).body.code, 'invalid-parameters');
    for (const value of ['=perhaps', '=', '', '=1', '=0', '=null', '=TRUE', '=true&dryRun=true', '=%20true']) {
      const response = await post(`/hr-integrations/${pusher.integrationId}/sync?dryRun${value}`);
      assert.equal(response.status, 400, value);
      const [{ parameter, detail }] = response.body.errors;
      assert.equal(parameter, 'dryRun');
      if (!value.includes('&')) assert.equal(detail, 'must be `true` or `false`');
    }
    assert.deepEqual(await stored(pusher), nothing);
  });

  it('does not treat a misspelled preview as a real push', async () => {
    for (const name of ['dryrun', 'dry_run', 'dry-run', 'DRYRUN', 'dryRuns', 'dryRun[]', 'drRun']) {
      const response = await pusher.push('x', entries(1), `?${name}=true`);
      assert.equal(response.status, 400, name);
      assert.deepEqual(response.body.errors, [
        { parameter: name, code: 'unknown', detail: 'is not a known parameter; did you mean `dryRun`?' },
      ]);
      assert.match(response.body.detail, /did you mean `dryRun`\?$/);
    }
    assert.deepEqual(await stored(pusher), nothing);
  });

  it('returns 409 with a remedy while canTriggerSync is false', async () => {
    const states = [
      ['inactive', 'completed', /Enable it/],
      ['invalid', 'completed', /Reconnect it/],
      ['active', 'incomplete', /Finish its setup/],
      ['inactive', 'incomplete', /Enable it/],
    ] as const;
    for (const [status, onboarding, remedy] of states) {
      await sql`update hr_integrations set status = ${status}, initial_connection_status = ${onboarding}
        where id = ${pusher.integrationId}`.execute(app.db);
      assert.equal((await pusher.integration()).canTriggerSync, false);
      assert.match((await assertRefused(409, 'sync-not-possible', body(entries(1)))).detail, remedy);
      assert.equal((await pusher.push('x', entries(1), '?dryRun=true')).status, 409);
    }
    await sql`update hr_integrations set status = 'active', initial_connection_status = 'final-sync-pending'
      where id = ${pusher.integrationId}`.execute(app.db);
    assert.equal((await pusher.integration()).canTriggerSync, true);
  });

  it('returns 400 if the body is not JSON', async () => {
    const good = body(entries(2));
    for (const text of [
      '',
      ' ',
      '{',
      '{}}',
      `${good}x`,
      `${good}${good}`,
      good.replace('{"syncId"', '{syncId'),
      good.replaceAll('"', "'"),
      good.replace(']', ',]'),
      '<xml/>',
      'syncId=one',
      `\ufeff${good}`,
      '{"syncId":"one","employees":[{"hrId":"\u0001"}]}',
      '{"syncId":"one","employees":[NaN]}',
    ])
      await assertRefused(400, 'malformed-body', text);
    for (const length of [1, 10, good.length >> 1, good.length - 2, good.length - 1])
      await assertRefused(400, 'malformed-body', good.slice(0, length));
  });

  it('returns 400 for duplicate keys and extreme nesting', async () => {
    const entry = JSON.stringify(anEntry(1));
    const twice = entry.replace('{', '{"hrId":"other",');
    await assertRefused(400, 'malformed-body', `{"syncId":"one","employees":[${twice}]}`);
    await assertRefused(400, 'malformed-body', `{"syncId":"one","syncId":"two","employees":[${entry}]}`);
    await assertRefused(400, 'malformed-body', `{"syncId":"one","employees":[${entry}],"employees":[${entry}]}`);
    await assertRefused(400, 'malformed-body', `{"syncId":"one","x":${'['.repeat(5000)}${']'.repeat(5000)}}`);
    const deep = `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`;
    await assertRefused(400, 'malformed-body', `{"syncId":"one","employees":[${entry.replace('{', `{"x":${deep},`)}]}`);
    await assertRefused(400, 'malformed-body', '['.repeat(20_000));
  });

  it('returns 415 if the body is not application/json, or compressed', async () => {
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'application/jsonx']) {
      await assertRefused(415, 'unsupported-media-type', body(entries(1)), { 'content-type': type });
    }
    const zipped = gzipSync(body(entries(1)));
    const response = await fetch(`${app.url}/hr-integrations/${pusher.integrationId}/sync`, {
      method: 'POST',
      headers: { authorization: basic(pusher.key), 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: zipped,
    });
    assert.equal(response.status, 415);
    for (const encoding of ['gzip', 'br', 'deflate', 'gzip, identity']) {
      await assertRefused(415, 'unsupported-media-type', body(entries(1)), { 'content-encoding': encoding });
    }
  });

  it('returns 413 above the limits, by Content-Length or while reading', async () => {
    await assertRefused(413, 'body-too-large', body(entries(301)));
    await assertRefused(413, 'body-too-large', body([{ ...anEntry(1), note: 'x'.repeat(70_000) }]));
    await assertRefused(413, 'body-too-large', `${body(entries(1))}${' '.repeat(65_536)}`);
    const chunked = httpRequest(`${app.url}/hr-integrations/${pusher.integrationId}/sync`, {
      method: 'POST',
      headers: { authorization: basic(pusher.key), 'content-type': 'application/json' },
    });
    chunked.on('error', () => {});
    const answered = once(chunked, 'response');
    chunked.write('{"syncId":"one","employees":[');
    for (let part = 0; part < 80; part++) chunked.write(`${' '.repeat(1023)}\n`);
    chunked.end(`${JSON.stringify(anEntry(1))}]}`);
    const [response] = await answered;
    assert.equal(response.statusCode, 413);
    response.resume();
    assert.deepEqual(await stored(pusher), nothing);
  });

  it('stores nothing if the client stops halfway', async () => {
    const { hostname, port } = new URL(app.url);
    const text = body(entries(50));
    const before = app.logs.length;
    for (const sent of [0, text.length >> 1, text.length - 1, text.length]) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      await once(socket, 'connect');
      const head = [
        `POST /v1/hr-integrations/${pusher.integrationId}/sync HTTP/1.1`,
        `Host: ${hostname}`,
        `Authorization: ${basic(pusher.key)}`,
        'Content-Type: application/json',
        `Content-Length: ${text.length + 10}`,
      ];
      await new Promise<void>((resolve) => {
        socket.write(`${head.join('\r\n')}\r\n\r\n${text.slice(0, sent)}`, () => resolve());
      });
      socket.resetAndDestroy();
    }
    // Once later requests have a response, the service has handled everything sent before.
    for (let times = 0; times < 3; times++) assert.equal((await pusher.get('/me')).status, 200);
    assert.deepEqual(await stored(pusher), nothing);
    assert(!app.logs.slice(before).some((line) => JSON.parse(line).level >= 50), app.logs.slice(before).join(''));
  });

  it('returns 422 with a pointer to every problem', async () => {
    const wrong = [
      anEntry(1),
      { ...anEntry(2), hrId: 'E1' },
      { ...anEntry(3), email: 'ANNA1@example.com' },
      { hrId: ' ', firstName: 'x'.repeat(201), email: 'nobody' },
      { ...anEntry(5), dateOfBirth: '2026-02-30', startDate: '2026-13-01', terminationDate: 'soon' },
      { ...anEntry(6), absences: [{ startDate: '2026-03-02', endDate: '2026-03-01', approved: true }] },
      { ...anEntry(7), lastName: 'a\u0000b', autoSyncEmployee: 'yes', hrId: 'h'.repeat(256) },
      { ...anEntry(8), email: `${'a'.repeat(250)}@b.de` },
      'nobody',
      null,
    ];
    const problem = await assertRefused(422, 'invalid-roster', body(wrong, ''));
    const found = problem.errors.map((error: { pointer: string; code: string }) => `${error.pointer} ${error.code}`);
    assert.deepEqual(found, [
      '/syncId empty',
      '/employees/1/hrId duplicate-hr-id',
      '/employees/2/email duplicate-email',
      '/employees/3/hrId empty',
      '/employees/3/firstName too-long',
      '/employees/3/lastName required',
      '/employees/3/email invalid-email',
      '/employees/4/dateOfBirth invalid-date',
      '/employees/4/startDate invalid-date',
      '/employees/4/terminationDate invalid-date',
      '/employees/5/absences/0/endDate ends-before-start',
      '/employees/6/hrId too-long',
      '/employees/6/lastName invalid-character',
      '/employees/6/autoSyncEmployee type',
      '/employees/7/email too-long',
      '/employees/8 type',
      '/employees/9 type',
    ]);
    assert.equal(problem.errorCount, found.length);
    const hrIds = problem.errors.map((error: { hrId?: string }) => error.hrId);
    assert.deepEqual(hrIds.slice(0, 3), [undefined, 'E1', 'E3']);
    assert.deepEqual(hrIds.slice(-3), ['E8', undefined, undefined]);
    assert.match(problem.detail, /\/employees\/1\/hrId \(hrId E1\) must be unique/);
  });

  it('returns 422 with the correct name of a misspelled field', async () => {
    const problem = await assertRefused(
      422,
      'invalid-roster',
      body([{ ...anEntry(1), terminationdate: '2026-12-31' }]),
    );
    assert.deepEqual(problem.errors, [
      {
        pointer: '/employees/0/terminationdate',
        hrId: 'E1',
        code: 'unknown-field',
        detail: 'is not a known field: use `terminationDate`',
      },
    ]);
  });

  it('returns 422 if characters were lost in an encoding', async () => {
    const problem = await assertRefused(422, 'invalid-roster', body([anEntry(1, { lastName: 'M\ufffdller' })]));
    assert.deepEqual(
      [problem.errors[0].pointer, problem.errors[0].code],
      ['/employees/0/lastName', 'invalid-character'],
    );
    assert.match(problem.detail, /cp1252/);
  });

  it('returns 422 without employees, without syncId, and for other JSON', async () => {
    const codes = async (text: string) =>
      (await assertRefused(422, 'invalid-roster', text)).errors.map(
        (error: { pointer: string; code: string }) => `${error.pointer} ${error.code}`,
      );
    assert.deepEqual(await codes(body([])), ['/employees empty']);
    assert.deepEqual(await codes('{"syncId":"one"}'), ['/employees required']);
    assert.deepEqual(await codes(body(null)), ['/employees type']);
    assert.deepEqual(await codes(body({})), ['/employees type']);
    assert.deepEqual(await codes('{"employees":[]}'), ['/syncId required', '/employees empty']);
    assert.deepEqual(await codes(body(entries(1), 7)), ['/syncId type']);
    assert.deepEqual(await codes(body(entries(1), 's'.repeat(256))), ['/syncId too-long']);
    assert.deepEqual(await codes(body(entries(1), 'a\u0000')), ['/syncId invalid-character']);
    for (const text of ['[]', 'null', '7', '"x"']) assert.deepEqual(await codes(text), [' type']);
  });

  it('lists 100 problems and returns the total', async () => {
    const problem = await assertRefused(422, 'invalid-roster', body(entries(250, { email: 'nobody' })));
    assert.equal(problem.errors.length, 100);
    assert.equal(problem.errorCount, 250);
    assert.equal(problem.errors[99].pointer, '/employees/99/email');
    assert.match(problem.detail, /250 errors in total/);
  });

  it('is rejected by a dry run too', async () => {
    const response = await pusher.push('one', [{ hrId: 'E1' }], '?dryRun=true');
    assert.deepEqual([response.status, response.body.errorCount], [422, 3]);
    assert.deepEqual(await stored(pusher), nothing);
  });
});

describe('an accepted roster', () => {
  const app = useApp({ clock: clockOn('2026-11-15') });
  const pusher = useEach(() => makePusher(app));

  it('is stored with its job before 204 is sent', async () => {
    const response = await pusher.push('one', entries(3));
    assert.deepEqual([response.status, response.bytes.length], [204, 0]);
    assert.deepEqual(await stored(pusher), { syncs: 1, rosters: 1, jobs: 1, audited: 0 });
    const { body: sync } = await pusher.get(`/hr-integrations/${pusher.integrationId}/syncs/one`);
    assert.deepEqual([sync.data.state, sync.data.entries, sync.data.startedAt], ['accepted', 3, null]);
    assert.equal((await pusher.integration()).lastSyncId, null);
  });

  it('equals itself with other white space, key order, unknown fields and untrimmed strings', async () => {
    const [first, second] = entries(2, { absences: [{ startDate: '2026-12-01', endDate: null, approved: true }] });
    assert.equal((await pusher.push('one', [first ?? {}, second ?? {}])).status, 204);
    const turned = [first, second].map((entry) => Object.fromEntries(Object.entries(entry ?? {}).reverse()));
    const again = JSON.stringify({ employees: turned, syncId: ' one ', sentBy: 'cron' }, null, 4);
    assert.equal((await pusher.send(again)).status, 204);
    assert.equal((await pusher.push('one', [{ ...first, firstName: ' Anna ' }, second ?? {}])).status, 204);
    assert.deepEqual(await stored(pusher), { syncs: 1, rosters: 1, jobs: 1, audited: 0 });
  });

  it('returns 422 sync-id-reused if the syncId was used with other content', async () => {
    assert.equal((await pusher.push('one', entries(2))).status, 204);
    for (const other of [entries(3), entries(1), entries(2, { firstName: 'Eva' }), entries(2, { dateOfBirth: null })]) {
      const response = await pusher.push('one', other);
      assert.deepEqual([response.status, response.body.code], [422, 'sync-id-reused']);
      const dry = await pusher.push('one', other, '?dryRun=true');
      assert.deepEqual({ ...dry.body, requestId: '' }, { ...response.body, requestId: '' });
    }
    assert.equal((await pusher.push('one', entries(2), '?dryRun=true')).status, 200);
    assert.deepEqual(await stored(pusher), { syncs: 1, rosters: 1, jobs: 1, audited: 0 });
    assert.equal((await pusher.push('ONE', entries(3))).status, 204);
  });

  it('may have a syncId that another integration or company used', async () => {
    const [one, other] = [await makePusher(app), await makePusher(app)];
    assert.equal((await one.push('one', entries(2))).status, 204);
    assert.equal((await other.push('one', entries(3))).status, 204);
  });

  it('is accepted from both types of integration and with charset', async () => {
    await sql`update hr_integrations set type = 'hr-integration', initial_connection_status = 'completed'
      where id = ${pusher.integrationId}`.execute(app.db);
    const headers = { 'content-type': 'application/json; charset=utf-8', 'content-encoding': 'identity' };
    assert.equal((await pusher.send(body(entries(1)), { headers })).status, 204);
  });
});

describe('a roster that is repeated or fails', () => {
  const app = useApp({ worker: 'without documents' });

  const appliedOf = async ({ companyId }: Pusher) =>
    (
      await sql<{ applied: number }>`select count(*) as applied from audit_log
        where company_id = ${companyId} and action = 'sync.apply'`.execute(app.db)
    ).rows[0]?.applied;

  const pusher = useEach(() => makePusher(app));

  it('runs once when 64 equal rosters arrive concurrently', async () => {
    const roster = entries(40, { autoSyncEmployee: true });
    const responses = await Promise.all(Array.from({ length: 64 }, () => pusher.push('one', roster)));
    assert.deepEqual(new Set(responses.map((response) => response.status)), new Set([204]));
    const sync = await pusher.finished('one');
    assert.deepEqual([sync.state, sync.counts.created], ['succeeded', 40]);
    assert.equal((await pusher.push('one', roster)).status, 204);
    await pusher.sync('two', roster);
    assert.equal((await stored(pusher))?.syncs, 2);
    assert.equal(await appliedOf(pusher), 2);
    assert.equal((await pusher.employees()).length, 40);
  });

  it('accepts one of several rosters with the same syncId and refuses the others', async () => {
    const responses = await Promise.all(entries(16).map((entry) => pusher.push('one', [entry])));
    const statuses = responses.map((response) => response.status);
    assert.equal(statuses.filter((status) => status === 204).length, 1);
    assert.equal(statuses.filter((status) => status === 422).length, 15);
    await pusher.finished('one');
    const [only] = await pusher.employees();
    assert.equal(only.email, entries(16)[statuses.indexOf(204)]?.email);
  });

  it('ends as failed after bounded attempts, changes nothing, runs again, and does not stop the next', async () => {
    await pusher.sync('good', entries(3));
    const before = await pusher.integration();
    const employees = await pusher.employees();
    await sql`alter table employees add constraint boom check (last_name <> 'Boom') not valid`.execute(app.db);
    const roster = [anEntry(1, { firstName: 'Eva' }), anEntry(4), anEntry(5, { lastName: 'Boom' })];
    try {
      const failed = await pusher.sync('bad', roster);
      assert.equal(failed.state, 'failed');
      assert.match(failed.reason, /service/);
      assert.doesNotMatch(failed.reason, /boom|constraint|employees/i);
      assert.notEqual(failed.finishedAt, null);
      const integration = await pusher.integration();
      assert.deepEqual([integration.lastSyncId, integration.lastSyncStatus], ['bad', 'failed']);
      assert.equal(integration.lastSynced, before.lastSynced);
      assert.deepEqual(await pusher.employees(), employees);
      assert.deepEqual(await pusher.records('bad'), []);
      const { rows } = await sql`select attempts from syncs where company_id = ${pusher.companyId}
        and sync_id = 'bad'`.execute(app.db);
      assert.deepEqual(rows, [{ attempts: 3 }]);
      assert(app.logs.some((line) => line.includes('boom')));
      const other = await pusher.push('bad', entries(2));
      assert.equal(other.body.code, 'sync-id-reused');
      const next = await pusher.sync('next', entries(3));
      assert.deepEqual([next.state, next.counts.unchanged], ['succeeded', 3]);
    } finally {
      await sql`alter table employees drop constraint boom`.execute(app.db);
    }
    const again = await pusher.sync('bad', roster);
    assert.deepEqual([again.state, again.reason, again.counts.created], ['succeeded', null, 2]);
    const integration = await pusher.integration();
    assert.deepEqual([integration.lastSyncId, integration.lastSyncStatus], ['bad', 'succeeded']);
    assert.deepEqual(pluck(await pusher.employees(), 'email'), [
      'anna1@example.com',
      'anna4@example.com',
      'anna5@example.com',
    ]);
  });

  it('leaves the first connection pending while it fails', async () => {
    await sql`alter table employees add constraint boom check (last_name <> 'Boom') not valid`.execute(app.db);
    try {
      assert.equal((await pusher.sync('bad', [anEntry(1, { lastName: 'Boom' })])).state, 'failed');
    } finally {
      await sql`alter table employees drop constraint boom`.execute(app.db);
    }
    const failed = await pusher.integration();
    assert.deepEqual(
      [failed.initialConnectionStatus, failed.lastSyncStatus, failed.lastSynced],
      ['final-sync-pending', 'failed', null],
    );
    await pusher.sync('good', entries(1));
    assert.equal((await pusher.integration()).initialConnectionStatus, 'completed');
  });

  it('is deleted once it is applied', async () => {
    await pusher.sync('one', entries(2));
    await until('no roster is left over', async () => (await stored(pusher))?.rosters === 0);
  });
});
