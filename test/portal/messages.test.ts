import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { de } from '../../portal/src/app/i18n/messages.de.ts';
import { de as problemsDe } from '../../portal/src/app/i18n/problems.de.ts';
import { en as problemsEn } from '../../portal/src/app/i18n/problems.en.ts';
import { en, ruleKeys } from '../../src/domain/messages/en.ts';
import { createMessage, formatMessage, type Message, type MessageKey } from '../../src/domain/messages/message.ts';
import { parseRuleSentence } from '../../src/domain/messages/parse.ts';
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
    for (const texts of [problemsDe, problemsEn]) assert.deepEqual(Object.keys(texts).sort(), codes);
    for (const [code, text] of Object.entries({ ...problemsDe })) assert.match(text, /[.]$/, code);
  });

  it('contain only what the service says', async () => {
    const sources = await readSources();
    const built = [...sources.matchAll(/`([a-z-]+-)\$\{/g)].map(([, start]) => start ?? '');
    const unused = keys.filter((key) => !sources.includes(`'${key}'`) && !built.some((start) => key.startsWith(start)));
    assert.deepEqual(unused, []);
  });
});

const values = { on: '2026-12-01', employedFrom: '2026-11-16', requestedOn: '2026-11-01', terminatedOn: '2027-01-31' };

/** Returns messages of all rules, with every reason where there are several. */
function listRuleMessages(): Message[] {
  const others = {
    ...values,
    givenOn: '2026-10-12',
    resumesOn: '2027-02-01',
    knownDay: 12,
    cutOffDay: 3,
    attribute: 'status',
    value: 'left',
  };
  const texts: Record<string, MessageKey[]> = {
    reason: ruleKeys.filter((key) => /^(pause|end)-reason-/.test(key)),
    until: ['until-further-notice', 'until-resumption'],
    ends: ['employment-ends', 'employment-ends-on'],
    how: ['consent-electronically', 'consent-on-paper'],
  };
  return ruleKeys.flatMap((key) => {
    const nested = [...en[key].matchAll(/\{(\w+):text\}/g)].map(([, name]) => name ?? '');
    const choices = nested.reduce<Record<string, string>[]>(
      (all, name) => all.flatMap((one) => (texts[name] ?? []).map((text) => ({ ...one, [name]: text }))),
      [{}],
    );
    return choices.map((choice) => ({ key, values: { ...others, ...choice } }));
  });
}

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

  it('that an earlier release has stored is recognized again', () => {
    const messages = listRuleMessages();
    assert.ok(messages.length > 60, `${messages.length} messages`);
    for (const message of messages) {
      const sentence = formatMessage(message);
      const parsed = parseRuleSentence(sentence);
      assert.ok(parsed, sentence);
      assert.equal(formatMessage(parsed), sentence);
      assert.equal(parsed.key, message.key, sentence);
    }
    assert.equal(parseRuleSentence('Nothing that any rule says.'), undefined);
  });
});
