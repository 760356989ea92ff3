import { useSyncExternalStore } from 'react';

/** Returns a value outside of React, and the hook that renders its changes. */
export function createStore<T>(initial: T) {
  let value = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get: () => value,
    set(next: T) {
      value = next;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, () => value),
  };
}

/** Whether the session of an open page has ended. */
export const sessionEnded = createStore(false);

/** A request that waits for the user to prove who they are. */
interface Waiting {
  finish(isConfirmed: boolean): void;
}

export const stepUp = createStore<Waiting | undefined>(undefined);

/** Asks the user to prove who they are. Resolves to false if they decline. Requests at the same time share one question. */
export function askToStepUp(): Promise<boolean> {
  const before = stepUp.get();
  return new Promise((resolve) => {
    stepUp.set({
      finish(isConfirmed) {
        stepUp.set(undefined);
        before?.finish(isConfirmed);
        resolve(isConfirmed);
      },
    });
  });
}
