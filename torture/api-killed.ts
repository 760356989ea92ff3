import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { info, type Metric, none, noneOf, sum } from '../harness/metrics.ts';
import type { Context, Scenario } from '../harness/scenario.ts';
import { createRandom, type Random } from '../src/operator/demo/random.ts';
import type { Db } from '../src/platform/db/database.ts';
import { applicationNameOf } from '../src/platform/db/versions.ts';
import { freePort, type Serving } from '../test/support/process.ts';
import { holdsWithin } from '../test/support/until.ts';
import { type Fixture, withFixture } from './support/fixture.ts';
import { RosterPusher, RosterStream } from './support/roster-pusher.ts';
import { makeTestCompany, withoutGuard } from './support/test-company.ts';
import { checkStored, findWrongCompanies, untilApplied } from './support/verify.ts';

const full = {
  kills: 30,
  smallCompanies: 3,
  largeSize: 70_000,
  acceptedBetween: 12,
  settleMs: 600_000,
};
type KillPlan = typeof full;

/** What kills aim at, in turn. A kill also interrupts everything else in progress. */
const aims = ['storing', 'a body', 'any moment'] as const;
const aimTimeoutMs = 6_000;

interface Attack {
  random: Random;
  db: Db;
  pushers: RosterPusher[];
  plan: KillPlan;
}

async function isStoring(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_stat_activity where application_name = ${applicationNameOf('serve')} and xact_start is not null
      and (query like '%sync_rosters%' or query like 'insert into "syncs"%')`.execute(db);
  return rows.length > 0;
}

async function awaitMoment({ random, db, pushers, plan }: Attack, aim: string | undefined): Promise<void> {
  const deadline = Date.now() + aimTimeoutMs;
  const left = () => deadline - Date.now();
  const countAcknowledged = () => sum(pushers.map(({ acknowledged }) => acknowledged.size));
  const enough = countAcknowledged() + random.int(0, plan.acceptedBetween);
  await holdsWithin(left(), () => countAcknowledged() >= enough);
  if (aim === 'any moment') await sleep(random.int(0, 1_000));
  if (aim === 'a body') {
    await holdsWithin(left(), () => pushers.some(({ sending }) => sending > 0));
    await sleep(random.int(0, 150));
  }
  if (aim === 'storing') while (left() > 0 && !(await isStoring(db))) await sleep(1);
}

async function kill(attack: Attack, start: () => Promise<Serving>, first: Serving, log: Context['log']) {
  const hits = { bodies: 0, storing: 0 };
  let api = first;
  for (let number = 0; number < attack.plan.kills; number++) {
    const aim = aims[number % aims.length];
    await awaitMoment(attack, aim);
    const storing = await isStoring(attack.db);
    const bodies = sum(attack.pushers.map(({ sending }) => sending));
    await api.end('SIGKILL');
    hits.bodies += Number(bodies > 0);
    hits.storing += Number(storing);
    log(`kill ${number + 1}, aimed at ${aim}: ${bodies} bodies being sent${storing ? ', one being stored' : ''}`);
    await sleep(attack.random.int(0, 300));
    api = await start();
  }
  return hits;
}

async function run(fixture: Fixture, plan: KillPlan, { seed, log }: Context): Promise<Metric[]> {
  const { db } = fixture;
  const port = String(await freePort());
  const start = () => fixture.startApi({ PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });
  const api = await start();
  const pushers: RosterPusher[] = [];
  for (let number = 0; number <= plan.smallCompanies; number++) {
    const company = await makeTestCompany(db, withoutGuard);
    pushers.push(new RosterPusher(company, api.url, new RosterStream(createRandom(seed + number))));
  }
  let isOver = false;
  const killing = kill({ random: createRandom(seed), db, pushers, plan }, start, api, log).finally(() => {
    isOver = true;
  });
  const pushing = pushers.map(async (pusher, number) => {
    const random = createRandom(seed - number);
    const isLarge = number === 0;
    if (isLarge) pusher.pauseMs = 20;
    while (!isOver) {
      const size = isLarge ? random.int(plan.largeSize * 0.8, plan.largeSize) : random.int(20, 400);
      await pusher.pushCarelessly(size, random);
      if (!isLarge) await sleep(random.int(50, 400));
    }
  });
  const [hits] = await Promise.all([killing, ...pushing]);
  const faults = await Promise.all(pushers.map((pusher) => checkStored(db, pusher)));
  const worker = await fixture.startWorker();
  await untilApplied(db, plan.settleMs, () => !worker.isRunning());
  if (!worker.isRunning()) throw new Error(`The worker ended by itself: ${worker.errors()}`);
  const wrong = await findWrongCompanies(db, pushers);
  const unexpected = pushers.flatMap((pusher) => pusher.unexpected);
  return [
    info('kills', plan.kills),
    info('of these in the middle of a body', hits.bodies),
    info('of these while a roster was being stored', hits.storing),
    info('rosters sent', sum(pushers.map(({ sent }) => sent.size))),
    info('rosters acknowledged with 204', sum(pushers.map(({ acknowledged }) => acknowledged.size))),
    info('repeats acknowledged with 204', sum(pushers.map(({ repeats }) => repeats))),
    info('requests without a response', sum(pushers.map(({ broken }) => broken))),
    none('acknowledged rosters lost', sum(faults.map(({ lost }) => lost.length))),
    none('rosters stored partially', sum(faults.map(({ partial }) => partial.length))),
    none('jobs missing or duplicated', sum(faults.map(({ unmatchedJobs }) => unmatchedJobs))),
    noneOf('responses other than 204 and 503', unexpected, log),
    noneOf('companies that differ from their rosters', wrong, log),
  ];
}

export const apiKilled: Scenario<KillPlan> = {
  name: 'api-killed',
  title: 'The API killed with SIGKILL while rosters are pushed',
  plans: {
    full,
    quick: { kills: 1, smallCompanies: 1, largeSize: 4_000, acceptedBetween: 2, settleMs: 60_000 },
  },
  run: (plan, context) => withFixture((fixture) => run(fixture, plan, context)),
};
