import { useSyncExternalStore } from 'react';

/** A request that waits for the user to prove who they are. */
interface Waiting {
  finish(isConfirmed: boolean): void;
}

let waiting: Waiting | undefined;
const listeners = new Set<() => void>();

function setWaiting(next: Waiting | undefined): void {
  waiting = next;
  for (const listener of listeners) listener();
}

/** Asks the user to prove who they are. Resolves to false if they decline. Requests at the same time share one question. */
export function askToStepUp(): Promise<boolean> {
  const before = waiting;
  return new Promise((resolve) => {
    setWaiting({
      finish(isConfirmed) {
        setWaiting(undefined);
        before?.finish(isConfirmed);
        resolve(isConfirmed);
      },
    });
  });
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useStepUp = () => useSyncExternalStore(subscribe, () => waiting);
