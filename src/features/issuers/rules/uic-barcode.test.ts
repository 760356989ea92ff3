import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUicBarcode } from '../fake/barcode.ts';
import { readUicBarcode, UnreadableBarcodeError } from './uic-barcode.ts';
import { uicVersions } from './uic-types.ts';

const content = {
  firstName: 'Jörg',
  lastName: 'Müller-Lüdenscheidt',
  dateOfBirth: '1988-02-29',
  validFrom: '2026-12-01',
  validUntil: '2026-12-31',
  number: 'T202612-000001',
};

for (const version of uicVersions) {
  test(`reads the traveller and the validity of U_FLEX ${version}`, () => {
    const { traveller, validFrom, validUntil, isSpecimen, signedBy } = readUicBarcode(makeUicBarcode(content, version));
    assert.equal(`${traveller?.firstName} ${traveller?.lastName}`, 'Jörg Müller-Lüdenscheidt');
    assert.equal(traveller?.dateOfBirth?.toString(), '1988-02-29');
    assert.equal(`${validFrom} ${validUntil}`, '2026-12-01 2026-12-31');
    assert.ok(isSpecimen);
    assert.equal(signedBy, '1080');
  });
}

test('refuses every damaged barcode without doing anything else', () => {
  const whole = makeUicBarcode(content);
  for (let length = 0; length < whole.length; length++) {
    assert.throws(() => readUicBarcode(whole.subarray(0, length)), UnreadableBarcodeError);
  }
  for (let at = 0; at < whole.length; at++) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ 0xff;
    try {
      readUicBarcode(damaged);
    } catch (error) {
      assert.ok(error instanceof UnreadableBarcodeError, `byte ${at}: ${error}`);
    }
  }
});
