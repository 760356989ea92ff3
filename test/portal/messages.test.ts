import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { de } from '../../portal/src/app/i18n/messages.de.ts';
import { texts as problemTexts } from '../../portal/src/app/i18n/problem-texts.ts';
import { en } from '../../src/domain/messages/en.ts';
import { createMessage, formatMessage, type MessageKey } from '../../src/domain/messages/message.ts';
import { problems } from '../../src/platform/http/errors.ts';

const keys = Object.keys(en) as MessageKey[];
const placeholders = (text: string) => [...text.matchAll(/\{(\w+(?::\w+)?)\}/g)].map(([, name]) => name).sort();

/** Returns the text of all sources below `src`. */
async function readSources(): Promise<string> {
  const root = join(import.meta.dirname, '../../src');
  const files = (await readdir(root, { recursive: true })).filter((path) => path.endsWith('.ts'));
  const catalogues = ['en.ts', 'connectors.en.ts'].map((name) => join('domain', 'messages', name));
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
