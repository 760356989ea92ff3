import { startApi, startWorkerProcess, type WorkerProcess } from '../../harness/processes.ts';
import { connectDatabase, type Db } from '../../src/platform/db/database.ts';
import type { EmbeddedUrls } from '../../src/platform/db/embedded/roles.ts';
import { prepareDatabase } from '../../src/platform/db/prepare-database.ts';
import { listJobsSetAside, releaseJob } from '../../src/platform/jobs/set-aside.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../test/support/app.ts';
import { type Env, type Serving, withFolder } from '../../test/support/process.ts';
import { globalSetup, globalTeardown } from '../../test/support/server.ts';
import { type OwnPostgres, startOwnPostgres } from './postgres.ts';

export interface Fixture {
  db: Db;
  postgres: OwnPostgres;
  urls: EmbeddedUrls;
  folder: string;
  startApi(env?: Env, main?: string): Promise<Serving>;
  startWorker(databaseUrl?: string, main?: string, env?: Env): Promise<WorkerProcess>;
}

async function prepare({ url, ownerUrl }: EmbeddedUrls, _folder: string): Promise<void> {
  const { db, close } = connectDatabase({ url: ownerUrl, max: 3, applicationName: 'torture', streaming: true });
  await prepareDatabase({ db, url: ownerUrl, serviceRole: new URL(url).username });
  await db.insertInto('environment').values({ name: 'staging' }).execute();
  await close();
}

/** Releases what is set aside, as an operator would: here it is known that not the jobs have ended their workers. */
function keepReleasing(db: Db): NodeJS.Timeout {
  const release = async () => {
    for (const { id } of await listJobsSetAside(db)) await releaseJob(db, id);
  };
  // The server may be down on purpose.
  return setInterval(() => release().catch(() => {}), 500);
}

/** Provides a migrated database, or one that the caller prepares. Ends every process and removes everything when the callback has finished. */
export function withFixture<T>(work: (fixture: Fixture) => Promise<T>, prepareWith = prepare): Promise<T> {
  return withFolder(async (folder) => {
    const postgres = await startOwnPostgres(folder);
    const { urls } = postgres;
    const { db, close } = connectDatabase({ url: urls.adminUrl, max: 4, applicationName: 'torture' });
    const ends: (() => Promise<unknown>)[] = [];
    let releasing: NodeJS.Timeout | undefined;
    try {
      await prepareWith(urls, folder);
      return await work({
        db,
        postgres,
        urls,
        folder,
        async startApi(env, main) {
          const api = await startApi(urls.url, folder, env, main);
          ends.push(() => {
            api.signal('SIGKILL');
            return api.exited;
          });
          return api;
        },
        async startWorker(databaseUrl = urls.url, main = undefined, env = {}) {
          const worker = await startWorkerProcess(databaseUrl, folder, main, env);
          releasing ??= keepReleasing(db);
          ends.push(() => worker.end('SIGKILL'));
          return worker;
        },
      });
    } finally {
      clearInterval(releasing);
      for (const end of ends.reverse()) await end();
      await close();
      await postgres.stop();
    }
  });
}

export async function withTestApp<T>(options: TestAppOptions, work: (app: TestApp) => Promise<T>): Promise<T> {
  const isOwnServer = process.env.TEST_SERVER_URL === undefined;
  if (isOwnServer) await globalSetup();
  try {
    await using app = await startTestApp(options);
    return await work(app);
  } finally {
    if (isOwnServer) {
      await globalTeardown();
      delete process.env.TEST_SERVER_URL;
    }
  }
}
