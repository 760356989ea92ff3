import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { makeSubscribers } from '../../harness/subscribers.ts';
import type { Day } from '../../src/domain/calendar.ts';
import { createRandom, type Random } from '../../src/operator/demo/random.ts';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { openQueue } from '../../src/platform/jobs/queue.ts';
import { holdsWithin } from '../../test/support/until.ts';
import { type CheckingClient, Fault, PortalVisitor } from './checking-client.ts';
import { sendReadRequest } from './read-requests.ts';
import type { RosterPusher } from './roster-pusher.ts';

export interface BusyService {
  client: CheckingClient;
  db: Db;
  databaseUrl: string;
  origins: string[];
  /** The month in which companies join. It was billed for the companies that are read. */
  first: Day;
  /** The companies that are read. No employee on their first pages may be removed meanwhile. */
  readable: { authorization: string }[];
  pushers: RosterPusher[];
  /** The companies that joined: all their employees exist and their subscriptions are scheduled. */
  joined: CompanyId[];
}

export interface Traffic {
  readers: number;
  /** The largest roster of each pusher, and the share of it that the smallest has. */
  sizes: number[];
  shrinkTo: number;
  /** How many syncs a company may have that are not applied when it pushes the next one. */
  pending: number;
  /** The number of employees of each company that joins. Their first month begins under load. */
  subscribers?: number;
  /** The average pause after each request, roster, company that joins, visit to the portal, and day. */
  pauses: { readMs: number; pushMs: number; joinMs?: number; visitMs?: number; dayMs?: number };
}

/** Enqueues a daily run for the worker, as the schedule would within five minutes. */
export async function enqueueDailyRun(databaseUrl: string, companyId: CompanyId): Promise<void> {
  const queue = await openQueue({ url: databaseUrl, worker: false, log: pino({ level: 'silent' }) });
  await queue.enqueueDailyRuns([companyId]);
  await queue.stop();
}

export async function keepBusy(service: BusyService, traffic: Traffic, seed: number, signal: AbortSignal) {
  const { client, db, databaseUrl, origins, first, readable, pushers, joined } = service;
  const { readMs, pushMs, joinMs, visitMs, dayMs } = traffic.pauses;
  const period = first.toString();
  const done = { syncs: 0, visits: 0, days: 0 };
  let seeds = seed;

  /** Repeats the work until the signal aborts. A fault is recorded already, so the loop continues. */
  const repeat = async (pauseMs: number | undefined, work: (random: Random) => Promise<unknown>) => {
    const random = createRandom(++seeds);
    while (!signal.aborted && pauseMs !== undefined) {
      await work(random).catch((error) => {
        if (!(error instanceof Fault)) throw error;
      });
      await sleep(random.int(0, 2 * pauseMs), undefined, { signal }).catch(() => {});
    }
  };

  const read = () =>
    repeat(readMs, (random) => {
      const { authorization } = random.pick(readable);
      return sendReadRequest({ client, random, origin: random.pick(origins), authorization, period });
    });

  /** Pushes rosters. Some are previewed first, and some are sent twice. */
  const push = (pusher: RosterPusher, index: number) =>
    repeat(pushMs, async (random) => {
      const size = traffic.sizes[index] ?? 0;
      pusher.connect(random.pick(origins));
      const syncId = pusher.next(random.int(Math.ceil(traffic.shrinkTo * size), size));
      if (random.chance(0.2)) {
        const { path, ...request } = pusher.requestFor(syncId);
        await client.check({ ...request, path: `${path}?dryRun=true` });
      }
      await pusher.deliver(syncId);
      if (random.chance(0.2)) await pusher.deliver(syncId);
      await pusher.waitFor(traffic.pending);
      done.syncs += 1;
    });

  const join = () =>
    repeat(joinMs, async () => {
      const processedThrough = first.subtract({ days: 3 });
      const count = traffic.subscribers ?? 0;
      const companyId = await makeSubscribers(db, { count, startOn: first, status: 'scheduled', processedThrough });
      joined.push(companyId);
      await enqueueDailyRun(databaseUrl, companyId);
    });

  const visitorOf = (random: Random, { company }: RosterPusher) =>
    new PortalVisitor(client, random.pick(origins), company.user);

  const visit = () =>
    repeat(visitMs, async (random) => {
      const pusher = random.pick(pushers);
      await visitorOf(random, pusher).visit(pusher.company.integrationId, period, random);
      done.visits += 1;
    });

  const travel = () => {
    let traveller: PortalVisitor | undefined;
    return repeat(dayMs, async (random) => {
      if (traveller === undefined) {
        traveller = visitorOf(random, random.pick(pushers));
        await traveller.signIn();
      }
      await traveller.travelTo((await traveller.today()).add({ days: 1 }));
      done.days += 1;
    });
  };

  const reading = Array.from({ length: traffic.readers }, read);
  await Promise.all([...reading, ...pushers.map(push), join(), visit(), travel()]);
  return done;
}

/** Waits until all work that was begun has its outcome. Returns how many items have none within the time. */
export async function untilSettled(db: Db, withinMs: number): Promise<number> {
  let left = 0;
  await holdsWithin(withinMs, async () => {
    const { rows } = await sql<{ left: number }>`
      select (select count(*) from queue.job where state in ('created', 'retry', 'active'))
        + (select count(*) from syncs where state in ('accepted', 'processing'))
        + (select count(*) from documents where content is not null) as left`.execute(db);
    left = rows[0]?.left ?? 0;
    return left === 0;
  });
  return left;
}
