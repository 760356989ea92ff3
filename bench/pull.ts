import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { request } from 'undici';
import { atMost, info, type Metric } from '../harness/metrics.ts';
import { median, watchMemory } from '../harness/observe.ts';
import { startWorkerProcess } from '../harness/processes.ts';
import type { Scenario } from '../harness/scenario.ts';
import { personio } from '../src/features/connectors/providers/personio.ts';
import { connectIntegration } from '../src/features/connectors/pull/connect.ts';
import { requestPull } from '../src/features/connectors/pull/schedule.ts';
import { findPull } from '../src/features/connectors/pull/store.ts';
import { insertHrIntegration } from '../src/features/integrations/change-integration.ts';
import { createEncryption } from '../src/platform/crypto/encryption.ts';
import type { Db } from '../src/platform/db/database.ts';
import { writeCompany } from '../src/platform/db/write.ts';
import { openQueue, type Queue } from '../src/platform/jobs/queue.ts';
import { makeCompany } from '../test/support/factories.ts';
import { until } from '../test/support/until.ts';
import { type Server, withServer } from './database.ts';
import { startServer } from './processes/index.ts';

type Plan = Record<'people' | 'rounds', number>;

const credentials = { clientId: 'papi-client', clientSecret: 'papi-secret' };

interface Page {
  data?: unknown[];
  _meta?: { links: { next?: { href: string } } };
}

async function measurePlain(origin: string): Promise<number> {
  const begun = performance.now();
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
  });
  const { body } = await request(`${origin}/v2/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  const { access_token: token } = (await body.json()) as { access_token: string };
  const get = async (path: string) => {
    const { body } = await request(`${origin}${path}`, { headers: { authorization: `Bearer ${token}` } });
    return (await body.json()) as Page;
  };
  for (let path: string | undefined = '/v2/absence-periods?limit=100'; path !== undefined; ) {
    const page: Page = await get(path);
    path = page._meta?.links.next?.href.replace(/^https:\/\/[^/]+/, '');
  }
  for (let offset = 0, size = -1; size !== 0; offset += size) {
    size = (await get(`/v1/company/employees?limit=100&offset=${offset}`)).data?.length ?? 0;
  }
  return performance.now() - begun;
}

interface Setting {
  db: Db;
  queue: Queue;
  secret: string;
}

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

async function measure({ url, db, folder, stops }: Server, { people, rounds }: Plan): Promise<Metric[]> {
  const { url: origin, stop } = await startServer('fake-personio', { count: people });
  stops.defer(stop);
  const secret = randomBytes(32).toString('hex');
  const worker = await startWorkerProcess(url, folder, undefined, { SECRET: secret, PERSONIO_URL: origin });
  stops.defer(() => worker.end('SIGTERM'));
  const queue = await openQueue({ url, worker: false, log: pino({ level: 'silent' }) });
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
  run: (plan) => withServer((server) => measure(server, plan)),
};
