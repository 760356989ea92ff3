import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { atLeast, info, type Metric, none, noneOf, sum } from '../harness/metrics.ts';
import type { Context, Scenario } from '../harness/scenario.ts';
import { createRandom, type Random } from '../src/operator/demo/random.ts';
import type { CompanyId } from '../src/platform/db/company-scope.ts';
import { makeCompany } from '../test/support/factories.ts';
import { until } from '../test/support/until.ts';
import { addEvents, deliveringWorker, makeEndpoint, startReceiver } from '../test/support/webhooks.ts';
import { type Fixture, withFixture } from './support/fixture.ts';

const full = {
  companies: 5,
  workers: 2,
  kills: 40,
  crashes: 4,
  events: 100,
  pauseMs: 2_000,
  chances: { fail: 0.1, hang: 0.002 },
  /** Does not wait for the leases of killed workers to end, which takes a minute. */
  skipsLeases: false,
};
type Plan = typeof full;

async function startFlakyReceiver(random: Random, chances: Plan['chances']) {
  const accepted = new Set<string>();
  const wrong: string[] = [];
  const counts = { failed: 0, hung: 0, repeated: 0 };
  const { url, stop } = await startReceiver(({ id, body }) => {
    if (random.chance(chances.hang)) {
      counts.hung++;
      return 'hang';
    }
    if (random.chance(chances.fail)) {
      counts.failed++;
      return 503;
    }
    const { event } = JSON.parse(body) as { event: { id: string } };
    if (event.id !== id) wrong.push(`webhook-id ${id} has the body of ${event.id}`);
    if (accepted.has(id)) counts.repeated++;
    accepted.add(id);
    return 200;
  });
  return { url, stop, accepted, wrong, counts };
}

interface Target {
  companyId: CompanyId;
  receiver: Awaited<ReturnType<typeof startFlakyReceiver>>;
}

async function makeTargets({ db }: Fixture, { companies, chances }: Plan, random: Random): Promise<Target[]> {
  const targets: Target[] = [];
  for (let count = 0; count < companies; count++) {
    const companyId = await makeCompany(db);
    for (const receiver of [await startFlakyReceiver(random, chances), await startFlakyReceiver(random, chances)]) {
      await makeEndpoint(db, companyId, { url: receiver.url });
      targets.push({ companyId, receiver });
    }
  }
  return targets;
}

async function writeEvents({ db }: Fixture, targets: Target[], count: number): Promise<void> {
  for (const companyId of new Set(targets.map((target) => target.companyId))) {
    await until('the events are written', () =>
      addEvents(db, companyId, count).then(
        () => true,
        () => false,
      ),
    );
  }
}

/** Makes attempts due that are put off. Leaves alone what a worker has claimed, unless all leases are skipped. */
const makeDue = ({ db }: Fixture, afterSeconds: number) =>
  sql`update webhook_deliveries set next_attempt_at = now()
    where state = 'pending' and next_attempt_at > now() + make_interval(secs => ${afterSeconds})`
    .execute(db)
    .catch(() => {});

async function interrupt(fixture: Fixture, plan: Plan, targets: Target[], random: Random) {
  let [killed, stopped] = [0, 0];
  const start = () => fixture.startWorker(undefined, undefined, deliveringWorker);
  const workers = await Promise.all(Array.from({ length: plan.workers }, start));
  const crashes = new Set(
    Array.from({ length: plan.crashes }, (_, index) => Math.floor(((index + 0.5) * plan.kills) / plan.crashes)),
  );
  for (let kill = 0; kill < plan.kills; kill++) {
    await writeEvents(fixture, targets, plan.events);
    await sleep(random.int(plan.pauseMs / 2, plan.pauseMs));
    const slot = random.int(0, workers.length - 1);
    if (workers[slot]?.isRunning()) killed += 1;
    await workers[slot]?.end('SIGKILL');
    if (crashes.has(kill)) {
      await fixture.postgres.crash();
      stopped += 1;
      await sleep(random.int(500, 2_000));
      await fixture.postgres.start();
    }
    workers[slot] = await start();
    await makeDue(fixture, 65);
  }
  await writeEvents(fixture, targets, plan.events);
  if (plan.skipsLeases) await makeDue(fixture, 0);
  return { workers, killed, stopped };
}

async function countUnfinished({ db }: Fixture): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from webhook_deliveries where state <> 'succeeded')
      + (select count(*) from webhook_endpoints w join company_versions v using (company_id)
        where w.cursor_sequence < v.event_sequence) as count`.execute(db);
  return rows[0]?.count ?? 0;
}

async function findLost({ db }: Fixture, targets: Target[]): Promise<string[]> {
  const lost: string[] = [];
  for (const { companyId, receiver } of targets) {
    const { rows: events } = await sql<{ id: string; sequence: number }>`
      select id, sequence from events where company_id = ${companyId}`.execute(db);
    for (const { id, sequence } of events)
      if (!receiver.accepted.has(id)) lost.push(`event ${sequence} of company ${companyId}`);
    if (receiver.accepted.size > events.length) lost.push(`company ${companyId} delivered events that do not exist`);
  }
  return lost;
}

async function run(fixture: Fixture, plan: Plan, { seed, log }: Context): Promise<Metric[]> {
  const random = createRandom(seed);
  const targets = await makeTargets(fixture, plan, random);
  const { workers, killed, stopped } = await interrupt(fixture, plan, targets, random);
  await until('every event is delivered', async () => {
    await makeDue(fixture, 65);
    return (await countUnfinished(fixture)) === 0;
  });
  const counts = targets.map(({ receiver }) => receiver.counts);
  const wrong = targets.flatMap(({ receiver }) => receiver.wrong);
  const lost = await findLost(fixture, targets);
  for (const { receiver } of targets) await receiver.stop();
  return [
    atLeast('workers killed', killed, plan.kills),
    atLeast('times PostgreSQL was stopped', stopped, plan.crashes),
    atLeast('attempts that a receiver refused', sum(counts.map(({ failed }) => failed)), 1),
    atLeast('attempts that a receiver left hanging', sum(counts.map(({ hung }) => hung)), 1),
    info('deliveries', sum(targets.map(({ receiver }) => receiver.accepted.size))),
    info('deliveries that were repeated after a success', sum(counts.map(({ repeated }) => repeated))),
    noneOf('events lost or made up', lost, log),
    noneOf('attempts with the id of another event', wrong, log),
    none('workers that ended by themselves', workers.filter((worker) => !worker.isRunning()).length),
  ];
}

export const webhooks: Scenario<Plan> = {
  name: 'webhooks',
  title: 'Webhooks to receivers that fail and hang, while workers are killed and PostgreSQL is stopped',
  plans: {
    full,
    quick: {
      ...full,
      companies: 1,
      workers: 1,
      kills: 2,
      crashes: 1,
      events: 40,
      pauseMs: 800,
      chances: { fail: 0.1, hang: 0.02 },
      skipsLeases: true,
    },
  },
  run: (plan, context) => withFixture((fixture) => run(fixture, plan, context)),
};
