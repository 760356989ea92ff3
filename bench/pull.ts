import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { request } from 'undici';
import { atMost, info, type Metric } from '../harness/metrics.ts';
import { median } from '../harness/observe.ts';
import { startProgram } from '../harness/processes.ts';
import { watchMemory } from '../harness/samples.ts';
import type { Scenario } from '../harness/scenario.ts';
import { insertHrIntegration } from '../src/features/connectors/change-integration.ts';
import { personio } from '../src/features/connectors/providers/personio.ts';
import { connectIntegration } from '../src/features/connectors/pull/connect.ts';
import { requestPull } from '../src/features/connectors/pull/schedule.ts';
import { findPull } from '../src/features/connectors/pull/store.ts';
import { createEncryption } from '../src/platform/crypto/encryption.ts';
import { connectDatabase, type Db } from '../src/platform/db/database.ts';
import { openEmbedded } from '../src/platform/db/embedded/index.ts';
import { writeCompany } from '../src/platform/db/write.ts';
import { openQueue, type Queue } from '../src/platform/jobs/queue.ts';
import { makeCompany } from '../test/support/factories.ts';
import { withFolder } from '../test/support/process.ts';
import { until } from '../test/support/until.ts';

interface Plan {
  people: number;
  rounds: number;
}

const credentials = { clientId: 'papi-client', clientSecret: 'papi-secret' };

async function getJson(url: string, token: string): Promise<{ size: number; next: string | undefined }> {
  const { body } = await request(url, { headers: { authorization: `Bearer ${token}` } });
  const answer = (await body.json()) as {
    data?: unknown[];
    _data?: unknown[];
    _meta?: { links: { next?: { href: string } } };
  };
  return { size: (answer.data ?? answer._data ?? []).length, next: answer._meta?.links.next?.href };
}

/** Sends the same requests one after another, and does nothing with the answers but parse them. */
async function measurePlain(origin: string): Promise<number> {
  const begun = performance.now();
  const form = {
    grant_type: 'client_credentials',
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
  };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { body } = await request(`${origin}/v2/auth/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(form).toString(),
  });
  const { access_token: token } = (await body.json()) as { access_token: string };
  for (let path: string | undefined = '/v2/absence-periods?limit=100'; path !== undefined; ) {
    const { next }: { next: string | undefined } = await getJson(`${origin}${path}`, token);
    path = next === undefined ? undefined : next.replace(/^https:\/\/[^/]+/, '');
  }
  for (let offset = 0, isLast = false; !isLast; ) {
    const { size } = await getJson(`${origin}/v1/company/employees?limit=100&offset=${offset}`, token);
    offset += size;
    isLast = size === 0;
  }
  return performance.now() - begun;
}

interface Setting {
  db: Db;
  queue: Queue;
  secret: string;
}

/** Returns how long the worker took from the first request until the roster was stored. */
async function measurePull({ db, queue, secret }: Setting): Promise<number> {
  const companyId = await makeCompany(db);
  const now = Temporal.Now.instant();
  const encryption = createEncryption(secret);
  const { target, id } = await writeCompany(db, companyId, async (tx) => {
    const hrIntegrationId = await insertHrIntegration(tx, companyId, { name: 'Personio', type: 'hr-integration' });
    const target = { companyId, hrIntegrationId };
    await connectIntegration(
      tx,
      { target, encryption, now, by: {} },
      { connector: personio, credentials, isReady: true },
    );
    const id = await requestPull(tx, queue, target, { kind: 'manual', requestedBy: 'bench', now });
    return { target, id: id ?? 0 };
  });
  await until('the pull has ended', async () => (await findPull(db, target, id))?.finished_at !== null);
  const pull = await findPull(db, target, id);
  if (pull?.state !== 'read' || pull.started_at === null || pull.finished_at === null) {
    throw new Error(`The pull ended as ${pull?.state}: ${pull?.reason}`);
  }
  await until('it is applied', async () => {
    const { last } = await db
      .selectFrom('hr_integrations')
      .select('last_sync_status as last')
      .where('company_id', '=', companyId)
      .executeTakeFirstOrThrow();
    return last === 'succeeded';
  });
  return Date.parse(pull.finished_at) - Date.parse(pull.started_at);
}

async function measure(folder: string, { people, rounds }: Plan): Promise<Metric[]> {
  await using stops = new AsyncDisposableStack();
  const fake = startProgram([String(people)], {}, `${import.meta.dirname}/processes/fake-personio.ts`);
  stops.defer(() => fake.end('SIGTERM'));
  await until('the fake is ready', () => fake.output.stdout.includes('\n'));
  const origin = fake.output.stdout.trim();
  const server = await openEmbedded({ dataDir: folder, role: 'serve' });
  stops.defer(server.stop);
  const secret = randomBytes(32).toString('hex');
  const place = { DEMO: 'off', DATABASE_URL: server.adminUrl, DATA_DIR: folder, SECRET: secret, PERSONIO_URL: origin };
  const migrated = await startProgram(['migrate'], place).finished;
  if (migrated.code !== 0) throw new Error(migrated.stderr);
  const worker = startProgram(['worker'], place);
  stops.defer(() => worker.end('SIGTERM'));
  await until('the worker is ready', () => worker.output.stdout.includes('Working on jobs'));
  const { db, close } = connectDatabase({ url: server.adminUrl, max: 2, applicationName: 'bench' });
  stops.defer(close);
  const queue = await openQueue({ url: server.adminUrl, worker: false, log: pino({ level: 'silent' }) });
  stops.defer(queue.stop);
  const setting = { db, queue, secret };
  const [first, all] = [await watchMemory(worker.pid), await watchMemory(worker.pid)];
  // Warms up, so that compiling code and preparing statements are not measured.
  await measurePlain(origin);
  await measurePull(setting);
  const firstGrowth = await first.stop();
  const [plain, pulled]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    plain.push(await measurePlain(origin));
    pulled.push(await measurePull(setting));
  }
  return [
    info('employees', people),
    info('plain sequential requests, ms', median(plain)),
    info('pull until the roster is stored, ms', median(pulled)),
    atMost('pull / plain sequential requests', median(pulled) / median(plain), 2),
    atMost('memory growth of the worker, first pull and its sync, MB', firstGrowth, 100),
    info(`memory growth of the worker, ${rounds + 1} pulls and their syncs, MB`, await all.stop()),
  ];
}

export const pullScenario: Scenario<Plan> = {
  name: 'pull',
  title: 'A roster pulled from a fake of Personio, compared with plain sequential requests',
  plans: { full: { people: 10_000, rounds: 5 }, quick: { people: 1_000, rounds: 1 } },
  run: (plan) => withFolder((folder) => measure(folder, plan)),
};
