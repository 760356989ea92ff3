import { sql } from 'kysely';
import { pino } from 'pino';
import { atMost, info, type Metric } from '../harness/metrics.ts';
import { median } from '../harness/observe.ts';
import { watchMemory } from '../harness/samples.ts';
import type { Scenario } from '../harness/scenario.ts';
import { catchUp, type DailyRunDeps } from '../src/features/daily-run/run.ts';
import { noNotices } from '../src/features/notices/notices.ts';
import type { CompanyId } from '../src/platform/db/company-scope.ts';
import { connectDatabase, type Db } from '../src/platform/db/database.ts';
import { openEmbedded } from '../src/platform/db/embedded/index.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { openQueue, prepareQueue } from '../src/platform/jobs/queue.ts';
import { makeCompany, makeIntegration } from '../test/support/factories.ts';
import { withFolder } from '../test/support/process.ts';
import { clockOn } from '../test/support/sync.ts';

interface Plan {
  employees: number;
  rounds: number;
}

/**
 * In an ordinary month one subscription in twenty changes. In the month after a company has joined, all of them start.
 */
const statusOf = {
  ordinary: sql`case when n % 100 < 2 then 'scheduled' when n % 100 = 2 then 'scheduled-pause' when n % 100 = 3 then 'paused'
    when n % 100 = 4 then 'scheduled-cancellation' else 'active' end`,
  starting: sql`'scheduled'`,
};

async function insertCompany(db: Db, kind: keyof typeof statusOf, employees: number): Promise<CompanyId> {
  const companyId = await makeCompany(db);
  const integrationId = await makeIntegration(db, companyId);
  await sql`update companies set processed_through = '2026-11-30' where id = ${companyId}`.execute(db);
  await sql`
    insert into employees (company_id, first_name, last_name, email, email_key, search_text, plan_type, contribution_cents,
      subscription_status, start_on, paused_on, resumes_on, cancelled_on, next_ticket_on, due_on)
    select ${companyId}, 'Anna', 'Muster ' || n, 'employee' || n || '@example.com', 'employee' || n || '@example.com',
      'anna muster ' || n || ' employee' || n || '@example.com',
      case when n % 2 = 0 then 'split-pay-plan' else 'fully-subsidized-plan' end, case when n % 2 = 0 then 2000 end,
      s.status, case when s.status = 'scheduled' then date '2026-12-01' else date '2026-01-01' end,
      case s.status when 'scheduled-pause' then date '2026-12-01' when 'paused' then date '2026-10-01' end,
      case s.status when 'scheduled-pause' then date '2027-03-01' when 'paused' then date '2026-12-01' end,
      case s.status when 'scheduled-cancellation' then date '2026-12-01' end, date '2026-12-01',
      case when s.status <> 'active' then date '2026-12-01' end
    from generate_series(1, ${employees}::integer) n cross join lateral (select ${statusOf[kind]} as status) s`.execute(
    db,
  );
  await sql`
    insert into hr_links (company_id, employee_id, hr_integration_id, hr_id)
    select company_id, id, ${integrationId}, 'E-' || id from employees where company_id = ${companyId}`.execute(db);
  // The autovacuum of a running server would have done this by then.
  await sql`vacuum analyze employees, hr_links`.execute(db);
  return companyId;
}

/** Does the minimum: it writes given rows, makes no decisions and does not prevent duplicates. */
async function insertPlainly(db: Db, companyId: CompanyId, count: number): Promise<number> {
  const begun = performance.now();
  await db.transaction().execute(async (tx) => {
    await sql`
      insert into tickets (company_id, employee_id, month, ticket_id, valid_from, valid_until, wallet_token, plan_type)
      select company_id, id, '2026-12-01', 'DT-' || id, '2026-12-01', '2026-12-31', md5(id::text) || md5(id::text || 'x'),
        plan_type from employees where company_id = ${companyId} order by id limit ${count}`.execute(tx);
    await sql`
      insert into billing_items (company_id, period, charge_type, net_cents, tax_cents, gross_cents, employee_id,
        first_name, last_name, email, hr_id, plan_type, company_share_cents, employee_share_cents, billed_at)
      select company_id, '2026-12-01', 'ticket-charge', 5593, 392, 5985, id, first_name, last_name, email, 'E-' || id,
        plan_type, 5985, 0, now() from employees where company_id = ${companyId} order by id limit ${count}`.execute(
      tx,
    );
  });
  return performance.now() - begun;
}

async function runFirstDay(db: Db, deps: DailyRunDeps, companyId: CompanyId): Promise<{ ms: number; tickets: number }> {
  const begun = performance.now();
  const { tickets } = await catchUp(db, deps, companyId);
  return { ms: performance.now() - begun, tickets };
}

interface Round {
  tickets: number;
  ms: number;
  plainMs: number;
  ratio: number;
}

async function playRound(db: Db, deps: DailyRunDeps, kind: keyof typeof statusOf, employees: number): Promise<Round> {
  const result = await runFirstDay(db, deps, await insertCompany(db, kind, employees));
  const plainMs = await insertPlainly(db, await insertCompany(db, kind, employees), result.tickets);
  return { ...result, plainMs, ratio: result.ms / plainMs };
}

async function measure(url: string, { employees, rounds }: Plan): Promise<Metric[]> {
  const { db, close } = connectDatabase({ url, max: 3, applicationName: 'bench', streaming: true });
  await migrate(db);
  await prepareQueue(url);
  const queue = await openQueue({ url, worker: false, log: pino({ level: 'silent' }) });
  const deps = { clock: clockOn('2026-12-01'), queue, notices: noNotices };
  try {
    const memory = await watchMemory(process.pid);
    const metrics: Metric[] = [];
    for (const kind of ['ordinary', 'starting'] as const) {
      const played: Round[] = [];
      for (let round = 0; round < rounds; round++) played.push(await playRound(db, deps, kind, employees));
      const middle = (name: keyof Round) => median(played.map((round) => round[name]));
      metrics.push(
        info(`${kind} month, tickets`, middle('tickets')),
        info(`${kind} month, plain SQL, ms`, middle('plainMs')),
        info(`${kind} month, the run, ms`, middle('ms')),
        atMost(`${kind} month, the run / plain SQL`, middle('ratio'), 5),
      );
    }
    return [...metrics, info('memory growth, MB', await memory.stop())];
  } finally {
    await queue.stop();
    await close();
  }
}

export const monthScenario: Scenario<Plan> = {
  name: 'month',
  title:
    'The run of a first of a month (subscriptions move, tickets are issued and billed) against plain SQL that inserts as many tickets and as many charges, one statement each, into the same tables with all their indexes',
  plans: { full: { employees: 100_000, rounds: 3 }, quick: { employees: 10_000, rounds: 1 } },
  run: (plan) =>
    withFolder(async (dataDir) => {
      const server = await openEmbedded({ dataDir, role: 'serve' });
      try {
        return await measure(server.adminUrl, plan);
      } finally {
        await server.stop();
      }
    }),
};
