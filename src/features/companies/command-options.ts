import { formatMessage } from '../../domain/messages/message.ts';
import type { Optional } from '../../platform/cli/options.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { type BuyerSettings, normalizePartyField } from '../invoices/rules/parties.ts';
import { type CompanySettings, findWrongSetting } from './rules/settings.ts';

function checkSetting<S extends keyof CompanySettings>(
  setting: S,
  value: CompanySettings[S],
  label: string,
  given: string,
): CompanySettings[S] {
  const problem = findWrongSetting(setting, value);
  const wrong = problem && formatMessage(problem);
  if (wrong !== undefined) throw new OperatorError(`${label} ${wrong}, but is "${given}".`);
  return value;
}

type SettingOf<T> = {
  [S in keyof CompanySettings]: NonNullable<CompanySettings[S]> extends T ? S : never;
}[keyof CompanySettings];

/** A setting of a company that is a number. */
export const numberSetting = (
  setting: SettingOf<number>,
  placeholder: string,
  description: string,
): Optional<number> => ({
  placeholder,
  description,
  parse(value, label) {
    // A leading zero is refused: what is stored must be what was typed.
    const number = /^(0|[1-9]\d{0,8})$/.test(value) ? Number(value) : Number.NaN;
    checkSetting(setting, number, label, value);
    return number;
  },
});

/** A setting of a company that is text. */
export const textSetting = (
  setting: 'name' | 'locale' | 'timeZone',
  placeholder: string,
  description: string,
): Optional<string> => ({
  placeholder,
  description,
  parse: (value, label) => checkSetting(setting, value, label, value),
});

/** A setting of a company that stands on its invoices. */
export const buyerSetting = (
  setting: keyof BuyerSettings,
  placeholder: string,
  description: string,
): Optional<string | null> => ({
  placeholder,
  description,
  parse: (value, label) => checkSetting(setting, normalizePartyField(setting, value), label, value),
});
