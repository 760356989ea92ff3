import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { makeSubscribers } from '../../harness/subscribers.ts';
import { type CompanyId, ofCompany } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';
import { createRandom } from '../../src/demo/random.ts';
import { openDocumentStore } from '../../src/documents/store.ts';
import type { Day } from '../../src/domain/calendar.ts';
import { openQueue } from '../../src/jobs/queue.ts';
import { basic } from '../../test/support/app.ts';
import { makeDocument, makeEmployee, makeKey } from '../../test/support/factories.ts';
import { makeUser, type TestUser } from '../../test/support/portal.ts';
import { holdsWithin } from '../../test/support/until.ts';
import { type CheckingClient, type Pace, repeat } from './checking-client.ts';
import { sendReadRequest } from './read-requests.ts';
import type { RosterPusher } from './roster-pusher.ts';

/** A company that changes only with the calendar. Its responses are the same at any moment of a day. */
export interface StableCompany {
  companyId: CompanyId;
  authorization: string;
  user: TestUser;
  /** A document of an employee who was removed so long ago that the next daily run erases them. */
  expiring: { documentId: number; key: string };
}

const retentionDays = 90;

async function addExpiring(db: Db, companyId: CompanyId, folder: string, today: Day) {
  const employeeId = await makeEmployee(db, companyId);
  const store = await openDocumentStore(join(folder, 'documents'));
  const file = await store.put(companyId, 'pdf', randomBytes(2_000));
  const documentId = await makeDocument(db, companyId, { employeeId, file });
  const day = today.subtract({ days: retentionDays });
  const removedAt = day.toZonedDateTime({ timeZone: 'Europe/Berlin', plainTime: '12:00' }).toInstant().toString();
  await sql`update employees e set removed_at = ${removedAt}::timestamptz
    where ${ofCompany(companyId, 'e')} and e.id = ${employeeId}`.execute(db);
  await sql`update documents d set removed_at = ${removedAt}::timestamptz
    where ${ofCompany(companyId, 'd')} and d.id = ${documentId}`.execute(db);
  await sql`update document_counts c set documents = documents - 1 where ${ofCompany(companyId, 'c')}`.execute(db);
  return { documentId, key: file.key };
}

export async function makeStableCompany(
  db: Db,
  folder: string,
  { first, count, today }: { first: Day; count: number; today: Day },
): Promise<StableCompany> {
  const processedThrough = first.subtract({ days: 3 });
  const companyId = await makeSubscribers(db, { count, startOn: first, status: 'scheduled', processedThrough });
  const authorization = basic(await makeKey(db, companyId));
  const user = await makeUser({ db }, companyId);
  return { companyId, authorization, user, expiring: await addExpiring(db, companyId, folder, today) };
}

export interface BusyService {
  client: CheckingClient;
  db: Db;
  databaseUrl: string;
  api: string;
  first: Day;
  stable: StableCompany;
  pushers: RosterPusher[];
  /** Companies whose employees all exist and whose subscriptions are scheduled. */
  subscribers: CompanyId[];
}

export interface Traffic {
  readers: number;
  rosterSize: number;
  /** The average pause between two rosters of a company. */
  pushMs: number;
  /** The number of employees of each company whose first month begins under load. */
  subscribers: number;
  /** The average pause between two such companies. */
  joinMs: number;
}

/** Enqueues a daily run for the worker, as the schedule would within five minutes. */
export async function enqueueDailyRun(databaseUrl: string, companyId: CompanyId): Promise<void> {
  const queue = await openQueue({ url: databaseUrl, worker: false, log: pino({ level: 'silent' }) });
  await queue.enqueueDailyRuns([companyId]);
  await queue.stop();
}

async function addSubscribers(service: BusyService, { subscribers }: Traffic, pace: Pace): Promise<void> {
  const { db, databaseUrl, first } = service;
  const queue = await openQueue({ url: databaseUrl, worker: false, log: pino({ level: 'silent' }) });
  const processedThrough = first.subtract({ days: 3 });
  await repeat(pace, async () => {
    const options = { count: subscribers, startOn: first, status: 'scheduled', processedThrough } as const;
    const companyId = await makeSubscribers(db, options);
    service.subscribers.push(companyId);
    await queue.enqueueDailyRuns([companyId]);
  });
  await queue.stop();
}

/** Pushes each roster while the one before may still be pending. */
const pushContinuously = (pusher: RosterPusher, size: number, pace: Pace): Promise<void> =>
  repeat(pace, async () => {
    await pusher.push(pace.random.int(size / 2, size));
    await pusher.waitFor(1);
  });

/** Reads the stable company only. Employees of the others may be removed between a list and the next request. */
function readContinuously({ client, api, stable, first }: BusyService, pace: Pace): Promise<void> {
  const reader = { client, random: pace.random, api, authorization: stable.authorization, period: first.toString() };
  return repeat(pace, () => sendReadRequest(reader));
}

/** Creates load until the signal aborts: reads, rosters, and companies with daily runs and documents to write. */
export async function keepBusy(service: BusyService, traffic: Traffic, seed: number, signal: AbortSignal) {
  let seeds = seed;
  const pace = (pauseMs: number): Pace => ({ random: createRandom(++seeds), pauseMs, signal });
  await Promise.all([
    addSubscribers(service, traffic, pace(traffic.joinMs)),
    ...service.pushers.map((pusher) => pushContinuously(pusher, traffic.rosterSize, pace(traffic.pushMs))),
    ...Array.from({ length: traffic.readers }, () => readContinuously(service, pace(30))),
  ]);
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
