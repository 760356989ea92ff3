/** One row of a published table: a measured value and its limit. */
export interface Metric {
  metric: string;
  value: number;
  limit: string;
  verdict: 'ok' | 'SHORT' | '';
}

const rounded = (value: number) => (Number.isInteger(value) ? value : Number(value.toPrecision(4)));

const judged = (figure: string, value: number, limit: string, isReached: boolean): Metric => ({
  metric: figure,
  value: rounded(value),
  limit,
  verdict: isReached ? 'ok' : 'SHORT',
});

/** A metric that is reported without a limit. */
export const stated = (name: string, value: number): Metric => ({
  metric: name,
  value: rounded(value),
  limit: '',
  verdict: '',
});

export const atMost = (name: string, value: number, limit: number): Metric =>
  judged(name, value, `≤ ${limit}`, value <= limit);

export const atLeast = (name: string, value: number, limit: number): Metric =>
  judged(name, value, `≥ ${limit}`, value >= limit);

/** A count that must be zero. */
export const none = (name: string, count: number): Metric => judged(name, count, 'none', count === 0);

export const failedMetrics = (figures: Metric[]) => figures.filter(({ verdict }) => verdict === 'SHORT');
