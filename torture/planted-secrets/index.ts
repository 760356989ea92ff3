import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { atLeast, info, type Metric, none } from '../../harness/metrics.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import type { Db } from '../../src/db/database.ts';
import { clusterIn } from '../../src/db/embedded/cluster.ts';
import { settings } from '../../src/db/embedded/launch.ts';
import { createRandom } from '../../src/demo/random.ts';
import { permissions } from '../../src/domain/enums.ts';
import { basic, type Credentials } from '../../test/support/app.ts';
import { makeIntegration, makeKey } from '../../test/support/factories.ts';
import { type Env, type Finished, run, type Serving } from '../../test/support/process.ts';
import { until } from '../../test/support/until.ts';
import { type Fixture, withFixture } from '../support/fixture.ts';
import { RecordingClient } from '../support/recording-client.ts';
import { makeTestCompany, type TestCompany, withoutGuard } from '../support/test-company.ts';
import {
  type PlantingTarget,
  plantEmployee,
  plantInAddresses,
  plantInHeaders,
  plantInPortal,
  plantInRosters,
  push,
  rosterOf,
} from './planting.ts';
import { type SecretKind, Secrets } from './secrets.ts';

interface SecretsPlan {
  rounds: number;
}

/** Every error status that the service can return, except that of rate limits. */
const statuses = [400, 401, 403, 404, 409, 413, 415, 422, 500, 503];
const maxSyncBytes = 32 * 1024;

interface PlantingContext extends Fixture {
  secrets: Secrets;
  env: Env;
  apis: Serving[];
  company: TestCompany;
  /** The output of commands. */
  printed: Finished[];
}

/**
 * Plants secrets in the operator's commands. A generated password is meant to be in the output, so it is removed before
 * the search.
 */
async function plantInCommands({ secrets, env, printed, company: { companyId } }: PlantingContext) {
  const command = async (words: string[], own: Env = {}, input?: string) => {
    const finished = await run(words, { ...env, LOG_LEVEL: 'trace', ...own }, input);
    printed.push(finished);
    return finished;
  };
  const company = ['--company', String(companyId)];
  const email = `${secrets.plant('personal', 'address of an admin', secrets.word().toLowerCase())}@example.com`;
  const password = secrets.plant('credential', 'password of an admin', `${secrets.word()} "ß`);
  const stray = (what: string) => secrets.plant('stray', what);
  const away = (what: string) => `postgres://postgres:${stray(what)}@127.0.0.1:1/transit`;
  const colleague = `${secrets.plant('personal', 'address of a colleague', secrets.word().toLowerCase())}@example.com`;
  const typed = secrets.plant('credential', 'password that is typed', `${secrets.word()} ß`);
  const [made] = await Promise.all([
    command(['key', 'create', ...company, '--permissions', permissions.join(',')]),
    command(['user', 'create', ...company, '--email', email, '--password', password]),
    command(['user', 'create', ...company, '--email', email, '--password', stray('too short').slice(0, 11)]),
    command(['key', 'create', ...company, '--permissions', 'view-billing'], {
      DATABASE_URL: away('password of a database that is away'),
    }),
    command(['migrate'], { DATABASE_OWNER_URL: away('password of an owner who is away') }),
    command(['user', 'create', ...company, '--email', colleague], {}, `${typed}\n`),
    command(['user', 'create', ...company, '--email', colleague], {}, `${stray('typed and too short').slice(0, 11)}\n`),
    command(['migrate'], { DATABASE_URL: `mysql://root:${stray('password of another database')}@127.0.0.1/x` }),
    command(['migrate'], { SECRET: stray('secret that is too short') }),
  ]);
  const key = JSON.parse(made.stdout) as Credentials;
  made.stdout = made.stdout.replace(secrets.plant('credential', 'password of a key', key.password), '');
  return { key, login: { email, password } };
}

/** Renames tables, which causes errors that no request and no job can foresee. */
async function breakDatabase({ db, apis: [api] }: PlantingContext, target: PlantingTarget): Promise<void> {
  const headers = { authorization: basic(target.key) };
  const search = () =>
    target.client.record(`/v1/employees?search=${target.secrets.plant('personal', 'search that fails inside')}`, {
      headers,
    });
  for (const table of ['employees', 'syncs', 'portal_users']) {
    await sql`alter table ${sql.id(table)} rename to away`.execute(db);
    try {
      await search();
      await push(target, rosterOf(target.secrets.word(), plantEmployee(target)));
      const password = target.secrets.plant('stray', 'password while accounts are away');
      await target.client.portal('/auth/sign-in/email', { email: 'somebody@example.com', password });
    } finally {
      await sql`alter table away rename to ${sql.id(table)}`.execute(db);
    }
  }
  // The worker fails on a constraint that no row satisfies, while it holds a whole roster.
  await sql`alter table employees add constraint unkept check (first_name = '') not valid`.execute(db);
  try {
    const before = api?.output.stderr.length ?? 0;
    await push(target, rosterOf(target.secrets.word(), plantEmployee(target), plantEmployee(target)));
    await until('the failure is in the log', () =>
      /"level":"(warn|error)"/.test(api?.output.stderr.slice(before) ?? ''),
    );
  } finally {
    await sql`alter table employees drop constraint unkept`.execute(db);
  }
}

async function stopDatabase({ postgres, secrets }: PlantingContext, targets: PlantingTarget[]): Promise<void> {
  await postgres.crash();
  for (const target of targets) {
    const { key, client } = target;
    const wrong = { ...key, password: secrets.plant('stray', 'password of a key while the database is away') };
    await client.record('/v1/employees', { headers: { authorization: basic(wrong) } });
    await push(target, rosterOf(secrets.word(), plantEmployee(target)));
    const password = secrets.plant('stray', 'password of a user while the database is away');
    await client.portal('/auth/sign-in/email', { email: 'somebody@example.com', password });
    await client.portal('/me', undefined, `transit.session_token=${secrets.plant('stray', 'session meanwhile')}.x`);
  }
  await postgres.start();
  for (const { client, key } of targets) {
    const headers = { authorization: basic(key) };
    await until('the key works', async () => (await client.record('/v1/me', { headers })).status === 200);
  }
}

async function makeTargets(
  { db, apis, secrets, company }: PlantingContext,
  key: Credentials,
): Promise<PlantingTarget[]> {
  const { companyId, integrationId } = company;
  const weakKey = await makeKey(db, companyId, []);
  secrets.plant('credential', 'password of a weak key', weakKey.password);
  const inactiveId = await makeIntegration(db, companyId);
  await db.updateTable('hr_integrations').set({ status: 'inactive' }).where('id', '=', inactiveId).execute();
  const shared = { secrets, key, weakKey, integrationId, inactiveId, tooManyBytes: maxSyncBytes };
  return apis.map(({ url }) => ({ ...shared, client: new RecordingClient(url) }));
}

/** Returns every row of every table as text, including those of the queue and of sign-in. Bytes are hexadecimal. */
async function dumpDatabase(db: Db): Promise<{ tables: number; rows: Place[] }> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(db);
  const rows: Place[] = [];
  for (const { schema, name } of tables) {
    const found = await sql<{ text: string }>`select t::text as text from ${sql.id(schema, name)} t`.execute(db);
    rows.push(...found.rows.map(({ text }) => ({ where: `${schema}.${name}`, text })));
  }
  return { tables: tables.length, rows };
}

interface Place {
  where: string;
  text: string;
}

/** Counts the secrets found. Logs where and what each is, but never the secret itself. */
function search(secrets: Secrets, places: Place[], kinds: readonly SecretKind[], log: Context['log']): number {
  let found = 0;
  for (const { where, text } of places) {
    for (const { what } of secrets.findIn(text, kinds)) {
      log(`${what} is in ${where}`);
      found += 1;
    }
  }
  return found;
}

const everywhere = ['credential', 'stray'] as const;

/** Counts the secrets in responses: those that the response is meant to show, and all others. */
function searchResponses(secrets: Secrets, targets: PlantingTarget[], log: Context['log']) {
  const found = { shown: 0, leaked: 0 };
  for (const { description, text, shows } of targets.flatMap(({ client }) => client.responses)) {
    for (const secret of secrets.findIn(text, everywhere)) {
      if (shows.has(secret.text)) found.shown += 1;
      else {
        log(`${secret.what} is in ${description}`);
        found.leaked += 1;
      }
    }
  }
  return found;
}

async function judge(context: PlantingContext, targets: PlantingTarget[], log: Context['log']): Promise<Metric[]> {
  const { secrets, db, apis, printed, folder } = context;
  const databaseLog = await readFile(clusterIn(folder).logFile, 'utf8');
  const logs: Place[] = [
    ...apis.map(({ output }, index) => ({ where: `log ${index + 1}`, text: output.stdout + output.stderr })),
    ...printed.map(({ stdout, stderr }) => ({ where: 'output of a command', text: stdout + stderr })),
    { where: 'log of the database', text: databaseLog },
  ];
  const { tables, rows } = await dumpDatabase(db);
  const responses = targets.flatMap(({ client }) => client.responses);
  const { shown, leaked } = searchResponses(secrets, targets, log);
  const met = new Set(responses.map(({ status }) => status));
  const stored = search(secrets, rows, ['personal'], () => {});
  const countLines = (text: string) => text.split('\n').length - 1;
  return [
    info('secrets planted', secrets.all.length),
    info('responses searched', responses.length),
    info(
      'log lines searched',
      logs.reduce((sum, { text }) => sum + countLines(text), 0),
    ),
    info('tables searched', tables),
    info('rows searched', rows.length),
    none('kinds of error that were not provoked', statuses.filter((status) => !met.has(status)).length),
    atLeast('credentials found in the responses that show them once', shown, 1),
    atLeast('personal data found in the database, as expected', stored, 1),
    atLeast('lines in the log of the database', countLines(databaseLog), 1),
    none('secrets in logs', search(secrets, logs, everywhere, log)),
    none('personal data in logs', search(secrets, logs, ['personal'], log)),
    none('secrets in responses', leaked),
    none('secrets in the database', search(secrets, rows, everywhere, log)),
  ];
}

async function plantAndSearch(fixture: Fixture, { rounds }: SecretsPlan, { seed, log }: Context): Promise<Metric[]> {
  const { db, urls, folder, startApi } = fixture;
  const secrets = new Secrets(createRandom(seed));
  for (const [role, url] of Object.entries(urls)) {
    secrets.plant('credential', `password of the database (${role})`, decodeURIComponent(new URL(url).password));
  }
  // The same log settings as the embedded PostgreSQL.
  for (const name of ['log_min_messages', 'log_error_verbosity']) {
    const value = sql.lit(settings[name] ?? 'default');
    await sql`alter database transit set ${sql.raw(name)} = ${value}`.execute(db);
  }
  const own = { SECRET: secrets.plant('credential', 'SECRET', secrets.word(40)), MAX_SYNC_BYTES: String(maxSyncBytes) };
  // One process logs at the most verbose level and applies rosters. The other logs as in production.
  const verbose = startApi({ ...own, DATABASE_OWNER_URL: urls.ownerUrl, LOG_LEVEL: 'trace', WORKER: 'on' });
  const apis = [await verbose, await startApi({ ...own, LOG_LEVEL: 'info' })];
  // The small rosters here cause removals, which are not part of this scenario.
  const company = await makeTestCompany(db, withoutGuard);
  const env = { ...own, DATABASE_URL: urls.url, DATA_DIR: folder };
  const context: PlantingContext = { ...fixture, secrets, env, apis, company, printed: [] };
  const { key, login } = await plantInCommands(context);
  const targets = await makeTargets(context, key);
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) {
      await plantInHeaders(target);
      await plantInAddresses(target);
      await plantInRosters(target);
      await plantInPortal(target, login);
      await breakDatabase(context, target);
    }
    await stopDatabase(context, targets);
  }
  return judge(context, targets, log);
}

export const plantedSecrets: Scenario<SecretsPlan> = {
  name: 'planted-secrets',
  title: 'Planted secrets in keys, passwords, headers, addresses and bodies',
  plans: { full: { rounds: 10 }, quick: { rounds: 1 } },
  run: (plan, context) => withFixture((fixture) => plantAndSearch(fixture, plan, context)),
};
