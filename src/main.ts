import { parseArgs } from 'node:util';
import { type Command, createArguments } from './commands/command.ts';
import { companyCreate } from './commands/company.ts';
import { documentAdd } from './commands/document.ts';
import { integrationCreate, integrationSet } from './commands/integration.ts';
import { keyCreate, keyRevoke, keyRotate } from './commands/key.ts';
import { migrateCommand } from './commands/migrate.ts';
import { openapi } from './commands/openapi.ts';
import { serve } from './commands/serve.ts';
import { readConfig } from './config.ts';
import { OperatorError } from './operator-error.ts';

const commands: Record<string, Command> = {
  serve,
  migrate: migrateCommand,
  'company create': companyCreate,
  'key create': keyCreate,
  'key rotate': keyRotate,
  'key revoke': keyRevoke,
  'integration create': integrationCreate,
  'integration set': integrationSet,
  'document add': documentAdd,
  openapi,
};

const usage = () =>
  `Commands: ${Object.values(commands)
    .map((command) => command.usage)
    .join(' · ')}`;

/** Options are declared by the usage line of their command, so that the two cannot differ. */
function optionsOf({ usage: line }: Command) {
  const names = [...line.matchAll(/--([a-z-]+)/g)].map((match) => match[1] ?? '');
  return Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
}

function findCommand(words: string[]): { command: Command; rest: string[] } {
  for (const length of [2, 1]) {
    const command = commands[words.slice(0, length).join(' ')];
    if (command !== undefined) return { command, rest: words.slice(length) };
  }
  throw new OperatorError(`Unknown command "${words.slice(0, 2).join(' ')}". ${usage()}`);
}

async function main(words: string[]): Promise<void> {
  const { command, rest } = findCommand(words.length > 0 ? words : ['serve']);
  const parsed = (() => {
    try {
      return parseArgs({ args: rest, options: optionsOf(command), allowPositionals: true });
    } catch (error) {
      throw new OperatorError(`${(error as Error).message} Usage: ${command.usage}`);
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
