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
import { Tally } from '../support/asking.ts';
import {
  type BusyService,
  keepBusy,
  liveDays,
  makeQuietCompany,
  type QuietCompany,
  type Traffic,
  untilSettled,
} from '../support/busy-service.ts';
import { Visitor } from '../support/portal-visits.ts';
import {
  expectAfter,
  listSyncIds,
  makeRecordingCompany,
  push,
  pushNext,
  type RecordingCompany,
  untilApplied,
} from '../support/recorded-pushes.ts';
import { verifyCompany } from '../support/verify.ts';
import { copyFilesInto, type Dump, differingPrivileges, dumpInto, removeUnknownFiles, restoreFrom } from './backup.ts';
import type { Contents } from './contents.ts';
import { forService, type InstalledPostgres, startInstalledPostgres } from './installed-postgres.ts';
import { openSite, originOf, readQuiet, type Site } from './site.ts';
import { compareFiles, listOpenToOthers } from './stored-files.ts';

export const neededPrograms = ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'psql'];

interface Plan extends Traffic {
  /** How long the load lasts before the dump. */
  seconds: number;
  quietPeople: number;
  /** How long the work that was begun may take to finish. */
  settleMs: number;
  /**
   * For a machine that also does other work: requests are repeated after 503 and logs are not checked. The heartbeats
   * of active jobs are aged as if the restore had taken longer than their timeout.
   */
  isPassing: boolean;
}

interface Backup extends Dump {
  service: BusyService;
  /** The day of the dump. */
  today: Day;
  /** Companies that were complete when the dump began. */
  subscribers: CompanyId[];
  answers: Map<string, string>;
  /** A user who was signed in. */
  visitor: Visitor;
}

async function prepare(site: Site, plan: Plan, seed: number): Promise<{ service: BusyService; visitor: Visitor }> {
  const { db, folder, databaseUrl, serving } = site;
  const first = comingFirst();
  const today = first.add({ days: 1 });
  await moveEnvironmentTo(db, today);
  const tally = new Tally(plan.isPassing);
  const quiet = await makeQuietCompany(db, folder, { first, count: plan.quietPeople, today });
  const visitor = new Visitor(tally, originOf(site), quiet.person);
  await visitor.signIn();
  await until('the process lives in that day', async () => (await visitor.today()).equals(today));
  await liveDays(databaseUrl, quiet.companyId);
  await untilSettled(db, plan.settleMs);
  const recording = [
    await makeRecordingCompany(db, createRandom(seed + 1)),
    await makeRecordingCompany(db, createRandom(seed + 2)),
  ];
  return {
    visitor,
    service: { tally, db, databaseUrl, api: serving.url, first, quiet, recording, subscribers: [] },
  };
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
  const { service, visitor } = await prepare(site, plan, seed);
  const over = new AbortController();
  const load = keepBusy(service, plan, seed, over.signal);
  try {
    await sleep(plan.seconds * 1_000);
    const today = await visitor.today();
    const answers = await readQuiet(service, site);
    const subscribers = [...service.subscribers];
    const dump = await dumpInto(folder, postgres, site.databaseUrl);
    await travelTo(site, today.add({ days: 1 }));
    const store = join(site.folder, 'documents');
    await until('the file is erased', () => !existsSync(join(store, service.quiet.expiring.key)));
    await copyFilesInto(folder, postgres, store);
    return { ...dump, service, today, subscribers, answers, visitor };
  } finally {
    over.abort();
    await load;
  }
}

/**
 * Moves the clock as if a day had passed since the dump. With `isPassing` it also ages the heartbeats of jobs, as a
 * restore of many rows would.
 */
async function letTimePass(db: Db, today: Day, { isPassing }: Plan): Promise<void> {
  await moveEnvironmentTo(db, today.add({ days: 1 }));
  if (!isPassing) return;
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
async function goOn(site: Site, backup: Backup, plan: Plan, log: Context['log']): Promise<Metric[]> {
  const { db, serving } = site;
  const { service, subscribers } = backup;
  const { tally, recording, first } = service;
  const today = await backup.visitor.at(originOf(site)).today();
  const dumped = new Map<RecordingCompany, number>();
  for (const company of recording) dumped.set(company, (await listSyncIds(db, company)).length);
  const unfinished = await countFailing(recording, log, (company) =>
    verifyCompany(db, expectAfter(company, dumped.get(company) ?? 0)),
  );
  const unlived = await countFailing(subscribers, log, async (companyId) => {
    await verifyStarted(db, companyId, { first, count: plan.subscribers, today });
    await verifyBilled(db, companyId, first, plan.subscribers);
    await verifyConfirmed(db, companyId, plan.subscribers);
  });
  const unequal = await countFailing(recording, log, async (company) => {
    for (const lost of company.pushes.slice(dumped.get(company))) await push(tally, serving.url, company, lost);
    await pushNext(tally, serving.url, company, plan.rosterSize);
    await untilApplied(tally, serving.url, company, `sync-${company.pushes.length}`);
    await verifyCompany(db, expectAfter(company, company.pushes.length));
  });
  return [
    info('companies that lived their first month', subscribers.length),
    none('companies whose rosters were not applied once and in order', unfinished),
    none('companies whose month was not lived, billed and documented once', unlived),
    none('companies that rosters pushed again do not bring up to date', unequal),
  ];
}

/** Checks that the employee erased between the dump and the copy of the files is erased again. */
async function checkFiles({ db, folder }: Site, { companyId, expiring }: QuietCompany): Promise<Metric[]> {
  const { rows } = await sql`
    select 1 from documents d where ${ofCompany(companyId, 'd')} and d.id = ${expiring.documentId}`.execute(db);
  const { whole, wanting, unknown } = await compareFiles(db, join(folder, 'documents'));
  return [
    none('documents of people erased since that are not erased again', rows.length),
    info('documents in the end', whole),
    none('documents without their file in the end', wanting.length),
    none('files that belong to no document', unknown),
  ];
}

const unequalAnswers = (one: Map<string, string>, other: Map<string, string>) =>
  [...one.keys()].filter((path) => one.get(path) !== other.get(path));

async function serveRestored(site: Site, backup: Backup, plan: Plan, { log }: Context): Promise<Metric[]> {
  const { service, answers } = backup;
  const { tally } = service;
  const left = await untilSettled(site.db, plan.settleMs);
  const unequal = unequalAnswers(answers, await readQuiet(service, site));
  const gone = await goOn(site, backup, plan, log);
  await untilSettled(site.db, plan.settleMs);
  const files = await checkFiles(site, service.quiet);
  const told = site.serving.output.stderr.split('\n').filter(Boolean);
  for (const line of [...unequal, ...tally.faults, ...told].slice(0, 20)) log(line);
  return [
    none('jobs, rosters and documents that stay unfinished', left),
    info('answers compared', answers.size),
    none('answers that differ', unequal.length),
    ...gone,
    ...files,
    none('answers other than expected', tally.faults.length),
    info('requests repeated', tally.repeated),
    (plan.isPassing ? info : none)('warnings and errors in the logs', told.length),
  ];
}

const sum = (contents: Contents) => [...contents.values()].reduce((total, { rows }) => total + rows, 0);

const countRewriting = ({ privileges }: Backup) =>
  privileges.filter((privilege) => /^audit_log (?!select|insert)/.test(privilege)).length;

async function checkRestored(
  postgres: InstalledPostgres,
  { backup, folder }: { backup: Backup; folder: string },
  plan: Plan,
  scene: Context,
) {
  const databaseUrl = await postgres.createDatabase('restored');
  const begun = performance.now();
  const { differing, definitions, staleSequences } = await restoreFrom(folder, postgres, databaseUrl, backup);
  const { db, close } = connectDatabase({ url: databaseUrl, max: 1, applicationName: 'torture' });
  const { whole, wanting, unknown } = await compareFiles(db, join(folder, 'documents'));
  await removeUnknownFiles(folder, postgres, databaseUrl);
  await letTimePass(db, backup.today, plan);
  await close();
  for (const table of differing) scene.log(`${table} differs`);
  const erasedKey = backup.service.quiet.expiring.key;
  const figures = [
    info('tables', backup.contents.size),
    info('rows', sum(backup.contents)),
    info('dump under load, s', backup.seconds),
    info('restore and comparison, s', (performance.now() - begun) / 1_000),
    none('tables that differ', differing.length),
    none('columns, constraints, indexes and functions that differ', definitions),
    none('identities that would be given twice', staleSequences),
    atLeast('jobs unfinished in the dump', backup.jobs, 1),
    atLeast('rosters unfinished in the dump', backup.syncs, 1),
    atLeast('documents in the dump with their file', whole, 1),
    none('documents without it, but for people erased since', wanting.filter(({ key }) => key !== erasedKey).length),
    info('files written after the dump, removed', unknown),
  ];
  const site = await openSite(databaseUrl, folder);
  try {
    const privileges = await differingPrivileges(databaseUrl, backup);
    const exposed = await listOpenToOthers(folder);
    for (const line of [...privileges, ...exposed].slice(0, 20)) scene.log(line);
    figures.push(
      info('privileges of the service', backup.privileges.length),
      none('of them not as before', privileges.length),
      none('ways of the service to rewrite the audit log', countRewriting(backup)),
      none('files and folders that other users can open', exposed.length),
    );
    return [...figures, ...(await serveRestored(site, backup, plan, scene))];
  } finally {
    await site.close();
  }
}

async function play(postgres: InstalledPostgres, folder: string, plan: Plan, scene: Context): Promise<Metric[]> {
  const [original, restored] = [join(folder, 'original'), join(folder, 'restored')];
  await mkdir(restored);
  const site = await openSite(await postgres.createDatabase('original'), original);
  const backup = await backUp(postgres, site, plan, { folder: restored, seed: scene.seed }).finally(() => site.close());
  return checkRestored(postgres, { backup, folder: restored }, plan, scene);
}

export const dumpRestore: Scenario<Plan> = {
  name: 'dump-restore',
  title: 'pg_dump under load, restored into a new database on which the service goes on',
  plans: {
    full: {
      seconds: 60,
      quietPeople: 200,
      settleMs: 900_000,
      readers: 4,
      rosterSize: 4_000,
      pushMs: 500,
      subscribers: 100,
      joinMs: 2_000,
      isPassing: false,
    },
    quick: {
      seconds: 0.5,
      quietPeople: 10,
      settleMs: 60_000,
      readers: 1,
      rosterSize: 200,
      pushMs: 300,
      subscribers: 6,
      joinMs: 1_000,
      isPassing: true,
    },
  },
  async run(plan, scene) {
    const bin = await findInstalled(neededPrograms);
    if (bin === undefined) throw new Error(notInstalled(neededPrograms));
    return withFolder(async (folder) => {
      const postgres = await startInstalledPostgres(bin, folder);
      try {
        return await play(postgres, folder, plan, scene);
      } finally {
        await postgres.stop();
      }
    });
  },
};
