import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findInvoiceColumns, readCents, readInvoiceLine, readMonth } from './invoice-lines.ts';

test('amounts are read as they are written in Germany and elsewhere, unless they are ambiguous', () => {
  const cases: [string, number | undefined][] = [
    ...([
      ['59,85', 5_985],
      ['59.85', 5_985],
      ['59,8 €', 5_980],
      ['EUR 63', 6_300],
      ['-59,85', -5_985],
    ] as [string, number][]),
    ...([
      ['1.234,50', 123_450],
      ['1,234.50', 123_450],
      ["1'234.50", 123_450],
      ['1.234.567', 123_456_700],
    ] as [string, number][]),
    ...(['', 'free', '1.234', '1,234', '59,855', '1.23,4', '59.85.1', '1e3'].map((text) => [text, undefined]) as [
      string,
      undefined,
    ][]),
  ];
  for (const [text, cents] of cases) assert.equal(readCents(text), cents, text);
});

test('months are read in the usual forms', () => {
  const forms = ['2026-12', '2026-12-01', '12/2026', '12.2026', '01.12.2026'];
  assert.deepEqual(forms.map(readMonth), Array(5).fill('2026-12'));
  assert.deepEqual(['2026-13', 'December', '12-2026', ''].map(readMonth), Array(4).fill(undefined));
});

test('lines are read by the names of their columns; sums and empty rows are none', () => {
  assert.equal(findInvoiceColumns(['Ticketnummer', 'Name']), undefined);
  assert.equal(findInvoiceColumns(['Betrag', 'Name']), undefined);
  const columns = findInvoiceColumns(['Pos', 'Ticket-Nr.', 'Leistungsmonat', 'Betrag (brutto)']);
  assert.deepEqual(columns, { number: 1, month: 2, amount: 3 });
  const read = (...cells: string[]) => columns && readInvoiceLine({ number: 7, cells }, columns);
  const line = { row: 7, orderId: null, number: 'T1', month: '2026-12', cents: 5_985 };
  assert.deepEqual(read('1', 'T1', '12/2026', '59,85'), line);
  assert.deepEqual(read('2', '', '', '10,00'), { ...line, number: null, month: null, cents: 1_000 });
  assert.equal(read('Summe', '', '', '119,70'), undefined);
  assert.equal(read('', ' ', '', ''), undefined);
  assert.throws(() => read('1', 'T1', '', 'free'), /Row 7: "free" is no amount/);
  assert.throws(() => read('1', 'T1', 'soon', '1,00'), /Row 7: "soon" is no month/);
});
