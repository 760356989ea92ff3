import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asCompanyId } from '../db/company-scope.ts';
import { createSecret, createTypedSecret, formatToken, parseToken } from './company-token.ts';

const companyId = asCompanyId(12);

describe('a token with its company', () => {
  it('is read as it was written', () => {
    for (const secret of [createSecret(), createTypedSecret()]) {
      assert.deepEqual(parseToken(formatToken({ companyId, secret })), { companyId, secret });
    }
  });

  it('is read from what people type of a letter', () => {
    const secret = '01AB-2C1D-9XYZ-Q0W1';
    for (const typed of [secret.toLowerCase(), 'OlAB-2C1D-9XYZ-QoWI']) {
      assert.deepEqual(parseToken(`12.${typed}`), { companyId, secret });
    }
  });

  it('has letters and digits that nobody confuses, all of them', () => {
    const all = new Set(Array.from({ length: 200 }, createTypedSecret).join('').replaceAll('-', ''));
    assert.equal([...all].toSorted().join(''), '0123456789ABCDEFGHJKMNPQRSTVWXYZ');
  });

  it('has either form and no other', () => {
    for (const text of [
      '12.7Q4M-0ZKD-91XF',
      '12.7Q4M_0ZKD_91XF_T3W',
      `x.${createTypedSecret()}`,
      createTypedSecret(),
    ]) {
      assert.equal(parseToken(text), undefined, text);
    }
  });
});
