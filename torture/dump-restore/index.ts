import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { atLeast, info, type Metric, none, noneOf, sum } from '../../harness/metrics.ts';
import type { Scenario } from '../../harness/scenario.ts';
import { verifyBilled, verifyStarted } from '../../harness/subscribers.ts';
import { type CompanyId, ofCompany } from '../../src/platform/db/company-scope.ts';
import { connectDatabase, type Db } from '../../src/platform/db/database.ts';
import { withConnection } from '../../test/support/database.ts';
import { moveEnvironmentTo } from '../../test/support/environment.ts';
import { withInstalledPostgres } from '../support/postgres.ts';
import type { RosterPusher } from '../support/roster-pusher.ts';
import { untilSettled } from '../support/traffic.ts';
import { compareFiles, findWrongCompanies, listSyncIds } from '../support/verify.ts';
import {
  type Backup,
  backUp,
  commands,
  countStaleSequences,
  type Plan,
  type Run,
  readContents,
  readDefinitions,
  readPrivileges,
  readResponses,
  type Site,
  withSite,
} from './backup.ts';

async function restore({ postgres, folder, plan, log }: Run, backup: Backup) {
  const databaseUrl = await postgres.createDatabase('restored');
  const { contents, definitions, seconds, unfinished, stable, tomorrow } = backup;
  const begun = performance.now();
  await postgres.shell(commands.restore, folder, { DATABASE_URL: databaseUrl });
  const [restored, staleSequences] = await withConnection(
    databaseUrl,
    async (client) => [await readContents(client), await countStaleSequences(client)] as const,
  );
  const tables = [...new Set([...contents.keys(), ...restored.keys()])];
  const differing = tables.filter((table) => !isDeepStrictEqual(contents.get(table), restored.get(table)));
  const changed = (await readDefinitions(postgres, databaseUrl)).symmetricDifference(definitions);
  const { db, close } = connectDatabase({ url: databaseUrl, max: 1, applicationName: 'torture' });
  const { intact, missing, unknown } = await compareFiles(db, join(folder, 'documents'));
  await postgres.shell(commands.removeUnknown, folder, { DATABASE_URL: databaseUrl });
  await moveEnvironmentTo(db, tomorrow);
  const aged = sql`heartbeat_on = heartbeat_on - interval '1 minute'`;
  if (plan.isQuick) await sql`update queue.job set ${aged} where heartbeat_on is not null`.execute(db);
  await close();
  const metrics = [
    info('tables', contents.size),
    info('rows', sum([...contents.values()].map(({ rows }) => rows))),
    info('dump under load, s', seconds),
    info('restore and comparison, s', (performance.now() - begun) / 1_000),
    noneOf('tables that differ', differing, log),
    noneOf('columns, constraints, indexes and functions that differ', [...changed], log),
    none('sequences that would return a number twice', staleSequences),
    atLeast('jobs unfinished in the dump', unfinished.jobs, 1),
    atLeast('rosters unfinished in the dump', unfinished.syncs, 1),
    atLeast('documents in the dump with their file', intact, 1),
    none(
      'documents without it, except of employees erased since',
      missing.filter((key) => key !== stable.expiring.key).length,
    ),
    info('files written after the dump, removed', unknown),
  ];
  return { databaseUrl, metrics };
}

/** The restore omits privileges, so the start of the service must have granted them to its role again. */
async function checkAccess({ postgres, log }: Run, site: Site, { privileges }: Backup) {
  const granted = await withConnection(site.databaseUrl, readPrivileges);
  const differing = [...granted.symmetricDifference(privileges)];
  const rewriting = [...granted].filter((privilege) => /^audit_log (?!select|insert)/.test(privilege));
  const exposed = (await postgres.shell('find . -perm /077', site.folder)).split('\n').filter(Boolean);
  return [
    info('privileges of the service', privileges.size),
    noneOf('of them not as before', differing, log),
    noneOf('privileges of the service to rewrite the audit log', rewriting, log),
    noneOf('files and folders that other users can open', exposed, log),
  ];
}

async function verifyMonth(db: Db, companyId: CompanyId, expected: Parameters<typeof verifyStarted>[2]) {
  const { first, count } = expected;
  await verifyStarted(db, companyId, expected);
  await verifyBilled(db, companyId, first, count);
  const { rows } = await sql<{ documents: number; employees: number; written: number }>`
    select count(*) as documents, count(distinct d.employee_id) as employees, count(d.sha256) as written from documents d
    where ${ofCompany(companyId, 'd')} and d.kind = 'ticket-confirmation'`.execute(db);
  assert.deepEqual(rows, [{ documents: count, employees: count, written: count }]);
}

/** Checks that all work in the dump was done once. Then pushes the rosters again that it did not contain. */
async function checkCompanies({ plan, log }: Run, { db, serving }: Site, backup: Backup) {
  const { joined, portal } = backup;
  const { pushers, first } = backup.service;
  portal.connect(new URL(serving.url).origin);
  const expected = { first, count: plan.subscribers ?? 0, today: await portal.today() };
  const dumped = new Map<RosterPusher, number>();
  for (const pusher of pushers) dumped.set(pusher, (await listSyncIds(db, pusher.company.companyId)).length);
  const unfinished = await findWrongCompanies(db, pushers, (pusher) =>
    [...pusher.sent.keys()].slice(0, dumped.get(pusher)),
  );
  const unprocessed: string[] = [];
  for (const companyId of joined) {
    await verifyMonth(db, companyId, expected).catch((error: Error) => unprocessed.push(error.message));
  }
  for (const pusher of pushers) {
    pusher.connect(serving.url);
    for (const syncId of [...pusher.sent.keys()].slice(dumped.get(pusher))) await pusher.deliver(syncId);
    await pusher.push(plan.sizes[0] ?? 0);
  }
  await untilSettled(db, plan.settleMs);
  const outdated = await findWrongCompanies(db, pushers, ({ sent }) => sent.keys());
  return [
    info('companies that processed their first month', joined.length),
    noneOf('companies whose rosters were not applied once and in order', unfinished, log),
    noneOf('companies whose month was not processed, billed and documented once', unprocessed, log),
    noneOf('companies that rosters pushed again do not bring up to date', outdated, log),
    noneOf(
      'rosters refused',
      pushers.flatMap(({ unexpected }) => unexpected),
      log,
    ),
    (plan.isQuick ? info : none)('rosters repeated after 503', sum(pushers.map(({ retries }) => retries))),
  ];
}

async function checkService(run: Run, site: Site, backup: Backup): Promise<Metric[]> {
  const { plan, log } = run;
  const { db, serving } = site;
  const { service, stable, responses } = backup;
  const { client } = service;
  const left = await untilSettled(db, plan.settleMs);
  const read = await readResponses(service, stable, serving);
  const differing = [...responses.keys()].filter((path) => responses.get(path) !== read.get(path));
  const companies = await checkCompanies(run, site, backup);
  await untilSettled(db, plan.settleMs);
  const { rows: unerased } = await sql`select 1 from documents d
    where ${ofCompany(stable.companyId, 'd')} and d.id = ${stable.expiring.documentId}`.execute(db);
  const { intact, missing, unknown } = await compareFiles(db, join(site.folder, 'documents'));
  const logged = serving.output.stderr.split('\n').filter(Boolean);
  for (const line of logged.slice(0, 20)) log(line);
  return [
    none('jobs, rosters and documents left unfinished', left),
    info('responses compared', responses.size),
    noneOf('responses that differ', differing, log),
    ...companies,
    none('documents of employees erased since that are not erased again', unerased.length),
    info('documents in the end', intact),
    noneOf('documents without their file in the end', missing, log),
    none('files that belong to no document', unknown),
    noneOf('unexpected responses', client.faults, log),
    info('requests repeated', client.repeated),
    (plan.isQuick ? info : none)('warnings and errors in the logs', logged.length),
  ];
}

/** Each roster is pushed while the one before may still be pending. */
const common = { shrinkTo: 0.5, pending: 1 };
const large = { ...common, seconds: 60, stableEmployees: 200, settleMs: 900_000, isQuick: false };
const small = { ...common, seconds: 0.5, stableEmployees: 10, settleMs: 60_000, isQuick: true };
const longPauses = { readMs: 30, pushMs: 500, joinMs: 2_000 };
const shortPauses = { readMs: 30, pushMs: 300, joinMs: 1_000 };

export const dumpRestore: Scenario<Plan> = {
  name: 'dump-restore',
  title: 'pg_dump under load, restored into a new database on which the service continues',
  plans: {
    full: { ...large, readers: 4, sizes: [4_000, 4_000], subscribers: 100, pauses: longPauses },
    quick: { ...small, readers: 1, sizes: [200, 200], subscribers: 6, pauses: shortPauses },
  },
  run: (plan, context) =>
    withInstalledPostgres(async (postgres) => {
      const folder = join(postgres.folder, 'restored');
      await mkdir(folder);
      const run: Run = { ...context, postgres, folder, plan };
      const originalUrl = await postgres.createDatabase('original');
      const backup = await withSite(originalUrl, join(postgres.folder, 'original'), (site) => backUp(run, site));
      const { databaseUrl, metrics } = await restore(run, backup);
      return withSite(databaseUrl, folder, async (site) => [
        ...metrics,
        ...(await checkAccess(run, site, backup)),
        ...(await checkService(run, site, backup)),
      ]);
    }),
};
