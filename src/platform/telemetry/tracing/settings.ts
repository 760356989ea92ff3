export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export type SamplerName = (typeof samplers)[number];

type Pairs = Readonly<Record<string, string>>;

export interface TracingSettings {
  /** The base URL of the collector. Spans are posted to `v1/traces` below it. */
  readonly endpoint: string;
  /** Secret: they usually contain the credentials for the collector. */
  readonly headers: Pairs;
  readonly serviceName: string;
  readonly resourceAttributes: Pairs;
  readonly sampler: SamplerName;
  /** The share of traces that the samplers `…traceidratio` keep, from 0 to 1. */
  readonly samplerRatio: number;
}

export interface ExportProblem {
  dropped: number;
  reason?: string;
}

export interface TracingOptions {
  settings: TracingSettings;
  environment: string;
  version: string;
  onFailure(problem: ExportProblem): void;
  onRecovery(problem: ExportProblem): void;
}

function decodePair(pair: string): [string, string] | undefined {
  const [, key, value = ''] = /^\s*([^\s=]+)\s*=(.*)$/.exec(pair) ?? [];
  if (key === undefined) return undefined;
  try {
    return [key, decodeURIComponent(value.trim())];
  } catch {
    return undefined;
  }
}

/** Reads a list such as `key=value,other=value`, with percent-encoded values. Returns false for an invalid list. */
export function parsePairs(text: string): Pairs | false {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  const decoded = pairs.map(decodePair);
  return decoded.every((pair) => pair !== undefined) && Object.fromEntries(decoded);
}
