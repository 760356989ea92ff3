/** How two groups of measurements differ: Welch's t, and the difference of their means with its 95 % interval. */
export interface Comparison {
  t: number;
  difference: number;
  from: number;
  to: number;
}

function describe(values: readonly number[]): { mean: number; variance: number; count: number } {
  const count = values.length;
  if (count < 2) throw new Error('A group needs two values at least.');
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / count;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return { mean, variance: squares / (count - 1), count };
}

function welch(a: readonly number[], b: readonly number[]): Comparison {
  const [one, other] = [describe(a), describe(b)];
  const difference = one.mean - other.mean;
  const error = Math.sqrt(one.variance / one.count + other.variance / other.count);
  const t = difference === 0 ? 0 : difference / error;
  return { t, difference, from: difference - 1.96 * error, to: difference + 1.96 * error };
}

/**
 * Returns the time above which values come from other activity of the machine. All groups share one cut-off, so a
 * slower group loses more of its values. `beyond` reports that share, so the cut-off hides no difference between
 * groups.
 */
export const cutOffOf = (groups: readonly (readonly number[])[], share = 0.95): number => {
  const all = groups.flat().sort((a, b) => a - b);
  return all[Math.ceil(all.length * share) - 1] ?? Number.POSITIVE_INFINITY;
};

export interface Judgement {
  /** Compares the times up to the cut-off. */
  times: Comparison;
  /** Compares the shares of times beyond the cut-off. */
  beyond: Comparison;
}

export function compareUpTo(cutOff: number, a: readonly number[], b: readonly number[]): Judgement {
  const within = (values: readonly number[]) => values.filter((value) => value <= cutOff);
  const slow = (values: readonly number[]) => values.map((value) => (value > cutOff ? 1 : 0));
  return { times: welch(within(a), within(b)), beyond: welch(slow(a), slow(b)) };
}
