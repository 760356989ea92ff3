const mostTicks = 4;

/** Returns the smallest step of 1, 2 or 5 times a power of ten that needs at most a few ticks to reach the value. */
function roundStep(largest: number): number {
  const least = Math.max(largest / mostTicks, 1);
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}

/** Returns the ticks of an axis from 0 to the first round number that is not less than the value. */
export function roundTicks(largest: number): number[] {
  const step = roundStep(largest);
  return Array.from({ length: Math.ceil(Math.max(largest, 1) / step) + 1 }, (_, index) => index * step);
}
