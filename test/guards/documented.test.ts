import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { readConfig, readSettings } from '../../src/platform/config/config.ts';
import { listCommands } from '../support/command-words.ts';

const root = join(import.meta.dirname, '../..');
const read = (name: string) => readFile(join(root, name), 'utf8');

/** The commands that have their own npm script, and how to start them. */
const scripts: Record<string, string> = { serve: 'npm start', worker: 'npm run worker' };

describe('documentation for operators', () => {
  it('lists every command, and no other', async () => {
    const commands = listCommands().map((words) => words.join(' '));
    assert(commands.includes('company set') && commands.includes('openapi'), 'the commands are found');
    const page = await read('docs/operate/commands.md');
    for (const name of commands) {
      const expected = scripts[name] ?? `npm run -s cli -- ${name}`;
      assert(page.includes(expected), `docs/operate/commands.md lacks "${expected}"`);
    }
    const pages = await Promise.all(['README.md', ...globSync('docs/**/*.md', { cwd: root })].map(read));
    for (const [line, words = ''] of pages.join('\n').matchAll(/^npm run -s cli -- (\S+(?: [a-z-]+)?)/gm)) {
      assert(
        commands.some((name) => name === words || name.startsWith(`${words} `) || name === words.split(' ')[0]),
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

  it('explains every setting with its default, and no other', async () => {
    const page = await read('docs/operate/configure.md');
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (?:`(.+?)`|\*none\*) \|/gm)];
    const documented = rows.map(([, name = '', value]) => [name, value?.startsWith('./') ? resolve(value) : value]);
    const actual = readSettings({}).effective.map(({ setting, value }) => [
      setting,
      value?.startsWith('./') ? resolve(value) : (value ?? undefined),
    ]);
    assert.deepEqual(new Map(documented as [string, string][]), new Map(actual as [string, string][]));
  });

  it('has links that lead somewhere', async () => {
    const toAnchor = (heading: string) =>
      heading
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-');
    const wrong: string[] = [];
    for (const name of ['README.md', 'deploy/README.md', ...globSync('docs/operate/*.md', { cwd: root })]) {
      for (const [, target = ''] of (await read(name)).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
        const [path = '', anchor] = target.split('#');
        const file = path === '' ? name : join(dirname(name), path);
        if (!existsSync(join(root, file))) wrong.push(`${name}: ${target}`);
        else if (anchor !== undefined) {
          const headings = (await read(file)).matchAll(/^#+ (.*)$/gm);
          if (![...headings].some(([, heading = '']) => toAnchor(heading) === anchor)) wrong.push(`${name}: ${target}`);
        }
      }
    }
    assert.deepEqual(wrong, []);
  });

  it('has a map of every folder, and of no other', async () => {
    const map = /## Where things are[\s\S]*?```\n([\s\S]*?)```/.exec(await read('README.md'))?.[1] ?? '';
    const foldersIn = (folder: string) => globSync(`${folder}/*/`, { cwd: root }).map((path) => basename(path));
    const lineOf = (start: string) => map.split('\n').find((line) => line.trim().startsWith(start)) ?? '';
    const named = (line: string) => [...line.matchAll(/([a-z-]+)\//g)].map(([, name = '']) => name);
    const features = map.slice(map.indexOf('features/'), map.indexOf('platform/')).matchAll(/^ {4}([a-z-]+)\//gm);
    const folders = [...map.matchAll(/^ {2}([a-z-]+)\//gm)].map(([, name = '']) => name);
    assert.deepEqual([...features].map(([, name]) => name).toSorted(), foldersIn('src/features').toSorted());
    assert.deepEqual(folders.toSorted(), foldersIn('src').toSorted());
    const platform = lineOf('platform/').split(': ')[1]?.split(' ') ?? [];
    assert.deepEqual(platform.toSorted(), foldersIn('src/platform').toSorted());
    assert.deepEqual(named(lineOf('test/')).slice(1).toSorted(), foldersIn('test').toSorted());
    assert.deepEqual(named(lineOf('portal/src/')).slice(2).toSorted(), foldersIn('portal/src').toSorted());
  });

  it('numbers decisions without gaps, and titles each with its number', async () => {
    const names = globSync('docs/decisions/*.md', { cwd: root }).toSorted();
    const titles = await Promise.all(names.map(read));
    assert.deepEqual(
      titles.map((text) => Number(/^# (\d+)\./.exec(text)?.[1])),
      names.map((_, index) => index + 1),
    );
    assert.deepEqual(
      names.map((name) => Number(/(\d+)-[^/]+$/.exec(name)?.[1])),
      names.map((_, index) => index + 1),
    );
  });
});
