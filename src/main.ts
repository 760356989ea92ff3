import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Command, createArguments } from './commands/command.ts';
import { readConfig } from './config.ts';
import { OperatorError } from './operator-error.ts';

// Caches the compiled modules below, whose compilation takes a second of every start.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));

/** Commands are loaded on demand, so that a command that writes one row need not load the HTTP application. */
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./commands/serve.ts')).serve,
  worker: async () => (await import('./commands/serve.ts')).worker,
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
  'company create': async () => (await import('./commands/company.ts')).companyCreate,
  'company set': async () => (await import('./commands/company.ts')).companySet,
  'company show': async () => (await import('./commands/company.ts')).companyShow,
  'company list': async () => (await import('./commands/company.ts')).companyList,
  'key create': async () => (await import('./commands/key.ts')).keyCreate,
  'key rotate': async () => (await import('./commands/key.ts')).keyRotate,
  'key revoke': async () => (await import('./commands/key.ts')).keyRevoke,
  'user create': async () => (await import('./commands/user.ts')).userCreate,
  'user list': async () => (await import('./commands/user.ts')).userList,
  'user reset-password': async () => (await import('./commands/user.ts')).userResetPassword,
  'user disable': async () => (await import('./commands/user.ts')).userDisable,
  'user remove': async () => (await import('./commands/user.ts')).userRemove,
  'integration create': async () => (await import('./commands/integration.ts')).integrationCreate,
  'integration set': async () => (await import('./commands/integration.ts')).integrationSet,
  'document add': async () => (await import('./commands/document.ts')).documentAdd,
  'sync approve': async () => (await import('./commands/sync.ts')).syncApprove,
  'sync reject': async () => (await import('./commands/sync.ts')).syncReject,
  'employee link': async () => (await import('./commands/employee.ts')).employeeLink,
  'employee history': async () => (await import('./commands/employee.ts')).employeeHistory,
  'employee erase': async () => (await import('./commands/employee.ts')).employeeErase,
  'contract decide': async () => (await import('./commands/contract.ts')).contractDecide,
  'lifecycle run': async () => (await import('./commands/lifecycle.ts')).lifecycleRun,
  'billing run': async () => (await import('./commands/billing.ts')).billingRun,
  'billing correct': async () => (await import('./commands/billing.ts')).billingCorrect,
  'price list': async () => (await import('./commands/price.ts')).priceList,
  'price set': async () => (await import('./commands/price.ts')).priceSet,
  'counts verify': async () => (await import('./commands/counts.ts')).countsVerify,
  'ticket public-key': async () => (await import('./commands/ticket.ts')).ticketPublicKey,
  'ticket verify': async () => (await import('./commands/ticket.ts')).ticketVerify,
  'time-travel': async () => (await import('./commands/lifecycle.ts')).timeTravel,
  openapi: async () => (await import('./commands/openapi.ts')).openapi,
};

async function usage(): Promise<string> {
  const all = await Promise.all(Object.values(commands).map((load) => load()));
  return `Commands: ${all.map((command) => command.usage).join(' · ')}`;
}

/** Derives the options from the usage line of the command, so that the two cannot differ. */
function optionsOf({ usage: line }: Command) {
  const options = [...line.matchAll(/--([a-z-]+)( )?/g)].map(([, name = '', space]) => {
    // An option without a value is a flag.
    const type: 'string' | 'boolean' = space === undefined ? 'boolean' : 'string';
    return [name, { type }] as const;
  });
  return Object.fromEntries(options);
}

async function findCommand(words: string[]): Promise<{ command: Command; rest: string[] }> {
  for (const length of [2, 1]) {
    const load = commands[words.slice(0, length).join(' ')];
    if (load !== undefined) return { command: await load(), rest: words.slice(length) };
  }
  throw new OperatorError(`Unknown command "${words.slice(0, 2).join(' ')}". ${await usage()}`);
}

async function main(words: string[]): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const { command, rest } = await findCommand(words.length > 0 ? words : ['serve']);
  const parsed = (() => {
    try {
      return parseArgs({ args: rest, options: optionsOf(command), allowPositionals: true });
    } catch (error) {
      // If a value begins with a dash, the message has several lines.
      const message = (error as Error).message.replaceAll('\n', ' ');
      throw new OperatorError(`${message} Usage: ${command.usage}`);
    }
  })();
  const result = await command.run(createArguments(parsed.values, parsed.positionals), readConfig(process.env));
  if (result !== undefined) process.stdout.write(`${JSON.stringify(result)}\n`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const line = error instanceof OperatorError ? error.message : ((error as Error).stack ?? String(error));
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}
