import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

export interface Migration {
  name: string;
  text: string;
  checksum: string;
  /** Whether it runs in a transaction. Otherwise it is a single statement, which can be repeated after a crash. */
  isTransactional: boolean;
  /** The first release that no longer reads what this migration removes. Older releases cannot run beside it. */
  unreadSince: string | undefined;
}

const ownFolder = new URL('../../../migrations/', import.meta.url);

/** Returns the comment lines before the first statement. They contain the markers. */
const headOf = (text: string) => /^(?:--[^\n]*\n|\s*\n)*/.exec(text)?.[0] ?? '';

function parseMigration(name: string, text: string): Migration {
  const head = headOf(text);
  return {
    name,
    text,
    checksum: createHash('sha256').update(text).digest('hex'),
    isTransactional: !/^-- migrate: no transaction$/m.test(head),
    unreadSince: /^-- migrate: unread since (\d+\.\d+\.\d+)$/m.exec(head)?.[1],
  };
}

/** Returns all migrations of this version in the order in which they are applied. */
export async function readMigrations(folder?: string): Promise<Migration[]> {
  const url = folder === undefined ? ownFolder : pathToFileURL(`${folder}/`);
  const names = (await readdir(url)).filter((name) => /^\d{4}[-_].+\.sql$/.test(name)).sort();
  return Promise.all(names.map(async (name) => parseMigration(name, await readFile(new URL(name, url), 'utf8'))));
}

/** Returns the index that a migration creates. A crash leaves it invalid, so that it must be dropped first. */
export const findCreatedIndex = ({ text }: Pick<Migration, 'text'>) =>
  /^create (?:unique )?index concurrently if not exists (\w+)\s/im.exec(text)?.[1];
