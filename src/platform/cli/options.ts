import type { Day } from '../../domain/calendar.ts';
import { formatMessage } from '../../domain/messages/message.ts';
import { findTextProblem } from '../../domain/single-line-text.ts';
import { OperatorError } from '../config/operator-error.ts';
import type { CompanyId } from '../db/company-scope.ts';
import { isEmail, isPlainDate } from '../http/formats.ts';

/** An option or argument of a command. `T` is the type of its parsed value. */
export interface OptionDefinition<T = unknown> {
  /** The name of the value in the help. Undefined: the option is a flag. */
  placeholder: string | undefined;
  description: string;
  choices?: readonly string[];
  isRequired?: boolean;
  /** How messages call a positional argument. Undefined: this is an option. */
  argumentLabel?: string;
  /** Returns the value of non-blank text. Throws if it is invalid. `label` starts the message. */
  parse(text: string, label: string): T;
}

/** Returns the option of a name in camel case: `cutOffDay` is `--cut-off-day`. */
export const toFlag = (name: string) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export type Optional<T> = OptionDefinition<T | undefined>;

export type ValuesOf<O extends Record<string, OptionDefinition>> = {
  [Name in keyof O]: O[Name] extends OptionDefinition<infer T> ? T : never;
};

export const mustBe = (label: string, rule: string, text: string) =>
  new OperatorError(`${label} must be ${rule}, but is "${text}".`);

export const required = <T>(option: Optional<T>): OptionDefinition<T> => ({
  ...(option as OptionDefinition<T>),
  isRequired: true,
});

export const argument = <T>(label: string, option: Optional<T>): OptionDefinition<T> => ({
  ...required(option),
  argumentLabel: label,
});

export const flag = (description: string): OptionDefinition<boolean> => ({
  placeholder: undefined,
  description,
  parse: () => true,
});

export const text = (placeholder: string, description: string): Optional<string> => ({
  placeholder,
  description,
  parse: (value) => value,
});

const option =
  <T>(placeholder: string, parse: OptionDefinition<T>['parse']) =>
  (description: string): Optional<T> => ({ placeholder, description, parse });

/** Accepts what passes the test. `rule` says what that is, in messages. */
const checked = <T>(
  placeholder: string,
  isValid: (value: string) => boolean,
  rule: string,
  convert: (value: string) => T,
) =>
  option(placeholder, (value, label) => {
    if (!isValid(value)) throw mustBe(label, rule, value);
    return convert(value);
  });

function parseId(value: string, label: string): number {
  if (!/^\d{1,15}$/.test(value)) throw mustBe(label, label.startsWith('--') ? 'an id' : 'a number', value);
  return Number(value);
}

export const id = option('id', parseId);

export const sequence = checked(
  'sequence',
  (value) => /^\d{1,15}$/.test(value) && Number(value) >= 1,
  'the sequence of an event, from 1',
  Number,
);

export const companyId = (description = 'Id of the company'): Optional<CompanyId> => ({
  placeholder: 'id',
  description,
  // Brands the number here: `asCompanyId` would load the query builder just to print the help.
  parse: (value, label) => parseId(value, label) as CompanyId,
});

export const oneOf = <const T extends string>(
  placeholder: string,
  choices: readonly T[],
  description: string,
): Optional<T> => ({
  placeholder,
  description,
  choices,
  parse(value, label) {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw mustBe(label, `one of ${choices.join(', ')}`, value);
    return found;
  },
});

export const listOf = <const T extends string>(
  placeholder: string,
  choices: readonly T[],
  description: string,
): Optional<T[]> => ({
  placeholder,
  description,
  choices: ['all', ...choices],
  parse(value, label) {
    const given = value.split(',').map((item) => item.trim());
    if (given.length === 1 && given[0] === 'all') return [...choices];
    const unknown = given.find((item) => !choices.some((choice) => choice === item));
    if (unknown !== undefined) {
      throw new OperatorError(
        `${label} must be "all" or a list of ${choices.join(', ')}; "${unknown}" is none of them.`,
      );
    }
    return choices.filter((choice) => given.includes(choice));
  },
});

export const cents = checked('cents', (value) => /^\d{1,9}$/.test(value), 'a whole number of cents', Number);

/** An amount such as 66.00, as cents. */
export const euros = checked(
  'amount',
  (value) => /^\d{1,7}(\.\d{1,2})?$/.test(value),
  'an amount such as 66.00',
  (value) => Math.round(Number(value) * 100),
);

export const percent = checked(
  'percent',
  (value) => /^\d{1,2}$|^100$/.test(value),
  'a whole percentage from 0 to 100',
  Number,
);

function parseDay(value: string, label: string): Day {
  // The database has no year 0.
  if (!isPlainDate(value) || value.startsWith('0000')) throw mustBe(label, 'a date YYYY-MM-DD', value);
  return Temporal.PlainDate.from(value);
}

export const day = option('YYYY-MM-DD', parseDay);

export const month = option('YYYY-MM-01', (value, label) => {
  const first = parseDay(value, label);
  if (first.day !== 1) throw mustBe(label, 'the first day of a month', value);
  return first;
});

export const year = checked('year', (value) => /^2\d{3}$/.test(value), 'a year such as 2026', Number);

export const moment = option('moment', (value, label) => {
  try {
    return Temporal.Instant.from(value);
  } catch {
    throw mustBe(label, 'a moment such as 2027-01-01T00:00:00Z', value);
  }
});

export const email = checked('address', isEmail, 'an email address', String);

export function parseOption<T>(option: OptionDefinition<T>, given: unknown, label: string): T | boolean | undefined {
  if (option.placeholder === undefined) return given === true;
  const value = typeof given === 'string' ? given.trim() : '';
  if (value === '') return undefined;
  const problem = findTextProblem(value);
  if (problem !== undefined) throw new OperatorError(`${label} ${formatMessage(problem.message)}.`);
  return option.parse(value, label);
}
