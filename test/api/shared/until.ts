import { setTimeout } from 'node:timers/promises';

/** Asks again and again until the answer is yes; a test that waits for something that never comes fails by name. */
export async function until(what: string, isTrue: () => Promise<boolean>, millis = 10_000): Promise<void> {
  const end = performance.now() + millis;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`Waited ${millis} ms in vain until ${what}.`);
    await setTimeout(20);
  }
}
