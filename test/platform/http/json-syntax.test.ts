import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findSyntaxProblem } from '../../../src/platform/http/json-syntax.ts';
import { assertLinear } from '../../support/linear.ts';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(strict.decode(bytes));
    return true;
  } catch {
    return false;
  }
}

describe('the position of a syntax error', () => {
  it('is found in every text that JSON.parse refuses, and in no other', () => {
    const change = fc.record({
      at: fc.nat(),
      remove: fc.nat(2),
      insert: fc.option(fc.constantFrom(...'"\\{}[],:1-.eut \n\xff')),
    });
    fc.assert(
      fc.property(fc.json(), fc.array(change, { maxLength: 3 }), (text, changes) => {
        let bytes: Uint8Array = Buffer.from(text);
        for (const { at, remove, insert } of changes) {
          const place = at % (bytes.length + 1);
          const inserted = Buffer.from(insert ?? '', 'latin1');
          bytes = Buffer.concat([bytes.subarray(0, place), inserted, bytes.subarray(place + remove)]);
        }
        assert.equal(findSyntaxProblem(bytes) === undefined, isJson(bytes), JSON.stringify(String(bytes)));
      }),
      { numRuns: 2000 },
    );
  });

  it('comes after text that can still be completed to JSON', () => {
    const bytes = Buffer.from(
      '{"syncId":"s","employees":[{"hrId":"1","absences":[]},{"hrId":"\\"ü"}],"x":{"y":[-1.5e3,true]}}',
    );
    for (let length = 0; length < bytes.length; length++) {
      const problem = findSyntaxProblem(bytes.subarray(0, length));
      assert.deepEqual([problem?.found, problem?.at], [null, length]);
    }
    assert.equal(findSyntaxProblem(bytes), undefined);
  });

  it('is found in time proportional to the length of the text', async () => {
    const units = ['1', '-', '[', '[1,', '{"a":', ' ', '\ufffd', 'é', '\\\\', '\\u00e4'];
    for (const [begin, unit] of units.flatMap((unit) => [
      ['', unit],
      ['"', unit],
    ])) {
      await assertLinear(`a syntax error after ${begin}${unit}${unit}…`, (size) => {
        const bytes = Buffer.from(`${begin}${unit?.repeat(size)}`);
        return () => findSyntaxProblem(bytes);
      });
    }
  });
});
