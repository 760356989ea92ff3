import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TOTP } from 'otpauth';
import { findStep, totpUri } from './totp.ts';

/** The secret and the codes of RFC 6238, appendix B, of which apps show the last six digits. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('one-time passwords', () => {
  it('are those of RFC 6238', () => {
    const codes = { 59: '287082', 1111111109: '081804', 1234567890: '005924', 20000000000: '353130' };
    for (const [second, code] of Object.entries(codes)) {
      const now = Number(second) * 1000;
      assert.equal(findStep(secret, code, { now, after: 0 }), Math.floor(now / 30_000));
    }
  });

  it('are accepted one step early or late, and each once', () => {
    const now = 1_111_111_109_000;
    const step = Math.floor(now / 30_000);
    const codeOf = (near: number) => new TOTP({ secret }).generate({ timestamp: now + near * 30_000 });
    for (const near of [-1, 0, 1]) assert.equal(findStep(secret, codeOf(near), { now, after: 0 }), step + near);
    assert.equal(findStep(secret, codeOf(2), { now, after: 0 }), undefined);
    assert.equal(findStep(secret, codeOf(0), { now, after: step }), undefined);
    assert.equal(findStep(secret, '12345', { now, after: 0 }), undefined);
  });

  it('name issuer, account and secret in the address for apps', () => {
    const [path = '', query] = totpUri(secret, { issuer: 'Transit benefits', account: 'a@b.de' }).split('?');
    assert.equal(decodeURIComponent(path), 'otpauth://totp/Transit benefits:a@b.de');
    const searchParams = new URLSearchParams(query);
    const expected = { issuer: 'Transit benefits', secret, algorithm: 'SHA1', digits: '6', period: '30' };
    assert.deepEqual(Object.fromEntries(searchParams), expected);
  });
});
