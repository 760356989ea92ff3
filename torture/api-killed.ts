import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { info, type Metric, none } from '../harness/metrics.ts';
import { startWorkerProcess } from '../harness/processes.ts';
import type { Context, Scenario } from '../harness/scenario.ts';
import type { Db } from '../src/db/database.ts';
import { createRandom, type Random } from '../src/demo/random.ts';
import { freePort, type Serving } from '../test/support/process.ts';
import { holdsWithin } from '../test/support/until.ts';
import { RosterClient } from './support/roster-client.ts';
import { type Stage, withStage } from './support/stage.ts';
import { checkStored, replay, untilApplied } from './support/stored-rosters.ts';
import { verifyCompany } from './support/verify.ts';

interface KillPlan {
  kills: number;
  /** The number of clients with small rosters, in addition to one with large ones. */
  smallClients: number;
  largeSize: number;
  /** The maximum number of rosters accepted between two kills. */
  acceptedBetween: number;
  /** How long a worker may take to apply all rosters. */
  settleMs: number;
}

/** What a kill aims at. It also interrupts everything else in progress. */
const aims = ['storing', 'a body', 'any moment'] as const;
type Aim = (typeof aims)[number];

/** The time limit for accepting rosters between two kills and then waiting for the right moment. */
const aimPatienceMs = 6_000;

interface Attack {
  random: Random;
  stage: Stage;
  clients: RosterClient[];
  plan: KillPlan;
  start(): Promise<Serving>;
}

/** Returns whether the API has an open transaction that stores a roster. */
async function isStoring(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_stat_activity where application_name = 'transit serve' and xact_start is not null
      and (query like '%sync_rosters%' or query like 'insert into "syncs"%')`.execute(db);
  return rows.length > 0;
}

async function awaitMoment({ random, stage, clients, plan }: Attack, aim: Aim): Promise<void> {
  const deadline = Date.now() + aimPatienceMs;
  const left = () => deadline - Date.now();
  const countAnswered = () => clients.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
  const wanted = countAnswered() + random.int(0, plan.acceptedBetween);
  await holdsWithin(left(), () => countAnswered() >= wanted);
  if (aim === 'any moment') await sleep(random.int(0, 1_000));
  if (aim === 'a body') {
    await holdsWithin(left(), () => clients.some(({ sending }) => sending > 0));
    await sleep(random.int(0, 150));
  }
  if (aim === 'storing') while (left() > 0 && !(await isStoring(stage.db))) await sleep(1);
}

/** Kills the API repeatedly. Returns what the kills interrupted. */
async function kill(attack: Attack, first: Serving, log: Context['log']) {
  const hits = { bodies: 0, storing: 0 };
  let api = first;
  for (let number = 0; number < attack.plan.kills; number++) {
    const aim = aims[number % aims.length] as Aim;
    await awaitMoment(attack, aim);
    const storing = await isStoring(attack.stage.db);
    const bodies = attack.clients.reduce((sum, { sending }) => sum + sending, 0);
    api.signal('SIGKILL');
    await api.exited;
    hits.bodies += bodies > 0 ? 1 : 0;
    hits.storing += storing ? 1 : 0;
    log(`kill ${number + 1}, aimed at ${aim}: ${bodies} bodies on their way${storing ? ', one being stored' : ''}`);
    await sleep(attack.random.int(0, 300));
    api = await attack.start();
  }
  return hits;
}

async function pushUntil(client: RosterClient, random: Random, largeSize: number | undefined, isOver: () => boolean) {
  while (!isOver()) {
    const size = largeSize === undefined ? random.int(20, 400) : random.int(largeSize * 0.8, largeSize);
    await client.push(size);
    if (largeSize === undefined) await sleep(random.int(50, 400));
  }
}

/** Starts a worker that applies what was stored. Returns the companies that then do not match their rosters. */
async function applyAll({ db, databaseUrl, folder }: Stage, clients: RosterClient[], settleMs: number) {
  const companies = await Promise.all(clients.map((client) => replay(db, client)));
  const worker = await startWorkerProcess(databaseUrl, folder);
  try {
    await untilApplied(db, worker, settleMs);
    if (!worker.isRunning()) throw new Error(`The worker ended by itself: ${worker.errors()}`);
  } finally {
    await worker.end('SIGKILL');
  }
  // New tables have no statistics, and without them the joins below take minutes.
  await sql`analyze`.execute(db);
  const wrong: string[] = [];
  for (const company of companies) {
    await verifyCompany(db, company).catch((error) => wrong.push(`company ${company.companyId}: ${error.message}`));
  }
  return wrong;
}

async function play(stage: Stage, plan: KillPlan, { seed, log }: Context): Promise<Metric[]> {
  const port = String(await freePort());
  const start = () => stage.startApi({ PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });
  const api = await start();
  const open = (number: number) =>
    RosterClient.open(stage.db, api.url, { random: createRandom(seed + number), pauseMs: number === 0 ? 20 : 0 });
  const clients = await Promise.all(Array.from({ length: plan.smallClients + 1 }, (_, number) => open(number)));
  let isOver = false;
  const attack = { random: createRandom(seed), stage, clients, plan, start };
  const killing = kill(attack, api, log).finally(() => {
    isOver = true;
  });
  const pushing = clients.map((client, number) =>
    pushUntil(client, createRandom(seed - number), number === 0 ? plan.largeSize : undefined, () => isOver),
  );
  const [hits] = await Promise.all([killing, ...pushing]);
  const faults = await Promise.all(clients.map((client) => checkStored(stage.db, client)));
  const wrong = await applyAll(stage, clients, plan.settleMs);
  const odd = clients.flatMap((client) => client.odd);
  for (const line of [...wrong, ...odd]) log(line);
  const sum = (count: (client: RosterClient) => number) => clients.reduce((total, client) => total + count(client), 0);
  return [
    info('kills', plan.kills),
    info('of these in the middle of a body', hits.bodies),
    info('of these while a roster was being stored', hits.storing),
    info(
      'rosters sent',
      sum(({ sent }) => sent.size),
    ),
    info(
      'rosters answered 204',
      sum(({ acknowledged }) => acknowledged.size),
    ),
    info(
      'repeats answered 204',
      sum(({ repeats }) => repeats),
    ),
    info(
      'posts that were broken off',
      sum(({ broken }) => broken),
    ),
    none('204s without their sync', faults.flatMap(({ lost }) => lost).length),
    none('syncs with a part of their entries', faults.flatMap(({ partial }) => partial).length),
    none(
      'jobs missing or doubled',
      faults.reduce((total, { unmatchedJobs }) => total + unmatchedJobs, 0),
    ),
    none('answers other than 204 and 503', odd.length),
    none('companies that are not as their rosters say', wrong.length),
  ];
}

export const apiKilled: Scenario<KillPlan> = {
  name: 'api-killed',
  title: 'The API killed with SIGKILL while rosters are posted',
  plans: {
    full: { kills: 30, smallClients: 3, largeSize: 70_000, acceptedBetween: 12, settleMs: 600_000 },
    quick: { kills: 1, smallClients: 1, largeSize: 4_000, acceptedBetween: 2, settleMs: 60_000 },
  },
  run: (plan, scene) => withStage((stage) => play(stage, plan, scene)),
};
