import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { decimal, formatPayrollLine, type PayrollLine, payrollColumns, payrollHead } from './payroll.ts';

const aLine = (fields: Partial<PayrollLine> = {}): PayrollLine => ({
  hrId: 'E-1',
  firstName: 'Anna',
  lastName: 'Müller',
  companyShareCents: 3985,
  employeeShareCents: 2000,
  netCents: 5593,
  taxCents: 392,
  grossCents: 5985,
  correctsItem: null,
  correctsPeriod: null,
  reason: null,
  ...fields,
});

describe('an amount of the payroll file', () => {
  it('has a point and two digits', () => {
    assert.deepEqual([0, 5, 50, 100, 5985, -1, -99, -5985].map(decimal), [
      '0.00',
      '0.05',
      '0.50',
      '1.00',
      '59.85',
      '-0.01',
      '-0.99',
      '-59.85',
    ]);
  });

  it('keeps the exact cents', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (cents) => {
        const text = decimal(cents);
        assert.match(text, /^-?(0|[1-9]\d*)\.\d\d$/);
        assert.equal(Number(text.replace('.', '')), cents === 0 ? 0 : cents);
      }),
    );
  });
});

describe('the payroll file', () => {
  it('begins with a byte order mark and the names of its columns', () => {
    assert.equal(
      payrollHead,
      '\uFEFFhrId,firstName,lastName,companyShare,employeeShare,net,tax,gross,correctsItem,correctsPeriod,reason\r\n',
    );
  });

  it('has one line per charge', () => {
    assert.equal(formatPayrollLine(aLine()), 'E-1,Anna,Müller,39.85,20.00,55.93,3.92,59.85,,,\r\n');
  });

  it('names the corrected item and the reason, as text that no spreadsheet executes', () => {
    const corrects = { correctsItem: 17, correctsPeriod: '2026-10-01', reason: '=1+1, left' };
    assert.equal(
      formatPayrollLine(aLine(corrects)),
      `E-1,Anna,Müller,39.85,20.00,55.93,3.92,59.85,17,2026-10-01,"'=1+1, left"\r\n`,
    );
  });

  it('leaves unknown names and ids empty', () => {
    const line = formatPayrollLine(aLine({ hrId: null, firstName: null, lastName: null }));
    assert.equal(line, ',,,39.85,20.00,55.93,3.92,59.85,,,\r\n');
  });

  it('does not escape the minus sign of its own amounts', () => {
    const reversed = { companyShareCents: -5985, employeeShareCents: 0, netCents: -5593, taxCents: -392 };
    assert.equal(
      formatPayrollLine(aLine({ ...reversed, grossCents: -5985 })),
      'E-1,Anna,Müller,-59.85,0.00,-55.93,-3.92,-59.85,,,\r\n',
    );
  });

  for (const [cell, harmless] of [
    ['=1+1', "'=1+1"],
    ['+49', "'+49"],
    ['-7', "'-7"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\rx', "'\rx"],
    ['=HYPERLINK("http://x","y")', `'=HYPERLINK("http://x","y")`],
    ['A;=1+1', "A;'=1+1"],
    ['A\n=1+1', "A\n'=1+1"],
    ['"=1+1"', `"'=1+1"`],
    ['A;"=1+1"', `A;"'=1+1"`],
    ['A;""@SUM(A1)', `A;""'@SUM(A1)`],
    ['Meyer-Lüdenscheidt; K+K', 'Meyer-Lüdenscheidt; K+K'],
  ] as const) {
    it(`makes ${JSON.stringify(cell)} harmless`, () => {
      const [[hrId, firstName] = []] = parse(formatPayrollLine(aLine({ hrId: cell, firstName: cell })));
      assert.deepEqual([hrId, firstName], [harmless, harmless]);
    });
  }

  it('is read back as written, whatever the names', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 10 }),
      fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n",;\' a'), maxLength: 6 }),
      fc.constantFrom(null, '"', '""', 'a,b', 'a\r\nb', "O'Neill", 'Müller; Anna'),
    );
    const cents = fc.integer({ min: -1e9, max: 1e9 });
    const line = fc.record<PayrollLine>({
      hrId: name,
      firstName: name,
      lastName: name,
      companyShareCents: cents,
      employeeShareCents: cents,
      netCents: cents,
      taxCents: cents,
      grossCents: cents,
      correctsItem: fc.option(fc.nat()),
      correctsPeriod: fc.constantFrom(null, '2026-10-01'),
      reason: name,
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
        const file = payrollHead + lines.map(formatPayrollLine).join('');
        const [head, ...read]: string[][] = parse(file, { bom: true, record_delimiter: '\r\n' });
        assert.deepEqual(head, [...payrollColumns]);
        const plain = (cell: string | null | undefined) => (cell ?? '').replaceAll("'", '');
        assert.equal(read.length, lines.length);
        for (const [
          index,
          { hrId, firstName, lastName, correctsItem, correctsPeriod, reason, ...amounts },
        ] of lines.entries()) {
          const cells = read[index] ?? [];
          const texts = [...cells.slice(0, 3), cells.at(-1) ?? ''];
          assert.deepEqual(cells.slice(3, 8), Object.values(amounts).map(decimal));
          assert.deepEqual(cells.slice(8, 10), [correctsItem === null ? '' : `${correctsItem}`, correctsPeriod ?? '']);
          assert.deepEqual(texts.map(plain), [hrId, firstName, lastName, reason].map(plain));
          for (const cell of texts) assert.doesNotMatch(cell, /^[=+\-@\t\r\n]|[;"\t\r\n][=+\-@]/);
        }
      }),
    );
  });
});
