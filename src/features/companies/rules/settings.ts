import { settingRanges } from '../../../domain/choices.ts';
import type { PayrollSystem, PersonnelNumberRule, PlanType, TaxTreatment } from '../../../domain/enums.ts';
import { createMessage, type Message } from '../../../domain/messages/message.ts';
import { type BuyerSettings, buyerFields, findWrongBuyerField } from '../../invoices/rules/parties.ts';

/** The settings of a company that can be changed. */
export interface CompanySettings extends BuyerSettings {
  name: string;
  locale: string;
  timeZone: string;
  planType: PlanType;
  /** The employee's contribution per ticket under the split-pay plan. */
  contributionCents: number;
  cutOffDay: number;
  guardMinimumLinked: number;
  guardMaximumAbsentPercent: number;
  retentionDays: number;
  /** How long audit log entries are stored. */
  auditRetentionDays: number;
  payrollSystem: PayrollSystem;
  /** What payroll uses for employees whose roster has no personnel number. */
  personnelNumberRule: PersonnelNumberRule;
  /** The numbers of the tax adviser (Beraternummer) and of the company there (Mandantennummer). Null: not set. */
  payrollConsultant: number | null;
  payrollClient: number | null;
  /** The wage types (Lohnarten) of the payroll system. Null: not set. */
  wageTypeTaxFree: number | null;
  wageTypeFlatTax: number | null;
  wageTypeDeduction: number | null;
  taxTreatment: TaxTreatment;
  /** The percentage of its price at which the benefit is valued. */
  benefitValuation: number;
}

/** The settings without which a company can use everything but payroll. */
const emptySettings: readonly (keyof CompanySettings)[] = [
  'payrollConsultant',
  'payrollClient',
  'wageTypeTaxFree',
  'wageTypeFlatTax',
  'wageTypeDeduction',
];

/** The percentages at which a benefit may be valued: its price, or less 4 % (R 8.1 Abs. 2 LStR). */
export const benefitValuations = [100, 96] as const;

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text)[0] === text && Intl.NumberFormat.supportedLocalesOf(text).length > 0;
  } catch {
    return false;
  }
}

/** Accepts only names of places: an offset such as `+01:00` has no daylight saving time. */
function isTimeZone(text: string): boolean {
  if (!/^[A-Z]/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const isBuyerField = (setting: string): setting is keyof BuyerSettings =>
  buyerFields.some((field) => field === setting);

const isWritable = (text: string) =>
  text.trim() !== '' && text.length <= 200 && text.isWellFormed() && !/\p{Control}/u.test(text);

/** Returns what is wrong with a setting as text that follows its name, or undefined if it is valid. */
export function findWrongSetting<S extends keyof CompanySettings>(
  setting: S,
  value: CompanySettings[S],
): Message | undefined {
  if (value === null && emptySettings.includes(setting)) return undefined;
  if (isBuyerField(setting)) return value === null ? undefined : findWrongBuyerField(setting, String(value));
  if (setting in settingRanges) {
    const [minimum, maximum] = settingRanges[setting as keyof typeof settingRanges];
    const isRight = Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
    return isRight ? undefined : createMessage('value-between', { minimum, maximum });
  }
  if (setting === 'benefitValuation' && !benefitValuations.some((percent) => percent === value))
    return createMessage('value-benefit-valuation');
  if (setting === 'locale' && !isLocale(String(value))) return createMessage('value-locale');
  if (setting === 'timeZone' && !isTimeZone(String(value))) return createMessage('value-time-zone');
  if (setting === 'name' && !isWritable(String(value))) return createMessage('value-company-name');
  return undefined;
}

export interface SettingChange {
  setting: keyof CompanySettings;
  from: string | number | null;
  to: string | number | null;
}

/** Returns the settings that would differ after the update. */
export function listChanges(current: CompanySettings, wanted: Partial<CompanySettings>): SettingChange[] {
  return (Object.keys(current) as (keyof CompanySettings)[]).flatMap((setting) => {
    const to = wanted[setting];
    return to === undefined || to === current[setting] ? [] : [{ setting, from: current[setting], to }];
  });
}
