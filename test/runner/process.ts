import { run } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { setPasswordCost } from '../support/passwords.ts';
import { seed } from '../support/seed.ts';
import { isSlow } from './files.ts';
import type { Assignment, Counts, Report } from './messages.ts';

/**
 * A test process: runs one file after another, so that the application is loaded once for all of them. It ends when the
 * runner disconnects.
 */
fc.configureGlobal({ seed });

const report = (message: Report) => process.send?.(message);

type Run = ReturnType<typeof run>;
type TestEvent = Run extends AsyncIterable<infer Event> ? Event : never;

/** Joins the names of the suites around a test with its own. */
function createNames() {
  const names: string[] = [];
  return (nesting: number, name: string): string => {
    names.length = nesting;
    names.push(name);
    return names.join(' › ');
  };
}

const causeOf = (error: Error): unknown => error.cause ?? error;

/** Returns true for the failure of a suite that only repeats the failure of its tests. */
const isRepeated = (error: Error) => (error as Error & { failureType?: string }).failureType === 'subtestsFailed';

function count(event: TestEvent, name: string, counts: Counts): void {
  if (event.type !== 'test:pass' && event.type !== 'test:fail') return;
  const { details, skip, todo } = event.data;
  const isSkipped = skip !== undefined || todo !== undefined;
  if (event.type === 'test:fail' && !isSkipped) {
    const { error } = event.data.details;
    if (isRepeated(error)) return;
    counts.failed++;
    report({ type: 'failed', name, error: inspect(causeOf(error)) });
  } else if (isSkipped) {
    counts.skipped++;
    report({ type: 'skipped', name, reason: String(skip ?? todo) });
  } else if (details.type !== 'suite') {
    counts.passed++;
  }
}

async function runFile({ file, env, namePatterns }: Assignment): Promise<void> {
  Object.assign(process.env, env);
  setPasswordCost(isSlow(file) ? 'real' : 'cheap');
  process.exitCode = undefined;
  const begun = process.cpuUsage();
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  const nameOf = createNames();
  const notes: string[] = [];
  const patterns = namePatterns.length > 0 ? { testNamePatterns: namePatterns } : {};
  // A run in this process ends when nothing is open any more, so the channel to the runner must not count.
  process.channel?.unref();
  for await (const event of run({ files: [file], isolation: 'none', ...patterns }) as AsyncIterable<TestEvent>) {
    if (event.type === 'test:diagnostic') notes.push(event.data.message);
    if (event.type === 'test:start') {
      report({ type: 'started', name: nameOf(event.data.nesting, event.data.name) });
    }
    if (event.type === 'test:pass' || event.type === 'test:fail') {
      count(event, nameOf(event.data.nesting, event.data.name), counts);
    }
  }
  process.channel?.ref();
  // An error that no test has caught fails no test, but sets the exit code.
  if (process.exitCode && counts.failed === 0) {
    counts.failed++;
    const late = notes.filter((note) => note.includes('asynchronous activity'));
    report({ type: 'failed', name: 'outside of a test', error: late.join('\n') });
  }
  process.exitCode = undefined;
  const { user, system } = process.cpuUsage(begun);
  report({ type: 'finished', counts, cpuSeconds: (user + system) / 1e6 });
}

let isRunning = false;
process.on('message', async (assignment: Assignment) => {
  isRunning = true;
  await runFile(assignment);
  isRunning = false;
});
// The runner was killed: what the tests have started ends with this process.
process.on('disconnect', () => isRunning && process.exit(1));
report({ type: 'ready' });
