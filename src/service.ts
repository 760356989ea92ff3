import type { FastifyBaseLogger } from 'fastify';
import { buildApp } from './app.ts';
import { systemClock } from './clock.ts';
import type { Config } from './config.ts';
import type { Db } from './db/database.ts';
import { openDatabase } from './db/open.ts';
import { type DocumentStore, openDocumentStore } from './employee-documents/store.ts';
import { createLinks } from './http/links.ts';
import { createMetrics } from './http/metrics.ts';
import { OperatorError } from './operator-error.ts';

export interface Service {
  /** Where it listens, which PORT=0 leaves to the system. */
  address: string;
  db: Db;
  documents: DocumentStore;
  stop(): Promise<void>;
}

async function listen(app: Awaited<ReturnType<typeof buildApp>>, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE') {
      throw new OperatorError(`Port ${port} is in use: stop what listens there, or set PORT to another one.`);
    }
    if (code === 'EACCES')
      throw new OperatorError(`Port ${port} may not be opened by this user: set PORT to one above 1023.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new OperatorError(`HOST=${host} is no address of this machine.`);
    throw error;
  }
}

/** Database, HTTP side and metrics, started in this order and stopped in the reverse one. */
export async function startService(config: Config, log: FastifyBaseLogger): Promise<Service> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    while (stops.length > 0) await stops.pop()?.();
  };
  try {
    const onError = (error: Error) => log.warn({ err: error }, 'idle database connection lost');
    const database = await openDatabase(config, { role: 'serve', onError });
    stops.push(database.close);
    const streaming = database.connect({ max: 4, streaming: true });
    stops.push(streaming.close);
    const documents = await openDocumentStore(config.documentStore);
    const metrics = createMetrics(config, log);
    const parts = {
      config,
      db: database.db,
      streaming,
      clock: systemClock,
      links: createLinks(config.publicUrl),
      documents,
      metrics,
    };
    const app = await buildApp(parts, log);
    await metrics.start();
    stops.push(metrics.stop, () => app.close());
    return { address: await listen(app, config), db: database.db, documents, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
