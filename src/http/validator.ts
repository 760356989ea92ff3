import { isLongerThan } from '../domain/roster/entry.ts';
import { isEmail, isFirstOfMonth, isPlainDate, isSingleLineText, isTimestamp } from './formats.ts';

/** How the requests' schemas are checked. Whatever arrives is answered in time proportional to its length. */

export const formats: Record<string, (text: string) => boolean> = {
  date: isPlainDate,
  'date-time': isTimestamp,
  'first-of-month': isFirstOfMonth,
  email: isEmail,
  'single-line-text': isSingleLineText,
};

type Check = ((text: string) => boolean) & { errors?: object[] };

interface Ajv {
  removeKeyword(name: string): unknown;
  addKeyword(definition: {
    keyword: string;
    type: 'string';
    schemaType: 'string';
    compile(value: string, schema: { maxLength?: number }): Check;
  }): unknown;
}

/** Replaces a keyword by one that says nothing about text whose length is wrong already. */
function replaceKeyword(ajv: Ajv, keyword: 'pattern' | 'format', createTest: (value: string) => Check): void {
  ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword,
    type: 'string',
    schemaType: 'string',
    compile(value, { maxLength = Number.POSITIVE_INFINITY }) {
      const test = createTest(value);
      const check: Check = (text) => isLongerThan(text, maxLength) || test(text);
      check.errors = [{ keyword, params: { [keyword]: value } }];
      return check;
    },
  });
}

/** Formats that are not listed are those by which schemas themselves are described; requests have none of them. */
const createFormatTest = (name: string): Check => formats[name] ?? (() => true);

function createPatternTest(pattern: string): Check {
  const expression = new RegExp(pattern, 'u');
  return (text) => expression.test(text);
}

function checkLengthFirst(ajv: Ajv): void {
  replaceKeyword(ajv, 'pattern', createPatternTest);
  replaceKeyword(ajv, 'format', createFormatTest);
}

export const validatorOptions = {
  customOptions: { coerceTypes: false, useDefaults: true, removeAdditional: false, allErrors: true, strict: false },
  plugins: [checkLengthFirst],
} as const;
