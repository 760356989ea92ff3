import { sql } from 'kysely';
import { atMost, info, type Metric } from '../harness/metrics.ts';
import { median, readProcessor } from '../harness/observe.ts';
import type { Scenario } from '../harness/scenario.ts';
import { makeSubscribers } from '../harness/subscribers.ts';
import { forecast } from '../src/features/forecast/forecast.ts';
import { connectDatabase, type Db } from '../src/platform/db/database.ts';
import { clockOn } from '../test/support/sync.ts';
import { type Server, withServer } from './database.ts';

type Plan = Record<'employees' | 'months' | 'rounds', number>;

const first = Temporal.PlainDate.from('2026-12-01');
const today = first.subtract({ days: 1 });

/** In an ordinary company one subscription in twenty changes within the months. In one that has just joined, all of them start. */
const statusOf = {
  ordinary: sql`case when n % 100 < 2 then 'scheduled' when n % 100 = 2 then 'scheduled-pause' when n % 100 = 3 then 'paused'
    when n % 100 = 4 then 'scheduled-cancellation' else 'active' end`,
  starting: sql`'scheduled'`,
};

const view = { money: (value: number) => ({ label: '', value }) };

/** Returns the processor time of this process and of the server's process of the connection, in milliseconds. */
async function readBoth(db: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return (await readProcessor(rows[0]?.pid ?? 0)) + (await readProcessor(process.pid));
}

async function measure({ url, db: maker }: Server, { employees, months, rounds }: Plan): Promise<Metric[]> {
  // One connection, so that its process at the server does all the work.
  const { db, close } = connectDatabase({ url, max: 1, applicationName: 'bench', streaming: true });
  try {
    const metrics: Metric[] = [];
    for (const kind of ['ordinary', 'starting'] as const) {
      const known = { count: employees, startOn: first, status: statusOf[kind], processedThrough: today };
      const companyId = await makeSubscribers(maker, known);
      const body = {
        months,
        scenario: { ticketPrices: [{ from: '2027-01-01', grossCents: 6600 }], joinersPerMonth: 50 },
      };
      const taken: number[] = [];
      let tickets = 0;
      for (let round = 0; round < rounds; round++) {
        const before = await readBoth(db);
        const { asPlanned } = await forecast({ db, companyId, clock: clockOn(today.toString()) }, body, view);
        taken.push((await readBoth(db)) - before);
        tickets = asPlanned[0]?.tickets ?? 0;
      }
      metrics.push(
        info(`${kind} company, tickets of the first month`, tickets),
        atMost(`${kind} company, processor time of a forecast with a scenario, seconds`, median(taken) / 1_000, 10),
      );
    }
    return metrics;
  } finally {
    await close();
  }
}

export const forecastScenario: Scenario<Plan> = {
  name: 'forecast',
  title: 'A forecast with a scenario: processor time of the service and of its connection at the server',
  plans: {
    full: { employees: 100_000, months: 12, rounds: 3 },
    quick: { employees: 10_000, months: 12, rounds: 1 },
  },
  run: (plan) => withServer((server) => measure(server, plan)),
};
