import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { rosterColumns } from '../../src/domain/roster/csv.ts';
import type { RosterAbsence, RosterEntry } from '../../src/domain/roster/entry.ts';
import { findTextProblem } from '../../src/domain/single-line-text.ts';
import { ApiError } from '../../src/errors.ts';
import { readEntries } from '../../src/hr-integrations/sync/roster-parts.ts';
import { readRosterCsv } from '../../src/portal/integrations/read-csv.ts';

const today = Temporal.PlainDate.from('2026-11-15');
const limits = { maxBytes: 2 ** 27, maxEntries: 250_000, today };

async function* inChunks(bytes: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

const readFile = (file: string | Uint8Array, chunkBytes = 65_536, within = limits) =>
  readRosterCsv(inChunks(Buffer.from(file), chunkBytes), within);

async function entriesOf(file: string | Uint8Array, chunkBytes?: number): Promise<RosterEntry[]> {
  const { parts } = await readFile(file, chunkBytes);
  const all: RosterEntry[] = [];
  for await (const batch of readEntries(parts)) all.push(...batch);
  return all;
}

async function refusal(file: string | Uint8Array, within = limits): Promise<ApiError> {
  const error = await readFile(file, 65_536, within).then(
    () => assert.fail('accepted'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ApiError, String(error));
  return error;
}

/** Returns the problems as `place: code`. */
async function placesOf(file: string): Promise<string[]> {
  const { code, extra } = await refusal(file);
  assert.equal(code, 'invalid-roster');
  assert.equal(extra.errorCount, extra.errors?.length);
  return (extra.errors ?? []).map((error) => `${'pointer' in error ? error.pointer : ''}: ${error.code}`);
}

const head = 'hrId,firstName,lastName,email';
const anna = { hrId: 'E1', firstName: 'Anna', lastName: 'Müller', email: 'anna@example.com' };
const annaLine = 'E1,Anna,Müller,anna@example.com';

describe('a roster as a table', () => {
  it('has one entry per line; a missing column keeps the value and an empty cell clears it', async () => {
    const file = `${head},dateOfBirth,terminationDate,autoSyncEmployee\n${annaLine},1990-04-23,,TRUE\nE2,Bo,Berg,b@x.de,, ,\n`;
    assert.deepEqual(await entriesOf(file), [
      { ...anna, dateOfBirth: '1990-04-23', terminationDate: null, autoSyncEmployee: true },
      {
        ...{ hrId: 'E2', firstName: 'Bo', lastName: 'Berg', email: 'b@x.de' },
        ...{ dateOfBirth: null, terminationDate: null, autoSyncEmployee: null },
      },
    ]);
    const [cleared] = await entriesOf(`${head},profileImage,startDate,absences\n${annaLine},,,\n`);
    assert.deepEqual(cleared, { ...anna, profileImage: null, startDate: null, absences: [] });
    assert.deepEqual(await placesOf(`${head}\nE1, ,Berg,b@x.de\n`), ['line 2, firstName: required']);
  });

  it('also clears a value by the word null', async () => {
    const file = `${head},terminationDate,absences,autoSyncEmployee\n${annaLine},null,null,NULL\n`;
    assert.deepEqual(await entriesOf(file), [{ ...anna, terminationDate: null, autoSyncEmployee: null, absences: [] }]);
    const [named] = await entriesOf(`${head}\nnull,Null,Null,null@example.com\n`);
    assert.deepEqual(named, { hrId: 'null', firstName: 'Null', lastName: 'Null', email: 'null@example.com' });
  });

  it('warns of unknown columns and implausible dates', async () => {
    const { warnings } = await readFile(
      `${head},Cost/Center,,dateOfBirth\n${annaLine},,,\nE2,Bo,Berg,b@x.de,South,x,2027-01-01\nE3,Cleo,Cruz,c@x.de,North,,\n`,
    );
    const places = warnings.map(({ code, field, count, pointer, hrId }) => ({ code, field, count, pointer, hrId }));
    assert.deepEqual(places, [
      { code: 'unknown-field', field: 'Cost/Center', count: 2, pointer: 'line 3, Cost/Center', hrId: 'E2' },
      { code: 'unknown-field', field: 'column 6', count: 1, pointer: 'line 3, column 6', hrId: 'E2' },
      { code: 'born-in-the-future', field: 'dateOfBirth', count: 1, pointer: 'line 3, dateOfBirth', hrId: 'E2' },
    ]);
    assert.deepEqual(warnings[2]?.records, [{ hrId: 'E2', pointer: 'line 3, dateOfBirth' }]);
  });

  it('reads absences separated by spaces', async () => {
    const [entry] = await entriesOf(
      `${head},absences\n${annaLine},2026-01-01/2026-03-31 2026-05-01/2026-05-02?  2026-07-01/ 2026-08-01/?\n`,
    );
    assert.deepEqual(entry?.absences, [
      { startDate: '2026-01-01', endDate: '2026-03-31', approved: true },
      { startDate: '2026-05-01', endDate: '2026-05-02', approved: false },
      { startDate: '2026-07-01', endDate: null, approved: true },
      { startDate: '2026-08-01', endDate: null, approved: false },
    ]);
  });

  for (const [name, file] of Object.entries({
    'with semicolons': `${head.replaceAll(',', ';')}\n${annaLine.replaceAll(',', ';')}\n`,
    'with a byte order mark': `\uFEFF${head}\n${annaLine}\n`,
    'with the line ends of Windows': `${head}\r\n${annaLine}\r\n`,
    'with mixed line ends': `${head}\n${annaLine}\r\n`,
    'with old line ends': `${head}\r${annaLine}\r`,
    'without a last line end': `${head}\n${annaLine}`,
    'with empty lines': `\n\n${head}\n\n${annaLine}\n,,,\n\n`,
    'with quotation marks and blanks': ` hrId , "firstName",lastName,email\n "E1" , Anna,"Müller" ,anna@example.com\n`,
    'with other columns': `department,${head},city\n"Sales, South",${annaLine},Köln\n`,
    'in another order and spelling': 'E-Mail,First Name,last_name,HR ID\nanna@example.com,Anna,Müller,E1\n',
    'with separators behind the last cell': `${head}\n${annaLine},,\n`,
  })) {
    it(`is read ${name}, in chunks of any size`, async () => {
      const bytes = Buffer.from(file);
      for (const chunkBytes of [1, 2, 3, 7, 65_536]) assert.deepEqual(await entriesOf(bytes, chunkBytes), [anna]);
    });
  }

  it('distinguishes separators within cells from separators between cells', async () => {
    const [one] = await entriesOf(`${head}\nE1,Anna;Eva,"Müller, geb. Maier",anna@example.com\n`);
    assert.deepEqual([one?.firstName, one?.lastName], ['Anna;Eva', 'Müller, geb. Maier']);
    const [two] = await entriesOf(`${head.replaceAll(',', ';')}\nE1;"Anna;Eva";Müller, geb. Maier;anna@example.com\n`);
    assert.deepEqual(two, one);
  });

  it('has a hash of its content, not of its formatting', async () => {
    const hash = async (file: string) => (await readFile(file)).contentHash.toString('hex');
    const one = await hash(`${head}\n${annaLine}\n`);
    assert.equal(await hash(`\uFEFF${head.replaceAll(',', ';')}\r\n${annaLine.replaceAll(',', ';')}\r\n`), one);
    assert.notEqual(await hash(`${head}\n${annaLine.replace('E1', 'E2')}\n`), one);
  });

  it('reads every written table back unchanged', async () => {
    const date = fc.date({ min: new Date('1900-01-01'), max: new Date('2200-12-31'), noInvalidDate: true });
    const day = date.map((one) => one.toISOString().slice(0, 10));
    const absence = fc
      .record({ days: fc.tuple(day, day), isOpen: fc.boolean(), approved: fc.boolean() })
      .map(({ days, isOpen, approved }): RosterAbsence => {
        const [startDate = '', endDate = ''] = days.sort();
        return { startDate, endDate: isOpen ? null : endDate, approved };
      });
    const name = fc
      .oneof(
        fc.string({ unit: 'grapheme', maxLength: 20 }),
        fc.string({ unit: fc.constantFrom(...'",;\' ='), maxLength: 8 }),
      )
      .map((text) => `N${text}`.trim())
      .filter((text) => findTextProblem(text) === undefined);
    const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary);
    const facts = fc.record({
      firstName: name,
      lastName: name,
      profileImage: nullable(fc.webUrl()),
      dateOfBirth: nullable(day),
      startDate: nullable(day),
      terminationDate: nullable(day),
      autoSyncEmployee: nullable(fc.boolean()),
      absences: fc.array(absence, { maxLength: 3 }),
    });
    const roster = fc
      .array(facts, { minLength: 1, maxLength: 5 })
      .map((all) => all.map((one, index) => ({ hrId: `"E;${index}`, email: `p${index}@example.com`, ...one })));

    const writeAbsence = ({ startDate, endDate, approved }: RosterAbsence) =>
      `${startDate}/${endDate ?? ''}${approved ? '' : '?'}`;
    const say = (value: unknown): string => {
      if (Array.isArray(value)) return value.map(writeAbsence).join(' ');
      return value === null ? '' : String(value);
    };
    const write = (entries: object[], separator: string, lineEnd: string) => {
      const lines = entries.map((entry) =>
        rosterColumns
          .map((column) => `"${say((entry as Record<string, unknown>)[column]).replaceAll('"', '""')}"`)
          .join(separator),
      );
      return [rosterColumns.join(separator), ...lines, ''].join(lineEnd);
    };
    await fc.assert(
      fc.asyncProperty(
        roster,
        fc.constantFrom(',', ';'),
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 100 }),
        async (entries, separator, lineEnd, chunkBytes) => {
          const expected = JSON.parse(JSON.stringify(entries));
          assert.deepEqual(await entriesOf(write(entries, separator, lineEnd), chunkBytes), expected);
        },
      ),
    );
  });
});

describe('an invalid table', () => {
  it('is refused with every error by line and column', async () => {
    const file = [
      `${head},dateOfBirth,autoSyncEmployee,absences`,
      `${annaLine},1990-02-30,maybe,2026-01-01/2026-02-01 soon`,
      '',
      'E2,,"Berg\n(Bo)",nowhere,,,2026-05-01/2026-04-01',
      'E1,Cleo,Cruz,ANNA@example.com,,,',
      'E4,Dan,Dorn',
      'E5,Eva,Ernst,eva@example.com,,,,what',
      '',
    ].join('\r\n');
    assert.deepEqual(await placesOf(file), [
      'line 2, dateOfBirth: invalid-date',
      'line 2, autoSyncEmployee: type',
      'line 2, absences 2, startDate: invalid-date',
      'line 2, absences 2, endDate: required',
      'line 4, firstName: required',
      'line 4, lastName: invalid-character',
      'line 4, email: invalid-email',
      'line 4, absences 1, endDate: ends-before-start',
      'line 6, hrId: duplicate-hr-id',
      'line 6, email: duplicate-email',
      'line 7: wrong-number-of-cells',
      'line 8: wrong-number-of-cells',
    ]);
    const { message, extra } = await refusal(file);
    assert.match(message, /^The roster was rejected: line 2, dateOfBirth \(hrId E1\) must be a valid date/);
    assert.doesNotMatch(JSON.stringify([message, extra]), /\/employees/);
    assert.match(extra.errors?.[8]?.detail ?? '', /line 2, hrId has the same value/);
  });

  it('is refused with the HR id of the employee beside the line', async () => {
    const { extra } = await refusal(`${head}\nE1,Anna,Müller,nowhere\n`);
    assert.deepEqual(extra.errors, [
      {
        pointer: 'line 2, email',
        hrId: 'E1',
        code: 'invalid-email',
        detail: 'must be an email address, such as name@example.com',
      },
    ]);
  });

  it('must have correctly spelt columns', async () => {
    const { message } = await refusal(`${head},terminatonDate,abscences\n${annaLine},2026-11-30,\n`);
    assert.match(
      message,
      /line 1 has the unknown column terminatonDate: use terminationDate; has the unknown column abscences: use absences\./,
    );
  });

  it('must have each required column once', async () => {
    assert.deepEqual(await placesOf('hrId,name,Email,e-mail\nE1,Anna,a@x.de,a@x.de\n'), [
      'line 1: columns',
      'line 1: columns',
      'line 1: columns',
    ]);
    const { message } = await refusal('hrId,firstName,Email,e-mail\n');
    assert.match(message, /line 1 must contain the column lastName; must contain the column email only once\./);
  });

  it('must not be empty', async () => {
    for (const file of ['', '\n\n', '\uFEFF']) assert.equal((await refusal(file)).code, 'malformed-body');
    const { code, message } = await refusal(`${head}\n`);
    assert.equal(code, 'invalid-roster');
    assert.match(message, /the table must list every employee/);
  });

  it('must be UTF-8', async () => {
    for (const encoding of ['latin1', 'utf16le'] as const) {
      const { code, message } = await refusal(Buffer.from(`${head}\n${annaLine}\n`, encoding));
      assert.deepEqual([code, /CSV UTF-8/.test(message)], ['malformed-body', true], encoding);
    }
    assert.equal((await refusal(Buffer.from(`${head}\n${annaLine}ü`).subarray(0, -1))).code, 'malformed-body');
  });

  it('must close its quotation marks', async () => {
    assert.deepEqual(await placesOf(`${head}\n${annaLine}\nE2,"Bo,Berg,b@x.de\nE3,Cleo,Cruz,c@x.de\n`), [
      'line 3: unclosed-quote',
    ]);
    const endless = `${head}\n${annaLine}\nE2,"Bo,Berg,b@x.de\n${'E3,Cleo,Cruz,c@x.de\n'.repeat(20_000)}`;
    assert.deepEqual(await placesOf(endless), ['line 3: unclosed-quote']);
  });

  it('must not be too large', async () => {
    const file = `${head}\n${annaLine}\nE2,Bo,Berg,b@x.de\n`;
    assert.equal((await refusal(file, { ...limits, maxEntries: 1 })).code, 'body-too-large');
    assert.equal((await refusal(file, { ...limits, maxBytes: file.length - 1 })).code, 'body-too-large');
    assert.equal(
      (await readFile(file, 9, { ...limits, maxBytes: Buffer.byteLength(file), maxEntries: 2 })).entryCount,
      2,
    );
  });

  it('is refused with the first hundred errors and the count of all', async () => {
    const lines = Array.from({ length: 500 }, (_, index) => `E${index},Anna,Muster,nowhere`);
    const { extra } = await refusal(`${head}\n${lines.join('\n')}`);
    assert.deepEqual([extra.errors?.length, extra.errorCount], [100, 500]);
  });
});
