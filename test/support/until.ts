import { setTimeout as sleep } from 'node:timers/promises';

type Condition = () => boolean | Promise<boolean>;

/** Polls until the condition holds. Returns false if it does not hold in time. */
export async function holdsWithin(millis: number, condition: Condition): Promise<boolean> {
  const deadline = performance.now() + millis;
  while (!(await condition())) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

/**
 * Polls until the condition holds. Throws with what it waited for before the test times out, since only then can the
 * caller still clean up what it started.
 */
export async function until(what: string, condition: Condition, millis = 300_000): Promise<void> {
  if (!(await holdsWithin(millis, condition))) throw new Error(`Waited ${millis} ms in vain until ${what}.`);
}

/**
 * Polls as `until` does, and returns when it last sent a check that failed, in epoch milliseconds. A promise that holds
 * from some moment on is judged by when the request was sent, since the machine determines how long a response takes.
 */
export async function lastFailedCheck(what: string, condition: Condition): Promise<number> {
  let last = Number.NEGATIVE_INFINITY;
  await until(what, async () => {
    const checkedAt = Date.now();
    const holds = await condition();
    if (!holds) last = checkedAt;
    return holds;
  });
  return last;
}
