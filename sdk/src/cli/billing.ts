import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { ChargeType } from '../resources.ts';
import type { BillingItem } from '../types.gen.ts';
import { type Command, choiceOf, listOf, textOf } from './define.ts';
import { usageError } from './errors.ts';
import { note, print, type Terminal } from './terminal.ts';

const chargeTypes: readonly ChargeType[] = [
  'ticket-charge',
  'service-charge',
  'hr-integration-charge',
  'hr-payroll-integration-charge',
  'api-charge',
];

const formats = ['csv', 'json'] as const;
const correctionFilters = ['include', 'exclude', 'only'] as const;

const headings = [
  ...['id', 'period', 'type', 'hrId', 'firstName', 'lastName', 'email', 'plan'],
  ...['net', 'tax', 'gross', 'companyShare', 'employeeShare', 'corrects', 'reason'],
];

const amount = (cents: number | undefined) => (cents === undefined ? '' : (cents / 100).toFixed(2));

/** Returns a cell. A leading apostrophe keeps spreadsheets from running a name such as `=HYPERLINK(…)` as a formula. */
function toCell(value: string | number | null | undefined): string {
  const text = String(value ?? '');
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) && !/^-?[\d.]+$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const toLine = (cells: readonly (string | number | null | undefined)[]) => `${cells.map(toCell).join(',')}\r\n`;

function toRow({ id, billing, charge, corrects, reason }: BillingItem): string {
  const profile = charge.employee?.profile;
  return toLine([
    ...[id, billing.period, charge.type, profile?.hrId, profile?.firstName, profile?.lastName, profile?.email],
    charge.plan?.type,
    ...[billing.total.value, billing.tax.value, billing.overall.value].map(amount),
    ...[charge.plan?.companyAmount.value, charge.plan?.employeeAmount.value].map(amount),
    corrects?.id,
    reason,
  ]);
}

/** Yields the file piece by piece. Never holds more than one charge. */
async function* write(items: AsyncIterable<BillingItem>, format: string): AsyncGenerator<string> {
  if (format === 'csv') {
    yield toLine(headings);
    for await (const item of items) yield toRow(item);
    return;
  }
  let separator = '[\n';
  for await (const item of items) {
    yield `${separator}${JSON.stringify(item)}`;
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

async function save(terminal: Terminal, file: string | undefined, pieces: AsyncIterable<string>): Promise<void> {
  if (file === undefined) {
    for await (const piece of pieces) await print(terminal, piece);
    return;
  }
  const stream = createWriteStream(file, { mode: 0o600 });
  for await (const piece of pieces) await print({ ...terminal, stdout: stream }, piece);
  stream.end();
  await finished(stream);
  note(terminal, `Written to ${file}.`);
}

const exportCharges: Command = {
  name: 'billing export',
  description: 'Export the charges of a month',
  options: {
    period: { type: 'string', value: 'YYYY-MM', description: 'The month (required)' },
    format: { type: 'string', value: 'FORMAT', choices: formats, description: 'csv (default) or json' },
    type: { type: 'string', value: 'TYPE', multiple: true, choices: chargeTypes, description: 'Only these charges' },
    corrections: {
      type: 'string',
      value: 'WHICH',
      choices: correctionFilters,
      description: 'include (default), exclude or only corrections',
    },
    output: { type: 'string', value: 'FILE', description: 'Write to a file that only you can read' },
  },
  async run(context) {
    const { terminal, connect, signal } = context;
    const period = textOf(context, 'period');
    if (period === undefined) throw usageError('Name the month, such as --period 2026-11.');
    const format = choiceOf(context, 'format', formats) ?? (terminal.isJson ? 'json' : 'csv');
    const types = listOf(context, 'type', chargeTypes) ?? chargeTypes;
    const corrections = choiceOf(context, 'corrections', correctionFilters);
    const client = connect();
    async function* items() {
      for (const type of types) yield* client.billing.export(period ?? '', type, { corrections, signal });
    }
    await save(terminal, textOf(context, 'output'), write(items(), format));
    return undefined;
  },
};

export const billingCommands = [exportCharges];
