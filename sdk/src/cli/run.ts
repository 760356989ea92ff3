import { parseArgs } from 'node:util';
import { findNearestName } from '../../../src/domain/nearest-name.ts';
import { TransitBenefits } from '../client.ts';
import {
  ApiError,
  AuthenticationError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  SyncFailedError,
} from '../errors.ts';
import { apiCommands } from './api.ts';
import { billingCommands } from './billing.ts';
import { createCompletion } from './completion.ts';
import { type Command, type CommandContext, globalOptions, type Option, textOf, toParseOptions } from './define.ts';
import { employeeCommands } from './employees.ts';
import { CommandError, exitCodes, usageError } from './errors.ts';
import { eventCommands } from './events.ts';
import { integrationCommands } from './integrations.ts';
import { startJq } from './jq.ts';
import { defaultUrl, loginCommands, profileOf } from './login.ts';
import { originOf, readKeys, type StoredKey } from './stored-keys.ts';
import { subscriptionCommands } from './subscriptions.ts';
import { syncCommands } from './sync.ts';
import { note, print, printable, type Terminal } from './terminal.ts';

const commands: Command[] = [
  ...loginCommands,
  ...employeeCommands,
  ...subscriptionCommands,
  ...syncCommands,
  ...billingCommands,
  ...integrationCommands,
  ...eventCommands,
  ...apiCommands,
  createCompletion(() => commands),
];

/** Says what the words may mean: a command of a group, or one that is spelt almost like them. */
function unknownCommand(words: readonly string[]): CommandError {
  const typed = words.filter((word) => !word.startsWith('-'));
  const [group = ''] = typed;
  const names = commands.map(({ name }) => name);
  const inGroup = names.filter((name) => name.startsWith(`${group} `)).map((name) => name.slice(group.length + 1));
  if (inGroup.length > 0 && typed.length === 1)
    return usageError(`\`transit ${group}\` needs a command: ${inGroup.join(', ')}.`);
  const nearest =
    findNearestName(typed.slice(0, 2).join(' '), names) ??
    findNearestName(group, names) ??
    (inGroup.length > 0
      ? undefined
      : findNearestName(group, [...new Set(names.map((name) => name.split(' ')[0] ?? ''))]));
  const hint = nearest === undefined ? '' : ` Did you mean \`transit ${nearest}\`?`;
  const shown = printable(typed.slice(0, 2).join(' '));
  return usageError(`There is no command "${shown}".${hint} \`transit --help\` lists all of them.`);
}

function findCommand(words: readonly string[]): { command: Command; rest: string[] } | undefined {
  for (const command of commands) {
    const name = command.name.split(' ');
    if (name.every((word, index) => words[index] === word)) return { command, rest: words.slice(name.length) };
  }
  return undefined;
}

const formatOptions = (options: Record<string, Option>) =>
  Object.entries(options)
    .map(([name, { value, description }]) => `  ${`--${name}${value ? ` ${value}` : ''}`.padEnd(24)} ${description}\n`)
    .join('');

function formatHelp(command: Command | undefined): string {
  if (command !== undefined) {
    const usage = ['transit', command.name, command.operands].filter((word) => word !== undefined).join(' ');
    return `${command.description}.\n\nUsage: ${usage} [options]\n\n${formatOptions({ ...command.options, ...globalOptions })}`;
  }
  const list = commands
    .map(({ name, operands = '', description }) => `  ${`${name} ${operands}`.padEnd(36)} ${description}\n`)
    .join('');
  return `Usage: transit <command> [options]\n\n${list}\n\`transit <command> --help\` shows the options of a command.\n`;
}

/**
 * Returns the client. A key in the environment wins over a stored one. Each is sent only to the origin that it was given
 * for: `--url` of a copied command must not hand it to somebody else.
 */
function connect(context: CommandContext): TransitBenefits {
  const { env } = context.terminal;
  const given = findGivenKey(env);
  const profile = profileOf(context);
  const stored = given ?? readKeys(env)[profile];
  if (stored === undefined) {
    throw new CommandError(
      'You are not signed in. Run `transit login`, or set TRANSIT_BENEFITS_KEY.',
      exitCodes.credentials,
    );
  }
  if (!/^[^:]+:./s.test(stored.key)) {
    throw new CommandError(
      'TRANSIT_BENEFITS_KEY is incomplete. It has the form username:password.',
      exitCodes.credentials,
    );
  }
  const baseUrl = textOf(context, 'url') ?? (env.TRANSIT_BENEFITS_URL || stored.url);
  const [requested, own] = [originOf(baseUrl), originOf(stored.url)];
  if (requested === own) return new TransitBenefits({ key: stored.key, baseUrl });
  throw new CommandError(
    given
      ? `TRANSIT_BENEFITS_KEY is only sent to ${own}. For another service, set TRANSIT_BENEFITS_URL=${requested} together with a key of it.`
      : `The key stored as ${printable(profile)} is only sent to ${own}. ${describeOtherKey(context, requested)}`,
    exitCodes.credentials,
  );
}

/** Returns the key of the environment. It belongs to the address of the environment. */
const findGivenKey = (env: Terminal['env']): StoredKey | undefined =>
  env.TRANSIT_BENEFITS_KEY ? { key: env.TRANSIT_BENEFITS_KEY, url: env.TRANSIT_BENEFITS_URL || defaultUrl } : undefined;

function describeOtherKey({ terminal }: CommandContext, origin: string): string {
  const fitting = Object.entries(readKeys(terminal.env)).find(([, { url }]) => originOf(url) === origin);
  return fitting === undefined
    ? `For ${origin}, run \`transit login --url ${origin} --profile NAME\` with a key of that service.`
    : `For ${origin}, use --profile ${printable(fitting[0])}.`;
}

function exitCodeOf(error: unknown, signal: AbortSignal): number {
  if (signal.aborted) return exitCodes.interrupted;
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof AuthenticationError || error instanceof PermissionError) return exitCodes.credentials;
  if (error instanceof NotFoundError) return exitCodes.notFound;
  if (error instanceof SyncFailedError) return exitCodes.syncFailed;
  return exitCodes.failure;
}

/** Says what happened, and what to do about it. */
function report(terminal: Terminal, error: unknown, exitCode: number): void {
  const { message } = error as Error;
  const { code, remedy, requestId, errors } = error instanceof ApiError ? error : ({} as Partial<ApiError>);
  if (terminal.isJson) {
    const problem = { message, code, remedy, requestId, errors: errors?.length ? errors : undefined };
    note(terminal, JSON.stringify({ error: { ...problem, exitCode } }));
    return;
  }
  for (const line of message.split('\n')) note(terminal, printable(line));
  for (const { pointer, parameter, detail } of errors ?? [])
    note(terminal, `  ${pointer ?? parameter}: ${printable(detail)}`);
  if (remedy !== undefined && !(error instanceof InvalidRequestError)) note(terminal, remedy);
  if (requestId !== undefined) note(terminal, `Request ${requestId}`);
}

function parse(command: Command, rest: string[]) {
  try {
    const config = { args: rest, options: toParseOptions(command.options), allowPositionals: true } as const;
    return parseArgs(config);
  } catch (error) {
    const help = `\`transit ${command.name} --help\` shows the options.`;
    const { code, message } = error as Error & { code?: string };
    if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw usageError(`${message.split('\n')[0]} ${help}`);
    const [, unknown = ''] = /'(-[^']*)'/.exec(message) ?? [];
    const known = Object.keys({ ...command.options, ...globalOptions });
    const nearest = findNearestName(unknown.replace(/^-+/, ''), known);
    const hint = nearest === undefined ? '' : ` Did you mean --${nearest}?`;
    throw usageError(`There is no option ${printable(unknown)}.${hint} ${help}`);
  }
}

/** Runs one command line. Returns the exit code. */
export async function runCli(
  words: readonly string[],
  streams: Omit<Terminal, 'isJson'>,
  version: string,
  signal: AbortSignal,
): Promise<number> {
  const isJson = words.some((word) => word === '--json' || /^--jq(?:=|$)/.test(word));
  const terminal: Terminal = { ...streams, isJson };
  let filter: Awaited<ReturnType<typeof startJq>> | undefined;
  try {
    const found = findCommand(words);
    if (words.includes('--version')) return await print(terminal, `${version}\n`).then(() => exitCodes.success);
    if (words.includes('--help') || words.length === 0 || words[0] === 'help') {
      const topic = words[0] === 'help' ? findCommand(words.slice(1)) : found;
      await print(terminal, formatHelp(topic?.command));
      return exitCodes.success;
    }
    if (found === undefined) throw unknownCommand(words);
    const { values, positionals } = parse(found.command, found.rest);
    if (found.command.operands === undefined && positionals.length > 0) {
      const help = `\`transit ${found.command.name} --help\` shows the options.`;
      throw usageError(`"${printable(positionals.join(' '))}" is too much. ${help}`);
    }
    const options = values as CommandContext['options'];
    filter = typeof options.jq === 'string' ? await startJq(terminal, options.jq) : undefined;
    const context: CommandContext = {
      ...{ terminal: filter?.terminal ?? terminal, words: positionals, options, signal },
      connect: () => connect(context),
    };
    const exitCode = (await found.command.run(context)) ?? exitCodes.success;
    await filter?.end();
    return exitCode;
  } catch (error) {
    await filter?.end().catch(() => {});
    const exitCode = exitCodeOf(error, signal);
    if (!signal.aborted) report(terminal, error, exitCode);
    return exitCode;
  }
}
