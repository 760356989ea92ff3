/** What the runner sends to a test process. */
export interface Assignment {
  /** The absolute path of the test file to run next. */
  file: string;
  /** The environment variables that the set-up of the run has added. */
  env: Record<string, string>;
  /** Runs only the tests whose names match one of these patterns. Empty: all. */
  namePatterns: string[];
}

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** What a test process reports. */
export type Report =
  | { type: 'ready' }
  /** A test or suite begins. Its name replaces that of the test before. */
  | { type: 'started'; name: string }
  | { type: 'failed'; name: string; error: string }
  | { type: 'skipped'; name: string; reason: string }
  | { type: 'finished'; counts: Counts; cpuSeconds: number };
