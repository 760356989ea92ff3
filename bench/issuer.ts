import { sql } from 'kysely';
import { atLeast, atMost, info, type Metric, none } from '../harness/metrics.ts';
import { readProcess, startSampling } from '../harness/observe.ts';
import { startWorkerProcess } from '../harness/processes.ts';
import type { Scenario } from '../harness/scenario.ts';
import { issueUnbilledTickets, makeSubscribers } from '../harness/subscribers.ts';
import { firstOfMonth } from '../src/domain/calendar.ts';
import { setIssuer } from '../src/features/issuers/settings.ts';
import type { CompanyId } from '../src/platform/db/company-scope.ts';
import type { Db } from '../src/platform/db/database.ts';
import { until } from '../test/support/until.ts';
import { companyContext, deliveringWorker } from '../test/support/webhooks.ts';
import { type Server, withServer } from './database.ts';
import { startServer } from './processes/index.ts';

/** How many tickets of a month are ordered, and how many requests a second the issuer allows. */
type Plan = Record<'orders' | 'perSecond', number>;

const token = 'issuer-token';

/** A company whose tickets of the next month are to be ordered. */
async function makeOrdering(db: Db, count: number, url: string): Promise<CompanyId> {
  const today = Temporal.Now.plainDateISO('Europe/Berlin');
  const month = firstOfMonth(today);
  const companyId = await makeSubscribers(db, { count, startOn: month, status: 'active', processedThrough: today });
  await issueUnbilledTickets(db, companyId, month);
  const dates = { cutOffDay: 1, leadDays: 27 };
  await setIssuer(companyContext(db, companyId, Temporal.Now.instant()), { issuer: 'http', url, token, ...dates });
  await sql`analyze ticket_orders`.execute(db);
  return companyId;
}

async function countIssued(db: Db, companyId: CompanyId): Promise<number> {
  const { rows } = await sql<{ issued: number }>`
    select count(*) as issued from ticket_orders o where o.company_id = ${companyId} and o.state = 'issued'`.execute(
    db,
  );
  return rows[0]?.issued ?? 0;
}

async function measure({ url, db, folder, stops }: Server, { orders, perSecond }: Plan): Promise<Metric[]> {
  const issuer = await startServer('fake-issuer', { token, perSecond });
  stops.defer(issuer.stop);
  const companyId = await makeOrdering(db, orders, issuer.url);
  const readSeen = async () =>
    (await (await fetch(`${issuer.url}/seen`)).json()) as Record<'orders' | 'requests' | 'limited', number>;
  const worker = await startWorkerProcess(url, folder, undefined, deliveringWorker);
  stops.defer(() => worker.end('SIGTERM'));
  await until('the first tickets are ordered', async () => (await readSeen()).orders > 0);
  const begun = performance.now();
  const sampling = startSampling(500, () => readProcess(worker.pid));
  await until('all tickets are issued', async () => (await countIssued(db, companyId)) >= orders, 3_600_000);
  const seconds = (performance.now() - begun) / 1_000;
  const samples = await sampling.stop();
  const memory = (from: number, to: number) => samples.median('residentMb', { from: seconds * from, to: seconds * to });
  const rate = orders / seconds;
  const seen = await readSeen();
  return [
    info('orders of a month', orders),
    info('requests a second that the issuer allows', perSecond),
    info('tickets issued a second', rate),
    atLeast('tickets issued a second / requests allowed', rate / perSecond, 0.5),
    info('requests that the issuer refused with 429', seen.limited),
    none('orders placed twice', seen.orders - orders),
    info('memory of the worker, MB', memory(0.8, 1)),
    info('the most of it, MB', samples.highest('residentMb')),
    atMost('memory, last fifth / second fifth', memory(0.8, 1) / memory(0.2, 0.4), 1.2),
  ];
}

export const issuerScenario: Scenario<Plan> = {
  name: 'issuer',
  title:
    'Tickets of a month, ordered one by one from a fake issuer with a rate limit, and checked; memory of the worker',
  plans: { full: { orders: 100_000, perSecond: 200 }, quick: { orders: 2_000, perSecond: 200 } },
  run: (plan) => withServer((server) => measure(server, plan)),
};
