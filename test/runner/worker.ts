import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Assignment, Counts, Report } from './messages.ts';

/** A test process that says nothing for this long is stuck, even on a busy machine. */
const silenceMs = 15 * 60_000;
/** After its last file, a process ends as soon as nothing is open any more. */
const endMs = 5 * 60_000;

export interface FileResult {
  counts: Counts;
  /** The processor time of the test process, without that of the database and of other processes. */
  cpuSeconds: number;
  failures: { name: string; error: string }[];
  skips: { name: string; reason: string }[];
}

const crashed = (result: FileResult, name: string, error: string): FileResult => ({
  ...result,
  counts: { ...result.counts, failed: result.counts.failed + 1 },
  failures: [...result.failures, { name, error }],
});

/** Runs test files in a process of its own, and replaces the process after a crash. */
export class TestWorker {
  #child: ChildProcess | undefined;

  /** Starts the process, which loads what every file needs while the database is being set up. */
  start(): ChildProcess {
    const child = fork(join(import.meta.dirname, 'process.ts'), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // The variable also holds for the threads and processes that tests start, unlike a call of `enableCompileCache`.
      env: { ...process.env, NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compiled') },
    });
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined;
    });
    this.#child = child;
    return child;
  }

  /** Runs one file. Never rejects: a crash, or a process that says nothing any more, is a failure of the file. */
  run(assignment: Assignment): Promise<FileResult> {
    const child = this.#child ?? this.start();
    const result: FileResult = { counts: { passed: 0, failed: 0, skipped: 0 }, cpuSeconds: 0, failures: [], skips: [] };
    let current = 'at its beginning';
    return new Promise((resolve) => {
      const finish = (outcome: FileResult) => {
        clearTimeout(timer);
        child.off('message', receive).off('exit', exit);
        resolve(outcome);
      };
      const giveUp = () => {
        child.kill('SIGKILL');
        finish(crashed(result, current, `The test process said nothing for ${silenceMs / 60_000} minutes.`));
      };
      const timer = setTimeout(giveUp, silenceMs);
      const exit = (code: number | null, signal: string | null) => {
        if (result.failures.length > 0)
          finish({ ...result, counts: { ...result.counts, failed: result.failures.length } });
        else finish(crashed(result, current, `The test process ended early (${signal ?? `exit code ${code}`}).`));
      };
      const receive = (message: Report) => {
        timer.refresh();
        if (message.type === 'started') current = message.name;
        if (message.type === 'failed') result.failures.push(message);
        if (message.type === 'skipped') result.skips.push(message);
        if (message.type === 'finished') finish({ ...result, counts: message.counts, cpuSeconds: message.cpuSeconds });
      };
      child.on('message', receive).once('exit', exit);
      child.send(assignment);
    });
  }

  /** Returns false if the process does not end by itself, because its tests have left something open. */
  async end(): Promise<boolean> {
    const child = this.#child;
    if (child === undefined) return true;
    const exited = new Promise<boolean>((resolve) => child.once('exit', () => resolve(true)));
    child.disconnect();
    const late = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => late.resolve(false), endMs);
    const isEnded = await Promise.race([exited, late.promise]);
    clearTimeout(timer);
    child.kill('SIGKILL');
    return isEnded;
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }
}
