import assert from 'node:assert/strict';

export interface Scrape {
  text: string;
  /** Returns the value of the series whose name and labels are exactly these. Undefined if there is none. */
  value(series: string): number | undefined;
  /** The names of all metrics, as in queries: those of histograms with their suffixes. */
  names: Set<string>;
  /** Returns the labels of a metric. */
  labelsOf(name: string): Set<string>;
}

const suffixes: Record<string, string[]> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

function parseScrape(text: string): Scrape {
  const lines = text.split('\n').filter((line) => line !== '');
  const samples = lines.filter((line) => !line.startsWith('#'));
  const values = new Map(
    samples.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))] as const;
    }),
  );
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  const names = new Set(types.flatMap(([, name, type = '']) => (suffixes[type] ?? ['']).map((end) => `${name}${end}`)));
  const labelsOf = (name: string) =>
    new Set(
      [...values.keys()]
        .filter((series) => series.startsWith(`${name}{`))
        .flatMap((series) => [...series.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label)),
    );
  return { text, value: (series) => values.get(series), names, labelsOf };
}

/** Reads the metrics of a process as Prometheus does. */
export async function scrape(metricsUrl: string): Promise<Scrape> {
  const response = await fetch(`${metricsUrl}/metrics`);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  return parseScrape(await response.text());
}

/** Returns the status of a probe and what it reports. */
export async function probe(metricsUrl: string, path: '/ready' | '/live') {
  const response = await fetch(`${metricsUrl}${path}`);
  const { status, problems } = (await response.json()) as { status: string; problems?: string[] };
  return { code: response.status, status, problems };
}
