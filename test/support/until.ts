import { setTimeout as sleep } from 'node:timers/promises';

type Condition = () => boolean | Promise<boolean>;

/** Polls until the condition holds; false where it does not in time. */
export async function holdsWithin(millis: number, condition: Condition): Promise<boolean> {
  const deadline = performance.now() + millis;
  while (!(await condition())) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

/**
 * Polls until the condition holds. Gives up with what was waited for before the test runs out of time, since only then
 * whoever waits comes to end what it has started.
 */
export async function until(what: string, condition: Condition, millis = 60_000): Promise<void> {
  if (!(await holdsWithin(millis, condition))) throw new Error(`Waited ${millis} ms in vain until ${what}.`);
}
