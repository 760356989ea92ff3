import { OperatorError } from '../../platform/config/operator-error.ts';
import { describeDiskFull, isDiskFull } from '../../platform/db/unavailable.ts';

const statuses = ['ok', 'warning', 'error', 'skipped'] as const;

export interface Finding {
  check: string;
  status: (typeof statuses)[number];
  finding: string;
  remedy: string | null;
}

export type Result = Omit<Finding, 'check'>;

export const ok = (finding: string): Result => ({ status: 'ok', finding, remedy: null });
export const skipped = (finding: string): Result => ({ status: 'skipped', finding, remedy: null });
export const warn = (finding: string, remedy: string): Result => ({ status: 'warning', finding, remedy });
export const fail = (finding: string, remedy: string): Result => ({ status: 'error', finding, remedy });

export interface Check {
  name: string;
  run(): Promise<Result[]>;
  /** What to do if the check itself fails. */
  remedy: string;
}

/** No check waits longer. Its statements may continue, but the command ends. */
const timeoutMillis = 10_000;

/** Runs one check. Whatever happens in it becomes a finding, so that the others are reported too. */
export async function runCheck({ name, run, remedy }: Check, millis = timeoutMillis): Promise<Finding[]> {
  const { promise: late, resolve } = Promise.withResolvers<Result[]>();
  const timer = setTimeout(() => resolve([fail(`no response within ${millis / 1000} s`, remedy)]), millis);
  try {
    const results = await Promise.race([run(), late]);
    return results.map((result) => ({ check: name, ...result }));
  } catch (error) {
    const reason = error instanceof AggregateError ? error.errors[0] : error;
    if (isDiskFull(reason))
      return [{ check: name, ...fail(describeDiskFull(reason), 'free some space or enlarge the disk') }];
    // The message of an operator error already says what to do.
    const isComplete = error instanceof OperatorError;
    return [{ check: name, ...fail((reason as Error).message, isComplete ? 'See the finding.' : remedy) }];
  } finally {
    clearTimeout(timer);
  }
}
