import { sections } from '../../src/operator/definitions/index.ts';
import type { CommandSection } from '../../src/platform/cli/define.ts';

const listWords = (entries: CommandSection['entries']): string[][] =>
  Object.entries(entries).flatMap(([name, entry]) =>
    'commands' in entry ? listWords(entry.commands).map((words) => [name, ...words]) : [[name]],
  );

/** Returns the words of every command. */
export const listCommands = (): string[][] => sections.flatMap(({ entries }) => listWords(entries));
