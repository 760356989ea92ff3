import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { startApi } from '../../harness/processes.ts';
import type { Context } from '../../harness/scenario.ts';
import { makeSubscribers } from '../../harness/subscribers.ts';
import type { Day } from '../../src/domain/calendar.ts';
import { openDocumentStore } from '../../src/features/documents/files.ts';
import { createRandom } from '../../src/operator/demo/random.ts';
import { type CompanyId, ofCompany } from '../../src/platform/db/company-scope.ts';
import { connectDatabase, type Db } from '../../src/platform/db/database.ts';
import { basic } from '../../test/support/app.ts';
import { withConnection } from '../../test/support/database.ts';
import { comingFirst, moveEnvironmentTo } from '../../test/support/environment.ts';
import { makeDocument, makeEmployee, makeKey } from '../../test/support/factories.ts';
import { makeUser } from '../../test/support/portal.ts';
import { run as runCommand, type Serving } from '../../test/support/process.ts';
import { until } from '../../test/support/until.ts';
import { CheckingClient, PortalVisitor } from '../support/http-client.ts';
import { forService, type InstalledPostgres, serviceRole } from '../support/postgres.ts';
import { RosterPusher, RosterStream } from '../support/roster-pusher.ts';
import { makeTestCompany, withoutGuard } from '../support/test-company.ts';
import { type BusyService, enqueueDailyRun, keepBusy, type Traffic, untilSettled } from '../support/traffic.ts';

export type Contents = Map<string, { rows: number; digest: string }>;

const ours = `n.nspname <> 'information_schema' and n.nspname !~ '^pg_'`;

export async function readContents(client: pg.Client): Promise<Contents> {
  const { rows: tables } = await client.query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and ${ours} order by 1`);
  const contents: Contents = new Map();
  for (const { name } of tables) {
    const { rows } = await client.query<{ rows: number; digest: string }>(`
      select count(*)::int as rows, md5(coalesce(string_agg(r.digest, '' order by r.digest), '')) as digest
      from (select md5(t::text) as digest from ${name} t) r`);
    contents.set(name, rows[0] ?? { rows: 0, digest: '' });
  }
  return contents;
}

export async function readDefinitions({ shell, folder }: InstalledPostgres, databaseUrl: string): Promise<Set<string>> {
  const command = 'pg_dump --schema-only --no-privileges "$DATABASE_URL"';
  const script = await shell(command, folder, { DATABASE_URL: databaseUrl });
  return new Set(script.split('\n--\n-- ').filter((entry) => entry.startsWith('Name: ')));
}

export async function readPrivileges(client: pg.Client): Promise<Set<string>> {
  const classes = 'pg_class c join pg_namespace n on n.oid = c.relnamespace';
  const { rows } = await client.query<{ text: string }>(
    `select concat_ws(' ', c.oid::regclass, p) as text
    from ${classes} cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) p
    where c.relkind = 'r' and ${ours} and has_table_privilege($1, c.oid, p)
    union all select c.oid::regclass || ' usage' from ${classes}
    where ${ours} and case when c.relkind = 'S' then has_sequence_privilege($1, c.oid, 'usage') end
    union all select p.oid::regprocedure || ' execute' from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where ${ours} and has_function_privilege($1, p.oid, 'execute')
    union all select concat_ws(' ', 'schema', n.nspname, p) from pg_namespace n, unnest(array['usage', 'create']) p
    where ${ours} and has_schema_privilege($1, n.oid, p)`,
    [serviceRole],
  );
  return new Set(rows.map(({ text }) => text));
}

export async function countStaleSequences(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(`
    select c.oid::regclass as table, quote_ident(a.attname) as column,
      pg_get_serial_sequence(c.oid::regclass::text, a.attname) as sequence
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and a.attidentity <> '' and ${ours}`);
  let stale = 0;
  for (const { table, column, sequence } of rows) {
    const { rows: found } = await client.query<{ stale: boolean }>(`
      select coalesce((select max(t.${column}) from ${table} t), 0) >
        (select case when s.is_called then s.last_value else 0 end from ${sequence} s) as stale`);
    if (found[0]?.stale !== false) stale += 1;
  }
  return stale;
}

/** The operator's commands. The database comes first: every file that a row of the dump names was stored before it. */
export const commands = {
  dump: 'pg_dump --format=custom --snapshot="$SNAPSHOT" --file=transit.dump "$DATABASE_URL"',
  copyFiles: 'cp -a "$DOCUMENT_STORE" documents',
  restore: 'pg_restore --exit-on-error --no-owner --no-privileges --dbname="$DATABASE_URL" transit.dump',
  // Removes files of documents that were written after the dump. No row refers to them, so the service would never
  // remove them.
  removeUnknown: `
    psql -AtX "$DATABASE_URL" -c 'select store_key from documents where store_key is not null' | LC_ALL=C sort > known
    cd documents
    find . -type f -printf '%P\\n' | LC_ALL=C sort | LC_ALL=C comm -13 ../known - | xargs -r -d '\\n' rm --`,
};

export interface Plan extends Traffic {
  seconds: number;
  stableEmployees: number;
  settleMs: number;
  /** For a busy machine: 503 is repeated, logs are not checked, and the heartbeats of active jobs are aged. */
  isQuick: boolean;
}

export interface Run extends Context {
  postgres: InstalledPostgres;
  folder: string;
  plan: Plan;
}

export interface Site {
  databaseUrl: string;
  folder: string;
  db: Db;
  serving: Serving;
}

const secret = 'the same on both services, thirty-two or more';

export async function withSite<T>(databaseUrl: string, folder: string, work: (site: Site) => Promise<T>): Promise<T> {
  const env = { WORKER: 'on', LOG_LEVEL: 'warn', SECRET: secret, DATABASE_OWNER_URL: databaseUrl };
  const serving = await startApi(forService(databaseUrl), folder, env);
  const { db, close } = connectDatabase({ url: databaseUrl, max: 4, applicationName: 'torture' });
  try {
    return await work({ databaseUrl, folder, db, serving });
  } finally {
    await close();
    serving.signal('SIGTERM');
    await serving.exited;
  }
}

const retentionDays = 90;

/** Adds an employee who was removed so long ago that the next daily run erases them, with a document. */
async function addExpiring(db: Db, companyId: CompanyId, folder: string, today: Day) {
  const employeeId = await makeEmployee(db, companyId);
  const store = await openDocumentStore(join(folder, 'documents'));
  const file = await store.put(companyId, 'pdf', randomBytes(2_000));
  const documentId = await makeDocument(db, companyId, { employeeId, file });
  const removedAt = `${today.subtract({ days: retentionDays })}T12:00:00Z`;
  for (const [table, id] of Object.entries({ employees: employeeId, documents: documentId })) {
    await sql`update ${sql.table(table)} t set removed_at = ${removedAt}::timestamptz
      where ${ofCompany(companyId, 't')} and t.id = ${id}`.execute(db);
  }
  await sql`update document_counts c set documents = documents - 1 where ${ofCompany(companyId, 'c')}`.execute(db);
  return { documentId, key: file.key };
}

/** Makes two companies that push rosters, and one that changes only with the calendar: its responses stay the same. */
async function prepare({ db, folder, databaseUrl, serving }: Site, plan: Plan, seed: number) {
  const first = comingFirst();
  const today = first.add({ days: 1 });
  await moveEnvironmentTo(db, today);
  const client = new CheckingClient(serving.url, plan.isQuick);
  const options = { startOn: first, status: 'scheduled', processedThrough: first.subtract({ days: 3 }) } as const;
  const companyId = await makeSubscribers(db, { ...options, count: plan.stableEmployees });
  const expiring = await addExpiring(db, companyId, folder, today);
  const stable = { companyId, authorization: basic(await makeKey(db, companyId)), expiring };
  const portal = new PortalVisitor(client, client.origin, await makeUser({ db }, companyId));
  await portal.signIn();
  await until('the process has read the clock', async () => (await portal.today()).equals(today));
  await enqueueDailyRun(databaseUrl, companyId);
  await untilSettled(db, plan.settleMs);
  const pushers: RosterPusher[] = [];
  for (const number of plan.sizes.keys()) {
    const company = await makeTestCompany(db, withoutGuard);
    pushers.push(new RosterPusher(company, serving.url, new RosterStream(createRandom(seed + number))));
  }
  const common = { client, db, databaseUrl, origins: [client.origin], first, readable: [stable], joined: [] };
  return { portal, stable, service: { ...common, pushers } as BusyService };
}

export async function readResponses(
  { client, first }: BusyService,
  { authorization }: { authorization: string },
  { url }: Serving,
): Promise<Map<string, string>> {
  const { origin } = new URL(url);
  const responses = new Map<string, string>();
  const read = async (path: string) => {
    const { bytes } = await client.check({ origin, path: `/v1${path}`, headers: { authorization } });
    const text = bytes.toString('latin1').replaceAll(origin, '');
    responses.set(path, text);
    return text;
  };
  const list = async (path: string): Promise<{ id: number }[]> => JSON.parse(await read(path)).data.data;
  const billing = [`/billing/items/${first}/ticket-charge`, `/billing/items?period=${first}&perPage=100`];
  for (const path of ['/me', '/hr-integrations', ...billing]) await read(path);
  const employees = await list('/employees?perPage=100&sortField=updatedAt');
  const documents = await list('/employee-documents?perPage=100');
  for (const { id } of employees.slice(0, 5)) await read(`/employees/${id}`);
  for (const { id } of documents.slice(0, 20)) await read(`/employee-documents/${id}/download`);
  return responses;
}

async function openSnapshot(client: pg.Client): Promise<{ snapshot: string; jobs: number; syncs: number }> {
  for (;;) {
    await client.query('begin isolation level repeatable read, read only');
    const { rows } = await client.query<{ snapshot: string; jobs: number; syncs: number }>(`
      select pg_export_snapshot() as snapshot,
        (select count(*)::int from queue.job where state in ('created', 'retry', 'active')) as jobs,
        (select count(*)::int from syncs where state in ('accepted', 'processing')) as syncs`);
    const [seen] = rows;
    if (seen !== undefined && seen.jobs > 0 && seen.syncs > 0) return seen;
    await client.query('rollback');
    await sleep(10);
  }
}

const dumpInto = (folder: string, postgres: InstalledPostgres, databaseUrl: string) =>
  withConnection(databaseUrl, async (client) => {
    const { snapshot, ...unfinished } = await openSnapshot(client);
    const begun = performance.now();
    const dumping = postgres
      .shell(commands.dump, folder, { DATABASE_URL: databaseUrl, SNAPSHOT: snapshot })
      .then(() => (performance.now() - begun) / 1_000);
    const [seconds, contents] = await Promise.all([dumping, readContents(client)]);
    const definitions = await readDefinitions(postgres, databaseUrl);
    return { seconds, contents, unfinished, definitions, privileges: await readPrivileges(client) };
  });

/** Makes a backup under load. An employee and one of their files are erased between dump and copy. */
export async function backUp({ postgres, folder, plan, seed }: Run, site: Site) {
  const { service, stable, portal } = await prepare(site, plan, seed);
  const over = new AbortController();
  const load = keepBusy(service, plan, seed, over.signal);
  try {
    await sleep(plan.seconds * 1_000);
    const today = await portal.today();
    const responses = await readResponses(service, stable, site.serving);
    const joined = [...service.joined];
    const dump = await dumpInto(folder, postgres, site.databaseUrl);
    // The operator's command moves all companies, including those that join in the meantime.
    const tomorrow = today.add({ days: 1 });
    const env = { DATABASE_URL: forService(site.databaseUrl), DATA_DIR: site.folder, SECRET: secret };
    const { code, stderr } = await runCommand(['time-travel', '--to', tomorrow.toString()], env);
    assert.equal(code, 0, stderr);
    const store = join(site.folder, 'documents');
    await until('the file is erased', () => !existsSync(join(store, stable.expiring.key)));
    await postgres.shell(commands.copyFiles, folder, { DOCUMENT_STORE: store });
    return { ...dump, service, stable, portal, tomorrow, joined, responses };
  } finally {
    over.abort();
    await load;
  }
}

export type Backup = Awaited<ReturnType<typeof backUp>>;
