import { type Env, freePort, type Serving, serve, work } from '../test/support/process.ts';

export async function startApi(databaseUrl: string, folder: string, env: Env = {}, main?: string): Promise<Serving> {
  const port = String(await freePort());
  const quiet = { DEMO: 'off', RATE_LIMIT_PER_MINUTE: '0', HEAVY_REQUESTS_PER_KEY: '0', LOG_LEVEL: 'error' };
  const place = { DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` };
  return serve({ main, env: { ...quiet, WORKER: 'off', ...place, ...env } });
}

export async function startWorkerProcess(databaseUrl: string, folder: string, main?: string, env: Env = {}) {
  const worker = await work({ main, env: { DEMO: 'off', DATABASE_URL: databaseUrl, DATA_DIR: folder, ...env } });
  return { ...worker, errors: () => worker.output.stdout + worker.output.stderr };
}

export type WorkerProcess = Awaited<ReturnType<typeof startWorkerProcess>>;
