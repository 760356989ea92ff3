import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { atLeast, info, type Metric, none } from '../../harness/metrics.ts';
import { startApi } from '../../harness/processes.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import type { CompanyId } from '../../src/db/company-scope.ts';
import { connectDatabase, type Db } from '../../src/db/database.ts';
import { clusterIn } from '../../src/db/embedded/cluster.ts';
import { settings } from '../../src/db/embedded/launch.ts';
import { createRandom } from '../../src/demo/random.ts';
import { permissions } from '../../src/domain/enums.ts';
import { basic, type Credentials } from '../../test/support/app.ts';
import { makeCompany, makeIntegration, makeKey } from '../../test/support/factories.ts';
import { type Env, type Finished, run, type Serving, withFolder } from '../../test/support/process.ts';
import { until } from '../../test/support/until.ts';
import { Correspondence } from '../support/correspondence.ts';
import { type OwnPostgres, startOwnPostgres } from '../support/postgres.ts';
import { dumpDatabase } from './database-dump.ts';
import {
  aPerson,
  type Garden,
  plantInAddresses,
  plantInHeaders,
  plantInPortal,
  plantInRosters,
  push,
  rosterOf,
} from './planting.ts';
import { type Secret, type SecretKind, Secrets } from './secrets.ts';

interface SecretsPlan {
  rounds: number;
}

/** Every error status that the service can return, except that of rate limits. */
const statuses = [400, 401, 403, 404, 409, 413, 415, 422, 500, 503];
const maxSyncBytes = 32 * 1024;

interface Stage {
  secrets: Secrets;
  env: Env;
  db: Db;
  postgres: OwnPostgres;
  apis: Serving[];
  /** The output of commands. */
  printed: Finished[];
}

/**
 * Plants secrets in the operator's commands. A generated password is meant to be in the output, so it is removed before
 * the search.
 */
async function plantInCommands({ secrets, env, printed }: Stage, companyId: CompanyId) {
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
async function breakDatabase({ db, apis: [api] }: Stage, garden: Garden): Promise<void> {
  const headers = { authorization: basic(garden.key) };
  const ask = (what: string) =>
    garden.letters.send(`/v1/employees?search=${garden.secrets.plant('personal', what)}`, { headers });
  for (const table of ['employees', 'syncs', 'portal_users']) {
    await sql`alter table ${sql.id(table)} rename to away`.execute(db);
    try {
      await ask('search that fails inside');
      await push(garden, rosterOf(garden.secrets.word(), aPerson(garden)));
      const password = garden.secrets.plant('stray', 'password while accounts are away');
      await garden.letters.ask('/auth/sign-in/email', { email: 'somebody@example.com', password });
    } finally {
      await sql`alter table away rename to ${sql.id(table)}`.execute(db);
    }
  }
  // The worker fails on a constraint that no row satisfies, while it holds a whole roster.
  await sql`alter table employees add constraint unkept check (first_name = '') not valid`.execute(db);
  try {
    const before = api?.output.stderr.length ?? 0;
    await push(garden, rosterOf(garden.secrets.word(), aPerson(garden), aPerson(garden)));
    await until('the failure is in the log', () =>
      /"level":"(warn|error)"/.test(api?.output.stderr.slice(before) ?? ''),
    );
  } finally {
    await sql`alter table employees drop constraint unkept`.execute(db);
  }
}

async function stopDatabase({ postgres, secrets }: Stage, gardens: Garden[]): Promise<void> {
  await postgres.crash();
  for (const garden of gardens) {
    const { key, letters } = garden;
    const wrong = { ...key, password: secrets.plant('stray', 'password of a key while the database is away') };
    await letters.send('/v1/employees', { headers: { authorization: basic(wrong) } });
    await push(garden, rosterOf(secrets.word(), aPerson(garden)));
    const password = secrets.plant('stray', 'password of a person while the database is away');
    await letters.ask('/auth/sign-in/email', { email: 'somebody@example.com', password });
    await letters.ask('/me', undefined, `transit.session_token=${secrets.plant('stray', 'session meanwhile')}.x`);
  }
  await postgres.start();
  for (const { letters, key } of gardens) {
    const headers = { authorization: basic(key) };
    await until('the key works', async () => (await letters.send('/v1/me', { headers })).status === 200);
  }
}

async function makeGardens({ db, apis, secrets }: Stage, companyId: CompanyId, key: Credentials): Promise<Garden[]> {
  const shared = {
    secrets,
    key,
    weakKey: await makeKey(db, companyId, []),
    integrationId: await makeIntegration(db, companyId),
    inactiveId: await makeIntegration(db, companyId),
    tooManyBytes: maxSyncBytes,
  };
  secrets.plant('credential', 'password of a weak key', shared.weakKey.password);
  await db.updateTable('hr_integrations').set({ status: 'inactive' }).where('id', '=', shared.inactiveId).execute();
  // The small rosters here cause removals, which are not part of this scenario.
  await db.updateTable('companies').set({ guard_maximum_absent_percent: 100 }).where('id', '=', companyId).execute();
  return apis.map(({ url }) => ({ ...shared, letters: new Correspondence(new URL(url).origin) }));
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
      log(`${what} stands in ${where}`);
      found += 1;
    }
  }
  return found;
}

const isShownBy = ({ text }: Secret, shows: Set<string>) => shows.has(text);

async function judge(stage: Stage, gardens: Garden[], folder: string, log: Context['log']): Promise<Metric[]> {
  const { secrets, db, apis, printed } = stage;
  const letters = gardens.flatMap((garden) => garden.letters.letters);
  const databaseLog = await readFile(clusterIn(folder).logFile, 'utf8');
  const logs: Place[] = [
    ...apis.map(({ output }, index) => ({ where: `log ${index + 1}`, text: output.stdout + output.stderr })),
    ...printed.map(({ stdout, stderr }) => ({ where: 'what a command prints', text: stdout + stderr })),
    { where: 'log of the database', text: databaseLog },
  ];
  const dump = await dumpDatabase(db);
  const rows = dump.flatMap(({ table, rows: texts }) => texts.map((text) => ({ where: table, text })));
  const everywhere = ['credential', 'stray'] as const;
  let [shown, inAnswers] = [0, 0];
  for (const { what, text, shows } of letters) {
    for (const secret of secrets.findIn(text, everywhere)) {
      if (isShownBy(secret, shows)) shown += 1;
      else {
        log(`${secret.what} stands in ${what}`);
        inAnswers += 1;
      }
    }
  }
  const met = new Set(letters.map(({ status }) => status));
  return [
    info('secrets planted', secrets.all.length),
    info('answers searched', letters.length),
    info(
      'log lines searched',
      logs.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0),
    ),
    info('tables searched', dump.length),
    info('rows searched', rows.length),
    none('kinds of error that were not provoked', statuses.filter((status) => !met.has(status)).length),
    atLeast('credentials found where they are shown once', shown, 1),
    atLeast(
      'personal data found in the database, where it belongs',
      search(secrets, rows, ['personal'], () => {}),
      1,
    ),
    atLeast('lines that the database logged', databaseLog.split('\n').length - 1, 1),
    none('secrets in logs', search(secrets, logs, everywhere, log)),
    none('personal data in logs', search(secrets, logs, ['personal'], log)),
    none('secrets in answers', inAnswers),
    none('secrets in the database', search(secrets, rows, everywhere, log)),
  ];
}

async function plantAndSearch({ rounds }: SecretsPlan, { seed, log }: Context, folder: string, postgres: OwnPostgres) {
  const secrets = new Secrets(createRandom(seed));
  for (const [role, url] of Object.entries(postgres.urls)) {
    secrets.plant('credential', `password of the database (${role})`, decodeURIComponent(new URL(url).password));
  }
  const { db, close } = connectDatabase({ url: postgres.url, max: 2, applicationName: 'secrets' });
  const own = {
    SECRET: secrets.plant('credential', 'SECRET', secrets.word(40)),
    MAX_SYNC_BYTES: String(maxSyncBytes),
  };
  const apis: Serving[] = [];
  try {
    // The same log settings as the embedded PostgreSQL.
    for (const name of ['log_min_messages', 'log_error_verbosity']) {
      const value = sql.lit(settings[name] ?? 'default');
      await sql`alter database transit set ${sql.raw(name)} = ${value}`.execute(db);
    }
    const { url, ownerUrl } = postgres.urls;
    const env = { ...own, DATABASE_URL: url, DATA_DIR: folder };
    const stage: Stage = { secrets, env, db, postgres, apis, printed: [] };
    // One process logs at the most verbose level and applies rosters. The other logs as in production.
    apis.push(await startApi(url, folder, { ...own, DATABASE_OWNER_URL: ownerUrl, LOG_LEVEL: 'trace', WORKER: 'on' }));
    const companyId = await makeCompany(db);
    const second = startApi(url, folder, { ...own, LOG_LEVEL: 'info' });
    const [access] = await Promise.all([plantInCommands(stage, companyId), second.then((api) => apis.push(api))]);
    const { login } = access;
    const gardens = await makeGardens(stage, companyId, access.key);
    for (let round = 0; round < rounds; round++) {
      for (const garden of gardens) {
        await plantInHeaders(garden);
        await plantInAddresses(garden);
        await plantInRosters(garden);
        await plantInPortal(garden, login);
        await breakDatabase(stage, garden);
      }
      await stopDatabase(stage, gardens);
    }
    return await judge(stage, gardens, folder, log);
  } finally {
    for (const api of apis) {
      api.signal('SIGTERM');
      await api.exited;
    }
    await close();
  }
}

export const plantedSecrets: Scenario<SecretsPlan> = {
  name: 'planted-secrets',
  title: 'Planted secrets in keys, passwords, headers, addresses and bodies',
  plans: { full: { rounds: 10 }, quick: { rounds: 1 } },
  run: (plan, scene) =>
    withFolder(async (folder) => {
      const postgres = await startOwnPostgres(folder);
      try {
        return await plantAndSearch(plan, scene, folder, postgres);
      } finally {
        await postgres.stop();
      }
    }),
};
