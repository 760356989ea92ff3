import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { isWeakSecret } from './secret-strength.ts';

describe('a secret', () => {
  it('is weak when it repeats, counts or is a placeholder', () => {
    const weak = [
      'x'.repeat(64),
      'ab'.repeat(20),
      'deadbeef'.repeat(4),
      '1234'.repeat(16),
      '0123456789abcdef'.repeat(2),
      'fedcba9876543210'.repeat(2),
      '00112233445566778899aabbccddeeff',
      '13579bdf02468ace'.repeat(2),
      'abcdefghijklmnopqrstuvwxyz0123456789',
      'a'.repeat(20) + 'b'.repeat(20),
      'change_me_'.repeat(4),
      `super-secret-${'9f2c7ab1'.repeat(3)}`,
      'qwertyuiopasdfghjklzxcvbnm12345678',
    ];
    for (const secret of weak) assert(isWeakSecret(secret), secret);
  });

  it('is not weak when 16 or more random bytes are written as hexadecimal or base64', () => {
    for (let times = 0; times < 2_000; times++) {
      for (const [size, encoding] of [
        [16, 'hex'],
        [32, 'hex'],
        [24, 'base64'],
        [32, 'base64url'],
      ] as const) {
        // The same bytes in every run: a few in a million random secrets contain a placeholder by chance.
        const bytes = createHash('sha256').update(`${times} ${size} ${encoding}`).digest();
        const secret = bytes.subarray(0, size).toString(encoding);
        assert(!isWeakSecret(secret), secret);
      }
    }
  });
});
