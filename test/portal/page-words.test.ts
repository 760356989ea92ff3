import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { actions, kinds } from '../../portal/src/pages/activity/en.ts';
import { endOfDay, expiryMoment } from '../../portal/src/pages/keys/expiry.ts';
import { decisionNames } from '../../src/portal/contract.ts';

/** Returns every action that the sources write into the audit log. */
async function writtenActions(): Promise<string[]> {
  const root = join(import.meta.dirname, '../../src');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.ts'));
  const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')));
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => /\baction: /.test(line));
  const named = lines.flatMap((line) => [...line.matchAll(/'([a-z]+\.[a-z-]+)'/g)].map((match) => match[1] ?? ''));
  return [...named, ...decisionNames.map((name) => `subscription.${name}`)];
}

describe('the page of the audit log', () => {
  it('has words for every action, and a kind to find it by', async () => {
    const written = await writtenActions();
    assert.ok(written.length > 20, 'the sources were read');
    const known = new Set(Object.keys(actions).map((name) => name.replace(/_(one|other)$/, '')));
    assert.deepEqual(
      written.filter((action) => !known.has(action)),
      [],
    );
    const begins = (action: string) => Object.keys(kinds).some((kind) => action.startsWith(kind));
    assert.deepEqual(
      written.filter((action) => !begins(action)),
      [],
    );
  });
});

describe('the expiry of a key', () => {
  it('is the end of the chosen day where the company is, on days when the clocks change too', () => {
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
