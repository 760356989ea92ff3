import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeOfStep, findStep, fromBase32, stepAt, toBase32, totpUri } from './totp.ts';

/** The secret and the codes of RFC 6238, appendix B, of which apps show the last six digits. */
const secret = toBase32(Buffer.from('12345678901234567890'));

describe('one-time passwords', () => {
  it('are those of RFC 6238', () => {
    const codes = [59, 1_111_111_109, 1_234_567_890, 20_000_000_000].map((second) =>
      codeOfStep(secret, stepAt(second * 1000)),
    );
    assert.deepEqual(codes, ['287082', '081804', '005924', '353130']);
  });

  it('are accepted one step early or late, and each once', () => {
    const now = 1_111_111_109_000;
    const step = stepAt(now);
    for (const near of [-1, 0, 1]) {
      assert.equal(findStep(secret, codeOfStep(secret, step + near), { now, after: 0 }), step + near);
    }
    assert.equal(findStep(secret, codeOfStep(secret, step + 2), { now, after: 0 }), undefined);
    assert.equal(findStep(secret, codeOfStep(secret, step), { now, after: step }), undefined);
    assert.equal(findStep(secret, '12345', { now, after: 0 }), undefined);
  });

  it('write secrets in base 32', () => {
    assert.equal(secret, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    assert.equal(fromBase32(secret).toString(), '12345678901234567890');
    assert.equal(
      totpUri(secret, { issuer: 'Transit benefits', account: 'a@b.de' }),
      `otpauth://totp/Transit%20benefits:a%40b.de?secret=${secret}&issuer=Transit%20benefits&algorithm=SHA1&digits=6&period=30`,
    );
  });
});
