import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, info, type Metric, none } from '../../harness/metrics.ts';
import type { Scenario } from '../../harness/scenario.ts';
import { createRandom, type Random } from '../../src/demo/random.ts';
import { KeptConnection, type Outcome } from '../support/kept-connection.ts';
import { type Stage, withStage } from '../support/stage.ts';
import { type Amounts, type ClientKind, type Clients, prepareClients } from './stopping-clients.ts';

interface StoppingPlan extends Amounts {
  stops: number;
  clients: Record<ClientKind, number>;
  /** The longest time between the start of the load and the signal. */
  withinMs: number;
  exitSeconds: number;
  /** Whether a request may meet a closing connection, as can occur if the machine also does other work. */
  mayCross: boolean;
}

interface Stop {
  code: number | null;
  seconds: number;
  answered: number;
  /** Failed requests whose head was sent before the signal, or whose response had begun. */
  dropped: Outcome[];
  /** Failed requests that were sent after the signal over a connection that was closing at that moment. */
  crossed: Outcome[];
}

/** Sends one request after another until the port refuses connections. */
async function beClient(origin: string, next: Clients[ClientKind], random: Random): Promise<Outcome[]> {
  const connection = new KeptConnection(origin);
  const outcomes: Outcome[] = [];
  try {
    for (;;) {
      const outcome = await connection.run(next(random));
      if (outcome.ending === 'refused') return outcomes;
      outcomes.push(outcome);
      await sleep(random.int(0, 30));
    }
  } finally {
    connection.close();
  }
}

/** Opens a connection without sending a request, as browsers do in advance. */
async function openSilent(port: string): Promise<Socket> {
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  return socket.resume();
}

async function stopOnce(stage: Stage, plan: StoppingPlan, clients: Clients, random: Random): Promise<Stop> {
  const api = await stage.startApi({ WORKER: 'on' });
  const { origin, port } = new URL(api.url);
  const silent = await openSilent(port);
  const kinds = Object.entries(plan.clients) as [ClientKind, number][];
  const running = kinds.flatMap(([kind, count]) =>
    Array.from({ length: count }, () => beClient(origin, clients[kind], createRandom(random.int(0, 2 ** 30)))),
  );
  await sleep(random.int(plan.withinMs / 4, plan.withinMs));
  const signalledAt = performance.now();
  api.signal('SIGTERM');
  const { code } = await api.exited;
  const seconds = (performance.now() - signalledAt) / 1_000;
  const outcomes = (await Promise.all(running)).flat();
  silent.destroy();
  const failed = outcomes.filter(({ ending }) => ending !== 'answered');
  const isCrossed = ({ ending, headSentAt }: Outcome) => ending === 'without an answer' && headSentAt > signalledAt;
  return {
    code,
    seconds,
    answered: outcomes.length - failed.length,
    dropped: failed.filter((outcome) => !isCrossed(outcome)),
    crossed: failed.filter(isCrossed),
  };
}

function tell(stops: Stop[], { exitSeconds, mayCross }: StoppingPlan): Metric[] {
  const sum = (count: (stop: Stop) => number) => stops.reduce((total, stop) => total + count(stop), 0);
  const crossed = sum((stop) => stop.crossed.length);
  return [
    info('stops', stops.length),
    info(
      'requests answered',
      sum(({ answered }) => answered),
    ),
    none(
      'requests in flight that were dropped',
      sum(({ dropped }) => dropped.length),
    ),
    (mayCross ? info : none)('requests that crossed the closing of their connection', crossed),
    none('exits with another code than 0', stops.filter(({ code }) => code !== 0).length),
    atMost('slowest exit, s', Math.max(...stops.map(({ seconds }) => seconds)), exitSeconds),
  ];
}

export const stopping: Scenario<StoppingPlan> = {
  name: 'stopping',
  title: 'SIGTERM under load',
  plans: {
    full: {
      stops: 50,
      clients: { reader: 12, exporter: 4, pusher: 3, visitor: 3 },
      employees: 5_000,
      entries: 15_000,
      withinMs: 2_000,
      exitSeconds: 10,
      mayCross: false,
    },
    quick: {
      stops: 2,
      clients: { reader: 6, exporter: 2, pusher: 1, visitor: 2 },
      employees: 1_000,
      entries: 5_000,
      withinMs: 600,
      exitSeconds: 10,
      mayCross: true,
    },
  },
  run: (plan, { seed, log }) =>
    withStage(async (stage) => {
      const random = createRandom(seed);
      const clients = await prepareClients(stage, plan);
      const stops: Stop[] = [];
      for (let number = 1; number <= plan.stops; number++) {
        const stop = await stopOnce(stage, plan, clients, random);
        stops.push(stop);
        for (const { ending, detail } of stop.dropped) log(`stop ${number}: ${ending}: ${detail}`);
        for (const { detail } of stop.crossed) log(`stop ${number}: crossed: ${detail}`);
      }
      return tell(stops, plan);
    }),
};
