import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { OperatorError } from '../../config/operator-error.ts';

export interface Postmaster {
  pid: number;
  port: number;
  clusterName: string;
  /** False while it starts, recovers or shuts down. */
  ready: boolean;
}

const pidFile = (folder: string) => join(folder, 'postmaster.pid');

/** Returns undefined if there is no file, or a file without a process id, which a full disk can cause. */
async function readPidFile(folder: string): Promise<Postmaster | undefined> {
  const lines = (await readFile(pidFile(folder), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[3]), clusterName: await nameCluster(folder), ready: lines[7]?.trim() === 'ready' };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns a name that identifies this exact folder: a copy of it has another inode number. */
export async function nameCluster(folder: string): Promise<string> {
  const { dev, ino } = await stat(folder, { bigint: true });
  return `transit-${dev}-${ino}`;
}

async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout;
}

/**
 * Returns where a process runs PostgreSQL, because the id in `postmaster.pid` may meanwhile belong to any process. The
 * command line identifies it: even a root without CAP_SYS_PTRACE can read it, as in a container, and a zombie has none.
 * The working folder identifies a server that was started by hand.
 */
async function locate(pid: number, clusterName: string): Promise<'here' | 'elsewhere' | 'unknown'> {
  const command = await commandOf(pid);
  if (!command.includes('postgres')) return 'elsewhere';
  if (command.includes(`cluster_name=${clusterName}`)) return 'here';
  if (command.includes('cluster_name=transit-')) return 'elsewhere';
  const workingName = await nameCluster(`/proc/${pid}/cwd`).catch(() => undefined);
  if (workingName === undefined) return 'unknown';
  return workingName === clusterName ? 'here' : 'elsewhere';
}

export async function isRunning({ pid, clusterName }: Postmaster): Promise<boolean> {
  return isAlive(pid) && (await locate(pid, clusterName)) === 'here';
}

export async function findPostmaster(folder: string): Promise<Postmaster | undefined> {
  const noted = await readPidFile(folder);
  return noted !== undefined && (await isRunning(noted)) ? noted : undefined;
}

/** Removes a stale file. PostgreSQL refuses to start if an unrelated process has the id in it. */
export async function removeStalePidFile(folder: string): Promise<void> {
  const noted = await readPidFile(folder);
  if (noted !== undefined && (!isAlive(noted.pid) || (await locate(noted.pid, noted.clusterName)) !== 'elsewhere'))
    return;
  await rm(pidFile(folder), { force: true });
}

async function hasEnded(postmaster: Postmaster, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (await isRunning(postmaster)) {
    if (Date.now() > deadline) return false;
    await sleep(10);
  }
  return true;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH') throw new OperatorError(`PostgreSQL (pid ${pid}) cannot be stopped: ${message}.`);
  }
}

/** Stops PostgreSQL, in the end by an immediate shutdown, which costs a recovery but loses no data. */
export async function endPostmaster(postmaster: Postmaster): Promise<void> {
  if (!(await isRunning(postmaster))) return;
  signal(postmaster.pid, 'SIGINT');
  if (await hasEnded(postmaster, 8_000)) return;
  signal(postmaster.pid, 'SIGQUIT');
  if (await hasEnded(postmaster, 10_000)) return;
  throw new OperatorError(`PostgreSQL (pid ${postmaster.pid}) does not stop. Stop it before the next start.`);
}
