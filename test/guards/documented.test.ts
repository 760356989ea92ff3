import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sections } from '../../src/commands/definitions/index.ts';
import { readConfig } from '../../src/config.ts';

const read = (name: string) => readFile(join(import.meta.dirname, '../..', name), 'utf8');

/** The commands that have their own npm script, and how to start them. */
const scripts: Record<string, string> = { serve: 'npm start', worker: 'npm run worker' };

describe('documentation for operators', () => {
  it('lists every command in the README, and no other', async () => {
    const commands = sections.flatMap(({ entries }) =>
      Object.entries(entries).flatMap(([name, entry]) =>
        'commands' in entry ? Object.keys(entry.commands).map((word) => `${name} ${word}`) : [name],
      ),
    );
    assert(commands.includes('company set') && commands.includes('openapi'), 'the commands are found');
    const readme = await read('README.md');
    for (const name of commands) {
      const expected = scripts[name] ?? `npm run -s cli -- ${name}`;
      assert(readme.includes(expected), `README.md lacks "${expected}"`);
    }
    for (const [line, words = ''] of readme.matchAll(/^npm run -s cli -- (\S+(?: [a-z-]+)?)/gm)) {
      assert(
        commands.includes(words) || commands.includes(words.split(' ')[0] ?? ''),
        `there is no such command: ${line}`,
      );
    }
  });

  it('lists every setting in .env.example, and no other', async () => {
    const known = new Set<string>();
    const get = (_target: object, name: string | symbol) => void known.add(String(name));
    readConfig(new Proxy({}, { get }));
    const listed = [...(await read('.env.example')).matchAll(/^#?([A-Z][A-Z_]+)=/gm)].map(([, name = '']) => name);
    assert.deepEqual(new Set(listed), known);
  });
});
