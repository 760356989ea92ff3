import { atLeast, atMost, info, type Metric } from '../harness/metrics.ts';
import { percentile, watchMemory } from '../harness/observe.ts';
import { startWorkerProcess } from '../harness/processes.ts';
import type { Scenario } from '../harness/scenario.ts';
import type { Db } from '../src/platform/db/database.ts';
import { makeCompany } from '../test/support/factories.ts';
import { until } from '../test/support/until.ts';
import { type Answer, addEvents, deliveringWorker, makeEndpoint, startReceiver } from '../test/support/webhooks.ts';
import { withServer } from './database.ts';

/** How many events wait before the worker delivers them, at a receiver that hangs, and one by one. */
type Plan = Record<'events' | 'hanging' | 'single', number>;

async function makeTarget(db: Db, answer?: () => Answer) {
  const receiver = await startReceiver(answer);
  const companyId = await makeCompany(db);
  await makeEndpoint(db, companyId, { url: receiver.url });
  return { ...receiver, companyId };
}

async function measureRate(db: Db, events: number): Promise<number> {
  const target = await makeTarget(db);
  await addEvents(db, target.companyId, events);
  await until('all events are delivered', () => target.received.length >= events, 600_000);
  const [first, last] = [target.received[0]?.at ?? 0, target.received[events - 1]?.at ?? 0];
  await target.stop();
  return (events / Math.max(last - first, 1)) * 1_000;
}

async function measureLatency(db: Db, count: number): Promise<number[]> {
  const target = await makeTarget(db);
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    await addEvents(db, target.companyId, 1);
    const committed = Date.now();
    await until('the event is delivered', () => target.received.length > index);
    times.push(Math.max(0, (target.received[index]?.at ?? 0) - committed));
  }
  await target.stop();
  return times;
}

async function measure(db: Db, pid: number, { events, hanging, single }: Plan): Promise<Metric[]> {
  // Warms up, so that compiling code is not measured.
  await measureRate(db, 1_000);
  const latency = await measureLatency(db, single);
  const memory = await watchMemory(pid);
  const alone = await measureRate(db, events);
  const growth = await memory.stop();
  const slow = await makeTarget(db, () => 'hang');
  await addEvents(db, slow.companyId, hanging);
  await until('the receiver hangs', () => slow.received.length >= 16);
  const beside = await measureRate(db, events);
  await slow.stop();
  return [
    atLeast('deliveries per second to a fast receiver', alone, 500),
    info('the same beside a receiver of another company that hangs', beside),
    atLeast('beside a hanging receiver / alone', beside / alone, 0.9),
    info('events that waited at once', events),
    atMost('memory growth of the worker, MB', growth, 100),
    info('commit to first attempt when idle, p50, ms', percentile(latency, 0.5)),
    atMost('commit to first attempt when idle, p99, ms', percentile(latency, 0.99), 2_000),
  ];
}

export const webhooksScenario: Scenario<Plan> = {
  name: 'webhooks',
  title:
    'Deliveries of one worker to a receiver on loopback, alone and beside one that hangs; its memory; how soon it sends',
  plans: {
    full: { events: 100_000, hanging: 10_000, single: 200 },
    quick: { events: 5_000, hanging: 1_000, single: 20 },
  },
  run: (plan) =>
    withServer(async ({ url, db, folder, stops }) => {
      const worker = await startWorkerProcess(url, folder, undefined, deliveringWorker);
      stops.defer(() => worker.end('SIGTERM'));
      return await measure(db, worker.pid, plan);
    }),
};
