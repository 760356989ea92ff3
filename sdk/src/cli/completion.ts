import { type Command, globalOptions, type Option } from './define.ts';
import { usageError } from './errors.ts';
import { print } from './terminal.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

/** What can follow the words of a command: its options, and the values of those that have a fixed list. */
interface Completion {
  words: string[];
  options: [string, Option][];
}

const describeCommands = (commands: readonly Command[]): Completion[] =>
  commands.map(({ name, options }) => ({
    words: name.split(' '),
    options: Object.entries({ ...options, ...globalOptions }),
  }));

const unique = (words: (string | undefined)[]) => [...new Set(words.filter((word) => word !== undefined))];

/** Returns a script for bash. Zsh runs it too, with its own loader of bash completions. */
function writeBash(commands: Completion[]): string {
  const first = unique(commands.map(({ words }) => words[0]));
  const groups = first
    .map(
      (word) => [word, unique(commands.filter(({ words }) => words[0] === word).map(({ words }) => words[1]))] as const,
    )
    .filter(([, second]) => second.length > 0)
    .map(([word, second]) => `    ${word}) [ "$COMP_CWORD" -eq 2 ] && options="${second.join(' ')}" ;;`);
  const options = commands.map(
    ({ words, options }) => `    "${words.join(' ')}"*) options="${options.map(([name]) => `--${name}`).join(' ')}" ;;`,
  );
  // Options of several commands may have the same name, and then offer the values of all.
  const values = new Map<string, Set<string>>();
  for (const [name, { choices = [] }] of commands.flatMap(({ options }) => options)) {
    for (const choice of choices) values.set(name, (values.get(name) ?? new Set()).add(choice));
  }
  const chosen = [...values].map(([name, choices]) => `    --${name}) options="${[...choices].join(' ')}" ;;`);
  return `_transit() {
  local options="" current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  [ "$COMP_CWORD" -eq 1 ] && options="${first.join(' ')}"
  case "$typed" in
${options.join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
${groups.join('\n')}
  esac
  case "$previous" in
${chosen.join('\n')}
    --map|--output) options="" ;;
  esac
  COMPREPLY=($(compgen -W "$options" -- "$current"))
}
complete -o default -F _transit transit
`;
}

const writeZsh = (commands: Completion[]) => `autoload -U +X bashcompinit && bashcompinit\n${writeBash(commands)}`;

function writeFish(commands: Completion[]): string {
  const quote = (text: string) => `'${text.replaceAll("'", "\\'")}'`;
  const first = unique(commands.map(({ words }) => words[0]));
  const lines = [
    `complete -c transit -n __fish_use_subcommand -f -a ${quote(first.join(' '))}`,
    ...commands.flatMap(({ words: [group, second], options }) => {
      const seen = `__fish_seen_subcommand_from ${second ?? group}`;
      return [
        ...(second === undefined
          ? []
          : [`complete -c transit -n '__fish_seen_subcommand_from ${group}' -f -a ${second}`]),
        ...options.map(
          ([name, { description, choices, type }]) =>
            `complete -c transit -n ${quote(seen)} -l ${name} -d ${quote(description)}` +
            `${type === 'string' ? ' -r' : ''}${choices ? ` -f -a ${quote(choices.join(' '))}` : ''}`,
        ),
      ];
    }),
  ];
  return `${lines.join('\n')}\n`;
}

const writers = { bash: writeBash, zsh: writeZsh, fish: writeFish };

/** Returns the command that prints the script. It receives the commands, because it is one of them. */
export const createCompletion = (listCommands: () => readonly Command[]): Command => ({
  name: 'completion',
  operands: '<bash|zsh|fish>',
  description: 'Print a script that completes commands and options in your shell',
  options: {},
  async run({ terminal, words: [shell] }) {
    const known = shells.find((one) => one === shell);
    if (known === undefined) throw usageError(`Name your shell: ${shells.join(', ')}.`);
    await print(terminal, writers[known](describeCommands(listCommands())));
    return undefined;
  },
});
