import { command } from '../define.ts';
import { flag } from '../options.ts';

export const serviceCommands = {
  serve: command({
    description: 'Start the API, the portal and the worker. This is the default command.',
    examples: ['serve'],
    output: 'own',
    load: async () => (await import('../serve.ts')).serve,
  }),
  worker: command({
    description: 'Process jobs without serving the API.',
    examples: ['worker'],
    output: 'own',
    load: async () => (await import('../serve.ts')).runWorker,
  }),
  migrate: command({
    description: 'Migrate the database. Also lists employees of one company who share an email address.',
    options: { plan: flag('Only print what would run. The exit code is 2 if that is anything, else 0') },
    examples: ['migrate', 'migrate --plan'],
    exitCode: ({ pending = [] }: { pending?: unknown[] }) => (pending.length > 0 ? 2 : 0),
    load: async () => (await import('../migrate.ts')).migrate,
  }),
  openapi: command({
    description: 'Print the OpenAPI document. Needs no database.',
    examples: ['openapi > openapi.json'],
    output: 'json',
    load: async () => (await import('../openapi.ts')).printOpenApi,
  }),
};
