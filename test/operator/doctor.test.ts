import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { judgeServer } from '../../src/operator/doctor/database.ts';
import { judgeDisk } from '../../src/operator/doctor/files.ts';
import { runCheck } from '../../src/operator/doctor/finding.ts';
import { examine } from '../../src/operator/doctor/index.ts';
import { checkMail } from '../../src/operator/doctor/mail.ts';
import { readSettings } from '../../src/platform/config/config.ts';
import { assertSupported } from '../../src/platform/db/migrate-state.ts';
import { toApiError } from '../../src/platform/http/problem.ts';
import { startTestApp } from '../support/app.ts';
import { runInProcess } from '../support/cli.ts';
import { connectAs, createEmptyDatabase, serverUrl, useDatabase } from '../support/database.ts';
import { makeCompany, makeEmployee } from '../support/factories.ts';
import { type Env, freePort, withFolder } from '../support/process.ts';
import { productionEnv } from '../support/production.ts';
import { startSmtpServer } from '../support/smtp.ts';
import { until } from '../support/until.ts';
import { walletEnv } from '../support/wallets.ts';
import { makeEndpoint } from '../support/webhooks.ts';

/** Returns the findings of one check as `status: finding`. */
const findingsOf = async (env: Env, check: string, now?: () => number) =>
  withFolder(async (folder) => {
    const settings = readSettings({ DATA_DIR: folder, DEMO: 'off', PORTAL: 'off', ...env });
    const { findings } = await examine(settings, now);
    return findings.filter((one) => one.check === check).map(({ status, finding }) => `${status}: ${finding}`);
  });

const assertFinding = async (env: Env, check: string, expected: RegExp, now?: () => number) =>
  assert.match((await findingsOf(env, check, now)).join(), expected);

describe('doctor', () => {
  const database = useDatabase();
  let env: Env;
  before(async () => {
    env = { DATABASE_URL: database.url };
  });

  /** Provokes a finding, and undoes it afterwards. Throws if the findings do not match. */
  async function provoke(change: string, undo: string, check: string, expected: RegExp): Promise<void> {
    await sql.raw(change).execute(database.db);
    try {
      assert.match((await findingsOf(env, check)).join('\n'), expected);
    } finally {
      await sql.raw(undo).execute(database.db);
    }
  }

  it('reports what cannot be reached and still checks the rest', async () => {
    await withFolder(async (folder) => {
      const url = `postgres://nobody@127.0.0.1:${await freePort()}/none`;
      const { code, stdout } = await runInProcess(['doctor'], {
        env: { DATABASE_URL: url, DATA_DIR: folder, DEMO: 'off', PORTAL: 'off' },
      });
      assert.equal(code, 1);
      const { errors, findings } = JSON.parse(stdout);
      assert.equal(errors, 1);
      const statuses = Object.fromEntries(findings.map((one: Env) => [one.check, one.status]));
      assert.deepEqual(
        [statuses.database, statuses.queue, statuses.work, statuses.storage, statuses.disk],
        ['error', 'skipped', 'skipped', 'ok', 'ok'],
      );
      assert.match(findings.find((one: Env) => one.check === 'database').finding, /ECONNREFUSED/);
    });
  });

  it('prints a table for people, and ends with 0 if there are no errors', async () => {
    await using app = await startTestApp({ worker: 'without documents' });
    await withFolder(async (folder) => {
      const appEnv = { DATABASE_URL: app.databaseUrl, DATA_DIR: folder, DEMO: 'off', PORTAL: 'off' };
      await until(
        'the worker is seen',
        async () => (await runInProcess(['doctor'], { env: appEnv })).code === 0,
        30_000,
      );
      const { code, stdout } = await runInProcess(['doctor', '--table'], { env: appEnv });
      assert.equal(code, 0);
      assert.match(stdout, /Errors +0\n/);
      assert.match(stdout, /queue +ok +workers are running/);
    });
  });

  it('reports invalid settings', async () => {
    await assertFinding({ ...env, PORT: 'x' }, 'settings', /^error: PORT must be/);
  });

  it('does not contradict itself on a folder that does not exist yet', () =>
    withFolder(async (folder) => {
      const settings = readSettings({ DATA_DIR: join(folder, 'new/data'), DEMO: 'off', PORTAL: 'off' });
      const { findings } = await examine(settings);
      const errors = findings.filter(({ status }) => status === 'error').map(({ check }) => check);
      assert.deepEqual(errors, ['database']);
    }));

  it('reports names in .env that are not settings', async () => {
    const { findings } = await examine(readSettings({ ...env, DATABSE_URL: 'x' }, ['DATABSE_URL']));
    const [{ status, finding = '' } = {}] = findings;
    assert.equal(status, 'warning');
    assert.match(finding, /^DATABSE_URL in \.env is not a setting.* Did you mean DATABASE_URL\?$/);
  });

  it('calls a full disk a full disk', async () => {
    const fill = () => writeFile('/dev/full', 'x').then(() => []);
    const extend = async () => {
      await sql`do $$ begin raise 'could not extend file' using errcode = '53100'; end $$`.execute(database.db);
      return [];
    };
    const [own] = await runCheck({ name: 'storage', run: fill, remedy: 'correct the permissions' });
    const wrapped = () =>
      fill().catch((cause) => {
        throw new Error('Cannot write file', { cause });
      });
    const [stored] = await runCheck({ name: 'storage', run: wrapped, remedy: 'correct the permissions' });
    assert.deepEqual(stored, own);
    const [theirs] = await runCheck({ name: 'work', run: extend, remedy: 'migrate' });
    assert.match(own?.finding ?? '', /^The disk is full: ENOSPC/);
    assert.match(theirs?.finding ?? '', /^The disk of the database server is full: could not extend file/);
    assert.deepEqual([own?.remedy, theirs?.remedy], Array(2).fill('free some space or enlarge the disk'));
    assert.equal(toApiError(await extend().catch((error) => error)).message, 'A disk of the service is full.');
  });

  it('calls a database that swallows everything a time-out', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const url = `postgres://nobody@127.0.0.1:${port}/none?connect_timeout=1`;
      await assertFinding(
        { DATABASE_URL: url },
        'database',
        /^error: The database of DATABASE_URL cannot be used: time-out, there was no response within 1 s\./,
      );
    } finally {
      server.close();
    }
  });

  it('reports an embedded database that does not exist', async () => {
    await assertFinding({}, 'database', /^error: there is no database in .* yet$/);
  });

  it('reports settings of the server that endanger data', async () => {
    // The server of the test run need not survive a power failure.
    const reported = await findingsOf(env, 'database');
    if (process.env.TEST_DATABASE_URL === undefined) {
      assert(reported.includes('warning: fsync is off, so a power failure can destroy data'));
    }
    assert.match(reported[0] ?? '', /^ok: PostgreSQL \d+/);
  });

  it('reports a pool that the server cannot serve', async () => {
    const reported = await findingsOf({ ...env, DATABASE_POOL_SIZE: '500' }, 'database');
    assert.match(reported.join(), /warning: one process may open 516 connections/);
  });

  it('reports an encoding other than UTF-8', async () => {
    const name = `${new URL(database.url).pathname.slice(1)}_latin`;
    const admin = await connectAs(serverUrl());
    try {
      await admin.query(`create database ${name} encoding 'LATIN1' locale 'C' template template0`);
      const url = Object.assign(new URL(serverUrl()), { pathname: `/${name}` }).href;
      await assertFinding({ DATABASE_URL: url }, 'database', /error: the encoding is LATIN1/);
    } finally {
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.end();
    }
  });

  it('reports missing, newer and changed migrations', async () => {
    const first = "name = '0001-baseline.sql'";
    const [{ checksum } = { checksum: '' }] = (
      await sql<{ checksum: string }>`select checksum from schema_migrations where ${sql.raw(first)}`.execute(
        database.db,
      )
    ).rows;
    await provoke(
      `delete from schema_migrations where ${first}`,
      `insert into schema_migrations (name, checksum) values ('0001-baseline.sql', '${checksum}')`,
      'migrations',
      /^error: 1 migrations are missing: 0001-baseline\.sql$/,
    );
    const removeFuture = `delete from schema_migrations where name like '9%'`;
    const insertFuture = (since: string) =>
      `insert into schema_migrations (name, checksum, unread_since) values ('9999_x.sql', 'x', ${since})`;
    await provoke(insertFuture('null'), removeFuture, 'migrations', /^warning: the database is newer/);
    await provoke(insertFuture("'99.0.0'"), removeFuture, 'migrations', /^error: .* Run version 99\.0\.0/);
    await provoke(
      `update schema_migrations set checksum = 'x' where ${first}`,
      `update schema_migrations set checksum = '${checksum}' where ${first}`,
      'migrations',
      /^error: Migration 0001-baseline\.sql was changed/,
    );
  });

  it('reports a database without tables', async () => {
    const empty = await createEmptyDatabase();
    try {
      const emptyEnv = { DATABASE_URL: empty.url };
      await assertFinding(emptyEnv, 'migrations', /^error: \d+ migrations are missing/);
      await assertFinding(emptyEnv, 'queue', /^error: /);
    } finally {
      await empty.drop();
    }
  });

  it('reports roles with too many or too few privileges', async () => {
    await assertFinding({ DATABASE_URL: database.ownerUrl }, 'role', /^warning: .* owns the tables/);
    await assertFinding(env, 'role', /^ok: /);
    const role = new URL(database.url).username;
    await provoke(
      `revoke insert on employees from ${role}`,
      `grant insert on employees to ${role}`,
      'role',
      /^error: .* lacks privileges: insert on public\.employees$/,
    );
    await provoke(
      `grant update on audit_log to ${role}`,
      `revoke update on audit_log from ${role}`,
      'role',
      /^warning: .* more privileges than it needs: update on public\.audit_log$/,
    );
  });

  it('reports the database of another environment', async () => {
    const reported = await findingsOf({ ...env, ...productionEnv }, 'environment');
    assert.deepEqual(reported, ['error: the database belongs to staging, but ENVIRONMENT is production']);
  });

  it('reports clocks that differ', async () => {
    const ahead = (seconds: number) => findingsOf(env, 'clock', () => Date.now() + seconds * 1000);
    assert.match((await ahead(0)).join(), /^ok: /);
    assert.match((await ahead(10)).join(), /^warning: the clock of this machine differs .* by (9|10)\.\d s$/);
    assert.match((await ahead(-90)).join(), /^error: .*no day is processed$/);
  });

  it('reports missing workers and jobs that wait, fail and were given up', async () => {
    await assertFinding(env, 'queue', /^error: no worker has ever run/);
    const insert = (fields: string) =>
      `insert into queue.job (name, state, retry_count, start_after, created_on) values ('run-daily', ${fields})`;
    const undo = 'delete from queue.job';
    const old = "now() - interval '20 minutes'";
    await provoke(
      insert(`'created', 0, ${old}, ${old}`),
      undo,
      'queue',
      /error: a job of run-daily has been waiting for 20 minutes/,
    );
    await provoke(insert(`'retry', 7, now(), now()`), undo, 'queue', /warning: 1 jobs have failed five times/);
    await provoke(insert(`'failed', 0, now(), now()`), undo, 'queue', /error: 1 jobs were given up/);
    const seen = (time: string) => `update queue.queue set monitor_on = ${time}`;
    await provoke(seen(old), seen('null'), 'queue', /error: no worker has run for 20 minutes/);
  });

  it('reports a daily run, documents and syncs that are late', async () => {
    const companyId = await makeCompany(database.db);
    const employeeId = await makeEmployee(database.db, companyId);
    const processed = (days: number) =>
      `update companies set processed_through = (now() at time zone time_zone)::date - ${days} where id = ${companyId}`;
    await provoke(processed(3), processed(0), 'work', /error: the daily run of 1 companies is up to 3 days behind/);
    await provoke(processed(1), processed(0), 'work', /warning: today's daily run has not finished for 1/);
    await provoke(
      processed(0),
      processed(0),
      'work',
      /ok: 1 companies, \d employees\nok: the daily run is up to date$/,
    );
    await provoke(
      `insert into documents (company_id, name, search_text, file_type, employee_id, kind, about, edition,
            content, created_at)
          values (${companyId}, 'a', 'a', 'pdf', ${employeeId}, 'cancellation-confirmation', '2026-11-01', 'x', '{}',
            now() - interval '2 hours')`,
      'delete from documents',
      'work',
      /error: 1 documents have been waiting/,
    );
    await provoke(
      `with integration as (insert into hr_integrations (company_id, name, type, status, initial_connection_status)
            values (${companyId}, 'HR', 'api-integration', 'active', 'completed') returning company_id, id)
          insert into syncs (company_id, hr_integration_id, sync_id, state, pushed_by, accepted_at)
          select company_id, id, 's', 'accepted', 'key', now() - interval '1 hour' from integration`,
      'delete from syncs',
      'work',
      /error: 1 syncs wait, the oldest for 60 minutes/,
    );
  });

  it('reports webhook deliveries that are overdue', async () => {
    const { companyId, endpointId } = await makeEndpoint(database.db, await makeCompany(database.db));
    const insert = (due: string) =>
      `insert into webhook_deliveries (company_id, endpoint_id, sequence, event_id, event_type, next_attempt_at)
        values (${companyId}, ${endpointId}, 1, 'evt_1', 'webhook-test', ${due})`;
    const undo = 'delete from webhook_deliveries';
    await provoke(
      insert("now() - interval '1 hour'"),
      undo,
      'work',
      /warning: 1 webhook deliveries wait, the oldest is 60 minutes overdue/,
    );
    await provoke(insert("now() + interval '1 hour'"), undo, 'work', /^(?!.*webhook)/s);
  });

  it('reports mails that wait for long', async () => {
    const companyId = await makeCompany(database.db);
    const insert = (created: string) =>
      `insert into mails (company_id, key, template, language, recipient, encrypted_values, next_attempt_at, expires_at,
          created_at)
        values (${companyId}, 'test/1', 'test', 'en', 'a@example.com', 'x', now(), now() + interval '1 day', ${created})`;
    const undo = 'delete from mails';
    await provoke(
      insert("now() - interval '1 hour'"),
      undo,
      'work',
      /warning: 1 mails wait, the oldest for 60 minutes/,
    );
    await provoke(insert('now()'), undo, 'work', /^(?!.*mails)/s);
  });

  it('signs in to the mail server, and says what to do if it cannot', async () => {
    const server = await startSmtpServer({ credentials: { user: 'benefits', password: 'correct horse' } });
    const { SMTP_URL, MAIL_FROM } = server.env;
    const check = async (url: string, more: Env = {}) => {
      const settings = readSettings({ SMTP_URL: url, MAIL_FROM, ...more });
      return checkMail(settings.config);
    };
    try {
      const [works] = await check(SMTP_URL);
      assert.deepEqual([works?.status, works?.remedy], ['ok', null]);
      const [refused] = await check(SMTP_URL.replace('correct', 'wrong'));
      assert.match(`${refused?.status}: ${refused?.finding}`, /^error: .* cannot be used \(EAUTH 535\)$/);
      assert.equal(refused?.remedy, 'correct the user and the password in SMTP_URL');
      assert.doesNotMatch(JSON.stringify([works, refused]), /horse/);
      const [plain] = await check(`${SMTP_URL}/?requireTLS=true`);
      assert.match(`${plain?.finding} ${plain?.remedy}`, /ETLS.* STARTTLS/);
      assert.equal(server.received.length, 0);
    } finally {
      await server.stop();
    }
    const [absent] = await check(`smtp://127.0.0.1:${await freePort()}`);
    assert.match(`${absent?.status}: ${absent?.remedy}`, /^error: correct the host and the port in SMTP_URL/);
  });

  it('says what works without a mail server', async () => {
    const [finding = ''] = await findingsOf(env, 'mail');
    assert.match(finding, /^skipped: no mail server is configured: .*`user reset-password`/);
  });

  it('reports a document store that cannot be used', () =>
    withFolder(async (folder) => {
      await writeFile(join(folder, 'file'), '');
      const reported = await findingsOf({ ...env, DOCUMENT_STORE: join(folder, 'file', 'documents') }, 'storage');
      assert.match(reported.join(), /^error: The document folder cannot be used/);
      await assertFinding({ ...env, DOCUMENT_STORE: folder }, 'storage', /^ok: a file in .* deleted$/);
    }));

  it('reports a disk that is nearly full', () => {
    const gibibyte = 2 ** 30;
    assert.equal(judgeDisk('data', 50 * gibibyte, 100 * gibibyte).status, 'ok');
    assert.equal(judgeDisk('data', 0.5 * gibibyte, 5 * gibibyte).status, 'warning');
    assert.equal(judgeDisk('data', 4 * gibibyte, 100 * gibibyte).status, 'warning');
    assert.equal(judgeDisk('data', 0.01 * gibibyte, 1 * gibibyte).status, 'error');
  });

  it('reports a standby, and connections that are nearly used up', () => {
    const server = {
      version: '15.4',
      encoding: 'UTF8',
      isStandby: false,
      fsync: true,
      fullPageWrites: true,
      maxConnections: 100,
      connections: 80,
    };
    const judge = (change: Partial<typeof server>) =>
      judgeServer({ ...server, ...change }, { databasePoolSize: 20 })
        .filter(({ status }) => status !== 'ok')
        .map(({ status, finding }) => `${status}: ${finding}`);
    assert.deepEqual(judge({}), []);
    assert.deepEqual(judge({ isStandby: true }), ['error: the server is a standby, which refuses writes']);
    assert.deepEqual(judge({ connections: 81 }), ['warning: 81 of 100 connections are in use']);
    assert.deepEqual(judge({ maxConnections: 35, connections: 5 }), [
      'warning: one process may open 36 connections, and the server allows 35',
    ]);
  });

  it('reports a server that is too old', async () => {
    const check = async (number: number, name: string) => {
      const run = async () => {
        assertSupported({ number, name });
        return [];
      };
      return runCheck({ name: 'database', run, remedy: 'Start it.' });
    };
    assert.deepEqual(await check(150_000, '15.0'), []);
    const [finding] = await check(140_019, '14.19');
    assert.deepEqual(finding, {
      check: 'database',
      status: 'error',
      finding: 'DATABASE_URL points to PostgreSQL 14.19. Use version 15 or newer.',
      remedy: 'See the finding.',
    });
  });

  it('reports wallets with expired or unusable credentials', async () => {
    const wallets = { ...env, ...walletEnv };
    const years = (count: number) => () => Date.now() + count * 365.25 * 86_400_000;
    await assertFinding(wallets, 'apple-wallet', /^ok: the certificate is valid until/);
    await assertFinding(wallets, 'apple-wallet', /^error: APPLE_WALLET_CERTIFICATE expired on/, years(300));
    await assertFinding(
      { ...wallets, APPLE_WALLET_KEY: walletEnv.APPLE_WALLET_WWDR },
      'apple-wallet',
      /^error: APPLE_WALLET_KEY/,
    );
    await assertFinding(wallets, 'google-wallet', /^ok: /);
    await assertFinding(
      { ...wallets, GOOGLE_WALLET_SERVICE_ACCOUNT: '/nowhere' },
      'google-wallet',
      /^error: .* does not exist/,
    );
    assert.deepEqual(await findingsOf(env, 'apple-wallet'), ['skipped: Apple Wallet is not configured']);
  });

  it('does not wait for a check that hangs', async () => {
    const hanging = async () => {
      await sql`select pg_sleep(10)`.execute(database.db);
      return [];
    };
    const [finding] = await runCheck({ name: 'slow', run: hanging, remedy: 'Wait.' }, 50);
    assert.deepEqual(finding, {
      check: 'slow',
      status: 'error',
      finding: 'no response within 0.05 s',
      remedy: 'Wait.',
    });
    await sql`select pg_cancel_backend(pid) from pg_stat_activity where query like 'select pg_sleep%'`.execute(
      database.db,
    );
  });
});
