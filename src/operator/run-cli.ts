import type { CliStreams, CommandDefinition } from '../platform/cli/define.ts';
import { toFlag } from '../platform/cli/options.ts';
import { formatTable } from '../platform/cli/table.ts';
import { OperatorError } from '../platform/config/operator-error.ts';
import { readVersion } from '../platform/config/version.ts';
import { describeDiskFull, isDiskFull, isNodeUnavailable } from '../platform/db/unavailable.ts';
import { ApiError, NotFoundError } from '../platform/http/errors.ts';
import { createProgram, type OutputOptions, OutputShown } from './program.ts';

export interface CliOptions extends CliStreams {
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  /** The names in `env` that come from the file `.env`. */
  dotEnv?: readonly string[];
}

/** Returns the sentence of a problem that a use case has with its input. Options are named like values of a request. */
function describeProblem(problem: ApiError): string {
  if (problem instanceof NotFoundError) return `The company has no such ${problem.what}: check the id and --company.`;
  const { errors = [] } = problem.extra;
  const sentences = errors.map(
    (error) => `${'pointer' in error ? toFlag(error.pointer.slice(1)) : error.parameter} ${error.detail}.`,
  );
  return sentences.join(' ') || problem.message;
}

/** An outage needs no stack, which would hide what to do. */
function describe(error: unknown): string {
  if (error instanceof OperatorError && !isDiskFull(error)) return error.message;
  if (error instanceof ApiError) return describeProblem(error);
  if (isDiskFull(error)) return `${describeDiskFull(error)}. Free some space or enlarge it, then repeat the command.`;
  if (isNodeUnavailable(error)) return `The database is unreachable: ${error.message}. Repeat the command later.`;
  return (error as Error).stack ?? String(error);
}

/** Prints a table at a terminal, else one line of JSON. `isTableKnown`: whether the command has a table. */
function printValue(
  value: unknown,
  { stdout }: Pick<CliStreams, 'stdout'>,
  { json, table }: OutputOptions,
  isTableKnown: boolean,
): void {
  const isTable = isTableKnown && !json && (table || stdout.isTTY === true);
  const line = JSON.stringify(value);
  stdout.write(isTable ? formatTable(JSON.parse(line), stdout.columns) : `${line}\n`);
}

/** Runs one command and returns its exit code. Reads settings from `env` only and never ends the process. */
export async function runCli({ argv, env, dotEnv, ...streams }: CliOptions): Promise<number> {
  let exitCode = 0;
  const execute = async (definition: CommandDefinition, values: Record<string, unknown>, output: OutputOptions) => {
    const { readSettings, takeConfig } = await import('../platform/config/config.ts');
    const settings = readSettings(env, dotEnv);
    const config = definition.acceptsInvalidSettings ? settings.config : takeConfig(settings);
    const run = await definition.load();
    const value = await run(values, { ...streams, config, settings });
    if (value === undefined) return;
    printValue(value, streams, output, definition.output === undefined);
    exitCode = definition.exitCode?.(value) ?? 0;
  };
  const words = argv.length > 0 ? argv : ['serve'];
  try {
    await createProgram({ argv: words, version: readVersion(), streams, execute }).parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof OutputShown) return 0;
    streams.stderr.write(`${describe(error)}\n`);
    return 1;
  }
}
