import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { atMost, info, none, sum } from '../harness/metrics.ts';
import type { Scenario } from '../harness/scenario.ts';
import { createRandom, type Random } from '../src/operator/demo/random.ts';
import { entries } from '../test/support/sync.ts';
import { type Fixture, withFixture } from './support/fixture.ts';
import { type Exchange, HttpClient, type HttpRequest, readCookies, signInRequest } from './support/http-client.ts';
import { chargedPeriod, makeChargedEmployees, makeTestCompany } from './support/test-company.ts';

const full = {
  stops: 50,
  clients: { reader: 12, exporter: 4, pusher: 3, portalUser: 3 },
  employees: 5_000,
  entries: 15_000,
  withinMs: 2_000,
  /** On a busy machine, a request may meet a closing connection or be refused, and an exit may take longer. */
  isBusy: false,
};
type StoppingPlan = typeof full;
const fewer = { reader: 6, exporter: 2, pusher: 1, portalUser: 2 };

type NextRequest = (random: Random) => HttpRequest & { status: number };
type Clients = Record<keyof StoppingPlan['clients'], NextRequest>;

async function prepareClients({ db, startApi }: Fixture, plan: StoppingPlan): Promise<Clients> {
  const { companyId, integrationId, authorization, user } = await makeTestCompany(db);
  await makeChargedEmployees(db, companyId, plan.employees);
  await sql`analyze`.execute(db);
  const api = await startApi();
  const client = new HttpClient(api.url);
  const cookie = readCookies(await client.sendPatiently(signInRequest(client.origin, user)));
  await api.end('SIGKILL');
  const headers = { authorization };
  const remark = { remark: 'an unknown field, as HR systems send many'.padEnd(100, '.') };
  const employees = entries(plan.entries, remark as object);
  let pushes = 0;
  const get = (path: string, credentials: Record<string, string>) => ({ path, headers: credentials, status: 200 });
  return {
    reader: (random) => get(`/v1/${random.pick(['employees?perPage=100', 'me', 'billing/items'])}`, headers),
    exporter: () => get(`/v1/billing/items/${chargedPeriod}/ticket-charge`, headers),
    portalUser: (random) => get(`/portal/api/${random.pick(['me', 'overview', 'employees'])}`, { cookie }),
    pusher: () => ({
      method: 'POST',
      path: `/v1/hr-integrations/${integrationId}/sync`,
      headers,
      body: { syncId: `push-${++pushes}`, employees },
      status: 204,
    }),
  };
}

interface Outcome extends Exchange {
  path: string;
  isSuccess: boolean;
}

async function runClient(origin: string, next: NextRequest, random: Random): Promise<Outcome[]> {
  const client = new HttpClient(origin, 1);
  const outcomes: Outcome[] = [];
  for (;;) {
    const { status, ...request } = next(random);
    const outcome = await client.exchange(request);
    if (outcome.ending === 'refused') return outcomes;
    const isSuccess = outcome.ending === 'complete' && outcome.status === status;
    outcomes.push({ ...outcome, path: request.path, isSuccess });
    await sleep(random.int(0, 30));
  }
}

async function stopOnce({ startApi }: Fixture, plan: StoppingPlan, clients: Clients, random: Random) {
  const api = await startApi({ WORKER: 'on' });
  const { origin, port } = new URL(api.url);
  // A connection without a request, as browsers open in advance.
  const silent = connect(Number(port), '127.0.0.1').on('error', () => {});
  await once(silent.resume(), 'connect');
  const running = Object.entries(plan.clients).flatMap(([kind, count]) =>
    Array.from({ length: count }, () =>
      runClient(origin, clients[kind as keyof Clients], createRandom(random.int(0, 2 ** 30))),
    ),
  );
  await sleep(random.int(plan.withinMs / 4, plan.withinMs));
  const signalledAt = performance.now();
  api.signal('SIGTERM');
  const { code } = await api.exited;
  const seconds = (performance.now() - signalledAt) / 1_000;
  const outcomes = (await Promise.all(running)).flat();
  silent.destroy();
  const failed = outcomes.filter(({ isSuccess }) => !isSuccess);
  const isCrossed = ({ ending, headSentAt }: Outcome) => ending === 'no response' && headSentAt > signalledAt;
  const isRefused = ({ ending, status }: Outcome) => ending === 'complete' && status === 503;
  return {
    code,
    seconds,
    succeeded: outcomes.length - failed.length,
    /** Failed requests whose head was sent before the signal, or whose response had begun. */
    dropped: failed.filter((outcome) => !isCrossed(outcome) && !isRefused(outcome)),
    refused: failed.filter(isRefused),
    /** Failed requests that were sent after the signal over a connection that was closing at that moment. */
    crossed: failed.filter(isCrossed),
  };
}

const exitSeconds = 10;

export const stopping: Scenario<StoppingPlan> = {
  name: 'stopping',
  title: 'SIGTERM under load',
  plans: {
    full,
    quick: { stops: 2, clients: fewer, employees: 1_000, entries: 5_000, withinMs: 600, isBusy: true },
  },
  run: (plan, { seed, log }) =>
    withFixture(async (fixture) => {
      const random = createRandom(seed);
      const clients = await prepareClients(fixture, plan);
      const stops: Awaited<ReturnType<typeof stopOnce>>[] = [];
      while (stops.length < plan.stops) {
        const stop = await stopOnce(fixture, plan, clients, random);
        const number = stops.push(stop);
        const failed = [...stop.dropped, ...stop.crossed, ...stop.refused];
        for (const { ending, path, status } of failed) log(`stop ${number}: ${path} ${ending} ${status}`);
      }
      const slowest = Math.max(...stops.map(({ seconds }) => seconds));
      const noneIfQuiet = plan.isBusy ? info : none;
      return [
        info('stops', stops.length),
        info('requests that succeeded', sum(stops.map(({ succeeded }) => succeeded))),
        none('requests in progress that were dropped', sum(stops.map(({ dropped }) => dropped.length))),
        noneIfQuiet('requests that met a closing connection', sum(stops.map(({ crossed }) => crossed.length))),
        noneIfQuiet('requests refused', sum(stops.map(({ refused }) => refused.length))),
        none('exits with another code than 0', stops.filter(({ code }) => code !== 0).length),
        plan.isBusy ? info('slowest exit, s', slowest) : atMost('slowest exit, s', slowest, exitSeconds),
      ];
    }),
};
