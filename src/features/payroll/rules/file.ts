import iconv from 'iconv-lite';
import type { PayrollSystem } from '../../../domain/enums.ts';
import { type FileLine, formatCsv, formatLodas, formatLohnUndGehalt } from './formats.ts';
import { type PayrollLine, type PayrollSettings, wageTypeSettings } from './plan.ts';

/** What a file needs besides its lines. */
export interface FileOptions {
  settings: PayrollSettings & { locale: string };
  period: string;
}

const prefixes: Record<PayrollSystem, string> = { csv: 'payroll', 'datev-lodas': 'lodas', 'datev-lug': 'lug' };

/** Returns the name of a file: system, month and number of the export, as in `lodas-2026-11-3.txt`. */
export const fileNameOf = (system: PayrollSystem, period: string, number: number) =>
  `${prefixes[system]}-${period.slice(0, 7)}-${number}.${system === 'csv' ? 'csv' : 'txt'}`;

export const contentTypeOf = (system: PayrollSystem) =>
  system === 'csv' ? 'text/csv; charset=utf-8' : 'text/plain; charset=windows-1252';

/** Returns a setting that was checked before. Throws if it is missing, so that no file names a wrong number. */
function get(settings: PayrollSettings, setting: keyof PayrollSettings): number {
  const value = settings[setting];
  if (typeof value !== 'number') throw new Error(`The payroll setting ${setting} is missing.`);
  return value;
}

function* addWageTypes(planned: readonly PayrollLine[], settings: PayrollSettings): Generator<FileLine> {
  for (const line of planned) yield { ...line, wageType: get(settings, wageTypeSettings[line.kind]) };
}

const charactersPerPiece = 100_000;

/** Encodes piece by piece: as one text, the file of 100,000 employees would need several times its size in memory. */
function encodeLines(lines: Iterable<string>, encode: (text: string) => Buffer): Buffer {
  const pieces: Buffer[] = [];
  let text = '';
  for (const line of lines) {
    text += line;
    if (text.length < charactersPerPiece) continue;
    pieces.push(encode(text));
    text = '';
  }
  return Buffer.concat([...pieces, encode(text)]);
}

/** Throws if a character has no code: replaced by a question mark, it would be booked as something else. */
export function encodeWindows1252(text: string): Buffer {
  const encoded = iconv.encode(text, 'windows-1252');
  if (iconv.decode(encoded, 'windows-1252') !== text) {
    const lost = [...text].filter((one) => iconv.decode(iconv.encode(one, 'windows-1252'), 'windows-1252') !== one);
    throw new Error(
      `Windows-1252 has no ${[...new Set(lost)]
        .slice(0, 10)
        .map((one) => JSON.stringify(one))
        .join(', ')}.`,
    );
  }
  return encoded;
}

/** Returns the bytes of a payroll file. */
export function writePayrollFile(planned: readonly PayrollLine[], { settings, period }: FileOptions): Buffer {
  const lines = addWageTypes(planned, settings);
  switch (settings.payrollSystem) {
    case 'csv':
      return encodeLines(formatCsv(lines, period, settings.locale), (text) => Buffer.from(text));
    case 'datev-lodas': {
      const consultant = get(settings, 'payrollConsultant');
      const header = { consultant, client: get(settings, 'payrollClient'), period };
      return encodeLines(formatLodas(lines, header), encodeWindows1252);
    }
    case 'datev-lug':
      return encodeLines(formatLohnUndGehalt(lines, period), encodeWindows1252);
  }
}
