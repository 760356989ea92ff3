import { type CommandGroup, command } from '../../platform/cli/define.ts';
import { flag } from '../../platform/cli/options.ts';

const config: CommandGroup = {
  description: 'Check the settings',
  commands: {
    check: command({
      description:
        'Print every setting with its source, and all problems. Needs no database. The exit code is 1 if there are any.',
      examples: ['config check', 'config check --json'],
      acceptsInvalidSettings: true,
      exitCode: ({ problems }: { problems: unknown[] }) => (problems.length > 0 ? 1 : 0),
      /** Lists the settings as they take effect. Secrets are masked. */
      load:
        async () =>
        async (_options, { settings }) => ({
          settings: settings.effective,
          problems: settings.problems.map((problem) => ({ problem })),
          warnings: settings.warnings.map((warning) => ({ warning })),
        }),
    }),
  },
};

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
  distribute: command({
    description:
      'Distribute the tables of a filled database over the nodes of its Citus cluster. A new database is distributed by `migrate`.',
    examples: ['distribute'],
    load: async () => (await import('../distribute.ts')).distribute,
  }),
  config,
  doctor: command({
    description:
      'Check settings, database, queue, clock, storage, wallets and disk, and print what to do. The exit code is 1 if there are errors.',
    examples: ['doctor', 'doctor --json'],
    acceptsInvalidSettings: true,
    exitCode: ({ errors }: { errors: number }) => (errors > 0 ? 1 : 0),
    async load() {
      const { examine } = await import('../doctor/index.ts');
      return (_options, { settings }) => examine(settings);
    },
  }),
  openapi: command({
    description: 'Print the OpenAPI document. Needs no database.',
    examples: ['openapi > openapi.json'],
    output: 'json',
    load: async () => (await import('../openapi.ts')).printOpenApi,
  }),
};
