import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { buildApp } from '../app.ts';
import { systemClock, unmoved } from '../clock.ts';
import { connectDatabase } from '../db/database.ts';
import { createLinks } from '../http/links.ts';
import { createMetrics } from '../http/metrics.ts';
import type { CommandContext } from './define.ts';

/** Returns the OpenAPI document without a database: routes are registered, but no query is sent. */
export async function createOpenApiDocument({ config }: Pick<CommandContext, 'config'>) {
  const log = pino({ level: 'silent' });
  const streaming = connectDatabase({ url: 'postgres://nowhere', max: 1, applicationName: 'openapi' });
  const nothing = () => Promise.reject(new Error('no query is sent'));
  const documents = { put: nothing, remove: nothing, open: nothing };
  const links = createLinks(config.publicUrl);
  const queue = { enqueueSync: nothing, enqueueDocuments: nothing, enqueueFileRemoval: nothing };
  const clock = unmoved(systemClock);
  const wallets = { apple: undefined, google: undefined };
  const metrics = createMetrics({ ...config, metricsPort: undefined }, log);
  const app = await buildApp(
    {
      config,
      db: streaming.db,
      waiting: () => 0,
      streaming,
      clock,
      links,
      documents,
      metrics,
      queue,
      wallets,
      sessionSecret: randomUUID(),
      pages: undefined,
    },
    log,
  );
  const document = app.swagger();
  await app.close();
  return document;
}

export const printOpenApi = (_options: unknown, context: CommandContext) => createOpenApiDocument(context);
