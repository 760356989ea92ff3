import { createMessage, formatMessage, type Message } from '../../../domain/messages/message.ts';
import { headingKey } from '../../../platform/table/headings.ts';
import type { TableRow } from '../../../platform/table/table-row.ts';

/** A line of an invoice of the issuer. */
export interface InvoiceLine {
  row: number;
  orderId: string | null;
  /** Of the ticket. */
  number: string | null;
  /** YYYY-MM. Null: the file has no months. */
  month: string | null;
  cents: number;
}

/** Why a file cannot be read as an invoice. */
export class InvoiceFileError extends Error {
  readonly explanation: Message;

  constructor(explanation: Message) {
    super(formatMessage(explanation));
    this.name = 'InvoiceFileError';
    this.explanation = explanation;
  }
}

type InvoiceColumn = 'orderId' | 'number' | 'month' | 'amount';

const names: Record<InvoiceColumn, string> = {
  orderId: 'order, orderId, order number, Bestellung, Bestellnummer, Bestell-Nr., Auftragsnummer, Auftrag',
  number:
    'ticket, ticketNumber, ticket number, Ticketnummer, Ticket-Nr., Ticket-ID, Berechtigungsnummer, Chipkartennummer',
  month: 'month, period, Monat, Leistungsmonat, Gültigkeitsmonat, Zeitraum',
  amount:
    'amount, gross, gross amount, price, total, Betrag, Bruttobetrag, Brutto, Preis, Gesamtbetrag, Betrag brutto, Betrag (brutto), Betrag in EUR',
};
const columnsByKey = new Map(
  Object.entries(names).flatMap(([column, all]) =>
    all.split(/,\s+/).map((name): [string, InvoiceColumn] => [headingKey(name), column as InvoiceColumn]),
  ),
);

type Columns = Partial<Record<InvoiceColumn, number>>;

/** Returns where the columns are. Undefined: these cells are no headings of an invoice. */
export function findInvoiceColumns(cells: readonly string[]): Columns | undefined {
  const columns: Columns = {};
  cells.forEach((cell, index) => {
    const column = columnsByKey.get(headingKey(cell));
    if (column !== undefined) columns[column] ??= index;
  });
  const isComplete = columns.amount !== undefined && (columns.orderId !== undefined || columns.number !== undefined);
  return isComplete ? columns : undefined;
}

/** Reads `59,85`, `1.234,50 €`, `EUR 59.85` and `-12`. Undefined: the text is no amount, or not unambiguous. */
export function readCents(text: string): number | undefined {
  const plain = text.replace(/€|EUR|[\s\u00a0\u202f]/gi, '').replace(/^[\u2212\u2013]/, '-');
  const match = /^(-?)(\d{1,3}(?:([.,'])\d{3})*|\d{1,9})(?:([.,])(\d{1,2}))?$/.exec(plain);
  if (match === null) return undefined;
  const [, sign, whole = '', separator, point, fraction = ''] = match;
  if (separator !== undefined && separator === point) return undefined;
  // `1.234` may be 1.234 euros or 1,234 euros.
  if (separator !== undefined && separator !== "'" && point === undefined && whole.split(separator).length === 2)
    return undefined;
  const cents = Number(whole.replace(/[.,']/g, '')) * 100 + Number(fraction.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
}

/** Reads `2026-12`, `2026-12-01`, `12/2026`, `12.2026` and `01.12.2026` as `2026-12`. */
export function readMonth(text: string): string | undefined {
  const { year, month } =
    /^(?<year>\d{4})-(?<month>\d{1,2})(-\d{1,2})?$/.exec(text)?.groups ??
    /^(\d{1,2}\.)?(?<month>\d{1,2})[./](?<year>\d{4})$/.exec(text)?.groups ??
    {};
  const isMonth = Number(month) >= 1 && Number(month) <= 12;
  return isMonth ? `${year}-${month?.padStart(2, '0')}` : undefined;
}

const sums = /^(summe|gesamt|total|sum|endbetrag)/i;

/** Returns a line of the invoice. Undefined: the row is empty, or a sum below the lines. Throws if it cannot be read. */
export function readInvoiceLine({ number: row, cells }: TableRow, columns: Columns): InvoiceLine | undefined {
  const cellOf = (column: InvoiceColumn) => cells[columns[column] ?? -1]?.trim() || null;
  const first = cells.find((cell) => cell.trim() !== '');
  if (first === undefined) return undefined;
  const [orderId, number] = [cellOf('orderId'), cellOf('number')];
  if (sums.test(first) && (orderId ?? number ?? first) === first) return undefined;
  const amount = cellOf('amount') ?? '';
  const cents = readCents(amount);
  if (cents === undefined)
    throw new InvoiceFileError(createMessage('invoice-wrong-amount', { row, value: amount.slice(0, 50) }));
  const text = cellOf('month');
  const month = text === null ? null : readMonth(text);
  if (month === undefined)
    throw new InvoiceFileError(createMessage('invoice-wrong-month', { row, value: (text ?? '').slice(0, 50) }));
  return { row, orderId, number, month, cents };
}
