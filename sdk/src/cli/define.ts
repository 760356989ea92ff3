import type { ParseArgsConfig } from 'node:util';
import type { TransitBenefits } from '../client.ts';
import { usageError } from './errors.ts';
import type { Terminal } from './terminal.ts';

export interface Option {
  type: 'string' | 'boolean';
  description: string;
  /** The word for the value in help. */
  value?: string;
  /** The values that are allowed, which completion offers. */
  choices?: readonly string[];
  multiple?: true;
}

export interface CommandContext {
  terminal: Terminal;
  /** The words after the command that are no options. */
  words: string[];
  /** The options, by their names. */
  options: Record<string, string | string[] | boolean | undefined>;
  /** Creates the client from the options, the environment or the stored key. */
  connect(): TransitBenefits;
  signal: AbortSignal;
}

export interface Command {
  /** Words in the order in which they are typed: `employees show`. */
  name: string;
  /** The words that follow, such as `<id>`. */
  operands?: string;
  description: string;
  options: Record<string, Option>;
  run(context: CommandContext): Promise<number | undefined>;
}

export const globalOptions: Record<string, Option> = {
  json: { type: 'boolean', description: 'Print JSON instead of text' },
  jq: { type: 'string', value: 'FILTER', description: 'Filter the JSON with the program jq' },
  url: { type: 'string', value: 'URL', description: 'Address of the service that the key is for' },
  profile: { type: 'string', value: 'NAME', description: 'Which stored key to use' },
  help: { type: 'boolean', description: 'Show help' },
  version: { type: 'boolean', description: 'Show the version' },
};

/** Returns the options in the form of `parseArgs`. */
export function toParseOptions(options: Record<string, Option>): NonNullable<ParseArgsConfig['options']> {
  const all = Object.entries({ ...globalOptions, ...options });
  return Object.fromEntries(all.map(([name, { type, multiple }]) => [name, { type, ...(multiple && { multiple }) }]));
}

/** Returns a text option, or undefined. */
export function textOf({ options }: CommandContext, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the values of an option that may be repeated or separated by commas. Throws for one that is not allowed. */
export function listOf<T extends string>(
  { options }: CommandContext,
  name: string,
  choices: readonly T[],
): T[] | undefined {
  const value = options[name];
  if (!Array.isArray(value)) return undefined;
  const words = value.flatMap((one) => one.split(','));
  const wrong = words.find((word) => !choices.includes(word as T));
  if (wrong !== undefined) throw usageError(`--${name} ${wrong}: use one of ${choices.join(', ')}.`);
  return words as T[];
}

/** Returns the value of an option with a fixed list of values, or undefined. Throws for any other value. */
export function choiceOf<T extends string>(
  context: CommandContext,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = textOf(context, name);
  if (text === undefined || choices.includes(text as T)) return text as T | undefined;
  throw usageError(`--${name} ${text}: use one of ${choices.join(', ')}.`);
}

/** Returns a whole number, or undefined. */
export function numberOf(context: CommandContext, name: string): number | undefined {
  const text = textOf(context, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw usageError(`--${name} ${text}: use a whole number.`);
  return Number(text);
}
