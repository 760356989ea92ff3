import { agreementParagraphLimit, benefitValuations, settingRanges } from '../../../domain/choices.ts';
import { createMessage, type Message } from '../../../domain/messages/message.ts';
import { findTextProblem, isLongerThan } from '../../../domain/single-line-text.ts';
import { findUnprintable } from '../../../platform/pdf/printable.ts';
import type { CompanySettings } from '../contract.ts';
import { type BuyerSettings, buyerFields, findWrongBuyerField, normalizePartyField } from './parties.ts';

/** The settings that may be empty besides those of invoices. */
const emptySettings: readonly (keyof CompanySettings)[] = [
  'payrollConsultant',
  'payrollClient',
  'wageTypeTaxFree',
  'wageTypeFlatTax',
  'wageTypeDeduction',
  'agreementParagraph',
];

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

function findWrongParagraph(text: string): Message | undefined {
  if (isLongerThan(text, agreementParagraphLimit))
    return createMessage('value-too-long', { limit: agreementParagraphLimit });
  const problem = findTextProblem(text);
  if (problem !== undefined) return problem.message;
  const character = findUnprintable(text);
  return character === undefined ? undefined : createMessage('value-unprintable', { character });
}

type Value = string | number | boolean | null;

/** Returns a setting as it is stored. An empty field of the company's invoices counts as not entered. */
export function normalizeSetting(setting: keyof CompanySettings, value: Value): Value {
  if (isBuyerField(setting)) return normalizePartyField(setting, String(value ?? '')) || null;
  // One paragraph: where its lines end is decided by the page.
  if (setting === 'agreementParagraph')
    return (
      String(value ?? '')
        .trim()
        .normalize('NFC')
        .replaceAll(/\s+/gu, ' ') || null
    );
  return setting === 'name' ? String(value).trim() : value;
}

/** Returns the value of a setting that an operator has typed. */
export function parseSetting(setting: keyof CompanySettings, text: string): Value {
  const isNumber = setting in settingRanges || setting === 'benefitValuation';
  if (!isNumber) return normalizeSetting(setting, text);
  // A leading zero is refused: what is stored must be what was typed.
  return /^(0|[1-9]\d{0,8})$/.test(text) ? Number(text) : Number.NaN;
}

/** Returns what is wrong with a setting as text that follows its name, or undefined if it is valid. */
export function findWrongSetting(setting: keyof CompanySettings, value: Value): Message | undefined {
  if (value === null && emptySettings.includes(setting)) return undefined;
  if (isBuyerField(setting)) return value === null ? undefined : findWrongBuyerField(setting, String(value));
  if (setting in settingRanges) {
    const [minimum, maximum] = settingRanges[setting as keyof typeof settingRanges];
    const isRight = Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
    return isRight ? undefined : createMessage('value-between', { minimum, maximum });
  }
  if (setting === 'agreementParagraph') return findWrongParagraph(String(value));
  if (setting === 'benefitValuation' && !benefitValuations.some((percent) => percent === value))
    return createMessage('value-benefit-valuation');
  if (setting === 'locale' && !isLocale(String(value))) return createMessage('value-locale');
  if (setting === 'timeZone' && !isTimeZone(String(value))) return createMessage('value-time-zone');
  if (setting === 'name' && !isWritable(String(value))) return createMessage('value-company-name');
  return undefined;
}

export type SettingChange = {
  setting: keyof CompanySettings;
  from: Value;
  to: Value;
};

/** Returns the settings that would differ after the update. */
export function listChanges(current: CompanySettings, wanted: Partial<CompanySettings>): SettingChange[] {
  return (Object.keys(current) as (keyof CompanySettings)[]).flatMap((setting) => {
    const to = wanted[setting];
    return to === undefined || to === current[setting] ? [] : [{ setting, from: current[setting], to }];
  });
}
