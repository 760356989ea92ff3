import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPasswordCheck } from './password-weakness.ts';

const check = createPasswordCheck([
  'password',
  'passwort',
  'dragon',
  'sunshine',
  'letmein',
  '1q2w3e4r5t6y',
  'qwertyuiop',
]);
const weaknessOf = (password: string, address = 'ada.lovelace@example.com') => check(password, address);

describe('a weak password', () => {
  for (const password of [
    'password1234',
    'Passwort2024!',
    '1234password',
    'P@ssw0rd!!!!!',
    'p a s s w o r d 1 2',
    'd1r2a3g4o5n6',
    'passwordpassword',
    'LetMeInDragon99',
    'sunshine sunshine',
    '1q2w3e4r5t6y',
    'qwertyuiop123',
    'aaaaaaaaaaaa',
    'abcabcabcabcab',
    'abcdabcdabcd',
    '123456789012',
    'abcdefghijkl',
    '111111222222',
  ]) {
    it(`is ${password}`, () => assert.equal(weaknessOf(password), 'common'));
  }

  it('contains the address or its local part', () => {
    assert.equal(weaknessOf('it is ADA.Lovelace here'), 'contains-address');
    assert.equal(weaknessOf('xx-ada.lovelace@example.com-xx'), 'contains-address');
  });

  it('is not one that contains a short local part by chance', () => {
    assert.equal(weaknessOf('canada goes by rail', 'ada@example.com'), undefined);
    assert.equal(weaknessOf('my ada@example.com key', 'ada@example.com'), 'contains-address');
  });

  for (const password of [
    'a fresh password',
    'correct horse battery staple',
    'dragon password sunshine',
    'tr0mbone-Kettle-91',
    '🎫🚋🚌🚇🚲🛴🚂🚆🚊🚝🚄🚅',
    '593847261038',
  ]) {
    it(`is not ${password}`, () => assert.equal(weaknessOf(password), undefined));
  }

  it('is checked at its two ends only, so that a long one takes no longer', () => {
    assert.equal(weaknessOf('abcdabcd'.repeat(50)), 'common');
    assert.equal(weaknessOf(`${'password'.repeat(250)}tr0mbone-Kettle-91-correct-horse-battery`), undefined);
  });
});
