import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { openapiDocument } from '../../test/support/openapi.ts';
import { arbitraryFor, invalidLine, type Schema } from './schema.ts';

export interface RosterLimits {
  entries: number;
  bytes: number;
}

type Fields = Record<string, unknown>;
export interface Roster {
  syncId: unknown;
  employees: Fields[];
}

const { Roster: documented } = openapiDocument.components.schemas as unknown as Record<string, Schema>;
const entrySchema = documented?.properties?.employees?.items as Schema;
const line = { format: 'single-line-text' };
const nonUrls = [
  ...['photo.png', 'ftp://example.com/a.png', 'javascript:alert(1)', 'https://', '//example.com', 'http://a b/', ''],
];
const [day, dayBefore] = ['2026-01-02', '2026-01-01'];

const extraRules: Record<string, Schema> = {
  hrId: line,
  firstName: line,
  lastName: line,
  personnelNumber: line,
  group: line,
  email: { format: 'email', 'x-invalid': { ...invalidLine, 'an invalid domain': fc.constant('a@example..com') } },
  profileImage: {
    maxLength: 2_000,
    'x-valid': fc.nat({ max: 20 }).map((number) => `https://example.com/${number}.png`),
    'x-invalid': { 'not a web address': fc.constantFrom(...nonUrls) },
  },
  absences: {
    // Null clears the absences.
    type: ['array', 'null'],
    maxItems: 1_000,
    'x-valid': fc.array(
      fc.record({ startDate: fc.constant(dayBefore), endDate: fc.constantFrom(null, day), approved: fc.boolean() }),
      { maxLength: 3 },
    ),
    'x-invalid': {
      'ending before their start': fc.constant([{ startDate: day, endDate: dayBefore, approved: false }]),
    },
  },
};
const outOfRange = { 'out of range': fc.constantFrom('1899-12-31', '2201-01-01', '9999-12-31', '') };
for (const name of ['dateOfBirth', 'startDate', 'terminationDate']) extraRules[name] = { 'x-invalid': outOfRange };

const entryProperties = Object.fromEntries(
  Object.entries(entrySchema.properties ?? {}).map(([name, field]) => [name, { ...field, ...extraRules[name] }]),
);
const misspelt = [
  ...['terminationdate', 'termination_date', 'Termination Date', 'terminatonDate', 'start-date', 'starDate', 'HRID'],
  ...['hr_id', 'firstname', 'lastNmae', 'e-mail', 'dateofBirth', 'absence', 'Absences', 'autoSyncEmployees'],
];
const entry = { ...entrySchema, properties: entryProperties };
const validEntry = arbitraryFor(entry).valid as fc.Arbitrary<Fields>;
const entrySchemaWithRules: Schema = {
  ...entry,
  'x-invalid': {
    'with a misspelt field': fc
      .tuple(validEntry, fc.constantFrom(...misspelt))
      .map(([one, name]) => ({ ...one, [name]: null })),
    'with a misspelt field in an absence': fc
      .tuple(validEntry, fc.constantFrom('enddate', 'start_date', 'aproved'))
      .map(([one, name]) => ({ ...one, absences: [{ startDate: day, endDate: null, approved: true, [name]: null }] })),
  },
};

/** Uses only a few employees, so that the database does not grow with the number of rosters. */
const employees = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 20 }), validEntry, fc.boolean()), {
    minLength: 1,
    maxLength: 4,
    selector: ([number]) => number,
  })
  .map((list) =>
    list.map(([number, fields, isUpper]) => {
      const email = `generated${number}@example.com`;
      return { ...fields, hrId: `E${number}`, email: isUpper ? email.toUpperCase() : email };
    }),
  );

const repeated = (field: string, spell: (value: string) => string) =>
  fc.tuple(employees, validEntry).map(([list, one]) => {
    const other = { ...one, hrId: 'other', email: 'other@example.com' };
    return [...list, { ...other, [field]: spell(String((list[0] as Fields)[field])) }];
  });

const schema: Schema = {
  ...documented,
  properties: {
    syncId: {
      ...documented?.properties?.syncId,
      ...line,
      // Never the same twice, because a syncId can be used only once.
      'x-valid': fc.constant('sync').map((word) => `${word} ${randomUUID()}`),
      'x-invalid': { 'a path segment': fc.constantFrom('.', '..', ' .. ') },
    },
    employees: {
      ...documented?.properties?.employees,
      items: entrySchemaWithRules,
      'x-valid': employees,
      'x-invalid': {
        'with the same hrId twice': repeated('hrId', (hrId) => ` ${hrId} `),
        'with the same email twice': repeated('email', (email) => email.toUpperCase()),
      },
    },
  },
};

const { valid, invalid } = arbitraryFor(schema);
export const validRoster = valid as fc.Arbitrary<Roster>;

/** Writes a roster as JSON. White space, the order of members and unknown members vary, because they must not matter. */
export const rosterText: fc.Arbitrary<string> = fc
  .tuple(validRoster, fc.boolean(), fc.boolean(), fc.constantFrom(0, 2, '\t'))
  .map(([{ syncId, employees: all }, isReversed, hasMore, space]) => {
    const more = hasMore ? { comment: ['ignored', { too: true }] } : {};
    const roster = isReversed ? { ...more, employees: all, syncId } : { syncId, employees: all, ...more };
    return JSON.stringify(roster, null, space);
  });

interface RosterMistake {
  name: string;
  status: 400 | 413 | 422;
  body: fc.Arbitrary<string | Uint8Array>;
}

const plain = validRoster.map((roster) => JSON.stringify(roster));
const choose = (...choices: ((text: string) => string | Uint8Array)[]) =>
  fc.tuple(plain, fc.constantFrom(...choices)).map(([text, change]) => change(text));
const nest = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const absence = '"absences":[{"startDate":"2026-01-01","startDate":"2026-01-01"}],"hrId"';

/** Text that is not JSON, or JSON that two parsers would read differently. */
const malformed: Record<string, fc.Arbitrary<string | Uint8Array>> = {
  'cut off': fc.tuple(plain, fc.nat()).map(([text, at]) => text.slice(0, 1 + (at % (text.length - 2)))),
  'empty body': fc.constantFrom('', ' ', '\n\t'),
  'something after the end': fc.tuple(plain, fc.constantFrom('x', '}', ',', '{}', '\0')).map((all) => all.join('')),
  'not JSON': fc.oneof(
    fc.constantFrom('syncId=1', '<roster/>', '{"a":NaN}', '{a:1}'),
    choose(
      (text) => text.replaceAll('"', "'"),
      (text) => `/* */${text}`,
      (text) => `\ufeff${text}`,
      (text) => text.replace(/]}$/, ',]}'),
    ),
  ),
  'a control character in a string': choose((text) => text.replace('"E', '"\u0001E')),
  'not UTF-8': choose((text) => Buffer.from(text.replace('"E', '"\u00ffE'), 'latin1')),
  'the same member twice': choose(
    (text) => text.replace('{', '{"syncId":"first",'),
    (text) => text.replace('"hrId"', '"hrId":"first","hrId"'),
    (text) => text.replace('"hrId"', absence),
  ),
  'nested too deep': choose(
    (text) => text.replace('{', `{"x":${nest(40)},`),
    (text) => text.replace('{', `{"x":${nest(2_000)},`),
  ),
};

const misspeltMember = fc
  .tuple(validRoster, fc.constantFrom('syncid', 'sync_id', 'Employees', 'employes'))
  .map(([roster, name]) => ({ ...roster, [name]: 'x' }));

export function listRosterMistakes({ entries, bytes }: RosterLimits): RosterMistake[] {
  const anna = { firstName: 'Anna', lastName: 'Muster' };
  const tooMany = Array.from({ length: entries + 1 }, (_, n) => ({
    ...anna,
    hrId: `E${n}`,
    email: `e${n}@example.com`,
  }));
  const long = validRoster.map((roster) => JSON.stringify({ ...roster, employees: tooMany }));
  const large = choose((text) => text.replace('{', `{${' '.repeat(bytes)}`));
  return [
    ...Object.entries({ ...invalid, 'a misspelt member': misspeltMember }).map(
      ([name, bad]): RosterMistake => ({ name, status: 422, body: bad.map((value) => JSON.stringify(value)) }),
    ),
    ...Object.entries(malformed).map(([name, body]): RosterMistake => ({ name, status: 400, body })),
    { name: 'too many entries', status: 413, body: long },
    { name: 'too many bytes', status: 413, body: large },
  ];
}
