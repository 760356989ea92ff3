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

const lineText = (maxLength: number) =>
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

const dateText = fc
  .tuple(fc.integer({ min: 1900, max: 2200 }), month, fc.integer({ min: 1, max: 28 }).map(twoDigits))
  .map((parts) => parts.join('-'));

export const firstOfMonth = fc
  .tuple(fc.constantFrom('2026', '2026', '2025', '1999', '0001', '9999'), month)
  .map((parts) => `${parts.join('-')}-01`);

const nonDates = [
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

const nonIntegers = [
  ...['x', '1.5', '1e3', '0x10', '٣', '１', '+1', '--1', '1 2', '1_000', 'true', 'NaN', 'Infinity', '[]', '{}', '1;2'],
  ...['½', "1'", '1--', '1/2', '1\u0000', '\u0000'],
];

const nonBooleans = ['yes', '1', '0', 'TRUE', 'truefalse', '', 'null', ' '];

export interface Schema {
  type?: string | string[];
  enum?: readonly (string | null)[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  /** Replaces the generated valid values, for rules that no keyword expresses. */
  'x-valid'?: fc.Arbitrary<unknown>;
  'x-invalid'?: Mistakes;
}

/** Invalid values by what is wrong with them. Every value of a list must be refused. */
type Mistakes<T = unknown> = Record<string, fc.Arbitrary<T>>;

interface Values<T = unknown> {
  valid: fc.Arbitrary<T>;
  invalid: Mistakes<T>;
}

export const typeOf = ({ type }: Schema): string | undefined => [type].flat().find((one) => one !== 'null');
const isNullable = ({ type, enum: words }: Schema) => [type].flat().includes('null') || words?.includes(null) === true;
const wordsOf = ({ enum: words = [] }: Schema) => words.filter((word) => word !== null);

const byType: Record<string, fc.Arbitrary<unknown>> = {
  string: fc.constantFrom('', 'x', '0', 'true'),
  integer: fc.constantFrom(0, 1, -1, 7.5, 2 ** 53),
  boolean: fc.boolean(),
  array: fc.constantFrom([], [[]], [null], ['x']),
  object: fc.constantFrom({}, { x: 1 }, { length: 1 }),
  null: fc.constant(null),
};

/** Returns values of every type but the schema's own. A fraction is no integer, but a number still. */
function otherTypes(schema: Schema): fc.Arbitrary<unknown> {
  const own = new Set([schema.type].flat());
  const others = Object.entries(byType).filter(([type]) => !own.has(type));
  const fraction = own.has('integer') ? [fc.constantFrom(7.5, -0.1)] : [];
  return fc.oneof(...fraction, ...others.map(([, values]) => values));
}

function integerValues({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Schema): Values {
  const limits = [minimum, minimum + 1, maximum].filter((value) => value >= minimum && value <= maximum);
  return {
    valid: fc.oneof(fc.constantFrom(...limits), fc.integer({ min: minimum, max: Math.min(maximum, minimum + 50) })),
    invalid: {
      'below the minimum': fc.constantFrom(1, 2, 1_000_000).map((by) => minimum - by),
      ...(maximum < Number.MAX_SAFE_INTEGER
        ? { 'above the maximum': fc.constantFrom(1, 2, 1_000_000).map((by) => maximum + by) }
        : {}),
    },
  };
}

const nonEmails = ['plain', '@example.com', 'a@b', 'a b@example.com', 'a@@example.com', '"a"@b.de'];

const formats: Record<string, (schema: Schema) => Values> = {
  date: () => ({ valid: dateText, invalid: { 'not a date': fc.constantFrom(...nonDates) } }),
  'first-of-month': () => ({
    valid: firstOfMonth,
    invalid: {
      'not a date': fc.constantFrom(...nonDates),
      'not the first of a month': fc.integer({ min: 2, max: 30 }).map((day) => `2026-11-${`${day}`.padStart(2, '0')}`),
      'in the year 0': fc.constant('0000-01-01'),
    },
  }),
  'date-time': () => ({
    valid: dateText.map((day) => `${day}T12:00:00Z`),
    invalid: { 'not a timestamp': fc.constantFrom('2026-11-01', 'tomorrow', '2026-13-01T00:00:00Z', '') },
  }),
  email: () => ({
    valid: fc.integer({ min: 1, max: 500 }).map((number) => `guest${number}@example.com`),
    invalid: { 'not an address': fc.constantFrom(...nonEmails) },
  }),
  'single-line-text': ({ maxLength = 200 }) => ({ valid: lineText(maxLength), invalid: invalidLine }),
};

function stringValues(schema: Schema): Values {
  const { format, minLength = 0, maxLength, pattern } = schema;
  const words = wordsOf(schema);
  if (words.length > 0) {
    const [first = ''] = words;
    const others = ['unknown', `${first}x`, first.toUpperCase(), `${first}\u0000`, '0', 'undefined'];
    return { valid: fc.constantFrom(...words), invalid: { 'an unknown word': fc.constantFrom(...others) } };
  }
  const plain = { valid: anyText(minLength, maxLength ?? 200), invalid: {} };
  const { valid, invalid } = formats[format ?? '']?.(schema) ?? plain;
  const tooLong = (limit: number) =>
    fc.tuple(fc.constantFrom('x', 'ü', '😀'), fc.constantFrom(1, 2, 100)).map(([one, by]) => one.repeat(limit + by));
  return {
    valid,
    invalid: {
      ...invalid,
      ...(maxLength === undefined ? {} : { 'too long': tooLong(maxLength) }),
      ...(minLength > 1 ? { 'too short': fc.constantFrom('x'.repeat(minLength - 1), 'x') } : {}),
      ...(pattern?.includes('u0000') ? { 'with NUL': fc.constantFrom('\u0000', 'a\u0000', 'a\u0000b') } : {}),
    },
  };
}

function arrayValues(schema: Schema): Values {
  const { items = {}, minItems = 0, maxItems, uniqueItems, 'x-valid': given } = schema;
  const item = arbitraryFor(items);
  const size = { minLength: minItems, maxLength: Math.min(maxItems ?? 4, 4) };
  const valid = uniqueItems ? fc.uniqueArray(item.valid, size) : fc.array(item.valid, size);
  const filled = (given ?? fc.array(item.valid, { minLength: 1, maxLength: 4 })) as fc.Arbitrary<unknown[]>;
  const invalid = mapMistakes(item.invalid, 'item', (bad) =>
    fc
      .tuple(filled, fc.nat({ max: 3 }), bad)
      .map(([list, at, value]) => list.toSpliced(Math.min(at, list.length), 1, value)),
  );
  return {
    valid,
    invalid: {
      ...invalid,
      ...(minItems > 0 ? { empty: fc.constant([]) } : {}),
      ...(maxItems === undefined ? {} : { 'too many items': item.valid.map((one) => Array(maxItems + 1).fill(one)) }),
    },
  };
}

function objectValues(schema: Schema): Values {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties).map(([name, field]) => [name, arbitraryFor(field)] as const);
  const model = Object.fromEntries(fields.map(([name, { valid }]) => [name, valid]));
  const valid = fc.record(model, { requiredKeys: required });
  const withField = (name: string) => (bad: fc.Arbitrary<unknown>) =>
    fc.tuple(valid, bad).map(([object, value]) => ({ ...object, [name]: value }));
  const ofFields = fields.map(([name, field]) => mapMistakes(field.invalid, name, withField(name)));
  const invalid: Mistakes = Object.assign({}, ...ofFields);
  for (const name of required) {
    invalid[`${name} missing`] = valid.map(({ [name]: _missing, ...rest }) => rest);
  }
  if (additionalProperties === false) {
    const stray = fc.constantFrom('x', 'companyId', 'constructor');
    invalid['an unknown property'] = fc.tuple(valid, stray).map(([object, name]) => ({ ...object, [name]: 1 }));
  }
  return { valid, invalid };
}

const mapMistakes = (
  mistakes: Mistakes,
  place: string,
  change: (bad: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>,
): Mistakes => Object.fromEntries(Object.entries(mistakes).map(([name, bad]) => [`${place} ${name}`, change(bad)]));

function valuesOfType(schema: Schema): Values {
  const type = typeOf(schema);
  if (type === 'integer') return integerValues(schema);
  if (type === 'boolean') return { valid: fc.boolean(), invalid: {} };
  if (type === 'array') return arrayValues(schema);
  return type === 'object' ? objectValues(schema) : stringValues(schema);
}

export function arbitraryFor(schema: Schema): Values {
  const { valid, invalid } = valuesOfType(schema);
  const chosen = schema['x-valid'] ?? valid;
  return {
    valid: isNullable(schema) ? fc.option(chosen) : chosen,
    invalid: { ...invalid, ...schema['x-invalid'], 'of another type': otherTypes(schema) },
  };
}

export function arbitraryTextFor(schema: Schema): Values<string> {
  if (schema.items !== undefined) return arbitraryTextFor(schema.items);
  const { valid, invalid } = valuesOfType(schema);
  const text = Object.fromEntries(Object.entries(invalid).map(([name, bad]) => [name, bad.map(String)]));
  if (typeOf(schema) === 'integer') {
    const beyond = [BigInt(schema.maximum ?? Number.MAX_SAFE_INTEGER) + 1n, 2n ** 53n, 2n ** 63n, 10n ** 30n];
    text['not an integer'] = fc.constantFrom(...nonIntegers);
    text['above the maximum'] = fc.constantFrom(...beyond.map(String));
  }
  if (typeOf(schema) === 'boolean') text['not a boolean'] = fc.constantFrom(...nonBooleans);
  return { valid: valid.map(String), invalid: text };
}
