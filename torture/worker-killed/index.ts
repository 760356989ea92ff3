import { join } from 'node:path';
import { atLeast, atMost, info, type Metric, none } from '../../harness/metrics.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import { createRandom } from '../../src/demo/random.ts';
import { type Stage, withStage } from '../support/stage.ts';
import { verifyCompany, verifyPushes } from '../support/verify.ts';
import { Interruptions } from './interruptions.ts';
import { type Cast, makeCast, play, type StreamPlan } from './streams.ts';
import { countDaysLivedTwice, countJobsGivenUp, countWrongFees, countWrongSums } from './verify-ledger.ts';
import { compareWorkforce, countWrongFiles } from './verify-workforce.ts';
import { causeKills, type Kills } from './worker-kills.ts';
import { type WorkerSlot, withWorkerSlots } from './worker-slots.ts';

interface KillPlan extends Kills, StreamPlan {
  workers: number;
  /** The time limit, counted from the kill, for completing what the kill interrupted. */
  limitSeconds: number;
}

/**
 * Compares the stored rows with the expected rows. Every metric is zero if nothing is lost and nothing is duplicated.
 */
async function compare({ db, folder }: Stage, { clock, living, pushing }: Cast, { log }: Context): Promise<Metric[]> {
  const { company, workforce } = living;
  const unlike = (error: Error) => {
    log(error.message);
    return 1;
  };
  let companies = await verifyPushes(db, company).then(() => 0, unlike);
  let fees = 0;
  const months = Array.from({ length: clock.month() }, (_, index) => workforce.monthAt(index + 1));
  for (const one of pushing) {
    companies += await verifyCompany(db, one).then(() => 0, unlike);
    fees += await countWrongFees(db, one.companyId, months);
  }
  const expected = workforce.expectedIn(clock.month());
  const rows = await compareWorkforce(db, company.companyId, expected);
  return [
    info('months lived, each with its tickets, charges and letters', clock.month()),
    info('tickets issued', expected.tickets.length),
    none('companies whose syncs or people are not as the rosters say', companies),
    none('subscriptions lost, doubled or wrong', rows.people + rows.changes),
    none('tickets lost or doubled', rows.tickets),
    none('charges lost, doubled or wrong', rows.charges + fees),
    none('letters lost or doubled', rows.documents),
    none(
      'letters without their file, files without letter',
      await countWrongFiles(db, company.companyId, join(folder, 'documents')),
    ),
    none('days lived twice', await countDaysLivedTwice(db)),
    none('sums that are not those of their items', await countWrongSums(db)),
    none('jobs given up', await countJobsGivenUp(db)),
  ];
}

const tell = (killed: number, interruptions: Interruptions, plan: KillPlan): Metric[] => {
  const { count } = interruptions;
  return [
    atLeast('workers killed', killed, plan.count),
    atLeast('in the middle of a sync', count.sync, plan.interrupted),
    atLeast('in the middle of a first of a month', count['first of a month'], plan.interrupted),
    info('in the middle of another day', count['other day']),
    info('in the middle of letters', count.documents),
    none('interrupted and never resumed', interruptions.countOpen()),
    atMost('slowest sync, from the kill to its outcome, s', interruptions.slowest('sync'), plan.limitSeconds),
    atMost(
      'slowest day, from the kill to its end, s',
      interruptions.slowest('first of a month', 'other day'),
      plan.limitSeconds,
    ),
    atMost(
      'slowest letters, from the kill until they are taken up again, s',
      interruptions.slowest('documents'),
      plan.limitSeconds,
    ),
  ];
};

const countEnded = (slots: WorkerSlot[]) => slots.filter(({ process }) => !process?.isRunning()).length;

const runKills = (plan: KillPlan, scene: Context): Promise<Metric[]> =>
  withStage(async (stage) => {
    const { db } = stage;
    const cast = await makeCast(stage, plan, scene.seed);
    const interruptions = new Interruptions(db);
    const stopping = new AbortController();
    const watching = interruptions.watch(stopping.signal);
    try {
      return await withWorkerSlots(stage, plan.workers, async (slots) => {
        const parts = { db, random: createRandom(scene.seed), slots, interruptions, log: scene.log };
        const { killed, halted } = await play(cast, plan, scene.seed, () => causeKills(parts, plan));
        for (const reason of halted) scene.log(reason);
        await interruptions.untilAllDone();
        return [
          ...tell(killed, interruptions, plan),
          none('streams that came to a halt', halted.length),
          none('workers that ended by themselves', countEnded(slots)),
          ...(await compare(stage, cast, scene)),
        ];
      });
    } finally {
      stopping.abort();
      await watching;
      await cast.clock.stop();
    }
  });

export const workerKilled: Scenario<KillPlan> = {
  name: 'worker-killed',
  title: 'Workers killed with SIGKILL during a stream of syncs, daily runs and billing runs',
  plans: {
    full: {
      workers: 2,
      count: 100,
      interrupted: 10,
      largeSize: 10_000,
      pending: [0, 3],
      subscribers: 1_000,
      patience: 0.5,
      hastened: false,
      limitSeconds: 30,
    },
    quick: {
      workers: 1,
      count: 1,
      interrupted: 1,
      largeSize: 1_000,
      pending: [0],
      subscribers: 60,
      patience: 0,
      hastened: true,
      limitSeconds: 120,
    },
  },
  run: runKills,
};
