import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { atLeast, info, type Metric, none } from '../../harness/metrics.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import { verifyBilled, verifyStarted } from '../../harness/subscribers.ts';
import { type CompanyId, ofCompany } from '../../src/db/company-scope.ts';
import { connectDatabase, type Db } from '../../src/db/database.ts';
import { createRandom } from '../../src/demo/random.ts';
import type { Day } from '../../src/domain/calendar.ts';
import { comingFirst, moveEnvironmentTo } from '../../test/support/environment.ts';
import { findInstalled, notInstalled } from '../../test/support/installed-programs.ts';
import { run, withFolder } from '../../test/support/process.ts';
import { until } from '../../test/support/until.ts';
import {
  type BusyService,
  enqueueDailyRun,
  keepBusy,
  makeStableCompany,
  type StableCompany,
  type Traffic,
  untilSettled,
} from '../support/busy-service.ts';
import { CheckingClient } from '../support/checking-client.ts';
import { PortalClient } from '../support/portal-client.ts';
import { RosterStream } from '../support/roster-model.ts';
import { RosterPusher } from '../support/roster-pusher.ts';
import { makeTestCompany, withoutGuard } from '../support/test-company.ts';
import { expectAfter, findWrongCompanies, listSyncIds } from '../support/verify.ts';
import { copyFilesInto, type Dump, differingPrivileges, dumpInto, removeUnknownFiles, restoreFrom } from './backup.ts';
import type { Contents } from './contents.ts';
import { forService, type InstalledPostgres, startInstalledPostgres } from './installed-postgres.ts';
import { openSite, readResponses, type Site } from './site.ts';
import { compareFiles, listOpenToOthers } from './stored-files.ts';

export const neededPrograms = ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'psql'];

interface Plan extends Traffic {
  /** How long the load lasts before the dump. */
  seconds: number;
  stableEmployees: number;
  /** How long the work that was begun may take to finish. */
  settleMs: number;
  /**
   * For a machine that also does other work: requests are repeated after 503 and logs are not checked. The heartbeats
   * of active jobs are aged as if the restore had taken longer than their timeout.
   */
  isQuick: boolean;
}

interface Backup extends Dump {
  service: BusyService;
  /** The day of the dump. */
  today: Day;
  /** Companies that were complete when the dump began. */
  subscribers: CompanyId[];
  responses: Map<string, string>;
  /** A user who was signed in. */
  portal: PortalClient;
}

async function prepare(site: Site, plan: Plan, seed: number): Promise<{ service: BusyService; portal: PortalClient }> {
  const { db, folder, databaseUrl, serving } = site;
  const first = comingFirst();
  const today = first.add({ days: 1 });
  await moveEnvironmentTo(db, today);
  const client = new CheckingClient(plan.isQuick);
  const stable = await makeStableCompany(db, folder, { first, count: plan.stableEmployees, today });
  const portal = new PortalClient(client, serving.url, stable.user);
  await portal.signIn();
  await until('the process has read the clock', async () => (await portal.today()).equals(today));
  await enqueueDailyRun(databaseUrl, stable.companyId);
  await untilSettled(db, plan.settleMs);
  const pushers: RosterPusher[] = [];
  for (const number of [1, 2]) {
    const company = await makeTestCompany(db, withoutGuard);
    pushers.push(new RosterPusher(company, serving.url, new RosterStream(createRandom(seed + number))));
  }
  return { portal, service: { client, db, databaseUrl, api: serving.url, first, stable, pushers, subscribers: [] } };
}

/** Travels with the operator's command, because it moves all companies, including those that join in the meantime. */
async function travelTo({ databaseUrl, folder }: Site, day: Day): Promise<void> {
  const env = { DATABASE_URL: forService(databaseUrl), DATA_DIR: folder };
  const { code, stderr } = await run(['time-travel', '--to', day.toString()], env);
  if (code !== 0) throw new Error(stderr);
}

/**
 * Makes a backup under load. An employee and one of their files are erased between the dump and the copy of the files.
 */
async function backUp(
  postgres: InstalledPostgres,
  site: Site,
  plan: Plan,
  { folder, seed }: { folder: string; seed: number },
): Promise<Backup> {
  const { service, portal } = await prepare(site, plan, seed);
  const over = new AbortController();
  const load = keepBusy(service, plan, seed, over.signal);
  try {
    await sleep(plan.seconds * 1_000);
    const today = await portal.today();
    const responses = await readResponses(service, site);
    const subscribers = [...service.subscribers];
    const dump = await dumpInto(folder, postgres, site.databaseUrl);
    await travelTo(site, today.add({ days: 1 }));
    const store = join(site.folder, 'documents');
    await until('the file is erased', () => !existsSync(join(store, service.stable.expiring.key)));
    await copyFilesInto(folder, postgres, store);
    return { ...dump, service, today, subscribers, responses, portal };
  } finally {
    over.abort();
    await load;
  }
}

/**
 * Moves the clock as if a day had passed since the dump. With `isQuick` it also ages the heartbeats of jobs, as a
 * restore of many rows would.
 */
async function letTimePass(db: Db, today: Day, { isQuick }: Plan): Promise<void> {
  await moveEnvironmentTo(db, today.add({ days: 1 }));
  if (!isQuick) return;
  await sql`update queue.job set heartbeat_on = heartbeat_on - interval '1 minute' where heartbeat_on is not null`.execute(
    db,
  );
}

/** Checks that every ticket has one confirmation. */
async function verifyConfirmed(db: Db, companyId: CompanyId, count: number): Promise<void> {
  const { rows } = await sql<{ documents: number; employees: number; written: number }>`
    select count(*) as documents, count(distinct d.employee_id) as employees, count(d.sha256) as written from documents d
    where ${ofCompany(companyId, 'd')} and d.kind = 'ticket-confirmation'`.execute(db);
  assert.deepEqual(rows, [{ documents: count, employees: count, written: count }]);
}

/** Returns how many checks fail, and logs each reason. */
async function countFailing<T>(items: T[], log: Context['log'], check: (item: T) => Promise<void>): Promise<number> {
  let failing = 0;
  for (const item of items) {
    await check(item).catch((error: Error) => {
      failing += 1;
      log(error.message);
    });
  }
  return failing;
}

/**
 * Checks that all work in the dump was done once, and nothing else. Then pushes again the rosters that the dump did not
 * contain.
 */
async function checkCompanies(site: Site, backup: Backup, plan: Plan, log: Context['log']): Promise<Metric[]> {
  const { db, serving } = site;
  const { service, subscribers } = backup;
  const { pushers, first } = service;
  const today = await backup.portal.at(serving.url).today();
  const findWrong = async (expected: (pusher: RosterPusher) => Iterable<string>) => {
    const wrong = await findWrongCompanies(
      db,
      pushers.map((pusher) => expectAfter(pusher, expected(pusher))),
    );
    for (const line of wrong) log(line);
    return wrong.length;
  };
  const dumped = new Map<RosterPusher, number>();
  for (const pusher of pushers) dumped.set(pusher, (await listSyncIds(db, pusher.company.companyId)).length);
  const unfinished = await findWrong((pusher) => [...pusher.sent.keys()].slice(0, dumped.get(pusher)));
  const unprocessed = await countFailing(subscribers, log, async (companyId) => {
    await verifyStarted(db, companyId, { first, count: plan.subscribers, today });
    await verifyBilled(db, companyId, first, plan.subscribers);
    await verifyConfirmed(db, companyId, plan.subscribers);
  });
  for (const pusher of pushers) {
    pusher.connect(serving.url);
    for (const syncId of [...pusher.sent.keys()].slice(dumped.get(pusher))) await pusher.deliver(syncId);
    await pusher.push(plan.rosterSize);
  }
  await untilSettled(db, plan.settleMs);
  const outdated = await findWrong((pusher) => pusher.sent.keys());
  const unexpected = pushers.flatMap((pusher) => pusher.unexpected);
  for (const line of unexpected) log(line);
  return [
    info('companies that processed their first month', subscribers.length),
    none('companies whose rosters were not applied once and in order', unfinished),
    none('companies whose month was not processed, billed and documented once', unprocessed),
    none('companies that rosters pushed again do not bring up to date', outdated),
    none('rosters refused', unexpected.length),
    (plan.isQuick ? info : none)(
      'rosters repeated after 503',
      pushers.reduce((sum, { retries }) => sum + retries, 0),
    ),
  ];
}

/** Checks that the employee erased between the dump and the copy of the files is erased again. */
async function checkFiles({ db, folder }: Site, { companyId, expiring }: StableCompany): Promise<Metric[]> {
  const { rows } = await sql`
    select 1 from documents d where ${ofCompany(companyId, 'd')} and d.id = ${expiring.documentId}`.execute(db);
  const { intact, missing, unknown } = await compareFiles(db, join(folder, 'documents'));
  return [
    none('documents of employees erased since that are not erased again', rows.length),
    info('documents in the end', intact),
    none('documents without their file in the end', missing.length),
    none('files that belong to no document', unknown),
  ];
}

const differingResponses = (one: Map<string, string>, other: Map<string, string>) =>
  [...one.keys()].filter((path) => one.get(path) !== other.get(path));

async function serveRestored(site: Site, backup: Backup, plan: Plan, { log }: Context): Promise<Metric[]> {
  const { service, responses } = backup;
  const { client } = service;
  const left = await untilSettled(site.db, plan.settleMs);
  const differing = differingResponses(responses, await readResponses(service, site));
  const companies = await checkCompanies(site, backup, plan, log);
  await untilSettled(site.db, plan.settleMs);
  const files = await checkFiles(site, service.stable);
  const logged = site.serving.output.stderr.split('\n').filter(Boolean);
  for (const line of [...differing, ...client.faults, ...logged].slice(0, 20)) log(line);
  return [
    none('jobs, rosters and documents left unfinished', left),
    info('responses compared', responses.size),
    none('responses that differ', differing.length),
    ...companies,
    ...files,
    none('unexpected responses', client.faults.length),
    info('requests repeated', client.repeated),
    (plan.isQuick ? info : none)('warnings and errors in the logs', logged.length),
  ];
}

const sum = (contents: Contents) => [...contents.values()].reduce((total, { rows }) => total + rows, 0);

const countRewriting = ({ privileges }: Backup) =>
  privileges.filter((privilege) => /^audit_log (?!select|insert)/.test(privilege)).length;

async function checkRestored(
  postgres: InstalledPostgres,
  { backup, folder }: { backup: Backup; folder: string },
  plan: Plan,
  context: Context,
) {
  const databaseUrl = await postgres.createDatabase('restored');
  const begun = performance.now();
  const { differing, definitions, staleSequences } = await restoreFrom(folder, postgres, databaseUrl, backup);
  const { db, close } = connectDatabase({ url: databaseUrl, max: 1, applicationName: 'torture' });
  const { intact, missing, unknown } = await compareFiles(db, join(folder, 'documents'));
  await removeUnknownFiles(folder, postgres, databaseUrl);
  await letTimePass(db, backup.today, plan);
  await close();
  for (const table of differing) context.log(`${table} differs`);
  const erasedKey = backup.service.stable.expiring.key;
  const metrics = [
    info('tables', backup.contents.size),
    info('rows', sum(backup.contents)),
    info('dump under load, s', backup.seconds),
    info('restore and comparison, s', (performance.now() - begun) / 1_000),
    none('tables that differ', differing.length),
    none('columns, constraints, indexes and functions that differ', definitions),
    none('sequences that would return a number twice', staleSequences),
    atLeast('jobs unfinished in the dump', backup.jobs, 1),
    atLeast('rosters unfinished in the dump', backup.syncs, 1),
    atLeast('documents in the dump with their file', intact, 1),
    none(
      'documents without it, except of employees erased since',
      missing.filter(({ key }) => key !== erasedKey).length,
    ),
    info('files written after the dump, removed', unknown),
  ];
  const site = await openSite(databaseUrl, folder);
  try {
    const privileges = await differingPrivileges(databaseUrl, backup);
    const exposed = await listOpenToOthers(folder);
    for (const line of [...privileges, ...exposed].slice(0, 20)) context.log(line);
    metrics.push(
      info('privileges of the service', backup.privileges.length),
      none('of them not as before', privileges.length),
      none('privileges of the service to rewrite the audit log', countRewriting(backup)),
      none('files and folders that other users can open', exposed.length),
    );
    return [...metrics, ...(await serveRestored(site, backup, plan, context))];
  } finally {
    await site.close();
  }
}

async function play(postgres: InstalledPostgres, folder: string, plan: Plan, context: Context): Promise<Metric[]> {
  const [original, restored] = [join(folder, 'original'), join(folder, 'restored')];
  await mkdir(restored);
  const site = await openSite(await postgres.createDatabase('original'), original);
  const backup = await backUp(postgres, site, plan, { folder: restored, seed: context.seed }).finally(() =>
    site.close(),
  );
  return checkRestored(postgres, { backup, folder: restored }, plan, context);
}

export const dumpRestore: Scenario<Plan> = {
  name: 'dump-restore',
  title: 'pg_dump under load, restored into a new database on which the service continues',
  plans: {
    full: {
      seconds: 60,
      stableEmployees: 200,
      settleMs: 900_000,
      readers: 4,
      rosterSize: 4_000,
      pushMs: 500,
      subscribers: 100,
      joinMs: 2_000,
      isQuick: false,
    },
    quick: {
      seconds: 0.5,
      stableEmployees: 10,
      settleMs: 60_000,
      readers: 1,
      rosterSize: 200,
      pushMs: 300,
      subscribers: 6,
      joinMs: 1_000,
      isQuick: true,
    },
  },
  async run(plan, context) {
    const bin = await findInstalled(neededPrograms);
    if (bin === undefined) throw new Error(notInstalled(neededPrograms));
    return withFolder(async (folder) => {
      const postgres = await startInstalledPostgres(bin, folder);
      try {
        return await play(postgres, folder, plan, context);
      } finally {
        await postgres.stop();
      }
    });
  },
};
