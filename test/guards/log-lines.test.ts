import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const root = join(import.meta.dirname, '../..');

/** Matches a call of a logger up to the end of the statement or the argument. */
const call = /\blog\??\.(?:info|warn|error|fatal)\(([\s\S]*?)\)(?:[;,]\n|\n| *:|\))/g;
const literal = /'((?:[^'\\\n]|\\.)*)'|`([^`$]*)/g;

/** Returns the messages that the source files log: the last text of each call. */
function listMessages(): { file: string; message: string }[] {
  return globSync('src/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(call)].map(([, words = '']) => {
      const texts = [...words.matchAll(literal)].map(([, quoted, template]) => quoted ?? template ?? '');
      return { file, message: (texts.findLast((text) => text !== '') ?? '').replaceAll('`', '').trim() };
    }),
  );
}

describe('Log lines', () => {
  it('are all listed in docs/operate/monitor.md', () => {
    const page = readFileSync(join(root, 'docs/operate/monitor.md'), 'utf8');
    const messages = listMessages();
    assert(messages.length > 30, `only ${messages.length} calls were found`);
    const missing = messages.filter(({ message }) => message === '' || !page.includes(`\`${message}\``));
    assert.deepEqual(missing, []);
  });
});
