import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { OperatorError } from '../config/operator-error.ts';
import { createEncryption, nameSecretOf } from './encryption.ts';

const [former, secret] = ['former '.repeat(8), 'present '.repeat(8)];
const row = nameSecretOf('things', 1, 7);

describe('encryption of stored secrets', () => {
  it('returns every text as it was, and never encrypts twice to the same', () => {
    const { encrypt, decrypt } = createEncryption(secret);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (plain, context) => {
        const stored = encrypt(plain, context);
        assert.equal(decrypt(stored, context), plain);
        assert.notEqual(encrypt(plain, context), stored);
      }),
    );
  });

  it('binds a text to its row', () => {
    const { encrypt, decrypt } = createEncryption(secret);
    const stored = encrypt('token', row);
    for (const other of [nameSecretOf('things', 2, 7), nameSecretOf('things', 1, 8), nameSecretOf('others', 1, 7)]) {
      assert.throws(() => decrypt(stored, other), /was changed or moved/);
    }
  });

  it('refuses a text of which any character was changed', () => {
    const { encrypt, decrypt } = createEncryption(secret);
    const stored = encrypt('token', row);
    for (let at = 0; at < stored.length; at++) {
      const changed = `${stored.slice(0, at)}${stored[at] === 'A' ? 'B' : 'A'}${stored.slice(at + 1)}`;
      // The last character of base64url may carry unused bits: such a change is none.
      if (at === stored.length - 1) continue;
      assert.throws(() => decrypt(changed, row), OperatorError, `character ${at}`);
    }
    assert.throws(() => decrypt('', row), /its format is unknown/);
    assert.throws(() => decrypt(stored.slice(0, 20), row), OperatorError);
  });

  it('still decrypts with the former secret, which encrypts nothing', () => {
    const stored = createEncryption(former).encrypt('token', row);
    const rotating = createEncryption(secret, former);
    assert.equal(rotating.decrypt(stored, row), 'token');
    assert.equal(rotating.isCurrent(stored), false);
    const renewed = rotating.encrypt('token', row);
    assert.equal(rotating.isCurrent(renewed), true);
    assert.equal(createEncryption(secret).decrypt(renewed, row), 'token');
  });

  it('names the row and the remedy if SECRET has changed, and nothing of the text', () => {
    const stored = createEncryption(former).encrypt('token', row);
    assert.throws(() => createEncryption(secret).decrypt(stored, row), {
      message:
        'The secret stored in things/1/7 cannot be decrypted: SECRET has changed. ' +
        'Set SECRET_PREVIOUS to the former SECRET, then run "secrets rotate".',
    });
  });
});
