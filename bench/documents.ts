import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { atLeast, atMost, info, type Metric } from '../harness/metrics.ts';
import { median, percentile, timeRequests } from '../harness/observe.ts';
import type { Scenario } from '../harness/scenario.ts';
import { issueUnbilledTickets, makeSubscribers } from '../harness/subscribers.ts';
import { firstOfMonth } from '../src/domain/calendar.ts';
import { type DocumentKind, documentKinds } from '../src/domain/enums.ts';
import { billPeriod } from '../src/features/billing/run.ts';
import { composeDocument } from '../src/features/documents/pdf/compose.ts';
import type { PrintedContent } from '../src/features/documents/pdf/content.ts';
import { renderDocument } from '../src/features/documents/pdf/render.ts';
import { type CompanyId, ofCompany } from '../src/platform/db/company-scope.ts';
import { connectDatabase, type Db } from '../src/platform/db/database.ts';
import { openEmbedded } from '../src/platform/db/embedded/index.ts';
import { type Enqueue, openQueue } from '../src/platform/jobs/queue.ts';
import { basic } from '../test/support/app.ts';
import { aContent } from '../test/support/document-contents.ts';
import { anEmployee, makeCompany, makeEmployees, makeKey } from '../test/support/factories.ts';
import { freePort, serve, withFolder } from '../test/support/process.ts';

interface Plan {
  /** The number of documents rendered one after another, without the service. */
  documents: number;
  /** The number of documents written in each round by a service that also handles requests. */
  background: number;
  rounds: number;
}

const warmUpCount = 200;
const idleMs = 2_500;

const firstNames = ['Anna', 'Jürgen', 'Zoë', 'Mehmet', 'Łukasz', 'Chloé', 'Søren', 'Ines', 'Ελένη', 'Юлія', 'Oğuz'];
const lastNames = ['Müller', 'Schmidt', 'Yılmaz', 'Groß', 'Nowak', 'Petersen', 'Weiß', 'Okafor', 'Шевченко'];

/** Returns content in which name, address and number are unique, as in a roster. */
function makeContent(index: number): PrintedContent {
  const company = index % 50;
  return aContent(documentKinds[index % documentKinds.length] as DocumentKind, {
    locale: index % 8 < 4 ? 'de-DE' : 'en-GB',
    companyName: `Musterwerk ${company} GmbH`,
    firstName: firstNames[index % firstNames.length] as string,
    lastName: `${lastNames[index % lastNames.length]} ${index}`,
    email: `employee.${index}@musterwerk-${company}.example`,
    documentId: index,
    employeeId: 100_000 + index,
    contributionCents: 1_000 + (index % 3_000),
  });
}

/** Renders on this thread. Processor time shows the rate per core, whatever else the machine does. */
async function measureRendering({ documents }: Plan): Promise<Metric[]> {
  for (let index = 0; index < warmUpCount; index++) await renderDocument(composeDocument(makeContent(index)));
  const times: number[] = [];
  const sizes: number[] = [];
  const before = process.cpuUsage();
  for (let index = 0; index < documents; index++) {
    const begun = performance.now();
    sizes.push((await renderDocument(composeDocument(makeContent(warmUpCount + index)))).length);
    times.push(performance.now() - begun);
  }
  const { user, system } = process.cpuUsage(before);
  const totalMs = times.reduce((sum, time) => sum + time, 0);
  return [
    info('documents per second', (documents / totalMs) * 1_000),
    atLeast('documents per second of one core', (documents / (user + system)) * 1_000_000, 100),
    info('median per document, ms', median(times)),
    info('p99 per document, ms', percentile(times, 0.99)),
    info('median size, bytes', median(sizes)),
    info('largest, bytes', Math.max(...sizes)),
  ];
}

interface Setting {
  db: Db;
  queue: Pick<Enqueue, 'enqueueDocuments'>;
  apiUrl: string;
}

/** Creates a company whose tickets of this month are issued and billed, but not confirmed. */
async function makeTravellers(db: Db, count: number): Promise<CompanyId> {
  const today = Temporal.Now.plainDateISO('Europe/Berlin');
  const month = firstOfMonth(today);
  const companyId = await makeSubscribers(db, { count, startOn: month, status: 'active', processedThrough: today });
  await sql`
    update employees set first_name = (${firstNames}::text[])[1 + id % ${firstNames.length}],
      last_name = (${lastNames}::text[])[1 + id % ${lastNames.length}] || ' ' || id
    where company_id = ${companyId}`.execute(db);
  await issueUnbilledTickets(db, companyId, month);
  await db.transaction().execute((tx) => billPeriod(tx, { companyId, month, now: Temporal.Now.instant() }));
  return companyId;
}

async function countStored(db: Db, companyId: CompanyId): Promise<number> {
  const { rows } = await sql<{ stored: number }>`
    select count(*) as stored from documents d where ${ofCompany(companyId, 'd')} and d.sha256 is not null`.execute(db);
  return rows[0]?.stored ?? 0;
}

/**
 * Writes the confirmations through the queue, as the daily run does. Returns how many documents per second were stored.
 */
async function confirmTickets({ db, queue }: Setting, companyId: CompanyId, count: number): Promise<number> {
  const month = firstOfMonth(Temporal.Now.plainDateISO('Europe/Berlin')).toString();
  const begun = performance.now();
  await db.transaction().execute((tx) => queue.enqueueDocuments(tx, companyId, month));
  while ((await countStored(db, companyId)) < count) await sleep(50);
  return (count / (performance.now() - begun)) * 1_000;
}

interface Reader {
  url: string;
  headers: Record<string, string>;
}

function readAlone({ url, headers }: Reader): Promise<number[]> {
  const end = performance.now() + idleMs;
  return timeRequests(url, headers, () => performance.now() > end);
}

interface Round {
  idle: number[];
  busy: number[];
  perSecond: number;
}

/** Reads another company of 1,000, first alone and then while documents are rendered. */
async function playRound(setting: Setting, reader: Reader, companyId: CompanyId, documents: number): Promise<Round> {
  const idle = await readAlone(reader);
  let isOver = false;
  const confirming = confirmTickets(setting, companyId, documents).finally(() => {
    isOver = true;
  });
  const busy = await timeRequests(reader.url, reader.headers, () => isOver);
  return { idle, busy, perSecond: await confirming };
}

async function measureService(setting: Setting, { background, rounds }: Plan): Promise<Metric[]> {
  const { db, apiUrl } = setting;
  const companyId = await makeCompany(db);
  await makeEmployees(
    db,
    companyId,
    Array.from({ length: 1_000 }, () => anEmployee()),
  );
  const reader = {
    url: `${apiUrl}/employees?perPage=50`,
    headers: { authorization: basic(await makeKey(db, companyId)) },
  };
  // Warms up, so that compiling code, preparing statements and loading fonts are not measured.
  await confirmTickets(setting, await makeTravellers(db, warmUpCount), warmUpCount);
  const companies: CompanyId[] = [];
  while (companies.length < rounds) companies.push(await makeTravellers(db, background));
  await sql`vacuum analyze`.execute(db);
  await readAlone(reader);
  const played: Round[] = [];
  for (const company of companies) played.push(await playRound(setting, reader, company, background));
  // Over all rounds together. Times with and without documents alternate, so that other load of the machine affects
  // both.
  const p99 = (pick: (round: Round) => number[]) => percentile(played.flatMap(pick), 0.99);
  const [idle, busy] = [p99((round) => round.idle), p99((round) => round.busy)];
  return [
    info('documents per second in the background', median(played.map(({ perSecond }) => perSecond))),
    info('GET /employees p99 idle, ms', idle),
    info('GET /employees p99 while rendering, ms', busy),
    atMost('GET /employees p99, while rendering / idle', busy / idle, 3),
  ];
}

/** PostgreSQL is a separate process, and shares the machine with the service and with this process. */
const withSetting = <T>(work: (setting: Setting) => Promise<T>): Promise<T> =>
  withFolder(async (folder) => {
    const server = await openEmbedded({ dataDir: folder, role: 'serve' });
    try {
      const port = String(await freePort());
      const quiet = { DEMO: 'off', RATE_LIMIT_PER_MINUTE: '0', HEAVY_REQUESTS_PER_KEY: '0', LOG_LEVEL: 'error' };
      const place = { DATABASE_URL: server.adminUrl, DATA_DIR: folder, PORT: port };
      const service = await serve({ env: { ...quiet, ...place } });
      const { db, close } = connectDatabase({
        url: server.adminUrl,
        max: 2,
        applicationName: 'bench',
        streaming: true,
      });
      const queue = await openQueue({ url: server.adminUrl, worker: false, log: pino({ level: 'silent' }) });
      try {
        return await work({ db, queue, apiUrl: service.url });
      } finally {
        await queue.stop();
        await close();
        service.signal('SIGTERM');
        await service.exited;
      }
    } finally {
      await server.stop();
    }
  });

export const documentsScenario: Scenario<Plan> = {
  name: 'documents',
  title: 'Documents rendered on one core, and in the background of a service that also responds',
  plans: {
    full: { documents: 1_000, background: 400, rounds: 12 },
    quick: { documents: 200, background: 200, rounds: 1 },
  },
  run: async (plan) => [
    ...(await measureRendering(plan)),
    ...(await withSetting((setting) => measureService(setting, plan))),
  ],
};
