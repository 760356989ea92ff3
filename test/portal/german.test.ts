import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { texts } from '../../portal/src/app/i18n/problem-texts.ts';
import { problems } from '../../src/platform/http/errors.ts';

const portalSources = join(import.meta.dirname, '../../portal/src');

const listSources = async () =>
  (await readdir(portalSources, { recursive: true })).filter((path) => /\.tsx?$/.test(path) && !/gen\.ts$/.test(path));

/** Returns every text of an imported file with its path of keys. */
function flatten(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  if ('de' in value && 'en' in value) return flatten(value.de, path);
  return Object.entries(value).flatMap(([key, one]) => flatten(one, `${path}.${key}`));
}

/** Names of fields, places in other programs and placeholders are not translated. */
const withoutNames = (text: string) =>
  text
    .replaceAll(/`[^`]*`|„[^“]*“|\{[^}]*\}/g, ' ')
    .replaceAll(/[^.:]*›[^.:]*/g, ' ')
    .replaceAll(/\bfor (Basic|People)\b/g, ' ');

/** Words that no German sentence contains. */
const english = /\b(the|and|cannot|must|is|are|were|with|your|you|not|this|that|please|of|from|to)\b/i;

describe('German texts', () => {
  it('contain no English sentence', async () => {
    const files = (await listSources()).filter(
      (path) => /\.de\.ts$|(\/|-)texts\.ts$/.test(path) && path !== 'app/i18n/texts.ts',
    );
    assert.ok(files.length > 20, `${files.length} files`);
    const found: string[] = [];
    for (const file of files) {
      const texts = flatten(await import(join(portalSources, file)));
      const wrong = texts.filter(([, text]) => english.test(withoutNames(text)));
      found.push(...wrong.map(([key, text]) => `${file} ${key}: ${text}`));
    }
    assert.deepEqual(found, []);
  });

  it('exist for every problem that a route of the portal can return', async () => {
    const codes = Object.keys(problems);
    assert.ok(codes.length > 30, `${codes.length} codes`);
    const known: Partial<Record<string, { de: string; en: string }>> = texts;
    for (const code of codes) {
      assert.ok(known[code]?.de, code);
      assert.notEqual(known[code].de, known[code].en, code);
    }
  });

  it('are shown in place of what the service says in English', async () => {
    // What these files show is no sentence of the service.
    const own = ['app/api/request.ts', 'app/shell/palette/Palette.tsx', 'features/activity/entry-words.ts'];
    const subjects = 'error|problem|failure|failed|wrong|pull|sync|record|connection';
    const verbatim = new RegExp(`\\b(${subjects})\\??\\.(message|detail|reason|failureReason)\\b(?!\\.key)`);
    const found: string[] = [];
    for (const file of (await listSources()).filter((path) => !own.includes(path))) {
      const lines = (await readFile(join(portalSources, file), 'utf8')).split('\n');
      const shown = lines.filter(
        (line) => verbatim.test(line) && !/MessageText|renderMessage|=== null|!== null/.test(line),
      );
      found.push(...shown.map((line) => `${file}: ${line.trim()}`));
    }
    assert.deepEqual(found, []);
  });
});
