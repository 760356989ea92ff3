import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toAscii } from './ascii.ts';

for (const [text, expected] of [
  ['Abo-Bestätigung', 'Abo-Bestaetigung'],
  ['Abo-Besta\u0308tigung', 'Abo-Bestaetigung'],
  ['Größe ÄÖÜ', 'Groesse AeOeUe'],
  ['Crème brûlée', 'Creme brulee'],
  ['Łukasz Øre ı', 'Lukasz Oere i'],
  ['Juli – August', 'Juli - August'],
  ['Fahrkarte 😀🚋', 'Fahrkarte _'],
  ['契約', '_'],
  ['ﬁle', 'file'],
  ['plain ~', 'plain ~'],
] as const) {
  test(`${text} is ${expected}`, () => assert.equal(toAscii(text), expected));
}
