import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findPasswordWeakness } from './password-weakness.ts';

const common = new Set(['password', 'passwort', 'dragon', 'sunshine', 'letmein', '1q2w3e4r5t6y', 'qwertyuiop']);
const weaknessOf = (password: string, address = 'ada.lovelace@example.com') =>
  findPasswordWeakness(password, address, common);

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

  it('is detected in time that grows no faster than the square of its length', () => {
    const timeOf = (length: number) => {
      const password = 'passwordx'.repeat(length).slice(0, length);
      const start = performance.now();
      for (let round = 0; round < 50; round++) weaknessOf(password);
      return performance.now() - start;
    };
    timeOf(512);
    const [short, long] = [timeOf(512), timeOf(2048)];
    assert(long < 64 * short, `${short} ms and ${long} ms`);
  });
});
