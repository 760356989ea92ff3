import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toSVG } from 'bwip-js/generic';
import { makeUicBarcode } from '../../../src/features/issuers/fake/barcode.ts';
import { drawAztec, toBits } from '../../../src/features/wallet/aztec.ts';

test('draws an Aztec code of any bytes around its bull’s eye', async () => {
  const barcode = makeUicBarcode({
    ...{ firstName: 'Anna', lastName: 'Müller', dateOfBirth: null, number: 'T1' },
    ...{ validFrom: '2026-12-01', validUntil: '2026-12-31' },
  });
  const rows = await drawAztec(barcode.toString('latin1'));
  const { length: size } = rows;
  assert(rows.every((row) => row.length === size));
  assert.equal(size % 2, 1);
  const middle = (size - 1) / 2;
  // The squares of a ring have the same distance from the middle, and the rings of a full code alternate up to the sixth.
  for (let y = -6; y <= 6; y++) {
    for (let x = -6; x <= 6; x++) {
      const ring = Math.max(Math.abs(x), Math.abs(y));
      assert.equal(rows[middle + y]?.[middle + x], ring % 2 === 0, `ring ${ring} at ${x}, ${y}`);
    }
  }
  const dark = rows.flat().filter(Boolean).length;
  assert(dark > size * size * 0.35 && dark < size * size * 0.65, `${dark} of ${size * size} squares are dark`);
});

test('encodes bytes as the library does by its longer way', () => {
  for (const length of [1, 31, 32, 62, 63, 400]) {
    const content = Buffer.from(Array.from({ length }, (_, at) => 128 + ((at * 37) % 128))).toString('latin1');
    const options = { bcid: 'azteccode', text: toBits(content), raw: true, scale: 1 };
    assert.equal(toSVG(options), toSVG({ bcid: 'azteccode', text: content, binarytext: true, scale: 1 }), `${length}`);
  }
});
