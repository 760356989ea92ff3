import { useSyncExternalStore } from 'react';

let hasEnded = false;
const listeners = new Set<() => void>();

/** Notes that the session of an open page has ended, or that there is a new one. */
export function setSessionEnded(value: boolean): void {
  hasEnded = value;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSessionEnded = () => useSyncExternalStore(subscribe, () => hasEnded);
