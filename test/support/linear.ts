import assert from 'node:assert/strict';

/** The largest size of a portal request body, and of the head of any request. */
const largest = 16 * 1024;

/**
 * Shorter times depend more on the clock, the compiler and other load than on the work. Quadratic work on the largest
 * input takes far longer: at one nanosecond per step, 268 ms.
 */
const shortestMs = 0.5;

/** Lies between linear work, 1, and quadratic work, 4. */
const mostTimes = 2.25;

async function measure(run: () => unknown, times: number): Promise<number> {
  const began = performance.now();
  for (let time = 0; time < times; time++) await run();
  return Math.max(performance.now() - began, shortestMs);
}

/**
 * Runs something four times with input of a quarter of the accepted size, and once with input of the full size. Linear
 * work takes as long both times, and a busy machine interrupts it as often. Quadratic work takes four times as long.
 */
export async function assertLinear(name: string, make: (size: number) => () => unknown): Promise<void> {
  const quarter = make(largest / 4);
  const whole = make(largest);
  // Take the shortest of several runs: other load on the machine can only make a run longer.
  let [quarterTime, wholeTime] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < 3 || (round < 40 && wholeTime > mostTimes * quarterTime); round++) {
    quarterTime = Math.min(quarterTime, await measure(quarter, 4));
    wholeTime = Math.min(wholeTime, await measure(whole, 1));
  }
  const ratio = wholeTime / quarterTime;
  assert(ratio <= mostTimes, `${name}: four times as much takes ${(4 * ratio).toFixed(1)} times as long`);
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
