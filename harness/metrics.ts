export interface Metric {
  metric: string;
  value: number;
  limit: string;
  verdict: 'ok' | 'FAIL' | '';
}

const rounded = (value: number) => (Number.isInteger(value) ? value : Number(value.toPrecision(4)));

const judge = (metric: string, value: number, limit: string, isReached: boolean): Metric => ({
  metric,
  value: rounded(value),
  limit,
  verdict: isReached ? 'ok' : 'FAIL',
});

export const info = (metric: string, value: number): Metric => ({
  metric,
  value: rounded(value),
  limit: '',
  verdict: '',
});

export const atMost = (name: string, value: number, limit: number): Metric =>
  judge(name, value, `≤ ${limit}`, value <= limit);

export const atLeast = (name: string, value: number, limit: number): Metric =>
  judge(name, value, `≥ ${limit}`, value >= limit);

export const none = (name: string, count: number): Metric => judge(name, count, 'none', count === 0);

export const failedMetrics = (metrics: Metric[]) => metrics.filter(({ verdict }) => verdict === 'FAIL');

export const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

export function noneOf(name: string, found: string[], log: (line: string) => void): Metric {
  for (const one of found.slice(0, 20)) log(`${name}: ${one.slice(0, 2_000)}`);
  return none(name, found.length);
}
