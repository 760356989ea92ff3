import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../../operator-error.ts';
import { privateFile } from '../../private-files.ts';

const patienceMs = 60_000;
const sqliteBusy = 5;

/**
 * Creates the file here because SQLite would make it readable to others. Opens only a new file: closing an existing one
 * would drop every lock that this process holds on it.
 */
function createLockFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', privateFile));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Returns the lock, or undefined if another process holds it. Node has no file locks, but SQLite takes real ones, and
 * the kernel releases them even when the process is killed. A lock file that contains a process id would need a guess
 * whether its owner is still running.
 */
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

async function lockWithin(path: string): Promise<DatabaseSync> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    let lock: DatabaseSync | undefined;
    try {
      lock = tryLock(path);
    } catch (error) {
      throw new OperatorError(`Cannot lock ${path}: ${(error as Error).message}. Set DATA_DIR to another folder.`);
    }
    if (lock !== undefined) return lock;
    if (Date.now() > deadline) {
      throw new OperatorError(`Another process has held ${path} for a minute while it starts PostgreSQL: try again.`);
    }
    await sleep(20);
  }
}

/** Runs `work` while no other process prepares, joins, starts or ends PostgreSQL in the same data folder. */
export async function withStartLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = await lockWithin(path);
  try {
    return await work();
  } finally {
    lock.close();
  }
}
