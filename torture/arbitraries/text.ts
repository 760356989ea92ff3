import fc from 'fast-check';

export const encode = (text: string) => encodeURIComponent(text.toWellFormed());

/** Text as users and programs send it. All of it is valid in any text, including names. */
const fragments = [
  ...['Anna', 'müller', 'MUSTER', 'ß', 'Łukasz', '漢字', '😀', 'e\u0301', '\ufeff', '\u00a0', '\u200d', '\u200f'],
  ...['%', '_', '\\', "'", '"', '`', ';', '--', '/*', '$1', '{}', '[]', '<b>', '&', '=', '+', '#', '?', '/', '..'],
  ...['%00', 'null', 'undefined', 'NaN', '-1', '0', '1e309', "' or 1=1 --", 'a'.repeat(60), 'x@example.com', ' '],
];

/** Valid in a search, invalid in a name: they break the line or change the direction of the text. */
const notInLines = ['\u202e', '\u2067', '\t', '\r\n', '\u001b', '\u2028', '\u0085', '\ufffd'];

function joined(choices: readonly string[], minLength: number, maxLength: number): fc.Arbitrary<string> {
  const one = fc.constantFrom(...choices);
  const some = fc.array(one, { minLength, maxLength: Math.max(6, minLength) }).map((all) => all.join(''));
  const full = one.map((text) => text.repeat(maxLength));
  return fc
    .oneof({ arbitrary: some, weight: 30 }, { arbitrary: full, weight: 1 })
    .map((text) => [...text].slice(0, maxLength).join(''));
}

export const anyText = (min: number, max: number) => joined([...fragments, ...notInLines], min, max);

/** One line of text with at least one visible letter. */
export const lineText = (maxLength: number) =>
  fc
    .tuple(joined(fragments, 0, maxLength / 2 - 1), joined(fragments, 0, maxLength / 2))
    .map(([before, after]) => `${before}n${after}`);

const badCharacter = fc.tuple(fc.constantFrom(...notInLines), lineText(50)).map(([bad, rest]) => `a${bad}${rest}`);
const invisible = ['\u200b', '\ufeff', '\u00ad\u2060', '\u3164', '\u2800', '\u{e0041}'];

export const invalidLine = {
  empty: fc.constantFrom('', ' ', '\t\n', '\u00a0'),
  invisible: fc.constantFrom(...invisible),
  'with a character that breaks or reorders the line': badCharacter,
  'with NUL': fc.constant('a\u0000b'),
  'with half a surrogate pair': fc.constantFrom('a\ud800b', '\udc00'),
};

const twoDigits = (number: number) => String(number).padStart(2, '0');
const month = fc.integer({ min: 1, max: 12 }).map(twoDigits);

export const dateText = fc
  .tuple(fc.integer({ min: 1900, max: 2200 }), month, fc.integer({ min: 1, max: 28 }).map(twoDigits))
  .map((parts) => parts.join('-'));

export const firstOfMonth = fc
  .tuple(fc.constantFrom('2026', '2026', '2025', '1999', '0001', '9999'), month)
  .map((parts) => `${parts.join('-')}-01`);

export const nonDates = [
  ...['2026-11', '2026-13-01', '2026-00-01', '2026-02-30', '20261101', '01.11.2026', '2026-11-1', '2026/11/01'],
  ...[
    'today',
    '2026-11-01T00:00:00Z',
    '-2026-11-01',
    '+002026-11-01',
    '２０２６-11-01',
    '2026-11-01\u0000',
    '1793491200',
  ],
];

export const nonIntegers = [
  ...['x', '1.5', '1e3', '0x10', '٣', '１', '+1', '--1', '1 2', '1_000', 'true', 'NaN', 'Infinity', '[]', '{}', '1;2'],
  ...['½', "1'", '1--', '1/2', '1\u0000', '\u0000'],
];

export const nonBooleans = ['yes', '1', '0', 'TRUE', 'truefalse', '', 'null', ' '];
