import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { texts as problemTexts } from '../../portal/src/app/i18n/problem-texts.ts';
import { actions, kinds } from '../../portal/src/features/activity/texts.ts';
import { endOfDay, expiryMoment } from '../../portal/src/features/keys/expiry.ts';
import { de } from '../../src/domain/messages/de.ts';
import { en } from '../../src/domain/messages/en.ts';
import { createMessage, formatMessage, type MessageKey } from '../../src/domain/messages/message.ts';
import { decisions } from '../../src/domain/subscription/transitions.ts';
import { problems } from '../../src/platform/http/errors.ts';

const portalSources = join(import.meta.dirname, '../../portal/src');

const listSources = async (pattern: RegExp) =>
  (await readdir(portalSources, { recursive: true })).filter((path) => pattern.test(path));
const textFiles = /^(?!app\/i18n\/texts).*(\/|-)texts\.ts$/;

interface Text {
  de: unknown;
  en?: unknown;
}

/** Returns every text of an imported file by its path of keys: `actions.key.create`. A catalogue has German alone. */
function flatten(value: unknown, path = ''): [string, Text][] {
  if (typeof value === 'string') return [[path, { de: value }]];
  if (typeof value !== 'object' || value === null) return [];
  if ('de' in value && 'en' in value) {
    return typeof value.de === 'object' ? flatten(value.de, path) : [[path, value as Text]];
  }
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
    const files = await listSources(textFiles);
    assert.ok(files.length > 20, `${files.length} files`);
    const found: string[] = [];
    const sources = files.map(async (file) => [file, flatten(await import(join(portalSources, file)))] as const);
    for (const [file, texts] of [['de.ts', flatten(de)] as const, ...(await Promise.all(sources))]) {
      const wrong = texts.filter(([, { de: text }]) => typeof text === 'string' && english.test(withoutNames(text)));
      found.push(...wrong.map(([key, { de: text }]) => `${file} ${key}: ${text}`));
    }
    assert.deepEqual(found, []);
  });

  it('exist for every problem that a route of the portal can return', async () => {
    const codes = Object.keys(problems);
    assert.ok(codes.length > 30, `${codes.length} codes`);
    const known: Partial<Record<string, { de: string; en: string }>> = problemTexts;
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
    for (const file of (await listSources(/(?<!gen)\.tsx?$/)).filter((path) => !own.includes(path))) {
      const lines = (await readFile(join(portalSources, file), 'utf8')).split('\n');
      const shown = lines.filter(
        (line) => verbatim.test(line) && !/MessageText|renderMessage|=== null|!== null/.test(line),
      );
      found.push(...shown.map((line) => `${file}: ${line.trim()}`));
    }
    assert.deepEqual(found, []);
  });
});

const keys = Object.keys(en) as MessageKey[];
const placeholders = (text: string) => [...text.matchAll(/\{(\w+(?::\w+)?)\}/g)].map(([, name]) => name).sort();

/** Returns the text of all sources below `src`. */
async function readSources(): Promise<string> {
  const root = join(import.meta.dirname, '../../src');
  const files = (await readdir(root, { recursive: true })).filter((path) => path.endsWith('.ts'));
  const catalogues = ['en.ts', 'connectors.en.ts', 'de.ts', 'connectors.de.ts'].map((name) =>
    join('domain', 'messages', name),
  );
  const others = files.filter((path) => !catalogues.includes(path) && !path.endsWith('.test.ts'));
  return (await Promise.all(others.map((path) => readFile(join(root, path), 'utf8')))).join('\n');
}

describe('the catalogues of messages', () => {
  it('have a German and an English text for every key, with the same placeholders', () => {
    assert.deepEqual(Object.keys(de).sort(), [...keys].sort());
    for (const key of keys) {
      assert.deepEqual(placeholders(de[key]), placeholders(en[key]), key);
      assert.notEqual(de[key].trim(), '', key);
      assert.notEqual(de[key], en[key], `${key} is not translated`);
    }
  });

  it('have a German and an English text for every problem', () => {
    const codes = Object.keys(problems).sort();
    assert.deepEqual(Object.keys(problemTexts).sort(), codes);
    for (const [code, { de: german }] of Object.entries(problemTexts)) assert.match(german, /[.]$/, code);
  });

  it('contain only what the service says', async () => {
    const sources = await readSources();
    const built = [...sources.matchAll(/`([a-z-]+-)\$\{/g)].map(([, start]) => start ?? '');
    const unused = keys.filter((key) => !sources.includes(`'${key}'`) && !built.some((start) => key.startsWith(start)));
    assert.deepEqual(unused, []);
  });
});

const values = { on: '2026-12-01', employedFrom: '2026-11-16', requestedOn: '2026-11-01', terminatedOn: '2027-01-31' };

describe('the sentence of a message', () => {
  it('is in plain English', () => {
    const late = createMessage('known-after-cut-off', {
      ...values,
      reason: 'end-reason-termination-on',
      knownDay: 22,
      cutOffDay: 11,
    });
    assert.equal(
      formatMessage(late),
      'Employment ends on 31 January 2027, known on the 22nd, after the cut-off on the 11th: takes effect on 1 December 2026 instead of 1 November 2026.',
    );
  });
});

/** Returns every action that the sources write into the audit log. */
async function writtenActions(): Promise<string[]> {
  const root = join(import.meta.dirname, '../../src');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.ts'));
  const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')));
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => /\baction: /.test(line));
  const named = lines.flatMap((line) => [...line.matchAll(/'([a-z-]+\.[a-z-]+)'/g)].map((match) => match[1] ?? ''));
  const accountEnds = ['remove', 'disable'].map((how) => `user.${how}`);
  return [...named, ...decisions.map((name) => `subscription.${name}`), ...accountEnds];
}

const namesIn = (text: unknown) => [...new Set(String(text).match(/\{\w+\}/g))].sort();

describe('the texts of the portal', () => {
  it('have the same placeholders in English and German', async () => {
    const files = await listSources(textFiles);
    assert.ok(files.length > 20, `${files.length} files`);
    for (const file of files) {
      const texts = flatten(await import(join(portalSources, file)));
      assert.ok(texts.length > 0, file);
      for (const [key, { de, en }] of texts) assert.deepEqual(namesIn(de), namesIn(en), `${file} ${key}`);
    }
  });
});

describe('the activity page', () => {
  it('has a sentence and a filter for every action', async () => {
    const written = await writtenActions();
    assert.ok(written.length > 20, 'the sources were read');
    const known = new Set(Object.keys(actions).map((name) => name.replace(/_(one|other)$/, '')));
    assert.deepEqual(
      written.filter((action) => !known.has(action)),
      [],
    );
    const hasKind = (action: string) => Object.keys(kinds).some((kind) => action.startsWith(kind));
    assert.deepEqual(
      written.filter((action) => !hasKind(action)),
      [],
    );
  });
});

describe('the expiry of a key', () => {
  it('is the end of the chosen day in the time zone of the company, also when clocks change', () => {
    const endsAt = (day: string, timeZone: string) => endOfDay(day, timeZone).toISOString();
    assert.equal(endsAt('2026-11-15', 'Europe/Berlin'), '2026-11-15T23:00:00.000Z');
    assert.equal(endsAt('2026-03-28', 'Europe/Berlin'), '2026-03-28T23:00:00.000Z');
    assert.equal(endsAt('2026-03-29', 'Europe/Berlin'), '2026-03-29T22:00:00.000Z');
    assert.equal(endsAt('2026-10-25', 'Europe/Berlin'), '2026-10-25T23:00:00.000Z');
    assert.equal(endsAt('2026-12-31', 'America/New_York'), '2027-01-01T05:00:00.000Z');
    assert.equal(endsAt('2026-12-31', 'UTC'), '2027-01-01T00:00:00.000Z');
  });

  it('is never, or as many days from now as chosen', () => {
    assert.equal(expiryMoment('never', null, 'UTC'), null);
    const days = (Date.parse(expiryMoment('days90', null, 'UTC') ?? '') - Date.now()) / 86_400_000;
    assert.ok(Math.abs(days - 90) < 0.001, `${days} days`);
  });
});
