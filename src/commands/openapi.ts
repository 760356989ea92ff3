import { pino } from 'pino';
import { buildApp } from '../app.ts';
import { systemClock } from '../clock.ts';
import { connectDatabase } from '../db/database.ts';
import { createLinks } from '../http/links.ts';
import { createMetrics } from '../http/metrics.ts';
import type { Command } from './command.ts';

/** The document needs no database: routes are registered, nothing is asked. */
export const openapi: Command = {
  usage: 'openapi',
  run: async (_args, config) => {
    const log = pino({ level: 'silent' });
    const streaming = connectDatabase({ url: 'postgres://nowhere', max: 1, applicationName: 'openapi' });
    const documents = {
      put: () => Promise.reject(new Error('no store')),
      remove: () => Promise.reject(new Error('no store')),
      open: () => Promise.reject(new Error('no store')),
    };
    const links = createLinks(config.publicUrl);
    const queue = { enqueueSync: () => Promise.reject(new Error('no queue')) };
    const wallets = { apple: undefined, google: undefined };
    const metrics = createMetrics({ ...config, metricsPort: undefined }, log);
    const app = await buildApp(
      { config, db: streaming.db, streaming, clock: systemClock, links, documents, metrics, queue, wallets },
      log,
    );
    const document = app.swagger();
    await app.close();
    return document;
  },
};
