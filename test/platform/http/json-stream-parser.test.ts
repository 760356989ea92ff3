import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../../src/platform/http/errors.ts';
import { JsonStreamParser } from '../../../src/platform/http/json-stream-parser.ts';
import { runsOf } from '../../support/domain/runs.ts';

/** Reassembles the body from what the sink received. Values are compared as text, for the sake of odd names. */
function readInPieces(pieces: Uint8Array[]): Map<string, string> | string {
  const members = new Map<string, string>();
  const arrays = new Map<string, unknown[]>();
  let other: string | undefined;
  const slices = new JsonStreamParser({
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

describe('JsonStreamParser', () => {
  it('parses any document like JSON.parse, wherever it is split', () => {
    fc.assert(
      fc.property(anyDocument, cuts, (text, places) => assert.deepEqual(read(text, places), expected(text))),
      { numRuns: runsOf(400) },
    );
  });

  it('parses a document byte by byte', () => {
    const text =
      ' {"a" : [ 1 , "\\"]\\\\" , {"b":[],"ä\\u0022":{}} ] , "e":[ ],"\\u00e9":"x\\\\","o":{"k":[{}]},"n":-1.5e3 } \n';
    const bytes = Buffer.from(text);
    const everywhere = [...bytes.keys()];
    assert.deepEqual(read(text, everywhere), expected(text));
    for (const place of everywhere) assert.deepEqual(read(text, [place]), expected(text));
  });

  it('refuses what JSON.parse refuses, and additionally only duplicate members', () => {
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
          assert.throws(
            () => read(changed, places),
            isMalformed(/^Unexpected .* at line|^The body (ends at line|is empty)/),
          );
          return;
        }
        try {
          assert.deepEqual(read(changed, places), result);
        } catch (error) {
          isMalformed(/given twice/)(error);
        }
      }),
      { numRuns: runsOf(1000) },
    );
  });

  it('refuses a body that is cut off anywhere', () => {
    const bytes = Buffer.from('{"syncId":"s","employees":[{"hrId":"1","absences":[]},{"hrId":"\\"ü"}],"x":{"y":[1]}}');
    for (let length = 0; length < bytes.length; length++) {
      assert.throws(
        () => read(bytes.subarray(0, length)),
        isMalformed(/^The body (ends at|is empty)/),
        `after ${length} bytes`,
      );
    }
    assert.doesNotThrow(() => read(bytes));
  });

  it('refuses duplicate members on every level', () => {
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

  it('reports where the syntax error is and how to fix it', () => {
    const table: [string | Uint8Array, RegExp][] = [
      ['', /^The body is empty: send one/],
      [' \n', /^The body is empty: send one/],
      ['hello', /^Unexpected h at .*\(byte 0\): put texts in double quotes/],
      ['<xml/>', /^Unexpected < at .*\(byte 0\): put texts/],
      ['nothing', /^Unexpected nothing at .*\(byte 0\): put texts/],
      ['{} x', /^Unexpected x at .*\(byte 3\): remove everything after the end/],
      ['{}{}', /^Unexpected \{ at .*\(byte 2\): remove everything after the end/],
      ['[] ,', /^Unexpected , at .*\(byte 3\): remove everything after the end/],
      ['{,}', /^Unexpected , at .*\(byte 1\): remove it/],
      ['{"a"}', /^Unexpected } at .*\(byte 4\): put a colon and a value/],
      ['{"a":}', /^Unexpected } at .*\(byte 5\): put a value before it/],
      ['{"a":1,}', /^Unexpected } at .*\(byte 7\): remove the comma before it\.$/],
      ['{"a":1,,"b":2}', /^Unexpected , at .*\(byte 7\): remove it/],
      ['{"a":1 "b":2}', /^Unexpected " at .*\(byte 7\): put a comma before it\.$/],
      ['{"a":1]', /^Unexpected ] at .*\(byte 6\): close the object with } first/],
      ['{a:1}', /^Unexpected a at .*\(byte 1\): put a name in double quotes/],
      ['{1:1}', /^Unexpected 1 at .*\(byte 1\): put a name in double quotes/],
      ["{'a':1}", /^Unexpected ' at .*\(byte 1\): use double quotes/],
      ['{"a":\'b\'}', /^Unexpected ' at .*\(byte 5\): use double quotes/],
      ['{"a":“b”}', /^Unexpected “ at .*\(byte 5\): use straight double quotes/],
      ['{"a":[1,]}', /^Unexpected ] at line 1, column 9 \(byte 8\): remove the comma before it\.$/],
      ['{"a":[1,2] ,\n }', /^Unexpected } at line 2, column 2 \(byte 14\): remove the comma before it\.$/],
      [
        '{"a":[{"ä":"ü",\n"b":[1,\r\n  ]}]}',
        /^Unexpected ] at line 3, column 3 \(byte 29\): remove the comma before it/,
      ],
      ['{"a":[,1]}', /^Unexpected , at .*\(byte 6\): remove it, or put a value before it/],
      ['{"a":[1,,2]}', /^Unexpected , at .*\(byte 8\): remove it, or put a value before it/],
      ['{"a":[1}}', /^Unexpected } at .*\(byte 7\): close the array with ] first/],
      ['{"a":[1 2]}', /^Unexpected 2 at .*\(byte 8\): put a comma before it/],
      ['{"a":[1:2]}', /^Unexpected : at .*\(byte 7\): put a comma in its place/],
      ['{"a":[]"b":1}', /^Unexpected " at .*\(byte 7\): put a comma before it/],
      ['{"a":[{"b":1],"c":[}]}', /^Unexpected ] at .*\(byte 12\): close the object with } first/],
      ['{"a":[01]}', /^Unexpected 01 at .*\(byte 6\): write numbers such as/],
      ['{"a":[1 /* one */]}', /^Unexpected \/ at .*\(byte 8\): remove the comment/],
      ['{"a":[NaN]}', /^Unexpected N at .*\(byte 6\): put texts in double quotes; other values are numbers/],
      ['{"a":["\n"]}', /^Unexpected line break at line 1, column 8 \(byte 7\): close the text/],
      ['{"a":["\u0001"]}', /^Unexpected U\+0001 at .*\(byte 7\): write \\u0001/],
      ['{"a":["C:\\path"]}', /^Unexpected \\ at .*\(byte 9\): write a backslash as \\\\/],
      ['{"a":["\\u12x4"]}', /^Unexpected \\ at .*\(byte 7\): write four hexadecimal digits/],
      ['{"a":[\ufeff1]}', /^Unexpected byte order mark at .*\(byte 6\)/],
      [Buffer.from('{"a":["\xff"]}', 'latin1'), /^Unexpected byte 0xFF at .*\(byte 7\): it is not UTF-8/],
      [Buffer.from('{"\xfc":1}', 'latin1'), /^Unexpected byte 0xFC at .*\(byte 2\): it is not UTF-8/],
      [
        '{"a":[1,\n2',
        /^The body ends at line 2, column 2 \(byte 10\), before its JSON is complete: .* array is not closed/,
      ],
      [
        '{"a":"ü',
        /^The body ends at line 1, column 8 \(byte 8\), .*: send all of it, a text is not closed with a quote/,
      ],
      ['{"a":[{"b":tr', /^The body ends at .*\(byte 13\), .*: send all of it, a value is cut off/],
      ['{"a":[{"b":1,', /^The body ends at .*\(byte 13\), .*: send all of it, an object is not closed/],
      ['{"a":1', /^The body ends at .*\(byte 6\)/],
      ['{"a":{\'b\':[', /^Unexpected ' at .*\(byte 6\): use double quotes/],
    ];
    for (const [body, detail] of table) {
      assert.throws(() => read(body), isMalformed(detail), String(body));
      assert.throws(() => read(body, [...Buffer.from(body as string).keys()]), isMalformed(detail), String(body));
    }
  });

  it('refuses a byte order mark, whole or split', () => {
    const place = 'line 1, column 1 \\(byte 0\\)';
    assert.throws(
      () => read('\ufeff{}'),
      isMalformed(new RegExp(`^Unexpected byte order mark at ${place}: send UTF-8 without`)),
    );
    assert.throws(() => read('\ufeff{}', [1]), isMalformed(new RegExp(`^Unexpected byte 0xEF at ${place}`)));
  });

  it('finds an unclosed quote, however much text follows', () => {
    const entries = `{"hrId":"1"},\n`.repeat(100_000);
    const body = `{"employees":[\n{"hrId":"0},\n${entries}{}]}`;
    for (const cuts of [[], [20], [5000, 70_000]]) {
      assert.throws(() => read(body, cuts), isMalformed(/^Unexpected line break at line 2, column 13 \(byte 27\)/));
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

  it('limits the length of names and the number of members', () => {
    const members = (count: number) => `{${Array.from({ length: count }, (_, index) => `"m${index}":1`)}}`;
    assert.doesNotThrow(() => read(members(100)));
    assert.throws(() => read(members(101)), isMalformed(/more than 100 members/));
    assert.doesNotThrow(() => read(`{"${'n'.repeat(1022)}":1}`));
    assert.throws(() => read(`{"${'n'.repeat(1023)}":1}`), isMalformed(/more than 1024 bytes/));
  });
});
