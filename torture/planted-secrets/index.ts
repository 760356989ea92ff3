import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { atLeast, info, type Metric, none, noneOf, sum } from '../../harness/metrics.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { settings } from '../../src/platform/db/embedded/launch.ts';
import { basic } from '../../test/support/app.ts';
import { makeIntegration, makeKey } from '../../test/support/factories.ts';
import { freePort, type Serving } from '../../test/support/process.ts';
import { startSmtpServer } from '../../test/support/smtp.ts';
import { until } from '../../test/support/until.ts';
import { type Fixture, withFixture } from '../support/fixture.ts';
import { RecordingClient } from '../support/http-client.ts';
import { makeTestCompany, withoutGuard } from '../support/test-company.ts';
import { type AccessTarget, isPostponed, plantInAccess } from './access.ts';
import { plantInCommands } from './commands.ts';
import {
  createSecrets,
  maxSyncBytes,
  type PlantingTarget,
  plantInAddresses,
  plantInHeaders,
  plantInPortal,
  plantInRosters,
  push,
  type SecretKind,
  type Secrets,
} from './planting.ts';

/** Every error status that the service can return, except that of rate limits. */
const statuses = [400, 401, 403, 404, 409, 413, 415, 422, 500, 503];

async function sendAnyway(target: PlantingTarget): Promise<void> {
  const { secrets, client, key } = target;
  const { stray, personal, employee } = secrets;
  const wrong = { ...key, password: stray('password of a key while the database is away') };
  for (const credentials of [key, wrong]) {
    const headers = { authorization: basic(credentials) };
    await client.record(`/v1/employees?search=${personal('search that fails inside')}`, { headers });
  }
  await push(target, [employee()]);
  const password = stray('password of a user while the database is away');
  await client.portal('/auth/sign-in/email', { email: 'somebody@example.com', password });
  await client.portal('/me', undefined, `transit.session_token=${stray('session meanwhile')}.x`);
}

/** Renames tables, which causes errors that no request and no job can foresee. */
async function breakDatabase(db: Db, { output }: Serving, target: PlantingTarget): Promise<void> {
  for (const table of ['employees', 'syncs', 'portal_users']) {
    await sql`alter table ${sql.id(table)} rename to away`.execute(db);
    await sendAnyway(target).finally(() => sql`alter table away rename to ${sql.id(table)}`.execute(db));
  }
  // The worker fails on a constraint that no row satisfies, while it holds a whole roster.
  await sql`alter table employees add constraint unkept check (first_name = '') not valid`.execute(db);
  try {
    const before = output.stderr.length;
    await push(target, [target.secrets.employee(), target.secrets.employee()]);
    await until('the failure is in the log', () => /"level":"(warn|error)"/.test(output.stderr.slice(before)));
  } finally {
    await sql`alter table employees drop constraint unkept`.execute(db);
  }
}

async function stopDatabase({ postgres }: Fixture, targets: PlantingTarget[]): Promise<void> {
  await postgres.crash();
  for (const target of targets) await sendAnyway(target);
  await postgres.start();
  for (const { client, key } of targets) {
    const headers = { authorization: basic(key) };
    await until('the key works', async () => (await client.record('/v1/me', { headers })).status === 200);
  }
}

interface Place {
  where: string;
  text: string;
  shows?: Set<string>;
}

async function dumpDatabase(db: Db): Promise<Place[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(db);
  const rows: Place[] = [];
  for (const { schema, name } of tables) {
    const found = await sql<{ text: string }>`select t::text as text from ${sql.id(schema, name)} t`.execute(db);
    rows.push(...found.rows.map(({ text }) => ({ where: `${schema}.${name}`, text })));
  }
  return rows;
}

/** Counts the secrets that belong where they are. Lists what and where the others are, but never the text. */
function search(secrets: Secrets, places: Place[], ...kinds: SecretKind[]) {
  const leaked: string[] = [];
  let shown = 0;
  for (const { where, text, shows } of places) {
    for (const secret of secrets.findIn(text, kinds)) {
      if (shows?.has(secret.text)) shown += 1;
      else leaked.push(`${secret.what} is in ${where}`);
    }
  }
  return { shown, leaked };
}

const countLines = (places: Place[]) => sum(places.map(({ text }) => text.split('\n').length - 1));

const linkFrom =
  ({ received }: Awaited<ReturnType<typeof startSmtpServer>>) =>
  async (email: string, pattern: RegExp): Promise<string> => {
    let found: string | undefined;
    await until('the mail with the link', () => {
      const mails = received.filter(({ to }) => to.includes(email));
      found = mails.flatMap(({ text }) => pattern.exec(text)?.[1] ?? []).at(-1);
      return found !== undefined;
    });
    return found ?? '';
  };

async function plantAndSearch(fixture: Fixture, rounds: number, { seed, log }: Context): Promise<Metric[]> {
  const { db, urls, folder, startApi } = fixture;
  const secrets = createSecrets(seed);
  await using stops = new AsyncDisposableStack();
  const smtp = await startSmtpServer({
    credentials: { user: 'benefits', password: secrets.credential('password of the mail server', secrets.word(40)) },
    onMessage: ({ to }) => (to.some(isPostponed) ? 451 : undefined),
  });
  stops.defer(smtp.stop);
  // This is staging, which writes to employees only if it is allowed to.
  const mailing = { ...smtp.env, MAIL_ALLOW: '*@example.com' };
  for (const [role, url] of Object.entries(urls)) {
    secrets.credential(`password of the database (${role})`, decodeURIComponent(new URL(url).password));
  }
  // The same log settings as the embedded PostgreSQL.
  for (const name of ['log_min_messages', 'log_error_verbosity']) {
    const value = sql.lit(settings[name] ?? 'default');
    await sql`alter database transit set ${sql.raw(name)} = ${value}`.execute(db);
  }
  const own = { SECRET: secrets.credential('SECRET', secrets.word(40)), MAX_SYNC_BYTES: String(maxSyncBytes) };
  // One process logs at the most verbose level, applies rosters and sends mails. The other logs as in production.
  const metricsPort = String(await freePort());
  const working = { WORKER: 'on', LOG_LEVEL: 'trace', METRICS_PORT: metricsPort, WEBHOOK_ALLOW_PRIVATE: 'on' };
  const verbose = await startApi({ ...own, ...mailing, DATABASE_OWNER_URL: urls.ownerUrl, ...working });
  const clientSecret = secrets.credential('client secret of an identity provider', secrets.word(40));
  // Loaded here, because the package prints a warning at once.
  const { startIdentityProvider } = await import('../../test/support/identity-provider.ts');
  const apis = [verbose, await startApi({ ...own, LOG_LEVEL: 'info' })];
  // The small rosters here cause removals, which are not part of this scenario.
  const { companyId, integrationId } = await makeTestCompany(db, withoutGuard);
  const redirectUri = `${new URL(verbose.url).origin}/sso/callback/${companyId}`;
  const provider = await startIdentityProvider(redirectUri, { clientSecret });
  stops.defer(provider.stop);
  const env = { ...own, DATABASE_URL: urls.url, DATA_DIR: folder, ...mailing };
  const { key, login, printed } = await plantInCommands(secrets, env, companyId);
  const weakKey = await makeKey(db, companyId, []);
  secrets.credential('password of a weak key', weakKey.password);
  const inactiveId = await makeIntegration(db, companyId);
  await db.updateTable('hr_integrations').set({ status: 'inactive' }).where('id', '=', inactiveId).execute();
  const shared = { secrets, key, weakKey, integrationId, inactiveId, db, companyId };
  const targets = apis.map(
    (api): AccessTarget => ({
      ...shared,
      client: new RecordingClient(api.url),
      ...(api === verbose && { linkTo: linkFrom(smtp), provider }),
    }),
  );
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) {
      await plantInHeaders(target);
      await plantInAddresses(target);
      await plantInRosters(target);
      await plantInPortal(target, login);
      await plantInAccess(target);
      await breakDatabase(db, verbose, target);
    }
    await stopDatabase(fixture, targets);
  }

  await until('an attempt of the webhook has failed', () => verbose.output.stderr.includes('webhook delivery failed'));
  const databaseLog = { where: 'log of the database', text: await readFile(fixture.postgres.logFile, 'utf8') };
  const logs = [
    ...apis.map(({ output }, index) => ({ where: `log ${index + 1}`, text: output.stdout + output.stderr })),
    ...printed.map(({ stdout, stderr }) => ({ where: 'output of a command', text: stdout + stderr })),
    databaseLog,
    { where: 'metrics', text: await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text() },
  ];
  const rows = await dumpDatabase(db);
  const responses = targets.flatMap(({ client }) => client.responses);
  const met = new Set(responses.map(({ status }) => status));
  const places = responses.map(({ description, text, shows }) => ({ where: description, text, shows }));
  const { shown, leaked } = search(secrets, places, 'credential', 'stray');
  const stored = search(secrets, rows, 'personal').leaked.length;
  return [
    info('secrets planted', secrets.all.length),
    info('responses searched', responses.length),
    info('log lines searched', countLines(logs)),
    info('tables with rows searched', new Set(rows.map(({ where }) => where)).size),
    info('rows searched', rows.length),
    none('kinds of error that were not provoked', statuses.filter((status) => !met.has(status)).length),
    atLeast('credentials found in the responses that show them once', shown, 1),
    atLeast('personal data found in the database, as expected', stored, 1),
    atLeast('lines in the log of the database', countLines([databaseLog]), 1),
    noneOf('secrets in logs', search(secrets, logs, 'credential', 'stray').leaked, log),
    noneOf('personal data in logs', search(secrets, logs, 'personal').leaked, log),
    noneOf('secrets in responses', leaked, log),
    noneOf('secrets in the database', search(secrets, rows, 'credential', 'stray').leaked, log),
  ];
}

export const plantedSecrets: Scenario<{ rounds: number }> = {
  name: 'planted-secrets',
  title:
    'Planted secrets in keys, passwords, second factors, mails, sign-on, headers, addresses, bodies and credentials',
  plans: { full: { rounds: 10 }, quick: { rounds: 1 } },
  run: ({ rounds }, context) => withFixture((fixture) => plantAndSearch(fixture, rounds, context)),
};
