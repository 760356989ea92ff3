import { createMessage } from '../../../domain/messages/message.ts';
import { todayIn } from '../../../platform/clock/clock.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { inSnapshot } from '../../../platform/db/snapshot.ts';
import { ApiError } from '../../../platform/http/errors.ts';
import type { View } from '../../../platform/http/view.ts';
import { countStatements } from '../../documents/statements.ts';
import type { PayrollYear } from '../contract.ts';
import { findNumber, sortKeyOf } from '../rules/plan.ts';
import type { YearAmounts, YearSummary } from '../rules/year.ts';
import { loadErasedOfYear, loadYear, type YearRow } from './load.ts';
import { loadYearSettings } from './summaries.ts';

/** One employee of a year, as payroll knows them. */
export interface YearLine extends Omit<YearSummary, 'months'> {
  /** Null: somebody who was removed or erased. */
  employeeId: number | null;
  name: string | null;
  personnelNumber: string;
  /** The first days of the months with a ticket. */
  months: string[];
}

export interface YearFile {
  companyId: CompanyId;
  year: number;
  /** The day through which corrections are included. */
  asOf: string;
  locale: string;
  lines: YearLine[];
  totals: YearAmounts & { exported: YearAmounts };
}

const names = ['taxFreeCents', 'flatTaxCents', 'deductionCents'] as const;

const sumLines = (amounts: readonly YearAmounts[]): YearAmounts => {
  const sums: YearAmounts = { taxFreeCents: 0, flatTaxCents: 0, deductionCents: 0 };
  for (const one of amounts) for (const name of names) sums[name] += one[name];
  return sums;
};

const isEmpty = ({ months, difference }: YearSummary) => months.length === 0 && difference === null;

/** Returns a year of all employees in the order of their personnel numbers. Somebody without a usable number is named by their HR id. */
export async function loadYearFile(
  db: Db | Tx,
  { companyId, year, now }: { companyId: CompanyId; year: number; now: Temporal.Instant },
): Promise<YearFile> {
  const { settings, summarize } = await loadYearSettings(db, companyId);
  const lines: { sortKey: string; line: YearLine }[] = [];
  const add = (row: YearRow) => {
    const summary = summarize(row, year);
    if (isEmpty(summary)) return;
    const known = { ...row, exportedNumber: null };
    const personnelNumber = findNumber(known, settings) ?? row.personnelNumber ?? row.hrIds[0] ?? row.billedHrId ?? '';
    const line: YearLine = {
      ...summary,
      employeeId: row.isRemoved ? null : row.id,
      name: row.isRemoved ? null : `${row.lastName}, ${row.firstName}`,
      personnelNumber,
      months: summary.months.map(({ month }) => month),
    };
    lines.push({ line, sortKey: sortKeyOf(personnelNumber) });
  };
  for (let afterId: number | undefined = 0; afterId !== undefined; ) {
    const { rows, lastId }: Awaited<ReturnType<typeof loadYear>> = await loadYear(db, { companyId, year, afterId });
    rows.forEach(add);
    afterId = lastId;
  }
  (await loadErasedOfYear(db, companyId, year)).forEach(add);
  const sorted = lines.sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1)).map(({ line }) => line);
  return {
    ...{ companyId, year, lines: sorted, locale: settings.locale },
    asOf: todayIn({ now: () => now }, settings.timeZone).toString(),
    totals: { ...sumLines(sorted), exported: sumLines(sorted.map(({ exported }) => exported)) },
  };
}

/** The same, for a file. Throws if it would be empty. */
export async function getYearFile(...args: Parameters<typeof loadYearFile>): Promise<YearFile> {
  const file = await loadYearFile(...args);
  if (file.lines.length === 0) throw new ApiError('payroll-not-exportable', createMessage('payroll-year-empty'));
  return file;
}

const mostDifferences = 1_000;

const presentAmounts = (
  { taxFreeCents, flatTaxCents, deductionCents }: YearAmounts,
  { money }: Pick<View, 'money'>,
) => ({
  taxFree: money(taxFreeCents),
  flatTax: money(flatTaxCents),
  deduction: money(deductionCents),
});

/** Returns a year as the portal shows it: its sums, and whose exported months differ. */
export const presentYear = (
  db: Db,
  { companyId, year, now }: { companyId: CompanyId; year: number; now: Temporal.Instant },
  view: Pick<View, 'money'>,
): Promise<PayrollYear> =>
  inSnapshot(db, async (tx) => {
    const { lines, totals, asOf } = await loadYearFile(tx, { companyId, year, now });
    const differing = lines.flatMap((line) => (line.difference === null ? [] : { ...line, reason: line.difference }));
    return {
      year,
      asOf,
      isOver: year < Number(asOf.slice(0, 4)),
      employees: lines.length,
      ...presentAmounts(totals, view),
      exported: presentAmounts(totals.exported, view),
      differenceCount: differing.length,
      differences: differing.slice(0, mostDifferences).map((line) => ({
        ...{ employeeId: line.employeeId, name: line.name, personnelNumber: line.personnelNumber, reason: line.reason },
        ...presentAmounts(line, view),
        exported: presentAmounts(line.exported, view),
      })),
      statements: await countStatements(tx, companyId, year),
    };
  });
