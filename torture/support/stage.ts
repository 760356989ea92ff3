import { startApi } from '../../harness/processes.ts';
import { connectDatabase, type Db } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type Env, type Serving, withFolder } from '../../test/support/process.ts';
import { type OwnPostgres, startOwnPostgres } from './postgres.ts';

export interface Stage {
  db: Db;
  postgres: OwnPostgres;
  databaseUrl: string;
  folder: string;
  /**
   * Starts an API on this database, by default without a worker. It ends with the stage, unless it has ended before.
   */
  startApi(env?: Env): Promise<Serving>;
}

/** Provides a separate database and API processes. All of them are removed when the callback has finished. */
export function withStage<T>(work: (stage: Stage) => Promise<T>): Promise<T> {
  return withFolder(async (folder) => {
    const postgres = await startOwnPostgres(folder);
    const { db, close } = connectDatabase({ url: postgres.url, max: 4, applicationName: 'torture' });
    const started: Serving[] = [];
    try {
      await migrate(db);
      return await work({
        db,
        postgres,
        databaseUrl: postgres.url,
        folder,
        async startApi(env) {
          const api = await startApi(postgres.url, folder, env);
          started.push(api);
          return api;
        },
      });
    } finally {
      for (const api of started) {
        api.signal('SIGKILL');
        await api.exited;
      }
      await close();
      await postgres.stop();
    }
  });
}
