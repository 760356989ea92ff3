import { existsSync } from 'node:fs';
import { readNow } from '../../platform/clock/clock.ts';
import type { Config, Settings } from '../../platform/config/config.ts';
import { readVersion } from '../../platform/config/version.ts';
import type { Db } from '../../platform/db/database.ts';
import { clusterIn } from '../../platform/db/embedded/cluster.ts';
import { assertUsable, inspectDatabase } from '../../platform/db/open-database.ts';
import {
  checkCitus,
  checkClock,
  checkEnvironment,
  checkMigrations,
  checkRole,
  checkSecret,
  checkServer,
} from './database.ts';
import { checkAppleWallet, checkDisk, checkGoogleWallet, checkPages, checkStorage } from './files.ts';
import { type Check, type Finding, fail, ok, type Result, runCheck, skipped, warn } from './finding.ts';
import { checkMail } from './mail.ts';
import { checkQueue, checkWork } from './work.ts';

/** The clock of this machine, in epoch milliseconds. Tests move it. */
type Now = () => number;

const checkSettings = async ({ problems, warnings }: Settings) => [
  ...problems.map((problem) => fail(problem, 'correct the setting (`config check` prints all)')),
  ...warnings.map((warning) => warn(warning, 'correct the file `.env`')),
  ...(problems.length + warnings.length === 0 ? [ok('all settings are valid')] : []),
];

const listOwnChecks = (settings: Settings, now: Now): Check[] => {
  const { config } = settings;
  const instant = () => Temporal.Instant.fromEpochMilliseconds(now());
  return [
    { name: 'settings', run: () => checkSettings(settings), remedy: 'run `config check`' },
    { name: 'storage', run: () => checkStorage(config), remedy: 'correct DOCUMENT_STORE, or its permissions' },
    { name: 'disk', run: () => checkDisk(config), remedy: 'correct DATA_DIR or DOCUMENT_STORE' },
    { name: 'mail', run: () => checkMail(config), remedy: 'correct SMTP_URL' },
    { name: 'portal', run: () => checkPages(config), remedy: 'run `npm run build`' },
    {
      name: 'apple-wallet',
      run: () => checkAppleWallet(config, instant()),
      remedy: 'correct the settings APPLE_WALLET_*',
    },
    { name: 'google-wallet', run: () => checkGoogleWallet(config), remedy: 'correct the settings GOOGLE_WALLET_*' },
  ];
};

interface DatabaseDeps {
  db: Db;
  config: Config;
  now: Now;
}

const unprepared = 'run `migrate` as the owner of the tables';
const unusable = 'start the database, or correct DATABASE_URL';

/** Checks that need a database. Those after `migrations` need its tables. */
const databaseChecks: readonly { name: string; run(deps: DatabaseDeps): Promise<Result[]>; remedy: string }[] = [
  { name: 'database', run: ({ db, config }) => checkServer(db, config), remedy: unusable },
  { name: 'clock', run: ({ db, now }) => checkClock(db, now), remedy: unusable },
  { name: 'citus', run: ({ db }) => checkCitus(db), remedy: 'check the nodes and the log of the coordinator' },
  { name: 'migrations', run: ({ db }) => checkMigrations(db), remedy: unprepared },
  { name: 'role', run: ({ db }) => checkRole(db), remedy: unprepared },
  { name: 'environment', run: ({ db, config }) => checkEnvironment(db, config), remedy: unprepared },
  { name: 'secret', run: ({ db, config }) => checkSecret(db, config), remedy: unprepared },
  { name: 'queue', run: ({ db }) => checkQueue(db), remedy: unprepared },
  {
    name: 'work',
    run: async ({ db, config }) => checkWork(db, await readNow(db, config.environment)),
    remedy: unprepared,
  },
];

async function checkDatabase(config: Config, now: Now): Promise<Finding[]> {
  if (config.databaseUrl === undefined && !existsSync(clusterIn(config.dataDir).folder)) {
    return [{ check: 'database', ...fail(`there is no database in ${config.dataDir} yet`, 'start the service once') }];
  }
  const stops = new AsyncDisposableStack();
  try {
    let db: Db | undefined;
    const connect = async () => {
      const database = await inspectDatabase(config);
      stops.defer(database.close);
      await assertUsable(database.url, 'DATABASE_URL');
      db = database.db;
      return [];
    };
    const findings = await runCheck({ name: 'database', run: connect, remedy: unusable });
    for (const { name, run, remedy } of databaseChecks) {
      const deps = db && { db, config, now };
      if (deps !== undefined) findings.push(...(await runCheck({ name, run: () => run(deps), remedy })));
      else if (name !== 'database') findings.push({ check: name, ...skipped('the database cannot be used') });
    }
    return findings;
  } finally {
    await stops.disposeAsync();
  }
}

export interface Report {
  version: string;
  errors: number;
  warnings: number;
  findings: Finding[];
}

/** Checks everything that the service depends on. Changes nothing, except a file that it writes and deletes. */
export async function examine(settings: Settings, now: Now = Date.now): Promise<Report> {
  const [database, ...own] = await Promise.all([
    checkDatabase(settings.config, now),
    ...listOwnChecks(settings, now).map((check) => runCheck(check)),
  ]);
  const findings = [...own.flat(), ...(database ?? [])];
  const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length;
  return { version: readVersion(), errors: count('error'), warnings: count('warning'), findings };
}
