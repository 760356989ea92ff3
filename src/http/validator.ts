import { isLongerThan } from '../domain/roster/entry.ts';
import type { Annotations } from './annotations.ts';
import { isEmail, isFirstOfMonth, isPlainDate, isSingleLineText, isTimestamp } from './formats.ts';

/** Validates request schemas. Validation takes time proportional to the length of the input. */

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
    compile(value: string, schema: Annotations & { maxLength?: number }): Check;
  }): unknown;
}

/** Replaces a keyword by one that reports nothing about text whose length is already invalid. */
function replaceKeyword(ajv: Ajv, keyword: 'pattern' | 'format', createTest: (value: string) => Check): void {
  ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword,
    type: 'string',
    schemaType: 'string',
    compile(value, { maxLength = Number.POSITIVE_INFINITY, patternDescription }) {
      const test = createTest(value);
      const check: Check = (text) => isLongerThan(text, maxLength) || test(text);
      check.errors = [{ keyword, params: { [keyword]: value, description: patternDescription } }];
      return check;
    },
  });
}

/** Unlisted formats are those that describe schemas themselves. Requests contain none of them. */
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
