import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { actions, kinds } from '../../portal/src/features/activity/texts.ts';
import { endOfDay, expiryMoment } from '../../portal/src/features/keys/expiry.ts';
import { decisions } from '../../src/domain/subscription/transitions.ts';

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

const portalSources = join(import.meta.dirname, '../../portal/src');

/** Returns the paths of all files of texts, one per page and shared component. */
const textFiles = async () =>
  (await readdir(portalSources, { recursive: true }))
    .filter((path) => /(\/|-)texts\.ts$/.test(path) && path !== 'app/i18n/texts.ts')
    .map((path) => join(portalSources, path));

interface Text {
  de: string;
  en: string;
}

/** Returns every text by its path of keys: `actions.key.create`. */
function flatten(value: object | null, path = ''): [string, Text][] {
  if (value === null) return [];
  if ('de' in value) return [[path, value as Text]];
  return Object.entries(value).flatMap(([key, one]) => flatten(one, `${path}.${key}`));
}

const placeholders = (text: unknown) => [...new Set(String(text).match(/\{\w+\}/g))].sort();

describe('the texts of the portal', () => {
  it('have the same placeholders in English and German', async () => {
    const files = await textFiles();
    assert.ok(files.length > 20, `${files.length} files`);
    for (const file of files) {
      const texts = flatten(await import(file));
      assert.ok(texts.length > 0, file);
      for (const [key, { de, en }] of texts) assert.deepEqual(placeholders(de), placeholders(en), `${file} ${key}`);
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
