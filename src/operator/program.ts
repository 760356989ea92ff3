import { Argument, Command, type CommanderError, Option } from 'commander';
import type { CliStreams, CommandDefinition, CommandGroup } from '../platform/cli/define.ts';
import { type OptionDefinition, parseOption, toFlag } from '../platform/cli/options.ts';
import { OperatorError } from '../platform/config/operator-error.ts';
import { sections } from './definitions/index.ts';

/** How users start the program. The help shows commands that can be pasted. */
const programName = 'npm run -s cli --';

const epilogue = `
Output:
  Commands print a table at a terminal and one line of JSON elsewhere. --json and --table choose.

Exit codes:
  0  The command succeeded.
  1  The command failed. One line on stderr says what happened and what to do.
  2  "migrate --plan": migrations are pending.
`;

/** Help or the version was printed, which ends the program successfully. */
export class OutputShown extends Error {}

type Execute = (definition: CommandDefinition, values: Record<string, unknown>, output: OutputOptions) => Promise<void>;

export interface OutputOptions {
  json?: boolean;
  table?: boolean;
}

interface ProgramOptions {
  argv: readonly string[];
  version: string;
  streams: CliStreams;
  execute: Execute;
}

const pointToHelp = (command: Command) => `Run "${fullName(command)} --help" to see what it accepts.`;

const describe = ({ description, isRequired, argumentLabel }: OptionDefinition) =>
  isRequired && argumentLabel === undefined ? `${description} (required)` : description;

const isGroup = (entry: CommandDefinition | CommandGroup): entry is CommandGroup => 'commands' in entry;

const fullName = (command: Command): string =>
  command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;

function describeUsageError({ code, message }: CommanderError, command: Command): string {
  const remedy = pointToHelp(command);
  if (code === 'commander.help') {
    const names = command.commands.map((one) => one.name()).join(', ');
    return `"${command.name()}" needs a command: ${names}. ${remedy}`;
  }
  const [what = '', suggestion = ''] = message.replace(/^error: /, '').split('\n');
  const sentence = `${what.charAt(0).toUpperCase()}${what.slice(1).replace(/\.$/, '')}.`;
  return [sentence, suggestion.replace(/^\((.*)\)$/, '$1'), remedy].filter(Boolean).join(' ');
}

function throwErrors(command: Command): void {
  command.exitOverride((error) => {
    if (error.exitCode === 0) throw new OutputShown();
    throw new OperatorError(describeUsageError(error, command));
  });
}

/** Throws if the value of an option is missing and the next option would be taken for it. */
function assertNoForgottenValue(argv: readonly string[], flag: string, value: string): void {
  const isNextWord = argv.some((word, index) => word === flag && argv[index + 1] === value);
  if (value.startsWith('-') && isNextWord) {
    throw new OperatorError(
      `The value of ${flag} is missing: "${value}" follows it. A value that begins with a dash is written ${flag}=${value}.`,
    );
  }
}

function addOptions(command: Command, { options = {}, output }: CommandDefinition, argv: readonly string[]): void {
  for (const [name, option] of Object.entries(options)) {
    if (option.argumentLabel !== undefined) {
      // Optional for the parser: `parseValues` reports a missing argument by its label.
      command.addArgument(new Argument(`[${option.placeholder}]`, describe(option)));
      command.usage(`<${option.placeholder}> [options]`);
      continue;
    }
    const flag = toFlag(name);
    if (option.placeholder === undefined) {
      command.addOption(new Option(flag, describe(option)));
      continue;
    }
    const added = new Option(`${flag} <${option.placeholder}>`, describe(option));
    if (option.choices !== undefined) added.choices(option.choices);
    // Replaces the parser of `choices`, so that all messages are worded in one place: `parseOption`.
    added.argParser((value: string) => {
      assertNoForgottenValue(argv, flag, value);
      return value;
    });
    command.addOption(added);
  }
  if (output !== 'own') command.addOption(new Option('--json', 'Print JSON').conflicts('table'));
  if (output === undefined) command.addOption(new Option('--table', 'Print a table'));
}

function parseValues({ options = {} }: CommandDefinition, command: Command): Record<string, unknown> {
  const given = command.opts();
  const positionals = [...command.args];
  const values = Object.entries(options).map(([name, option]) => {
    const { argumentLabel } = option;
    const value = argumentLabel === undefined ? given[name] : positionals.shift();
    const label = argumentLabel ?? toFlag(name);
    const parsed = parseOption(option, value, label);
    if (parsed === undefined && option.isRequired) {
      throw new OperatorError(`${label} is missing. ${pointToHelp(command)}`);
    }
    return [name, parsed];
  });
  return Object.fromEntries(values);
}

const formatExamples = (examples: readonly string[]) =>
  `\nExamples:\n${examples.map((example) => `  ${programName} ${example}`).join('\n')}\n`;

function addCommand(parent: Command, name: string, definition: CommandDefinition, options: ProgramOptions): Command {
  const command = parent.command(name).description(definition.description);
  addOptions(command, definition, options.argv);
  command.addHelpText('after', formatExamples(definition.examples));
  throwErrors(command);
  command.action(async () => {
    await options.execute(definition, parseValues(definition, command), command.opts());
  });
  return command;
}

function addGroup(parent: Command, name: string, group: CommandGroup, options: ProgramOptions): Command {
  const names = Object.keys(group.commands).join(', ');
  const command = parent.command(name).description(`${group.description}.`).summary(`${group.description}: ${names}`);
  throwErrors(command);
  for (const [word, entry] of Object.entries(group.commands)) addEntry(command, word, entry, options);
  return command;
}

const addEntry = (parent: Command, name: string, entry: CommandDefinition | CommandGroup, options: ProgramOptions) =>
  isGroup(entry) ? addGroup(parent, name, entry, options) : addCommand(parent, name, entry, options);

export function createProgram(options: ProgramOptions): Command {
  const { stdout } = options.streams;
  const program = new Command(programName)
    .description('Employee Transit Ticket Benefits: starts the service and manages its data.')
    .usage('[command] [options]')
    .version(options.version, '--version', 'Print the version')
    .helpOption('-h, --help', 'Print this help')
    .commandsGroup('Help:')
    .helpCommand('help [command]', 'Print the help of a command')
    // The caller prints the one line of an error.
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: () => {},
      getOutHelpWidth: () => stdout.columns ?? 100,
      getOutHasColors: () => false,
    })
    .addHelpText('after', epilogue);
  throwErrors(program);
  for (const { heading, entries } of sections) {
    for (const [name, entry] of Object.entries(entries)) {
      addEntry(program, name, entry, options).helpGroup(heading);
    }
  }
  return program;
}
