import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../config/operator-error.ts';
import { privateFile } from './private-files.ts';

const sqliteBusy = 5;

/** Creates the file, which SQLite would make readable to others. Closing an existing one would drop its locks. */
function createLockFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', privateFile));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Locks the file by SQLite, since Node has no file locks. The kernel releases it even if the process is killed. */
function tryLock(path: string): DatabaseSync | undefined {
  createLockFile(path);
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    // Without a journal file, the lock needs no space on a full disk and leaves no file behind when the process is
    // killed.
    lock.exec('pragma journal_mode = memory; begin exclusive');
    return lock;
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) return undefined;
    throw error;
  }
}

export interface LockOptions {
  timeoutMs: number;
  /** The error if the file cannot be locked. `reason` has no full stop. */
  describeFailure(path: string, reason: string): string;
  describeTimeout(path: string): string;
}

async function waitForLock(path: string, options: LockOptions): Promise<DatabaseSync> {
  const deadline = Date.now() + options.timeoutMs;
  for (;;) {
    let lock: DatabaseSync | undefined;
    try {
      lock = tryLock(path);
    } catch (error) {
      throw new OperatorError(options.describeFailure(path, (error as Error).message));
    }
    if (lock !== undefined) return lock;
    if (Date.now() > deadline) throw new OperatorError(options.describeTimeout(path));
    await sleep(20);
  }
}

/** Runs `work` while this caller alone holds the lock. The file stays: others may be waiting for it. */
export async function withFileLock<T>(path: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const lock = await waitForLock(path, options);
  try {
    return await work();
  } finally {
    lock.close();
  }
}
