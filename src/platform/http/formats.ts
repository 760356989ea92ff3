import { findTextProblem } from '../../domain/single-line-text.ts';

/** Formats of the request schemas. They use the same calendar as the domain. */

export function isPlainDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  try {
    Temporal.PlainDate.from(text, { overflow: 'reject' });
    return true;
  } catch {
    return false;
  }
}

/** Ignores surrounding white space, because the code that stores the text trims it. */
export const isSingleLineText = (text: string) => findTextProblem(text.trim()) === undefined;

export const isFirstOfMonth = (text: string) => text.endsWith('-01') && isPlainDate(text) && !text.startsWith('0000');

export const isEmail = (text: string) =>
  text.length <= 254 &&
  /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+.-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/.test(text);

export function isTimestamp(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text)) return false;
  try {
    Temporal.Instant.from(text);
    return true;
  } catch {
    return false;
  }
}
