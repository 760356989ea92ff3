import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMessage } from './messages/message.ts';
import { findTextProblem } from './single-line-text.ts';

const describe = (text: string) => {
  const problem = findTextProblem(text);
  return problem && { code: problem.code, detail: formatMessage(problem.message) };
};

test('names in all scripts are valid', () => {
  const names = [
    'Ada',
    'Søren Kierkegård',
    'Ł',
    '李小龍',
    'محمد',
    'דוד\u200f',
    'नमस्ते',
    '𠮷野',
    "O'Neill-Śmith",
    'Zoë 👩‍👩‍👧',
    'می\u200cخواهم',
  ];
  for (const name of names) assert.equal(findTextProblem(name), undefined, name);
});

test('control characters and line breaks are refused with their position', () => {
  for (const [character, code] of [
    ['\0', '0000'],
    ['\t', '0009'],
    ['\n', '000A'],
    ['\r', '000D'],
    ['\x7f', '007F'],
    ['\x85', '0085'],
    ['\u2028', '2028'],
    ['\u2029', '2029'],
  ] as const) {
    const problem = describe(`𠮷A${character}da`);
    assert.equal(problem?.code, 'invalid-character');
    assert.match(problem?.detail ?? '', new RegExp(`^must not contain control .* remove U\\+${code} at character 3$`));
  }
});

test('characters that change the direction of the text are refused', () => {
  for (const code of [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]) {
    const problem = describe(`Ada ${String.fromCharCode(code)}ecalevoL`);
    assert.equal(problem?.code, 'invalid-character');
    assert.match(problem?.detail ?? '', /text direction: remove U\+20[26][0-9A-E] at character 5$/);
  }
});

test('the replacement character is refused with its likely cause', () => {
  const problem = describe('M\ufffdller');
  assert.equal(problem?.code, 'invalid-character');
  assert.match(problem?.detail ?? '', /U\+FFFD at character 2: .*cp1252.*Export it again in UTF-8/);
});

test('half a surrogate pair is refused, a whole one is not', () => {
  assert.match(describe('a\ud800')?.detail ?? '', /unpaired surrogate/);
  assert.match(describe('\udc00\n')?.detail ?? '', /unpaired surrogate/);
});

test('invisible text counts as empty', () => {
  assert.deepEqual(describe(' '), { code: 'empty', detail: 'must not be empty' });
  for (const text of ['\u200b', '\ufeff \u00ad', '\u3164', '\u115f\u1160', '\u2800', '\u2060\u200d', '\u{e0041}']) {
    assert.deepEqual(describe(text), { code: 'empty', detail: 'must contain at least one visible character' });
  }
});
