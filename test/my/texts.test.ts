import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { LanguageFile } from '../../my/src/languages/language-file.ts';

const sources = join(import.meta.dirname, '../../my/src');
const names = (await readdir(join(sources, 'languages'))).filter((name) => name !== 'language-file.ts');
const files: LanguageFile[] = await Promise.all(
  names.map(async (name) => (await import(join(sources, 'languages', name))).language),
);
const english = files.find(({ code }) => code === 'en');
const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

/** Words that no German sentence contains. */
const englishWord = /\b(the|and|cannot|must|is|are|were|with|your|you|not|this|that|please|of|from|to)\b/i;

describe("the languages of the employee's page", () => {
  it('have every text, with the placeholders of the English one', () => {
    assert(english && files.length >= 2);
    for (const { code, texts, sections } of files) {
      assert.deepEqual(Object.keys(texts), Object.keys(english.texts), code);
      assert.deepEqual(Object.keys(sections), Object.keys(english.sections), code);
      for (const [key, text] of Object.entries(texts)) {
        assert.notEqual(text.trim(), '', key);
        assert.deepEqual(placeholders(text), placeholders(english.texts[key as keyof typeof english.texts]), key);
      }
    }
  });

  it('are German where they say so, and formal', () => {
    const german = files.find(({ code }) => code === 'de');
    for (const [key, text] of Object.entries({ ...german?.texts, ...german?.sections, ...german?.fields })) {
      assert.doesNotMatch((text ?? '').replaceAll(/\{\w+\}/g, ''), englishWord, key);
      assert.doesNotMatch(text ?? '', /\b([Dd]u|[Dd]ein\w*|[Dd]ich|[Dd]ir)\b/, key);
    }
  });

  it('have short sentences', () => {
    for (const { code, texts } of files) {
      const sentences = Object.values(texts).flatMap((text) => text.split(/(?<=[.?!:]) /));
      const long = sentences.filter((sentence) => sentence.split(' ').length > 16);
      assert.deepEqual(long, [], code);
    }
  });

  it('have no text that no screen shows', async () => {
    const paths = (await readdir(sources, { recursive: true })).filter(
      (path) => /\.tsx?$/.test(path) && !path.startsWith('languages'),
    );
    const code = (await Promise.all(paths.map((path) => readFile(join(sources, path), 'utf8')))).join('\n');
    const keys = Object.keys(english?.texts ?? {}).map((key) => key.replace(/_(one|other)$/, ''));
    const unused = keys.filter((key) => !code.includes(`'${key}'`));
    assert.deepEqual(unused, []);
  });
});
