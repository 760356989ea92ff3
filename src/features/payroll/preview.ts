import type { Day } from '../../domain/calendar.ts';
import { toFlag } from '../../platform/cli/options.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { notFound } from '../../platform/http/errors.ts';
import { findSettings } from '../companies/change-settings.ts';
import { getCompany } from '../companies/companies.ts';
import type { CompanySettings } from '../companies/contract.ts';
import { findPolicies } from '../companies/policy-book.ts';
import type { CompanyContext } from '../context.ts';
import { listLeavers, loadWaitingItems, type PayrollPeriod } from './load.ts';
import { remedyOf } from './rules/personnel-number.ts';
import {
  ageOfPeriod,
  createPlan,
  listMissingSettings,
  type PayrollPlan,
  type PayrollSetting,
  type PayrollTotals,
  type PeriodAge,
  sumKinds,
} from './rules/plan.ts';

/** What an export of a period would contain now, and what prevents it. */
export interface PayrollPreview extends PayrollPlan {
  settings: CompanySettings;
  totals: PayrollTotals;
  employees: number;
  missingSettings: PayrollSetting[];
  /** Employment ended before the period: check whether the charge is to be corrected before it is booked. */
  leavers: Awaited<ReturnType<typeof listLeavers>>;
  periodAge: PeriodAge;
}

/** Returns what an export would contain. Changes nothing. */
export async function previewPayroll(db: Db | Tx, file: PayrollPeriod, now: Temporal.Instant): Promise<PayrollPreview> {
  const settings = await findSettings(db, file.companyId);
  if (settings === undefined) throw notFound('company');
  const today = now.toZonedDateTimeISO(settings.timeZone).toPlainDate();
  const { policies } = await findPolicies(db, await getCompany(db, file.companyId));
  const planning = createPlan({ ...settings, policies });
  for await (const items of loadWaitingItems(db, file)) for (const item of items) planning.add(item);
  const plan = planning.finish();
  return {
    ...plan,
    settings,
    totals: sumKinds(plan.lines),
    employees: new Set(plan.lines.map(({ personnelNumber }) => personnelNumber)).size,
    missingSettings: listMissingSettings(plan.lines, settings),
    leavers: await listLeavers(db, file),
    periodAge: ageOfPeriod(Temporal.PlainDate.from(file.period), today),
  };
}

/** A hint for the operator, who books by hand. */
export const warnOf = (age: PeriodAge) =>
  age === 'old'
    ? { warning: 'This month is neither the present one nor the one before. Check the period before you book it.' }
    : {};

/** Returns the preview as the command line shows it. */
export async function describePreview({ db, companyId, by }: CompanyContext, { period }: { period: Day }) {
  const preview = await previewPayroll(db, { companyId, period: period.toString() }, by.at);
  const { settings, lines, employees, totals, missingSettings, problems, periodAge, leavers } = preview;
  return {
    period: period.toString(),
    system: settings.payrollSystem,
    ...warnOf(periodAge),
    isExportable: lines.length > 0 && problems.length === 0 && missingSettings.length === 0 && periodAge !== 'future',
    lines: lines.length,
    employees,
    taxFreeCents: totals['tax-free'],
    flatTaxCents: totals['flat-tax'],
    deductionCents: totals.deduction,
    line17Cents: totals['tax-free'],
    leavers,
    missingSettings: missingSettings.map((setting) => ({ setting, option: toFlag(setting) })),
    problems: problems.map((problem) => ({ ...problem, remedy: remedyOf(problem.code, settings.payrollSystem) })),
  };
}
