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

export const isFirstOfMonth = (text: string) => text.endsWith('-01') && isPlainDate(text) && !text.startsWith('0000');

export const isTimestamp = (text: string) =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text) && isPlainDate(text.slice(0, 10));
