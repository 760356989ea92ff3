import type { Db, Tx } from '../../platform/db/database.ts';
import { findSettings } from '../companies/change-settings.ts';
import type { CompanySettings } from '../companies/rules/settings.ts';
import { type Leaver, listLeavers, loadWaitingItems, type PayrollPeriod } from './load.ts';
import { ageOfPeriod, type PeriodAge } from './rules/period.ts';
import {
  createPlan,
  listMissingSettings,
  type PayrollPlan,
  type PayrollSetting,
  type PayrollTotals,
  sumKinds,
} from './rules/plan.ts';

/** What an export of a period would contain now, and what prevents it. */
export interface PayrollPreview extends PayrollPlan {
  settings: CompanySettings;
  totals: PayrollTotals;
  employees: number;
  missingSettings: PayrollSetting[];
  /** Employment ended before the period: check whether the charge is to be corrected before it is booked. */
  leavers: Leaver[];
  periodAge: PeriodAge;
}

/** Returns what an export would contain, or undefined if there is no such company. Changes nothing. */
export async function previewPayroll(
  db: Db | Tx,
  file: PayrollPeriod,
  now: Temporal.Instant,
): Promise<PayrollPreview | undefined> {
  const settings = await findSettings(db, file.companyId);
  if (settings === undefined) return undefined;
  const today = now.toZonedDateTimeISO(settings.timeZone).toPlainDate();
  const planning = createPlan(settings);
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
