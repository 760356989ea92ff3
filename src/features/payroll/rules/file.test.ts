import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { runsOf } from '../../../../test/support/domain/runs.ts';
import { contentTypeOf, encodeWindows1252, fileNameOf, writePayrollFile } from './file.ts';
import { formatAmount } from './formats.ts';
import type { PayrollLine } from './plan.ts';

const settings = {
  payrollSystem: 'csv',
  personnelNumberRule: 'hr-id',
  payrollConsultant: 1234567,
  payrollClient: 12345,
  wageTypeTaxFree: 700,
  wageTypeFlatTax: 701,
  wageTypeDeduction: 9100,
  taxTreatment: 'tax-free',
  benefitValuation: 96,
  locale: 'de-DE',
} as const;
const period = '2026-11-01';
const lines: PayrollLine[] = [
  { personnelNumber: '7', kind: 'tax-free', cents: 5746 },
  { personnelNumber: '4711', kind: 'tax-free', cents: 3746 },
  { personnelNumber: '4711', kind: 'deduction', cents: 2000 },
  { personnelNumber: '99999', kind: 'flat-tax', cents: -5 },
];
const text = (change: Partial<Parameters<typeof writePayrollFile>[1]['settings']>) =>
  writePayrollFile(lines, { settings: { ...settings, ...change }, period }).toString('latin1');

describe('a payroll file', () => {
  it('has a decimal comma and two digits in every amount', () => {
    assert.deepEqual([0, 5, 50, 100, 5746, -1, -99, -5746, 123456789].map(formatAmount), [
      ...['0,00', '0,05', '0,50', '1,00', '57,46', '-0,01', '-0,99', '-57,46', '1234567,89'],
    ]);
  });

  it('for LODAS has its three sections, line by line', () => {
    assert.equal(
      text({ payrollSystem: 'datev-lodas' }),
      [
        '[Allgemein]',
        'Ziel=LODAS',
        'Version_SST=1.0',
        'BeraterNr=1234567',
        'MandantenNr=12345',
        'Datumsformat=TT/MM/JJJJ',
        'Feldtrennzeichen=;',
        'Zahlenkomma=,',
        '',
        '[Satzbeschreibung]',
        '1;u_lod_bwd_buchung_standard;abrechnung_zeitraum#bwd;bs_wert_butab#bwd;bs_nr#bwd;la_eigene#bwd;pnr#bwd;',
        '',
        '[Bewegungsdaten]',
        '1;01/11/2026;57,46;3;700;7;',
        '1;01/11/2026;37,46;3;700;4711;',
        '1;01/11/2026;20,00;3;9100;4711;',
        '1;01/11/2026;-0,05;3;701;99999;',
        '',
      ].join('\r\n'),
    );
  });

  it('for Lohn und Gehalt has eleven fields per record and no heading', () => {
    assert.equal(
      text({ payrollSystem: 'datev-lug' }),
      [
        '7;01/11/2026;;700;;;57,46;;;;',
        '4711;01/11/2026;;700;;;37,46;;;;',
        '4711;01/11/2026;;9100;;;20,00;;;;',
        '99999;01/11/2026;;701;;;-0,05;;;;',
        '',
      ].join('\r\n'),
    );
  });

  it('as CSV has German headings for a German locale, English ones otherwise', () => {
    const csv = (locale: string) =>
      writePayrollFile(lines.slice(1, 3), { settings: { ...settings, locale }, period }).toString();
    const german = [
      '\uFEFFZeitraum;Personalnummer;Lohnart;Bezeichnung;Betrag',
      '01.11.2026;4711;700;Deutschlandticket steuerfrei (§ 3 Nr. 15 EStG);37,46',
      '01.11.2026;4711;9100;Deutschlandticket Eigenanteil (Nettoabzug);20,00',
      '',
    ].join('\r\n');
    assert.equal(csv('de-DE'), german);
    assert.equal(csv('de-AT'), german);
    assert.equal(
      csv('en-GB'),
      [
        '\uFEFFPeriod;Personnel number;Wage type;Description;Amount',
        '2026-11-01;4711;700;Transit ticket, tax-free (§ 3 Nr. 15 EStG);37,46',
        "2026-11-01;4711;9100;Transit ticket, employee's share (net deduction);20,00",
        '',
      ].join('\r\n'),
    );
  });

  it('as CSV runs no formula and is read back as written, whatever the HR ids', () => {
    const hrId = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 10 }),
      fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n",;\' a'), minLength: 1, maxLength: 6 }),
      fc.constantFrom('"', '""', 'a;b', 'a\r\nb', '=1+1', 'A;"=1+1"', 'E-1001'),
    );
    const plain = (cell: string | undefined) => (cell ?? '').replaceAll("'", '');
    fc.assert(
      fc.property(fc.array(hrId, { maxLength: 5 }), fc.integer(), (hrIds, cents) => {
        const made = hrIds.map((personnelNumber) => ({ personnelNumber, kind: 'tax-free' as const, cents }));
        const file = writePayrollFile(made, { settings, period });
        const rows: string[][] = parse(file, { bom: true, delimiter: ';', record_delimiter: '\r\n', from: 2 });
        assert.deepEqual(
          rows.map(([, number]) => plain(number)),
          hrIds.map((one) => plain(Buffer.from(one).toString())),
        );
        for (const [, number = '', wageType, , amount] of rows) {
          assert.doesNotMatch(number, /^[=+\-@\t\r\n]|[;,"\t\r\n][=+\-@]/);
          assert.deepEqual([wageType, amount], ['700', formatAmount(cents)]);
        }
      }),
      { numRuns: runsOf(100) },
    );
  });

  it('is refused without a setting that it needs', () => {
    assert.throws(() => text({ wageTypeDeduction: null }), /wageTypeDeduction is missing/);
    assert.throws(() => text({ payrollSystem: 'datev-lodas', payrollClient: null }), /payrollClient is missing/);
  });

  it('has a name and a type by its system', () => {
    assert.deepEqual(
      (['csv', 'datev-lodas', 'datev-lug'] as const).map((system) => fileNameOf(system, period, 3)),
      ['payroll-2026-11-3.csv', 'lodas-2026-11-3.txt', 'lug-2026-11-3.txt'],
    );
    assert.equal(contentTypeOf('datev-lug'), 'text/plain; charset=windows-1252');
    assert.equal(contentTypeOf('csv'), 'text/csv; charset=utf-8');
  });
});

describe('Windows-1252', () => {
  it('has one byte per character and no byte order mark', () => {
    assert.deepEqual([...encodeWindows1252('Aä€ß„')], [0x41, 0xe4, 0x80, 0xdf, 0x84]);
  });

  it('refuses characters that it lacks, and names them', () => {
    assert.throws(() => encodeWindows1252('Łukasz 😀 Šarić'), /Windows-1252 has no "Ł", "😀", "ć"\./);
  });
});
