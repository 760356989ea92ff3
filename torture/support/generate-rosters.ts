import type { Random } from '../../src/demo/random.ts';
import type { RosterAbsence, RosterEntry } from '../../src/domain/roster/entry.ts';
import { aName, aWrongName, invisibleNames } from './generate-values.ts';

export interface RosterLimits {
  entries: number;
  bytes: number;
}

type Loose = Record<string, unknown>;
interface LooseRoster {
  syncId: unknown;
  employees: Loose[];
}

/** One deliberate mistake in a roster. `spoil` returns the body to send, and `status` is the expected refusal. */
export interface RosterSlip {
  name: string;
  status: 400 | 413 | 422;
  spoil(roster: LooseRoster, random: Random): string | Uint8Array;
}

const people = 20;
const aDay = (random: Random) =>
  `${random.int(1900, 2200)}-${String(random.int(1, 12)).padStart(2, '0')}-${String(random.int(1, 28)).padStart(2, '0')}`;
const perhaps = <T>(random: Random, value: T): T | null => (random.chance(0.3) ? null : value);

function anAbsence(random: Random): RosterAbsence {
  const [startDate = '', endDate = ''] = [aDay(random), aDay(random)].sort();
  return { startDate, endDate: perhaps(random, endDate), approved: random.chance(0.7) };
}

/** Uses only a few employees, so that the database does not grow with the number of rosters. */
function anEntry(random: Random, number: number): RosterEntry & Loose {
  const entry: RosterEntry & Loose = {
    hrId: `E${number}`,
    firstName: aName(random, 200),
    lastName: aName(random, 200),
    email: random.chance(0.5) ? `generated${number}@example.com` : `GENERATED${number}@Example.COM`,
  };
  const optional: Partial<RosterEntry> & Loose = {
    profileImage: perhaps(random, `https://example.com/${number}.png`),
    dateOfBirth: perhaps(random, aDay(random)),
    startDate: perhaps(random, aDay(random)),
    terminationDate: perhaps(random, aDay(random)),
    autoSyncEmployee: perhaps(random, random.chance(0.8)),
    absences: Array.from({ length: random.int(0, 3) }, () => anAbsence(random)),
    'not in the contract': random.pick([1, null, 'x', [1, [2]], { a: { b: 1 } }]),
  };
  for (const [field, value] of Object.entries(optional)) if (random.chance(0.5)) entry[field] = value;
  return entry;
}

export function aRoster(random: Random, syncId: string): LooseRoster {
  const numbers = random.shuffle(Array.from({ length: people }, (_, index) => index + 1)).slice(0, random.int(1, 4));
  return { syncId, employees: numbers.map((number) => anEntry(random, number)) };
}

/**
 * Writes a roster as JSON. White space, the order of members and unknown members vary, because they must not matter.
 */
export function writeRoster({ syncId, employees }: LooseRoster, random: Random): string {
  const other = random.chance(0.2) ? { comment: ['ignored', { too: true }] } : {};
  const body = random.chance(0.5) ? { syncId, employees, ...other } : { ...other, employees, syncId };
  return JSON.stringify(body, null, random.pick([0, 2, '\t']));
}

/** Changes one of the entries. */
const inEntry =
  (change: (entry: Loose, random: Random) => void): RosterSlip['spoil'] =>
  (roster, random) => {
    change(random.pick(roster.employees), random);
    return writeRoster(roster, random);
  };

const setting = (name: string, field: string, values: readonly unknown[]): RosterSlip => ({
  name: `${field} ${name}`,
  status: 422,
  spoil: inEntry((entry, random) => {
    entry[field] = random.pick(values);
  }),
});

const strings = ['hrId', 'firstName', 'lastName', 'email'] as const;
const longest = { hrId: 255, firstName: 200, lastName: 200, email: 254 };
const dates = ['dateOfBirth', 'startDate', 'terminationDate'] as const;
const noDates = [
  ...['2026-02-30', '2026-13-01', '2026-1-1', '01.02.2026', '1899-12-31', '2201-01-01', '9999-12-31', '0000-00-00', ''],
  ...['2026-11-01T00:00:00Z', '20261101', 'never', '2026-11-31', '2027-02-29', 20261101, true, {}, []],
];
const noEmails = [
  'plain',
  '@example.com',
  'a@b',
  'a b@example.com',
  'a@@example.com',
  'a@example..com',
  '"a"@example.com',
];
const noUrls = [
  'photo.png',
  'ftp://example.com/a.png',
  'javascript:alert(1)',
  'https://',
  '//example.com',
  'http://a b/',
];

const entrySlips: RosterSlip[] = [
  ...strings.flatMap((field) => [
    setting('of another type', field, [7, true, null, {}, [], ['x']]),
    setting('empty', field, ['', ' ', '\t\n', '\u00a0']),
    setting('invisible', field, invisibleNames),
    {
      name: `${field} with a character that no name has`,
      status: 422,
      spoil: inEntry((entry, random) => {
        entry[field] = field === 'email' ? `${aWrongName(random)}@example.com` : aWrongName(random);
      }),
    } satisfies RosterSlip,
    setting('too long', field, ['x'.repeat(longest[field] + 1), 'ü'.repeat(3 * longest[field])]),
    setting('with NUL', field, ['a\u0000b', 'a\u0000@example.com']),
    setting('with half a surrogate pair', field, ['a\ud800b', '\udc00@example.com']),
    {
      name: `${field} missing`,
      status: 422,
      spoil: inEntry((entry) => {
        delete entry[field];
      }),
    } satisfies RosterSlip,
  ]),
  ...dates.map((field) => setting('no date', field, noDates)),
  setting('no address', 'email', noEmails),
  setting('no web address', 'profileImage', [...noUrls, 7, {}, '', `https://example.com/${'x'.repeat(2_000)}`]),
  setting('no boolean', 'autoSyncEmployee', ['true', 1, 0, 'yes', [], {}]),
  setting('no list', 'absences', [{}, 'none', 7, true]),
  setting('with what is no absence', 'absences', [[null], ['x'], [[]], [7]]),
  setting('without a day or a decision', 'absences', [
    [{ endDate: null, approved: true }],
    [{ startDate: '2026-01-01', approved: true }],
    [{ startDate: '2026-01-01', endDate: null }],
  ]),
  setting(
    'with a wrong day or decision',
    'absences',
    [
      { startDate: null, endDate: null, approved: true },
      { startDate: '2026-02-30', endDate: null, approved: true },
      { startDate: '2026-01-01', endDate: 'open', approved: true },
      { startDate: '2026-01-01', endDate: null, approved: 'yes' },
      { startDate: '2026-01-02', endDate: '2026-01-01', approved: false },
    ].map((absence) => [absence]),
  ),
  setting('beyond a thousand', 'absences', [
    Array.from({ length: 1_001 }, () => ({ startDate: '2026-01-01', endDate: null, approved: true })),
  ]),
];

const refilled = (name: string, change: (roster: Loose, random: Random) => void): RosterSlip => ({
  name,
  status: 422,
  spoil: (roster, random) => {
    const loose: Loose = { ...roster };
    change(loose, random);
    return JSON.stringify(loose);
  },
});

const misspeltFields = [
  ...['terminationdate', 'termination_date', 'Termination Date', 'terminatonDate', 'start-date', 'starDate', 'HRID'],
  ...['hr_id', 'firstname', 'lastNmae', 'e-mail', 'dateofBirth', 'absence', 'Absences', 'autoSyncEmployees'],
];

const misspellingSlips: RosterSlip[] = [
  {
    name: 'a field misspelt',
    status: 422,
    spoil: inEntry((entry, random) => {
      entry[random.pick(misspeltFields)] = random.pick([null, '2026-01-01', 'x']);
    }),
  },
  {
    name: 'a field of an absence misspelt',
    status: 422,
    spoil: inEntry((entry, random) => {
      const absence = { startDate: '2026-01-01', endDate: null, approved: true };
      entry.absences = [{ ...absence, [random.pick(['enddate', 'start_date', 'aproved'])]: null }];
    }),
  },
  refilled('a member of the body misspelt', (roster, random) => {
    roster[random.pick(['syncid', 'sync_id', 'Employees', 'employes'])] = 'x';
  }),
];

const repeat = (field: 'hrId' | 'email', otherwise: (value: string) => string): RosterSlip => ({
  name: `${field} given to two people`,
  status: 422,
  spoil: (roster, random) => {
    const [first] = roster.employees;
    const value = otherwise(String(first?.[field]));
    roster.employees.push({ ...anEntry(random, people + 1), [field]: value });
    return writeRoster(roster, random);
  },
});

const rosterSlips: RosterSlip[] = [
  repeat('hrId', (hrId) => ` ${hrId} `),
  repeat('email', (email) => email.toUpperCase()),
  refilled('syncId missing', (roster) => delete roster.syncId),
  refilled('syncId wrong', (roster, random) => {
    roster.syncId = random.pick([
      ...[null, 7, '', '  ', [], {}, 'x'.repeat(256), 'a\u0000', '\ud800', '.', '..', ' .. '],
      ...[aWrongName(random), ...invisibleNames],
    ]);
  }),
  refilled('employees missing', (roster) => delete roster.employees),
  refilled('employees wrong', (roster, random) => {
    roster.employees = random.pick([null, 7, 'x', {}, [], [null], [7], ['x'], [[]]]);
  }),
  {
    name: 'no object',
    status: 422,
    spoil: (roster, random) => random.pick([JSON.stringify(roster.employees), '[]', '"x"', '7', 'null', 'true', '-0']),
  },
];

/** Replaces the body with text that is not JSON, or with JSON that two parsers would read differently. */
const rewritten = (name: string, rewrite: (text: string, random: Random) => string | Uint8Array): RosterSlip => ({
  name,
  status: 400,
  spoil: (roster, random) => rewrite(JSON.stringify(roster), random),
});

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

const textSlips: RosterSlip[] = [
  rewritten('cut off', (text, random) => text.slice(0, random.int(1, text.length - 1))),
  rewritten('empty body', (_text, random) => random.pick(['', ' ', '\n\t'])),
  rewritten('something after the end', (text, random) => text + random.pick(['x', '}', ',', text, '\u0000'])),
  rewritten('a comma too many', (text) => text.replace(']}', ',]}')),
  rewritten('no JSON', (text, random) =>
    random.pick([
      text.replaceAll('"', "'"),
      'syncId=1',
      '<roster/>',
      `/* */${text}`,
      `\ufeff${text}`,
      '{"a":NaN}',
      '{a:1}',
    ]),
  ),
  rewritten('a control character in a string', (text) => text.replace('"E', '"\u0001E')),
  rewritten('no UTF-8', (text) => Buffer.from(text.replace('"E', '"\u00ffE'), 'latin1')),
  rewritten('a member of the body twice', (text) => text.replace('{', '{"syncId":"first",')),
  rewritten('a member of a person twice', (text) => text.replace('"hrId"', '"hrId":"first","hrId"')),
  rewritten('a member of an absence twice', (text) =>
    text.replace('"hrId"', '"absences":[{"startDate":"2026-01-01","startDate":"2026-01-01"}],"hrId"'),
  ),
  rewritten('nested too deep', (text, random) => text.replace('{', `{"x":${nested(random.pick([40, 2_000]))},`)),
];

const sizeSlips = ({ entries, bytes }: RosterLimits): RosterSlip[] => [
  {
    name: 'too many people',
    status: 413,
    spoil: (roster, random) => {
      roster.employees = Array.from({ length: entries + 1 }, (_, index) => anEntry(random, index + 1));
      return JSON.stringify(roster);
    },
  },
  {
    name: 'too many bytes',
    status: 413,
    spoil: (roster) => JSON.stringify(roster).replace('{', `{${' '.repeat(bytes)}`),
  },
];

export const listRosterSlips = (limits: RosterLimits): RosterSlip[] => [
  ...entrySlips,
  ...misspellingSlips,
  ...rosterSlips,
  ...textSlips,
  ...sizeSlips(limits),
];
