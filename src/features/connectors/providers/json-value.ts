import type { AttributeValue } from '../rules/map-record.ts';

/** Reads what an HR system sends, without trusting its shape. */

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value at a path of names, or undefined. */
export const valueAt = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), value);

export const textAt = (value: unknown, ...path: string[]): string | undefined => {
  const found = valueAt(value, ...path);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
};

/** Returns a value that rules can compare. Of an object, such as a department, that is its name. */
export function toAttributeValue(value: unknown): AttributeValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map((one) => toAttributeValue(one)).join(', ') || null;
  return textAt(value, 'attributes', 'name') ?? textAt(value, 'name') ?? textAt(value, 'value') ?? null;
}
