import type { Random } from '../../src/demo/random.ts';

/** The parts of a parameter's schema from which requests are generated. */
export interface ValueSchema {
  type?: string | string[];
  enum?: (string | null)[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  items?: ValueSchema;
}

/** One deliberate mistake, identified by its name. */
export interface Slip {
  name: string;
  make(random: Random): string;
}

export const typeOf = ({ type }: ValueSchema) => [type].flat()[0];

const wordsOf = ({ enum: words = [] }: ValueSchema) => words.filter((word) => word !== null);

/** Text fragments as users and programs send them. All are valid in any text, including names. */
const fragments = [
  ...['Anna', 'müller', 'MUSTER', 'ß', 'Łukasz', '漢字', '😀', 'e\u0301', '\ufeff', '\u00a0', '\u200d', '\u200f'],
  ...[
    '%',
    '_',
    '\\',
    "'",
    '"',
    '`',
    ';',
    '--',
    '/*',
    '$1',
    '{}',
    '[]',
    '<b>',
    '&',
    '=',
    '+',
    '#',
    '?',
    '/',
    '..',
    '%00',
  ],
  ...['null', 'undefined', 'NaN', '-1', '0', '1e309', "' or 1=1 --", 'a'.repeat(60), 'x@example.com', ' '],
];

/** Valid in a search, invalid in a name: they break the line or change the direction of the text. */
const noFragmentsOfNames = ['\u202e', '\u2067', '\t', '\r\n', '\u001b', '\u2028', '\u0085', '\ufffd'];
const allFragments = [...fragments, ...noFragmentsOfNames];

function joinFragments(choices: readonly string[], random: Random, maxLength: number, minLength: number): string {
  // Sometimes the text has the maximum length.
  if (random.chance(0.03)) return [...random.pick(choices).repeat(maxLength)].slice(0, maxLength).join('');
  let text = '';
  for (let count = random.int(minLength, 6); count > 0; count--) text += random.pick(choices);
  return [...text].slice(0, maxLength).join('');
}

export const someText = (random: Random, maxLength: number, minLength = 0) =>
  joinFragments(allFragments, random, maxLength, minLength);

/** Returns a name with at least one visible letter. */
export const aName = (random: Random, maxLength: number) =>
  `${joinFragments(fragments, random, maxLength / 2 - 1, 0)}n${joinFragments(fragments, random, maxLength / 2, 0)}`;

/** Returns a name with one character that is not allowed in names. */
export const aWrongName = (random: Random) => `a${random.pick(noFragmentsOfNames)}${aName(random, 50)}`;
/** Names that display as nothing. */
export const invisibleNames = ['\u200b', '\ufeff', '\u00ad\u2060', '\u3164', '\u2800', '\u{e0041}'];

const twoDigits = (number: number) => String(number).padStart(2, '0');

const aFirstOfMonth = (random: Random) =>
  `${random.pick(['2026', '2026', '2025', '1999', '0001', '9999'])}-${twoDigits(random.int(1, 12))}-01`;

/** Returns text that fits the schema. It may be empty where the schema allows it. */
export function validText(schema: ValueSchema, random: Random): string {
  const words = wordsOf(schema);
  if (words.length > 0) return random.pick(words);
  if (schema.format === 'date') return aFirstOfMonth(random);
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER, minLength = 0, maxLength = 200 } = schema;
  switch (typeOf(schema)) {
    case 'integer':
      return String(random.pick([minimum, minimum + 1, random.int(minimum, Math.min(maximum, 50)), maximum]));
    case 'boolean':
      return random.pick(['true', 'false']);
    default:
      return someText(random, maxLength, minLength);
  }
}

export const noIntegers = [
  ...[
    'x',
    '1.5',
    '1e3',
    '0x10',
    '٣',
    '１',
    '+1',
    '--1',
    '1 2',
    '1_000',
    'true',
    'NaN',
    'Infinity',
    '[]',
    '{}',
    '1;2',
    '½',
  ],
  ...["1'", '1--', '1/2', '1\u0000', '\u0000'],
];

const noDates = [
  ...[
    '2026-11',
    '2026-13-01',
    '2026-00-01',
    '2026-02-30',
    '20261101',
    '01.11.2026',
    '2026-11-1',
    '2026/11/01',
    'today',
  ],
  ...[
    '2026-11-01T00:00:00Z',
    '2026-11-01 ',
    '-2026-11-01',
    '+002026-11-01',
    '２０２６-11-01',
    '2026-11-01\u0000',
    '1793491200',
  ],
];

/** Returns every way in which text can violate the schema. Each must be refused, whatever else the request contains. */
export function slipsOf(schema: ValueSchema): Slip[] {
  if (schema.items !== undefined) return slipsOf(schema.items);
  const words = wordsOf(schema);
  if (words.length > 0) {
    const others = ['unknown', `${words[0]}x`, String(words[0]).toUpperCase(), `${words[0]}\u0000`, '0', 'undefined'];
    return [{ name: 'is an unknown word', make: (random) => random.pick(others) }];
  }
  if (schema.format === 'date') {
    return [
      { name: 'is no date', make: (random) => random.pick(noDates) },
      { name: 'is no first of a month', make: (random) => `2026-11-${twoDigits(random.int(2, 30))}` },
      { name: 'is of the year 0', make: () => '0000-01-01' },
    ];
  }
  if (typeOf(schema) === 'boolean') {
    return [
      { name: 'is no boolean', make: (random) => random.pick(['yes', '1', '0', 'TRUE', 'truefalse', '', 'null', ' ']) },
    ];
  }
  return typeOf(schema) === 'integer' ? slipsOfInteger(schema) : slipsOfText(schema);
}

function slipsOfInteger({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: ValueSchema): Slip[] {
  const beyond = [BigInt(maximum) + 1n, 2n ** 53n, 2n ** 63n, 10n ** 30n].map(String);
  return [
    { name: 'is no whole number', make: (random) => random.pick(noIntegers) },
    { name: 'is too small', make: (random) => String(minimum - random.pick([1, 2, 1_000_000])) },
    { name: 'is too large', make: (random) => random.pick(beyond) },
  ];
}

function slipsOfText({ maxLength, pattern }: ValueSchema): Slip[] {
  const slips: Slip[] = [];
  if (maxLength !== undefined) {
    slips.push({
      name: 'is too long',
      make: (random) => random.pick(['x', 'ü', '😀']).repeat(maxLength + random.pick([1, 2, 100])),
    });
  }
  if (pattern?.includes('u0000')) {
    slips.push({ name: 'contains NUL', make: (random) => `${someText(random, 20)}\u0000${someText(random, 20)}` });
  }
  return slips;
}

/** Parameters that no operation has. */
export const strayPairs = [
  'utm_source=x',
  '__proto__=1',
  'constructor=1',
  'x[]=1',
  'page[]=x',
  'ids.x=y',
  'x',
  '=x',
  'null=null',
];
