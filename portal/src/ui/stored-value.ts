import { useState } from 'react';
import { useMe } from '../app/api/me.ts';

/** Returns what this browser stores for the signed-in user, and a function that replaces it. */
export function useStoredValue<T>(name: string, fallback: T, isValid: (value: unknown) => value is T) {
  const me = useMe().data;
  const key = `portal ${name} ${me?.user.id}`;
  const read = (): T => {
    try {
      const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
      return isValid(value) ? value : fallback;
    } catch {
      return fallback;
    }
  };
  const [value, setValue] = useState(read);
  const store = (next: T) => {
    setValue(next);
    try {
      localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // Without storage, the choice lasts as long as the page.
    }
  };
  return [value, store] as const;
}

export const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
