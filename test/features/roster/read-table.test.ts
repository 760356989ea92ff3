import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { rosterColumns } from '../../../src/domain/choices.ts';
import { findTextProblem } from '../../../src/domain/single-line-text.ts';
import { readRosterTable } from '../../../src/features/roster/read-table.ts';
import type { RosterAbsence } from '../../../src/features/roster/rules/entry.ts';
import { readWorkbook } from '../../../src/platform/table/read-workbook.ts';
import { unpackWorkbook } from '../../../src/platform/table/unpack-workbook.ts';
import { runsOf } from '../../support/domain/runs.ts';
import { inChunks, limits as jsonLimits, problemsIn, readBack, refusalOf } from '../../support/roster-entries.ts';
import { packArchive, writeWorkbook, writeWorkbookFiles } from '../../support/xlsx.ts';

const limits = { ...jsonLimits, unpack: unpackWorkbook };

const readFile = async (file: string | Uint8Array, chunkBytes = 65_536, within = limits) =>
  (await readRosterTable(inChunks(Buffer.from(file), chunkBytes), within)).roster;

const entriesOf = async (file: string | Uint8Array, chunkBytes?: number) =>
  readBack((await readFile(file, chunkBytes)).parts);

const refusal = (file: string | Uint8Array, within = limits) => refusalOf(readFile(file, 65_536, within));

const placesOf = async (file: string | Uint8Array) => problemsIn(await refusal(file));

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
    assert.deepEqual(await placesOf(`${head}\nE1, ,Berg,b@x.de\n`), ['row 2, firstName: required']);
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
      { code: 'unknown-field', field: 'Cost/Center', count: 2, pointer: 'row 3, Cost/Center', hrId: 'E2' },
      { code: 'unknown-field', field: 'column 6', count: 1, pointer: 'row 3, column 6', hrId: 'E2' },
      { code: 'born-in-the-future', field: 'dateOfBirth', count: 1, pointer: 'row 3, dateOfBirth', hrId: 'E2' },
    ]);
    assert.deepEqual(warnings[2]?.records, [{ hrId: 'E2', pointer: 'row 3, dateOfBirth' }]);
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
    'with tabs': `${head.replaceAll(',', '\t')}\n${annaLine.replaceAll(',', '\t')}\n`,
    'below a title': `Mitarbeiterliste, Stand 01.11.2026\n\n${head.replaceAll(',', ';')}\n${annaLine.replaceAll(',', ';')}\n`,
    'with other columns': `department,${head},city\n"Sales, South",${annaLine},Köln\n`,
    'in another order and spelling': 'E-Mail,First Name,last_name,HR ID\nanna@example.com,Anna,Müller,E1\n',
    'with separators behind the last cell': `${head}\n${annaLine},,\n`,
  })) {
    it(`is read ${name}, in chunks of any size`, async () => {
      const bytes = Buffer.from(file);
      for (const chunkBytes of [1, 2, 3, 7, 65_536]) assert.deepEqual(await entriesOf(bytes, chunkBytes), [anna]);
    });
  }

  for (const [name, file] of Object.entries({
    'in Windows-1252': Buffer.from(`${head}\n${annaLine}\n`, 'latin1'),
    'in UTF-16 with a byte order mark': Buffer.from(`\uFEFF${head}\n${annaLine}\n`, 'utf16le'),
  })) {
    it(`is read ${name}, in chunks of any size`, async () => {
      for (const chunkBytes of [1, 2, 3, 7, 65_536]) assert.deepEqual(await entriesOf(file, chunkBytes), [anna]);
    });
  }

  it('takes Personalnummer for the HR id, unless another column is: then for the number in payroll', async () => {
    const row = (head: string, cells: string) => entriesOf(`${head};firstName;lastName;email\n${cells};A;B;a@x.de\n`);
    const person = { firstName: 'A', lastName: 'B', email: 'a@x.de' };
    assert.deepEqual(await row('Personalnummer', '7'), [{ hrId: '7', ...person }]);
    assert.deepEqual(await row('Personalnummer;hrId', '7;E-1'), [{ hrId: 'E-1', personnelNumber: '7', ...person }]);
    assert.deepEqual(await row('Mitarbeiter-ID;Pers.-Nr.', 'E-1;'), [
      { hrId: 'E-1', personnelNumber: null, ...person },
    ]);
  });

  const german = [
    [
      'Personalnummer',
      'Name',
      'Vorname',
      'E-Mail',
      'Geburtsdatum',
      'Eintritt',
      'Austritt',
      'Elternzeit von',
      'Elternzeit bis',
      'Jobticket',
    ],
    [
      'E1',
      'Müller',
      'Anna',
      'anna@example.com',
      '23.04.1990',
      '1.12.2020',
      '31.12.9999',
      '01.01.2026',
      '31.03.2026',
      'ja',
    ],
    ['E2', 'Größe', 'Jörg', 'j@x.de', '', '01.02.2021', '30.11.2026', '01.05.2026', '', 'nein'],
    ['E3', 'Weiß', 'Özlem', 'o@x.de', '', '01.02.2021', '', '', '', ''],
  ];
  const germanEntries = [
    {
      ...anna,
      ...{ dateOfBirth: '1990-04-23', startDate: '2020-12-01', terminationDate: null, autoSyncEmployee: true },
      absences: [{ startDate: '2026-01-01', endDate: '2026-03-31', approved: true }],
    },
    {
      ...{ hrId: 'E2', firstName: 'Jörg', lastName: 'Größe', email: 'j@x.de', dateOfBirth: null },
      ...{ startDate: '2021-02-01', terminationDate: '2026-11-30', autoSyncEmployee: false },
      absences: [{ startDate: '2026-05-01', endDate: null, approved: true }],
    },
    {
      ...{ hrId: 'E3', firstName: 'Özlem', lastName: 'Weiß', email: 'o@x.de', dateOfBirth: null },
      ...{ startDate: '2021-02-01', terminationDate: null, autoSyncEmployee: null, absences: [] },
    },
  ];

  it('has German headings, dates and truth values, as German spreadsheets write them', async () => {
    const file = Buffer.from(german.map((cells) => cells.join(';')).join('\r\n'), 'latin1');
    assert.deepEqual(await entriesOf(file), germanEntries);
  });

  it('may be an Excel file, with dates as dates, below a title and on any sheet', async () => {
    const dated = german
      .slice(1)
      .map((cells) =>
        cells.map((cell) =>
          /^\d{2}\.\d{2}\.(?!9)\d{4}$/.test(cell)
            ? new Date(`${cell.split('.').reverse().join('-')}T00:00Z`)
            : cell || null,
        ),
      );
    const sheet = [['Mitarbeiterliste'], [null], german[0] ?? [], ...dated];
    const file = writeWorkbook({ Hinweise: [['Stand', 'November']], Liste: sheet });
    assert.deepEqual(await entriesOf(file), germanEntries);
    sheet.push(['E4', 'Berg', 'Bo', 'nowhere']);
    assert.deepEqual(await placesOf(writeWorkbook({ Liste: sheet })), ['row 7, E-Mail: invalid-email']);
  });

  it('has the columns that a user has chosen', async () => {
    const file = 'A;B;C;D;E\nE1;Müller;Anna;anna@example.com;x\n';
    const choices = ['hrId', 'lastName', 'firstName', 'email', null] as const;
    const { roster } = await readRosterTable(inChunks(Buffer.from(file), 9), { ...limits, choices });
    assert.deepEqual([roster.entryCount, roster.warnings], [1, []]);
  });

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
      personnelNumber: nullable(name),
      group: nullable(name),
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
      { numRuns: runsOf(100) },
    );
  });
});

describe('an invalid table', () => {
  it('is refused with every error by row and column', async () => {
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
      'row 2, dateOfBirth: invalid-date',
      'row 2, autoSyncEmployee: type',
      'row 2, absences 2, startDate: invalid-date',
      'row 2, absences 2, endDate: required',
      'row 4, firstName: required',
      'row 4, lastName: invalid-character',
      'row 4, email: invalid-email',
      'row 4, absences 1, endDate: ends-before-start',
      'row 5, hrId: duplicate-hr-id',
      'row 5, email: duplicate-email',
      'row 6: wrong-number-of-cells',
      'row 7: wrong-number-of-cells',
    ]);
    const { message, extra } = await refusal(file);
    assert.match(message, /^The roster was rejected: row 2, dateOfBirth \(hrId E1\) must be a valid date/);
    assert.doesNotMatch(JSON.stringify([message, extra]), /\/employees/);
    assert.match(extra.errors?.[8]?.detail ?? '', /row 2, hrId has the same value/);
  });

  it('is refused with the HR id of the employee beside the line', async () => {
    const { extra } = await refusal(`${head}\nE1,Anna,Müller,nowhere\n`);
    assert.deepEqual(extra.errors, [
      {
        pointer: 'row 2, email',
        hrId: 'E1',
        code: 'invalid-email',
        detail: 'must be an email address, such as name@example.com',
        message: { key: 'value-email-example', values: { example: 'name@example.com' } },
      },
    ]);
  });

  it('must have correctly spelt columns', async () => {
    const { message } = await refusal(`${head},terminatonDate,abscences\n${annaLine},2026-11-30,\n`);
    assert.match(
      message,
      /row 1 has the unknown column terminatonDate: use terminationDate; has the unknown column abscences: use absences\./,
    );
  });

  it('must have each required column once', async () => {
    assert.deepEqual(await placesOf('hrId,name,Email,e-mail\nE1,Anna,a@x.de,a@x.de\n'), [
      'row 1: columns',
      'row 1: columns',
      'row 1: columns',
    ]);
    const { message } = await refusal('hrId,firstName,Email,e-mail\n');
    assert.match(message, /row 1 must contain the column lastName; must contain the column email only once\./);
  });

  it('must not be empty', async () => {
    for (const file of ['', '\n\n', '\uFEFF']) assert.equal((await refusal(file)).code, 'malformed-body');
    const { code, message } = await refusal(`${head}\n`);
    assert.equal(code, 'invalid-roster');
    assert.match(message, /the table must list every employee/);
  });

  it('must be text in one encoding', async () => {
    const utf16 = await refusal(Buffer.from(`${head}\n${annaLine}\n`, 'utf16le'));
    assert.deepEqual(
      [utf16.code, /neither a table of text nor an Excel file/.test(utf16.message)],
      ['malformed-body', true],
    );
    const mixed = Buffer.concat([
      Buffer.from(`${head}\n${annaLine}\n`),
      Buffer.from('E2,Jörg,Böhm,j@x.de\n', 'latin1'),
    ]);
    assert.deepEqual(
      [(await refusal(mixed)).code, /mixes/.test((await refusal(mixed)).message)],
      ['malformed-body', true],
    );
    assert.equal((await refusal(Buffer.from(`${head}\n${annaLine}ü`).subarray(0, -1))).code, 'malformed-body');
  });

  it('must close its quotation marks', async () => {
    assert.deepEqual(await placesOf(`${head}\n${annaLine}\nE2,"Bo,Berg,b@x.de\nE3,Cleo,Cruz,c@x.de\n`), [
      'row 3: unclosed-quote',
    ]);
    const endless = `${head}\n${annaLine}\nE2,"Bo,Berg,b@x.de\n${'E3,Cleo,Cruz,c@x.de\n'.repeat(20_000)}`;
    assert.deepEqual(await placesOf(endless), ['row 3: unclosed-quote']);
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

  it('must not unpack to more than the limit, whatever it says about its size', async () => {
    const bomb = packArchive({ ...writeWorkbookFiles({ A: [['x']] }), 'xl/bomb.xml': Buffer.alloc(2 ** 20) }, () => 10);
    await assert.rejects(readWorkbook(bomb, { maxBytes: 2 ** 20, maxUnpackedBytes: 2 ** 19 }), {
      code: 'workbook-too-large',
    });
    await assert.rejects(readWorkbook(bomb, { maxBytes: 10, maxUnpackedBytes: 2 ** 29 }), {
      code: 'workbook-too-large',
    });
    for (const broken of [
      bomb.subarray(0, -30),
      Buffer.from('PK\x03\x04 and more, but no archive'),
      packArchive({ 'a.xml': '<a/>' }),
    ]) {
      assert.equal((await refusal(broken)).code, 'malformed-body');
    }
  });

  it('is refused with the first hundred errors and the count of all', async () => {
    const lines = Array.from({ length: 500 }, (_, index) => `E${index},Anna,Muster,nowhere`);
    const { extra } = await refusal(`${head}\n${lines.join('\n')}`);
    assert.deepEqual([extra.errors?.length, extra.errorCount], [100, 500]);
  });
});
