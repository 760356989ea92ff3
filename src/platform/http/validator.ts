import { Ajv, type AnySchema, type ErrorObject, type ValidateFunction } from 'ajv';
import { isLongerThan } from '../../domain/single-line-text.ts';
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

type Check = ((text: string) => boolean) & { errors?: Partial<ErrorObject>[] };

type TextSchema = Annotations & { maxLength?: number };

/** Replaces a keyword by one that reports nothing about text whose length is already invalid. */
function replaceKeyword(keyword: 'pattern' | 'format', createTest: (value: string) => Check): void {
  ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword,
    type: 'string',
    schemaType: 'string',
    compile(value: string, schema) {
      const { maxLength = Number.POSITIVE_INFINITY, patternDescription } = schema as TextSchema;
      const test = createTest(value);
      const params = { [keyword]: value, description: patternDescription };
      const check: Check = (text) => {
        const isValid = isLongerThan(text, maxLength) || test(text);
        // A new list each time: Ajv removes it before each call, and adds the errors of other fields to it.
        if (!isValid) check.errors = [{ keyword, params }];
        return isValid;
      };
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

const ajv = new Ajv({ coerceTypes: false, useDefaults: true, allErrors: true, strict: false });
replaceKeyword('pattern', createPatternTest);
replaceKeyword('format', createFormatTest);

interface Validator {
  (data: unknown): boolean;
  errors?: ErrorObject[] | null;
}

const validators = new Map<string, Validator>();

/**
 * Returns the validator of a schema. Compiling takes long, so it waits for the first value, and equal schemas share one
 * validator, also across applications.
 */
export function compileValidator({ schema }: { schema: unknown }): Validator {
  const text = JSON.stringify(schema);
  const known = validators.get(text);
  if (known !== undefined) return known;
  let compiled: ValidateFunction | undefined;
  const validate: Validator = (data) => {
    compiled ??= ajv.compile(schema as AnySchema);
    const isValid = compiled(data);
    validate.errors = compiled.errors ?? null;
    return isValid;
  };
  validators.set(text, validate);
  return validate;
}
