import assert from 'node:assert/strict';

/** The largest size of a portal request body, and of the head of any request. */
const largest = 16 * 1024;

/**
 * Shorter times depend more on the clock, the compiler and other load than on the work. Quadratic work on the largest
 * input takes far longer: at one nanosecond per step, 268 ms.
 */
const shortestMs = 0.5;

async function measure(run: () => unknown): Promise<number> {
  const began = performance.now();
  await run();
  return Math.max(performance.now() - began, shortestMs);
}

/**
 * Runs something with input of a quarter of the accepted size and with input of the full size. Linear work takes four
 * times as long, quadratic work sixteen times. A busy machine gets more rounds.
 */
export async function assertLinear(name: string, make: (size: number) => () => unknown): Promise<void> {
  const quarter = make(largest / 4);
  const whole = make(largest);
  // Take the shortest of several runs: other load on the machine can only make a run longer.
  let [quarterTime, wholeTime] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < 5 || (round < 40 && wholeTime > 9 * quarterTime); round++) {
    quarterTime = Math.min(quarterTime, await measure(quarter));
    wholeTime = Math.min(wholeTime, await measure(whole));
  }
  const ratio = wholeTime / quarterTime;
  assert(ratio <= 9, `${name}: four times as much takes ${ratio.toFixed(1)} times as long`);
}

const units = ['a', ' ', '0', '.', '-', 'a.', 'a@', 'a-', '\u0000', 'é', '{"'];
const ends = ['', '\u0000', '!', '@a.aa'];

/**
 * Texts of `size` characters that are slow for vulnerable regular expressions: long runs, ended by what does not match.
 */
export const hostileTexts = units.flatMap((unit) =>
  ends.map((end) => ({
    name: JSON.stringify(`${unit}…${end}`),
    make: (size: number) => unit.repeat(size / unit.length - end.length) + end,
  })),
);
