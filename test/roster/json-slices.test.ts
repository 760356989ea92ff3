import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../src/errors.ts';
import { JsonSlices } from '../../src/http/json-slices.ts';

/** The body put together again from what the sink was told. Values are compared as text, for the sake of odd names. */
function readInPieces(pieces: Uint8Array[]): Map<string, string> | string {
  const members = new Map<string, string>();
  const arrays = new Map<string, unknown[]>();
  let other: string | undefined;
  const slices = new JsonSlices({
    onValue: (name, value) => members.set(name, JSON.stringify(value)),
    onArray: (name) => arrays.set(name, []),
    onElement: (name, value, index) => {
      assert.equal(arrays.get(name)?.length, index);
      arrays.get(name)?.push(value);
    },
    onOther: (value) => {
      other = JSON.stringify(value);
    },
  });
  for (const piece of pieces) slices.push(piece);
  slices.end();
  for (const [name, elements] of arrays) members.set(name, JSON.stringify(elements));
  return other ?? members;
}

function expected(text: string): Map<string, string> | string {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  return new Map(Object.entries(value).map(([name, member]) => [name, JSON.stringify(member)]));
}

function split(bytes: Uint8Array, cuts: number[]): Uint8Array[] {
  const places = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b);
  return [...places, bytes.length].map((end, index) => bytes.subarray(places[index - 1] ?? 0, end));
}

const read = (body: string | Uint8Array, cuts: number[] = []) => readInPieces(split(Buffer.from(body as string), cuts));

const isMalformed = (detail: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ApiError, String(error));
  assert.equal(error.code, 'malformed-body');
  assert.match(error.message, detail);
  return true;
};

const cuts = fc.array(fc.nat(), { maxLength: 20 });
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'"\\{}[],: aä🚲\n') }));
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(fc.double().map(JSON.stringify).map(JSON.parse), fc.integer(), fc.boolean(), fc.constant(null), anyText),
    fc.array(tie('value')),
    fc.dictionary(anyText, tie('value')),
  ),
}));
const anyDocument = fc
  .tuple(fc.oneof(fc.dictionary(anyText, anyValue), anyValue), fc.constantFrom('', ' ', '\t\r\n '))
  .map(([value, gap]) => `${gap}${JSON.stringify(value, null, gap)}${gap}`);

describe('JSON in slices', () => {
  it('reads any document as JSON.parse does, wherever it is split', () => {
    fc.assert(
      fc.property(anyDocument, cuts, (text, places) => assert.deepEqual(read(text, places), expected(text))),
      { numRuns: 400 },
    );
  });

  it('reads a document byte by byte', () => {
    const text =
      ' {"a" : [ 1 , "\\"]\\\\" , {"b":[],"ä\\u0022":{}} ] , "e":[ ],"\\u00e9":"x\\\\","o":{"k":[{}]},"n":-1.5e3 } \n';
    const bytes = Buffer.from(text);
    const everywhere = [...bytes.keys()];
    assert.deepEqual(read(text, everywhere), expected(text));
    for (const place of everywhere) assert.deepEqual(read(text, [place]), expected(text));
  });

  it('refuses what JSON.parse refuses, and besides only members given twice', () => {
    const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const change = fc.record({
      at: fc.nat(),
      remove: fc.nat(2),
      insert: fc.option(fc.constantFrom(...'"\\{}[],:1 \xff')),
    });
    fc.assert(
      fc.property(anyDocument, change, cuts, (text, { at, remove, insert }, places) => {
        const bytes = Buffer.from(text);
        const place = at % (bytes.length + 1);
        const inserted = Buffer.from(insert ?? '', 'latin1');
        const changed = Buffer.concat([bytes.subarray(0, place), inserted, bytes.subarray(place + remove)]);
        let result: ReturnType<typeof expected>;
        try {
          result = expected(strict.decode(changed));
        } catch {
          assert.throws(() => read(changed, places), isMalformed(/./));
          return;
        }
        try {
          assert.deepEqual(read(changed, places), result);
        } catch (error) {
          isMalformed(/given twice/)(error);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('refuses a body that is cut off anywhere', () => {
    const bytes = Buffer.from('{"syncId":"s","employees":[{"hrId":"1","absences":[]},{"hrId":"\\"ü"}],"x":{"y":[1]}}');
    for (let length = 0; length < bytes.length; length++) {
      assert.throws(() => read(bytes.subarray(0, length)), isMalformed(/ends after|empty/), `after ${length} bytes`);
    }
    assert.doesNotThrow(() => read(bytes));
  });

  it('refuses members given twice, on every level', () => {
    const bodies = [
      '{"a":1,"a":1}',
      '{"a":[],"b":1,"a":[]}',
      '{"a":1,"\\u0061":2}',
      '{"e":[{"a":1,"a":1}]}',
      '{"e":[{"a":1,"\\u0061":1}]}',
      '{"e":[{"b":{"a":1,"a":2}}]}',
      '{"e":[{"b":[{"a":1},{"a":1,"a":2}]}]}',
      '{"e":[[{"a":1,"a":2}]]}',
      '{"o":{"a":1,"b":{"a":1,"a":1}}}',
      '{"e":[{"__proto__":1,"__proto__":2}]}',
      '[{"a":1,"a":2}]',
    ];
    for (const body of bodies) assert.throws(() => read(body), isMalformed(/given twice/), body);
    const fine = '{"a":{"a":{"a":":"}},"b":[{"a":1},{"a":1}],"c:":[":",{":":":"}],"__proto__":[{"__proto__":{}}]}';
    assert.deepEqual(read(fine), expected(fine));
  });

  it('says where the body is broken', () => {
    const table: [string | Uint8Array, RegExp][] = [
      ['', /^The body is empty/],
      [' \n', /^The body is empty/],
      ['\ufeff{}', /byte 0 on: JSON in UTF-8 without byte order mark/],
      ['hello', /byte 0 on: JSON/],
      ['<xml/>', /byte 0 on: JSON/],
      ['nothing', /byte 0 on: it is no JSON/],
      ['{} x', /byte 3 on: there is more after the end/],
      ['{}{}', /byte 2 on: there is more after the end/],
      ['[] ,', /The body/],
      ['{,}', /comma, colon or bracket/],
      ['{"a"}', /comma, colon or bracket/],
      ['{"a":}', /The value of \/a cannot be read/],
      ['{"a":1,}', /comma, colon or bracket/],
      ['{"a":1 "b":2}', /comma, colon or bracket/],
      ['{"a":1]', /comma, colon or bracket/],
      ['{a:1}', /no JSON in UTF-8/],
      ['{1:1}', /name of a member must be a string/],
      ["{'a':1}", /no JSON in UTF-8/],
      ['{"a":[1,]}', /The value of \/a\/1 cannot be read from byte 8 on/],
      ['{"a":[,1]}', /The value of \/a\/0/],
      ['{"a":[1}}', /comma, colon or bracket/],
      ['{"a":[1 2]}', /The value of \/a\/0/],
      ['{"a":[1:2]}', /comma, colon or bracket/],
      ['{"a":[]"b":1}', /comma, colon or bracket/],
      ['{"a":[{"b":1],"c":[}]}', /The value of \/a\/0/],
      ['{"a~/b":[01]}', /The value of \/a~0~1b\/0 cannot be read from byte 9 on/],
      ['{"a":[NaN]}', /no JSON/],
      ['{"a":["\n"]}', /no JSON/],
      ['{"a":[\ufeff1]}', /no JSON/],
      [Buffer.from('{"a":["\xff"]}', 'latin1'), /The value of \/a\/0 .*no JSON in UTF-8/],
      [Buffer.from('{"\xfc":1}', 'latin1'), /no JSON in UTF-8/],
    ];
    for (const [body, detail] of table) {
      assert.throws(() => read(body), isMalformed(detail), String(body));
      assert.throws(() => read(body, [...Buffer.from(body as string).keys()]), isMalformed(detail), String(body));
    }
  });

  it('limits the depth of a value to 32', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    assert.doesNotThrow(() => read(`{"a":[${nested(32)}],"b":{"c":${nested(31)}}}`));
    assert.throws(() => read(`{"a":[${nested(33)}]}`), isMalformed(/\/a\/0 .*more than 32 levels/));
    assert.throws(() => read(`{"b":{"c":${nested(32)}}}`), isMalformed(/\/b .*more than 32 levels/));
    assert.throws(() => read('['.repeat(100_000)), isMalformed(/more than 32 levels/));
  });

  it('limits the size of a value, not that of an array', () => {
    const text = (length: number) => JSON.stringify('x'.repeat(length - 2));
    assert.doesNotThrow(() => read(`{"a":[${text(2 ** 20)},${text(2 ** 20)}]}`, [5000, 3 * 2 ** 19]));
    assert.throws(() => read(`{"a":[1,${text(2 ** 20 + 1)}]}`), isMalformed(/\/a\/1 .*far too large/));
    assert.throws(() => read(`{"a":${text(2 ** 20 + 1)}}`, [9, 70_000]), isMalformed(/\/a .*far too large/));
    const numbers = (count: number) => `[${Array(count).fill(1)}]`;
    assert.doesNotThrow(() => read(`{"a":${numbers(200_000)},"b":[${numbers(10_000)},${numbers(10_000)}]}`));
    assert.throws(() => read(`{"a":[${numbers(10_001)}]}`), isMalformed(/far too large/));
  });

  it('limits names and number of the members', () => {
    const members = (count: number) => `{${Array.from({ length: count }, (_, index) => `"m${index}":1`)}}`;
    assert.doesNotThrow(() => read(members(100)));
    assert.throws(() => read(members(101)), isMalformed(/more than 100 members/));
    assert.doesNotThrow(() => read(`{"${'n'.repeat(1022)}":1}`));
    assert.throws(() => read(`{"${'n'.repeat(1023)}":1}`), isMalformed(/more than 1024 bytes/));
  });
});
