import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { outFolder } from '../harness/scenario.ts';
import { searchText } from '../src/domain/search.ts';
import { asCompanyId } from '../src/platform/db/company-scope.ts';
import { connectDatabase, type Db } from '../src/platform/db/database.ts';
import { openEmbedded } from '../src/platform/db/embedded/index.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { prepareDatabase } from '../src/platform/db/prepare-database.ts';
import { basic } from '../test/support/app.ts';
import { makeKey } from '../test/support/factories.ts';
import { withFolder } from '../test/support/process.ts';
import { type Running, startService } from './processes/index.ts';

/** The numbers of employees: four companies have a given size, and small companies share the rest. */
export interface Population {
  employees: number;
  companies: number;
  large: number;
  middle: number;
}

/** The ids of the companies with a given size. Companies are created in this order. */
export const companies = { large: 1, middle: 2, thousand: 3, hundred: 4 } as const;

/** Increase it when the generated data changes, so that a stored database is created again. */
const edition = 1;
export const period = '2026-11-01';
const periods = ['2026-10-01', period];

const firstNames =
  'Anna Jürgen Zoë Mehmet Łukasz Chloé Søren Ines Björn Fatma Emil Clara Olga Piotr Aylin Jonas Lena Tariq Maja Ruben Frida Noor Matteo Ida Samuel Elif Karl Wanda Bruno Greta'.split(
    ' ',
  );
const lastNames =
  'Müller Schmidt Yılmaz Groß Nowak Petersen Weiß Okafor Lang Fischer Weber Becker Hoffmann Schäfer Koch Bauer Richter Klein Wolf Schröder Neumann Schwarz Zimmermann Braun Krüger Hofmann Hartmann Lange Schmitt Werner Krause Meier Lehmann Köhler Maier Vogel Friedrich Keller Günther Frank Berger Winkler Roth Beck Lorenz Baumann Franke Albrecht Schuster Simon Ludwig Böhm Winter Kraus Martin Schumacher Vogt Jäger Stein Otto'.split(
    ' ',
  );
const folded = (names: string[]) => names.map((name) => searchText(name));

const bigTables = ['employees', 'hr_links', 'tickets', 'billing_items'];

/** Builds indexes after all rows are inserted, which takes a fraction of the time. */
async function withoutIndexes(db: Db, work: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ name: string; text: string }>`
    select c.relname as name, pg_get_indexdef(i.indexrelid) as text
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    where t.relname = any(${bigTables}) and not exists (select from pg_constraint where conindid = i.indexrelid)
    order by t.relname, c.relname`.execute(db);
  for (const { name } of rows) await sql`drop index ${sql.ref(name)}`.execute(db);
  await work();
  for (const { text } of rows) await sql.raw(text).execute(db);
}

async function insertCompanies(db: Db, { employees, companies: count, large, middle }: Population): Promise<void> {
  const small = employees - large - middle - 1_100;
  await sql`
    insert into companies (name, processed_through) select 'Company ' || n, current_date
    from generate_series(1, ${count}::integer) n`.execute(db);
  await sql`
    insert into hr_integrations (company_id, name, type, status, initial_connection_status, last_sync_id, last_synced_at,
      last_sync_status, roster_sync_id, roster_synced_at)
    select c.id, 'Roster ' || n, 'api-integration', 'active', 'completed', 'night-1', now(), 'succeeded', 'night-1', now()
    from companies c cross join generate_series(1, 3) n order by c.id, n`.execute(db);
  // Assigns a number of employees to each company. Small companies have equal sizes.
  await sql`
    create table bench_sizes as select c.id as company_id, case c.id when ${companies.large} then ${large}::bigint
      when ${companies.middle} then ${middle}::bigint when ${companies.thousand} then 1000 when ${companies.hundred} then 100
      else ${small}::bigint * (c.id - 4) / (${count}::bigint - 4) - ${small}::bigint * (c.id - 5) / (${count}::bigint - 4)
      end as employees, (select min(i.id) from hr_integrations i where i.company_id = c.id) as hr_integration_id
    from companies c`.execute(db);
}

const lookUp = (values: string[], index: RawBuilder<unknown>) =>
  sql`(${values}::text[])[1 + (${index}) % ${values.length}::integer]`;

async function insertPeople(db: Db): Promise<void> {
  const first = sql`(n * 7 + s.company_id)::integer`;
  const last = sql`(n * 13 + n / 60 + s.company_id)::integer`;
  await sql`
    insert into employees (company_id, first_name, last_name, email, email_key, search_text, date_of_birth, employed_from,
      plan_type, contribution_cents, subscription_status, start_on, next_ticket_on, due_on, created_at, updated_at)
    select s.company_id, ${lookUp(firstNames, first)}, ${lookUp(lastNames, last)}, m.mail, m.mail,
      ${lookUp(folded(firstNames), first)} || E'\n' || ${lookUp(folded(lastNames), last)} || E'\n' || m.mail,
      date '1965-01-01' + (n % 14000)::integer, date '2015-01-01' + (n % 3000)::integer,
      case when n % 4 = 0 then 'split-pay-plan' else 'fully-subsidized-plan' end, case when n % 4 = 0 then 2000 end,
      case when n % 10 < 8 then 'active' when n % 10 = 8 then 'paused' else 'no-subscription' end,
      case when n % 10 < 9 then date '2026-01-01' end, case when n % 10 < 8 then date '2026-12-01' end, null,
      timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-06-01' + n * interval '1 second'
    from bench_sizes s cross join lateral generate_series(1, s.employees) n
    cross join lateral (select 'employee' || n || '@company' || s.company_id || '.example' as mail) m`.execute(db);
  await sql`
    insert into employee_counts (company_id, subscription_status, plan_type, employees)
    select company_id, subscription_status, plan_type, count(*) from employees group by 1, 2, 3`.execute(db);
  await sql`
    insert into hr_links (company_id, employee_id, hr_integration_id, hr_id, is_current)
    select e.company_id, e.id, s.hr_integration_id, 'E-' || e.id, true
    from employees e join bench_sizes s using (company_id)`.execute(db);
  await sql`
    insert into tickets (company_id, employee_id, month, ticket_id, valid_from, valid_until, wallet_token, plan_type)
    select company_id, id, m.month, 'DT-' || id, m.month, m.month + interval '1 month - 1 day', md5(id::text), plan_type
    from employees cross join (select date_trunc('month', current_date)::date as month) m
    where subscription_status = 'active'`.execute(db);
}

async function insertCharges(db: Db): Promise<void> {
  await sql`
    insert into billing_items (company_id, period, charge_type, net_cents, tax_cents, gross_cents, employee_id, first_name,
      last_name, email, hr_id, plan_type, company_share_cents, employee_share_cents, billed_at)
    select company_id, p.period::date, 'ticket-charge', 5593, 392, 5985, id, first_name, last_name, email, 'E-' || id,
      plan_type, 5985 - coalesce(contribution_cents, 0), coalesce(contribution_cents, 0), p.period::timestamptz
    from unnest(${periods}::text[]) p(period) cross join employees`.execute(db);
  await sql`
    insert into billing_totals (company_id, period, charge_type, items, net_cents, tax_cents, gross_cents)
    select company_id, period, charge_type, count(*), sum(net_cents), sum(tax_cents), sum(gross_cents)
    from billing_items group by 1, 2, 3`.execute(db);
}

/** The inserted rows are correct by construction. Foreign keys need not be checked three million times. */
async function fill(url: string, population: Population): Promise<void> {
  const options = '-c session_replication_role=replica -c synchronous_commit=off -c maintenance_work_mem=1GB';
  const address = new URL(url);
  address.searchParams.set('options', `${options} -c timezone=UTC`);
  const { db, close } = connectDatabase({ url: address.href, max: 1, applicationName: 'bench', streaming: true });
  try {
    await withoutIndexes(db, async () => {
      await insertCompanies(db, population);
      await insertPeople(db);
      await insertCharges(db);
    });
    await sql`vacuum analyze`.execute(db);
    const note = JSON.stringify({ edition, population });
    await sql`create table bench_note as select ${note}::text as note, current_date as made_on`.execute(db);
  } finally {
    await close();
  }
}

/** Returns whether the stored database matches. Its tickets belong to the month in which it was created. */
async function isFilled(db: Db, population: Population): Promise<boolean> {
  const { rows: tables } = await sql<{ found: unknown }>`select to_regclass('bench_note') as found`.execute(db);
  if (tables[0]?.found === null) return false;
  const { rows } = await sql<{ note: string; fresh: boolean }>`
    select note, date_trunc('month', made_on) = date_trunc('month', current_date) as fresh from bench_note`.execute(db);
  return rows[0]?.fresh === true && rows[0].note === JSON.stringify({ edition, population });
}

export interface Server {
  url: string;
  db: Db;
  folder: string;
  /** Ends what the benchmark has started, before the database. */
  stops: AsyncDisposableStack;
}

async function withEmbedded<T>(folder: string, work: (server: Server) => Promise<T>): Promise<T> {
  await using stops = new AsyncDisposableStack();
  const { adminUrl: url, stop } = await openEmbedded({ dataDir: folder, role: 'serve' });
  stops.defer(stop);
  const { db, close } = connectDatabase({ url, max: 3, applicationName: 'bench', streaming: true });
  stops.defer(close);
  await prepareDatabase({ db, url, serviceRole: new URL(url).username });
  return await work({ url, db, folder, stops });
}

export const withServer = <T>(work: (server: Server) => Promise<T>): Promise<T> =>
  withFolder((folder) => withEmbedded(folder, work));

export const population = {
  full: { employees: 1_000_000, companies: 1_000, large: 100_000, middle: 10_000 },
  quick: { employees: 20_000, companies: 100, large: 10_000, middle: 2_000 },
};

export const populationPlans = {
  full: { population: population.full, rounds: 5 },
  quick: { population: population.quick, rounds: 1 },
};

/** Provides the database with this population. Creates it if it does not exist, and stores it for the next run. */
export const withDatabase = <T>(population: Population, work: (server: Server) => Promise<T>): Promise<T> =>
  withEmbedded(join(outFolder, `database-${population.employees}`), async (server) => {
    const { db, url } = server;
    if (!(await isFilled(db, population))) {
      await sql`drop schema public cascade`.execute(db);
      await sql`create schema public`.execute(db);
      await migrate(db);
      await fill(url, population);
    }
    return work(server);
  });

export interface Setting extends Server {
  service: Running;
  headersOf(company: number): Promise<Record<string, string>>;
}

export const withSetting = <T>(population: Population, work: (setting: Setting) => Promise<T>): Promise<T> =>
  withDatabase(population, async (server) => {
    const { url, db, folder, stops } = server;
    const service = await startService(folder, { DATABASE_URL: url });
    stops.defer(service.stop);
    const headersOf = async (id: number) => ({ authorization: basic(await makeKey(db, asCompanyId(id))) });
    return work({ ...server, service, headersOf });
  });
