import type { CliStreams } from '../platform/cli/define.ts';
import { formatTable } from '../platform/cli/table.ts';
import type { OutputOptions } from './program.ts';

/**
 * Prints the value of a command: a table at a terminal, else one line of JSON. `isTableKnown`: whether the
 * command has a table at all.
 */
export function printValue(
  value: unknown,
  { stdout }: Pick<CliStreams, 'stdout'>,
  { json, table }: OutputOptions,
  isTableKnown: boolean,
): void {
  const isTable = isTableKnown && !json && (table || stdout.isTTY === true);
  const line = JSON.stringify(value);
  stdout.write(isTable ? formatTable(JSON.parse(line), stdout.columns) : `${line}\n`);
}
