import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { makeSubscribers } from '../../harness/subscribers.ts';
import type { Day } from '../../src/domain/calendar.ts';
import { chargeTypes, planTypes, subscriptionStatuses } from '../../src/domain/enums.ts';
import { createRandom, type Random } from '../../src/operator/demo/random.ts';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { openQueue } from '../../src/platform/jobs/queue.ts';
import { holdsWithin } from '../../test/support/until.ts';
import { type CheckingClient, Fault, PortalVisitor } from './http-client.ts';
import type { RosterPusher } from './roster-pusher.ts';

export interface Reader {
  client: CheckingClient;
  random: Random;
  origin: string;
  authorization: string;
  period: string;
}

const requestOf = ({ origin, authorization }: Reader, path: string) => ({
  origin,
  path: `/v1${path}`,
  headers: { authorization },
});

const get = <T>(reader: Reader, path: string): Promise<T> => reader.client.readData(requestOf(reader, path));

type Item = { id: number; syncId: string; downloadable: boolean };

async function readOneOf(reader: Reader, list: string, pathsOf: (item: Item) => string[]): Promise<Item | undefined> {
  const { data } = await get<{ data: Item[] }>(reader, list);
  if (data.length === 0) return undefined;
  const item = reader.random.pick(data);
  for (const path of pathsOf(item)) await get(reader, path);
  return item;
}

async function readDocument(reader: Reader): Promise<void> {
  const { client, random } = reader;
  const list = `/employee-documents?perPage=20&page=${random.int(1, 3)}`;
  const item = await readOneOf(reader, list, ({ id }) => [`/employee-documents/${id}`]);
  if (!item?.downloadable) return;
  const request = requestOf(reader, `/employee-documents/${item.id}/download`);
  const { headers, bytes } = await client.check(request);
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
  if (headers.etag !== etag) throw client.fault(`Document ${item.id} has other bytes than its ETag says.`);
  await client.check({ ...request, headers: { ...request.headers, 'if-none-match': etag }, status: 304 });
}

async function readSyncs(reader: Reader): Promise<void> {
  const integration = await readOneOf(reader, '/hr-integrations?perPage=20', ({ id }) => [`/hr-integrations/${id}`]);
  if (integration === undefined) return;
  const path = `/hr-integrations/${integration.id}/syncs`;
  const pathsOf = ({ syncId }: Item) => [`${path}/${syncId}`, `${path}/${syncId}/records?perPage=50`];
  await readOneOf(reader, `${path}?perPage=5`, pathsOf);
}

async function readService(reader: Reader): Promise<void> {
  await get(reader, '/me');
  await reader.client.check({ ...requestOf(reader, '/health'), status: 204 });
  await reader.client.check(requestOf(reader, '/openapi.json'));
}

async function sendInvalid(reader: Reader): Promise<void> {
  const unknown = { ...reader, authorization: 'Basic dGtfMV94Ong=' };
  await reader.client.check({ ...requestOf(reader, '/employees?perPage=1000&sortOrder=up'), status: 400 });
  await reader.client.check({ ...requestOf(reader, '/employees/999999999'), status: 404 });
  await reader.client.check({ ...requestOf(unknown, '/me'), status: 401 });
}

function listEmployees(reader: Reader): Promise<void> {
  const { random } = reader;
  const filters = ['', `&subscriptionStatuses=${random.pick(subscriptionStatuses)}`, `&planTypes=${planTypes[0]}`];
  const sorting = `sortField=${random.pick(['id', 'createdAt', 'updatedAt'])}&sortOrder=${random.pick(['asc', 'desc'])}`;
  return get(reader, `/employees?page=${random.int(1, 20)}&perPage=50&${sorting}${random.pick(filters)}`);
}

const billed = ({ period, random }: Reader) =>
  `/billing/items?period=${period}&chargeType=ticket-charge&perPage=20&page=${random.int(1, 4)}`;
const words = ({ random }: Reader) => [`muster${random.int(1, 2_000)}`, 'anna', 'example.com', 'nobody'];
const pathsOfEmployee = ({ id }: Item) => [
  ...[`/employees/${id}`, `/employees/${id}/documents`, `/employees?ids=${id},1&emails=nobody@example.com`],
];

const requests: [weight: number, send: (reader: Reader) => Promise<unknown>][] = [
  [6, listEmployees],
  [3, (reader) => get(reader, `/employees?search=${reader.random.pick(words(reader))}`)],
  [4, (reader) => readOneOf(reader, `/employees?perPage=20&page=${reader.random.int(1, 3)}`, pathsOfEmployee)],
  [3, readDocument],
  [3, (reader) => readOneOf(reader, billed(reader), ({ id }) => [`/billing/items/${id}`])],
  [2, (reader) => get(reader, `/billing/items/${reader.period}/${reader.random.pick(chargeTypes)}`)],
  [3, readSyncs],
  // After a client has left in the middle of an export, nothing may stay open.
  [1, (reader) => reader.client.abandon(requestOf(reader, `/billing/items/${reader.period}/ticket-charge`))],
  [1, readService],
  [1, sendInvalid],
];
const weighted = requests.flatMap(([weight, send]) => Array<typeof send>(weight).fill(send));

async function sendReadRequest(reader: Reader): Promise<void> {
  await reader.random.pick(weighted)(reader);
}

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
