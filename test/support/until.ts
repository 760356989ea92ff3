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
export async function until(what: string, condition: Condition, millis = 300_000): Promise<void> {
  if (!(await holdsWithin(millis, condition))) throw new Error(`Waited ${millis} ms in vain until ${what}.`);
}

/**
 * As `until`, and answers when it was last asked in vain, in ms of the epoch: what is promised from some moment on is judged by
 * when it was asked, since how long an answer takes is the machine's affair.
 */
export async function lastAskedInVain(what: string, condition: Condition): Promise<number> {
  let last = Number.NEGATIVE_INFINITY;
  await until(what, async () => {
    const asked = Date.now();
    const holds = await condition();
    if (!holds) last = asked;
    return holds;
  });
  return last;
}
