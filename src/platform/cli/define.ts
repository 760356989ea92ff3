import type { Readable, Writable } from 'node:stream';
import type { Config, Settings } from '../config/config.ts';
import type { OptionDefinition, ValuesOf } from './options.ts';

export interface CliStreams {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable;
}

export interface CommandContext extends CliStreams {
  config: Config;
  settings: Settings;
}

/** Does the work of a command and returns the value to print. Undefined: it has printed its output itself. */
type Run<Values> = (values: Values, context: CommandContext) => Promise<unknown>;

export interface CommandOptions<O extends Record<string, OptionDefinition>> {
  description: string;
  /** By name in camel case. Positional arguments come first. */
  options?: O;
  /** Without the program's name. */
  examples: readonly string[];
  /** What a successful command prints: by default a table at a terminal and JSON elsewhere. */
  output?: 'json' | 'own';
  /** Returns the exit code for a printed value. Absent: 0. */
  // biome-ignore lint/suspicious/noExplicitAny: each command prints a value of its own shape.
  exitCode?(value: any): number;
  /** Whether the command runs even if settings are invalid, because it reports them. */
  acceptsInvalidSettings?: boolean;
  /** Loads the implementation. Help and other commands need not wait for its modules. */
  load(): Promise<Run<ValuesOf<O>>>;
}

export interface CommandDefinition extends Omit<CommandOptions<Record<string, OptionDefinition>>, 'load'> {
  load(): Promise<Run<Record<string, unknown>>>;
}

/** Checks that the implementation of a command accepts the values of its options. */
// biome-ignore lint/complexity/noBannedTypes: a command without options has no names to look up.
export const command = <O extends Record<string, OptionDefinition> = {}>(definition: CommandOptions<O>) =>
  definition as unknown as CommandDefinition;

export interface CommandGroup {
  description: string;
  commands: Record<string, CommandDefinition | CommandGroup>;
}

export interface CommandSection {
  heading: string;
  entries: Record<string, CommandDefinition | CommandGroup>;
}
