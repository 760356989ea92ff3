import { findTextProblem } from '../domain/single-line-text.ts';

/** Formats of the request schemas, decided by the same calendar that the domain calculates with. */

export function isPlainDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  try {
    Temporal.PlainDate.from(text, { overflow: 'reject' });
    return true;
  } catch {
    return false;
  }
}

/** White space around it is dropped by whoever keeps it. */
export const isSingleLineText = (text: string) => findTextProblem(text.trim()) === undefined;

export const isFirstOfMonth = (text: string) => text.endsWith('-01') && isPlainDate(text) && !text.startsWith('0000');

/**
 * Addresses of portal accounts. No wider than what better-auth takes for an address, or somebody could be invited who could
 * never sign in.
 */
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
