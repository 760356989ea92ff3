import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { ChargeType } from '../resources.ts';
import type { BillingItem } from '../types.gen.ts';
import { type Command, choiceOf, listOf, textOf } from './define.ts';
import { CommandError, usageError } from './errors.ts';
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

/** Yields the file piece by piece. Never holds more than one charge, and yields nothing before the service has responded. */
async function* write(items: AsyncIterable<BillingItem>, format: string): AsyncGenerator<string> {
  const [opening, separator, closing] = format === 'csv' ? [toLine(headings), '', ''] : ['[\n', ',\n', '\n]\n'];
  const formatItem = (item: BillingItem) => (format === 'csv' ? toRow(item) : JSON.stringify(item));
  let isEmpty = true;
  for await (const item of items) {
    yield `${isEmpty ? opening : separator}${formatItem(item)}`;
    isEmpty = false;
  }
  if (isEmpty) yield format === 'csv' ? opening : '[]\n';
  else yield closing;
}

/** Writes a file that appears only when it is complete: half an export looks like a whole one. */
async function saveFile(file: string, pieces: AsyncIterable<string>): Promise<void> {
  const draft = `${file}.${process.pid}.part`;
  try {
    await pipeline(pieces, createWriteStream(draft, { mode: 0o600 }));
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    const { code, syscall } = error as { code?: string; syscall?: string };
    if (syscall === undefined) throw error;
    throw new CommandError(`${file} cannot be written (${code}).`);
  }
}

async function save(terminal: Terminal, file: string | undefined, pieces: AsyncIterable<string>): Promise<void> {
  if (file === undefined) {
    for await (const piece of pieces) await print(terminal, piece);
    return;
  }
  await saveFile(file, pieces);
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
