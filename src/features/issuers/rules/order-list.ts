import type { OrderSection } from '../../../domain/enums.ts';
import { formatRow } from '../../payroll/rules/formats.ts';
import { columnsOf, type OrderField, type OrderMapping } from './order-mapping.ts';

/** A line of an order list. */
export type OrderLine = Record<Exclude<OrderField, 'section'>, string | null> & { section: OrderSection };

const dateFields: readonly OrderField[] = ['dateOfBirth', 'validFrom', 'validUntil'];

function toCell(line: OrderLine, field: OrderField, { sections, dates }: OrderMapping): string {
  if (field === 'section') return sections?.[line.section] ?? line.section;
  const value = line[field] ?? '';
  if (dates !== 'german' || !dateFields.includes(field) || value === '') return value;
  return value.split('-').toReversed().join('.');
}

/** Returns an order list as a table, its headings first. */
export function toTable(lines: readonly OrderLine[], mapping: OrderMapping | null): string[][] {
  const columns = columnsOf(mapping);
  const rows = lines.map((line) =>
    columns.map((column) => ('field' in column ? toCell(line, column.field, mapping ?? {}) : column.value)),
  );
  return [columns.map(({ heading }) => heading), ...rows];
}

/** Returns a table as a German spreadsheet opens it with a double click: semicolons, UTF-8 with a byte order mark. */
export const toCsv = (table: readonly string[][]): Buffer => Buffer.from(`\uFEFF${table.map(formatRow).join('')}`);
