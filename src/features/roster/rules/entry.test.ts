import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkEntry, checkSyncId, formatEntry, parseEntry, type RosterEntry } from './entry.ts';

const required = { hrId: '7', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
const today = '2026-11-15';
const absence = { startDate: '2026-03-01', endDate: '2026-03-31', approved: true };

/** Returns the entry that results when these fields are added or replaced. */
function accepted(fields: object): RosterEntry {
  const checked = checkEntry({ ...required, ...fields }, 17, today);
  assert.ok(checked.isValid, JSON.stringify(checked));
  return checked.entry;
}

function refused(value: unknown): string[] {
  const checked = checkEntry(value, 17, today);
  assert.ok(!checked.isValid, `accepted: ${JSON.stringify(value)}`);
  for (const { detail } of checked.problems) assert.match(detail, /^(must |is required$|is not a known field)/);
  return checked.problems.map(({ pointer, code }) => `${pointer} ${code}`);
}

const refusedField = (field: string, value: unknown) => refused({ ...required, [field]: value });

test('an entry of the four required fields, and one with all', () => {
  assert.deepEqual(accepted({}), required);
  const all = {
    ...required,
    profileImage: 'https://example.com/ada.jpg',
    dateOfBirth: '1990-12-10',
    startDate: '2020-02-29',
    terminationDate: null,
    autoSyncEmployee: true,
    absences: [absence, { ...absence, endDate: null, approved: false }],
  };
  assert.deepEqual(accepted(all), all);
});

test('omitted differs from null; unknown fields are dropped', () => {
  const nulls = {
    profileImage: null,
    dateOfBirth: null,
    startDate: null,
    terminationDate: null,
    autoSyncEmployee: null,
  };
  assert.deepEqual(accepted(nulls), { ...required, ...nulls });
  assert.deepEqual(accepted({ absences: null }), { ...required, absences: [] });
  assert.deepEqual(accepted({ absences: [{ ...absence, kind: 'leave' }] }).absences, [absence]);
  assert.deepEqual(accepted({ department: 'x'.repeat(9999), id: 1, constructor: 1 }), required);
});

/** Returns warnings as `code field pointer`. */
const warningsOf = (fields: object) =>
  checkEntry({ ...required, ...fields }, 17, today).warnings.map(
    ({ code, field, pointer }) => `${code} ${field} ${pointer}`,
  );

test('a misspelled field is refused with the correct name', () => {
  const detailOf = (value: unknown) => {
    const checked = checkEntry(value, 17, today);
    return checked.isValid ? '' : checked.problems.map(({ detail }) => detail).join();
  };
  for (const [name, right] of [
    ['terminationdate', 'terminationDate'],
    ['termination_date', 'terminationDate'],
    ['terminatonDate', 'terminationDate'],
    ['Start-Date', 'startDate'],
    ['absence', 'absences'],
    ['autoSyncEmployees', 'autoSyncEmployee'],
  ] as const) {
    assert.deepEqual(refusedField(name, null), [`/employees/17/${name} unknown-field`]);
    assert.match(detailOf({ ...required, [name]: null }), new RegExp(`^is not a known field: use \`${right}\`$`));
  }
  assert.deepEqual(refusedField('absences', [{ ...absence, enddate: null }]), [
    '/employees/17/absences/0/enddate unknown-field',
  ]);
  const { firstName: firstname, ...others } = required;
  assert.deepEqual(refused({ ...others, firstname }), [
    '/employees/17/firstName required',
    '/employees/17/firstname unknown-field',
  ]);
});

test('other unknown fields are warnings', () => {
  assert.deepEqual(warningsOf({}), []);
  assert.deepEqual(warningsOf({ department: 'Sales', id: 5, 'a/b~c': null, absences: [{ ...absence, kind: 'x' }] }), [
    'unknown-field absences.kind /employees/17/absences/0/kind',
    'unknown-field department /employees/17/department',
    'unknown-field id /employees/17/id',
    'unknown-field a/b~c /employees/17/a~1b~0c',
  ]);
  const long = 'n'.repeat(5000);
  assert.deepEqual(warningsOf({ [long]: 1 }), [`unknown-field ${'n'.repeat(64)}… /employees/17/${'n'.repeat(64)}…`]);
  assert.deepEqual(warningsOf({ 'a\0\ud800': 1 }), ['unknown-field a\ufffd\ufffd /employees/17/a\ufffd\ufffd']);
  assert.deepEqual(checkEntry(JSON.parse(`{"__proto__": 1}`), 0, today).warnings, [
    { code: 'unknown-field', field: '__proto__', pointer: '/employees/0/__proto__' },
  ]);
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`x${index}`, 1]));
  assert.deepEqual(refused({ ...required, ...many }), ['/employees/17 too-many']);
});

test('implausible dates are warnings', () => {
  assert.deepEqual(warningsOf({ dateOfBirth: today, startDate: today, terminationDate: today }), []);
  assert.deepEqual(warningsOf({ dateOfBirth: '2026-11-16' }), [
    'born-in-the-future dateOfBirth /employees/17/dateOfBirth',
  ]);
  assert.deepEqual(warningsOf({ startDate: '2027-01-01', terminationDate: '2026-12-31' }), [
    'starts-after-termination startDate /employees/17/startDate',
  ]);
  assert.deepEqual(warningsOf({ dateOfBirth: '1990-04-23', startDate: '1990-04-22' }), [
    'starts-before-birth startDate /employees/17/startDate',
  ]);
  assert.deepEqual(warningsOf({ dateOfBirth: '1990-04-23', terminationDate: '1980-01-01' }), [
    'terminated-before-birth terminationDate /employees/17/terminationDate',
  ]);
  assert.deepEqual(warningsOf({ dateOfBirth: null, startDate: '2027-01-01', terminationDate: null }), []);
});

test('problems contain the hrId if it is valid', () => {
  const hrIdsOf = (value: unknown) => {
    const checked = checkEntry(value, 17, today);
    return checked.isValid ? [] : checked.problems.map(({ hrId }) => hrId);
  };
  assert.deepEqual(hrIdsOf({ ...required, email: 'x', startDate: 'y' }), ['7', '7']);
  assert.deepEqual(hrIdsOf({ ...required, hrId: 7, email: 'x' }), [undefined, undefined]);
});

test('an empty text instead of a date suggests null', () => {
  const hintOf = (fields: object) => {
    const checked = checkEntry({ ...required, ...fields }, 17, today);
    return checked.isValid ? '' : (checked.problems[0]?.detail ?? '');
  };
  for (const field of ['dateOfBirth', 'startDate', 'terminationDate', 'profileImage']) {
    for (const empty of ['', ' ']) assert.match(hintOf({ [field]: empty }), /or null if there is none, but is empty$/);
  }
  assert.match(hintOf({ absences: [{ ...absence, endDate: '' }] }), /or null if there is none/);
  assert.doesNotMatch(hintOf({ absences: [{ ...absence, startDate: '' }] }), /null/);
});

test('all problems of an entry are found together', () => {
  assert.deepEqual(refused({}), [
    '/employees/17/hrId required',
    '/employees/17/firstName required',
    '/employees/17/lastName required',
    '/employees/17/email required',
  ]);
  const wrong = { ...required, email: 'x', absences: [absence, { startDate: 'x', endDate: 1 }, 2], startDate: 3 };
  assert.deepEqual(refused(wrong), [
    '/employees/17/email invalid-email',
    '/employees/17/startDate invalid-date',
    '/employees/17/absences/1/startDate invalid-date',
    '/employees/17/absences/1/endDate invalid-date',
    '/employees/17/absences/1/approved required',
    '/employees/17/absences/2 type',
  ]);
  for (const value of [null, 1, 'x', true, [], [required]]) assert.deepEqual(refused(value), ['/employees/17 type']);
});

test('an entry with problems includes its valid fields', () => {
  const checked = checkEntry({ ...required, hrId: ' 8 ', firstName: '' }, 0, today);
  assert.deepEqual(checked.entry, { hrId: '8', lastName: 'Lovelace', email: 'ada@example.com' });
});

test('strings are trimmed and have a length in characters', () => {
  for (const [field, max] of [
    ['hrId', 255],
    ['firstName', 200],
    ['lastName', 200],
  ] as const) {
    assert.equal(accepted({ [field]: ' \t\u00a0x y\n' })[field], 'x y');
    for (const letter of ['x', 'ü', '🚲']) {
      assert.equal(accepted({ [field]: ` ${letter.repeat(max)} ` })[field], letter.repeat(max));
      assert.deepEqual(refusedField(field, letter.repeat(max + 1)), [`/employees/17/${field} too-long`]);
    }
    for (const blank of ['', '  ', '\n', '\u200b'])
      assert.deepEqual(refusedField(field, blank), [`/employees/17/${field} empty`]);
    for (const value of [null, 7, true, {}, ['x']]) {
      assert.deepEqual(refusedField(field, value), [`/employees/17/${field} type`]);
    }
    for (const value of ['a\0b', 'a\ud83d', '\udeb2b', 'a\nb', 'a\u202eb', 'M\ufffdller']) {
      assert.deepEqual(refusedField(field, value), [`/employees/17/${field} invalid-character`]);
    }
  }
});

test('a syncId is such a string too', () => {
  assert.equal(checkSyncId(' 2026-11-01T08:00 '), '2026-11-01T08:00');
  assert.equal(checkSyncId('x'.repeat(255)), 'x'.repeat(255));
  const codeOf = (value: unknown) => {
    const problems = checkSyncId(value);
    assert.ok(Array.isArray(problems));
    return problems.map(({ pointer, code }) => `${pointer} ${code}`).join();
  };
  assert.equal(codeOf(undefined), '/syncId required');
  assert.equal(codeOf('x'.repeat(256)), '/syncId too-long');
  assert.equal(codeOf(' '), '/syncId empty');
  assert.equal(codeOf('\0'), '/syncId invalid-character');
  for (const dots of ['.', '..', ' .. ']) assert.equal(codeOf(dots), '/syncId reserved');
  assert.equal(checkSyncId('...'), '...');
  for (const value of [null, 5, [], {}]) assert.equal(codeOf(value), '/syncId type');
});

test('email addresses', () => {
  const good = [
    'a@b.de',
    "o'neil+tag_1/x=y@mail.example.co.uk",
    'First.Last@EXAMPLE.COM',
    'jörg@müller.example',
    '用户@例子.公司',
    `${'l'.repeat(64)}@${`${'d'.repeat(63)}.`.repeat(2)}${'d'.repeat(57)}.de`,
    'x@xn--mller-kva.example',
    'x@1a.2b',
  ];
  for (const email of good) assert.equal(accepted({ email: ` ${email} ` }).email, email);
  const bad = [
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@@example.com',
    'a da@example.com',
    'ada@exam ple.com',
    'ada@example..com',
    'ada@.example.com',
    'ada@example.com.',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    'ada@-example.com',
    'ada@example-.com',
    'ada@exam_ple.com',
    'ada@[127.0.0.1]',
    '"ada"@example.com',
    'Ada <ada@example.com>',
    'ada@example.com,bob@example.com',
    'mailto:ada@example.com',
    'a\u200bda@example.com',
    `${'l'.repeat(65)}@example.com`,
    `ada@${'d'.repeat(64)}.com`,
  ];
  for (const email of bad) assert.deepEqual(refusedField('email', email), ['/employees/17/email invalid-email'], email);
  assert.deepEqual(refusedField('email', `ada@${'d.'.repeat(125)}x`), ['/employees/17/email too-long']);
  assert.deepEqual(refusedField('email', 'ada@exa\nmple.com'), ['/employees/17/email invalid-character']);
  assert.deepEqual(refusedField('email', null), ['/employees/17/email type']);
  assert.deepEqual(refusedField('email', ''), ['/employees/17/email empty']);
});

test('profile images', () => {
  const good = [
    'https://example.com',
    'http://localhost:8080/a.png?x=1#y',
    'HTTPS://EXAMPLE.COM/ä.jpg',
    `https://e.de/${'x'.repeat(1987)}`,
  ];
  for (const url of good) assert.equal(accepted({ profileImage: url }).profileImage, url);
  const bad = ['/a.png', 'example.com/a', 'ftp://example.com/a', 'data:image/png;base64,AA', 'javascript:alert(1)'];
  for (const url of [
    ...bad,
    'https://',
    'https://exa mple.com',
    'https://e.de/a b',
    'http://[1/',
    'https://e.de:99999/',
  ]) {
    assert.deepEqual(refusedField('profileImage', url), ['/employees/17/profileImage invalid-url'], url);
  }
  assert.deepEqual(refusedField('profileImage', `https://e.de/${'x'.repeat(1988)}`), [
    '/employees/17/profileImage too-long',
  ]);
  assert.deepEqual(refusedField('profileImage', ''), ['/employees/17/profileImage empty']);
  assert.deepEqual(refusedField('profileImage', 5), ['/employees/17/profileImage type']);
});

const dateFields = ['dateOfBirth', 'startDate', 'terminationDate'] as const;

test('dates are of the form YYYY-MM-DD, in the years 1900 to 2200', () => {
  for (const field of dateFields) {
    for (const day of ['1900-01-01', '2200-12-31']) assert.equal(accepted({ [field]: ` ${day} ` })[field], day);
    for (const day of ['1899-12-31', '2201-01-01', '9999-12-31', '0001-01-01']) {
      assert.deepEqual(refusedField(field, day), [`/employees/17/${field} date-out-of-range`], day);
    }
    const bad = ['', '2026', '2026-1-1', '26-01-01', '01.02.2026', '2026/01/01', '20260101', '2026-01-01T00:00:00Z'];
    for (const day of [...bad, '+002026-01-01', '２０２６-01-01', '2026-01-0x', 0, 20260101, true, {}]) {
      assert.deepEqual(refusedField(field, day), [`/employees/17/${field} invalid-date`], String(day));
    }
  }
});

test('dates exist in the calendar exactly when Temporal says so', () => {
  const isDay = (text: string) => {
    try {
      return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text;
    } catch {
      return false;
    }
  };
  const two = (value: number) => String(value).padStart(2, '0');
  const check = (year: number, month: number, day: number) => {
    const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
    const isRight = isDay(text) && year >= 1900 && year <= 2200;
    assert.equal(checkEntry({ ...required, dateOfBirth: text }, 0, today).isValid, isRight, text);
  };
  for (const year of [1900, 1904, 2000, 2023, 2024, 2100, 2200]) {
    for (let month = 0; month <= 13; month++) for (let day = 0; day <= 32; day++) check(year, month, day);
  }
  fc.assert(fc.property(fc.integer({ min: 1, max: 9999 }), fc.nat(13), fc.nat(32), check), { numRuns: 1000 });
});

test('autoSyncEmployee is true, false or null', () => {
  for (const value of [true, false, null]) assert.equal(accepted({ autoSyncEmployee: value }).autoSyncEmployee, value);
  for (const value of ['true', 0, 1, {}]) {
    assert.deepEqual(refusedField('autoSyncEmployee', value), ['/employees/17/autoSyncEmployee type']);
  }
});

test('absences', () => {
  const oneDay = { ...absence, endDate: absence.startDate };
  assert.deepEqual(accepted({ absences: [oneDay, absence] }).absences, [oneDay, absence]);
  assert.equal(accepted({ absences: Array(1000).fill(absence) }).absences?.length, 1000);
  assert.deepEqual(refusedField('absences', Array(1001).fill(absence)), ['/employees/17/absences too-many']);
  for (const value of ['x', 1, {}, true])
    assert.deepEqual(refusedField('absences', value), ['/employees/17/absences type']);
  const table: [object, string][] = [
    [{ endDate: '2026-02-28' }, 'endDate ends-before-start'],
    [{ startDate: undefined }, 'startDate required'],
    [{ startDate: null }, 'startDate invalid-date'],
    [{ startDate: '2026-02-30' }, 'startDate invalid-date'],
    [{ startDate: '1026-02-20' }, 'startDate date-out-of-range'],
    [{ endDate: undefined }, 'endDate required'],
    [{ endDate: '2026-02-30' }, 'endDate invalid-date'],
    [{ endDate: '9999-12-31' }, 'endDate date-out-of-range'],
    [{ approved: undefined }, 'approved required'],
    [{ approved: null }, 'approved type'],
    [{ approved: 'yes' }, 'approved type'],
  ];
  for (const [fields, problem] of table) {
    const problems = refusedField('absences', [absence, { ...absence, ...fields }]);
    assert.deepEqual(problems, [`/employees/17/absences/1/${problem}`]);
  }
});

test('an entry is one line, the same whatever order it is given in, and can be read back', () => {
  const day = fc
    .integer({ min: 0, max: 109_000 })
    .map((days) => Temporal.PlainDate.from('1900-01-01').add({ days }).toString());
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((text) => checkSyncId(text) === text);
  const absences = fc.array(
    fc.record(
      { startDate: day, endDate: fc.option(fc.constant('2199-01-01')), approved: fc.boolean() },
      { noNullPrototype: true },
    ),
    { maxLength: 3 },
  );
  const entries = fc.record(
    {
      hrId: name,
      firstName: name,
      lastName: name,
      email: fc.emailAddress().filter((email) => email.length < 60),
      profileImage: fc.option(fc.webUrl()),
      dateOfBirth: fc.option(day),
      startDate: fc.option(day),
      terminationDate: fc.option(day),
      autoSyncEmployee: fc.option(fc.boolean()),
      absences,
    },
    { noNullPrototype: true, requiredKeys: ['hrId', 'firstName', 'lastName', 'email'] },
  );
  const reversed = (value: object) => Object.fromEntries(Object.entries(value).reverse());
  fc.assert(
    fc.property(entries, (given) => {
      const line = formatEntry(given as RosterEntry);
      assert.ok(!line.includes('\n'));
      assert.deepEqual(parseEntry(line), given);
      const turned = { ...reversed(given), ...(given.absences && { absences: given.absences.map(reversed) }) };
      assert.equal(formatEntry(turned as unknown as RosterEntry), line);
      const checked = checkEntry(turned, 3, today);
      assert.ok(checked.isValid, JSON.stringify(checked));
      assert.equal(formatEntry(checked.entry), line);
    }),
  );
});
