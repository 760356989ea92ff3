import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { emailKey } from './search.ts';

/** Compares by Unicode's simple case folding as regular expressions do, without a table of ours. */
const isSameLetter = (one: string, other: string) =>
  new RegExp(`^\\u{${one.codePointAt(0)?.toString(16)}}$`, 'iu').test(other);

const anyText = fc.string({ unit: 'binary', maxLength: 12 }).map((text) => `a${text}b`);

describe('emailKey', () => {
  it('is the same for every Unicode normal form and case of an address', () => {
    const forms = ['jürgen@müller.example', 'ju\u0308rgen@mu\u0308ller.example', 'JÜRGEN@MU\u0308LLER.EXAMPLE'];
    assert.deepEqual(new Set(forms.map(emailKey)), new Set(['jürgen@müller.example']));
    assert.equal(emailKey('J\u030cane@example.com'), emailKey('\u01f0ane@example.com'));
    assert.equal(emailKey('ΝΊΚΟΣ@example.com'), emailKey('νίκος@example.com'));
  });

  it('distinguishes letters that differ by more than case', () => {
    for (const [one, other] of [
      ['groß', 'gross'],
      ['ısıl', 'isil'],
      ['müller', 'mueller'],
      ['ﬁn', 'fin'],
    ]) {
      assert.notEqual(emailKey(`${one}@example.com`), emailKey(`${other}@example.com`));
    }
  });

  it('folds every letter as Unicode does', () => {
    for (let code = 0x80; code < 0x11_0000; code++) {
      const letter = String.fromCodePoint(code);
      if (!/\p{L}|\p{M}/u.test(letter)) continue;
      for (const other of [letter.toLowerCase(), letter.toUpperCase(), letter.toUpperCase().toLowerCase()]) {
        if (other === letter || [...other].length > 1 || !isSameLetter(letter, other)) continue;
        assert.equal(emailKey(`a${letter}@b`), emailKey(`a${other}@b`), `U+${code.toString(16)}`);
      }
    }
  });

  it('does not depend on the normal form, and is its own key', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const key = emailKey(text);
        assert.equal(emailKey(key), key);
        for (const form of ['NFC', 'NFD'] as const) assert.equal(emailKey(text.normalize(form)), key);
      }),
      { numRuns: 2_000 },
    );
  });
});
