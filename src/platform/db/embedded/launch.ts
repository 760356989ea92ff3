import type { ChildProcess } from 'node:child_process';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../../config/operator-error.ts';
import { reservePort } from '../../http/reserve-port.ts';
import { type Cluster, placeChild, type Runtime } from './cluster.ts';
import { spawnGuarded } from './guard.ts';
import { endPostmaster, findPostmaster, nameCluster, type Postmaster } from './postmaster.ts';

const maxLogBytes = 10 * 1024 * 1024;
const attempts = 100;
/** Recovery after a crash replays up to `max_wal_size`, which may take minutes on a slow disk. */
const startLimitMs = 300_000;

export const settings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '256MB',
  max_connections: '100',
  max_wal_size: '2GB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  fsync: 'on',
  synchronous_commit: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  // Otherwise the log would contain every row that violates a constraint, with the name, address and date of birth of
  // an employee.
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  // Ends the statement of a killed client, so that it does not outlive its process for long.
  client_connection_check_interval: '2s',
};

async function findFreePort(): Promise<string> {
  const { port, release } = await reservePort('127.0.0.1', 0);
  await release();
  return String(port);
}

async function openLog(cluster: Cluster, { account }: Runtime): Promise<FileHandle> {
  const log = await open(cluster.logFile, 'a+', 0o600);
  if (account !== undefined) await log.chown(account.uid, account.gid);
  if ((await log.stat()).size > maxLogBytes) await log.truncate();
  return log;
}

async function lastMeaningfulLine(log: FileHandle, from: number): Promise<string> {
  const buffer = Buffer.alloc(64 * 1024);
  const { bytesRead } = await log.read(buffer, 0, buffer.length, from);
  const lines = buffer.toString('utf8', 0, bytesRead).split('\n').filter(Boolean);
  const line = lines.findLast((text) => /FATAL|PANIC/.test(text)) ?? lines.at(-1) ?? 'it wrote nothing to its log';
  return line.replace(/^.*?(?=FATAL|PANIC)/, '');
}

async function waitUntilReady(
  child: ChildProcess,
  folder: string,
  log: (line: string) => void,
): Promise<Postmaster | undefined> {
  const begun = Date.now();
  let isReported = false;
  while (child.exitCode === null && child.signalCode === null) {
    const found = await findPostmaster(folder);
    if (found?.ready) return found;
    const waitedMs = Date.now() - begun;
    if (waitedMs > startLimitMs) {
      if (found !== undefined) await endPostmaster(found);
      throw new OperatorError(`PostgreSQL in ${folder} was not ready after ${startLimitMs / 1000} s. Check its log.`);
    }
    if (waitedMs > 5_000 && !isReported) {
      isReported = true;
      log(`PostgreSQL in ${folder} is taking longer than usual to start, probably because it recovers from a crash.`);
    }
    await sleep(10);
  }
  return undefined;
}

async function spawnPostgres(cluster: Cluster, runtime: Runtime, log: FileHandle): Promise<ChildProcess> {
  const { data, options } = placeChild(cluster.folder, runtime);
  const all = { ...settings, port: await findFreePort(), cluster_name: await nameCluster(cluster.folder) };
  const args = ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  return spawnGuarded(cluster.usersFile, [runtime.binaries.postgres, ...args], { ...options, output: log.fd });
}

/** Temporary failures: the port was taken in the meantime, or processes of a killed server still hold its memory. */
const passing = /could not create any TCP\/IP sockets|pre-existing shared memory block/;

export async function startPostmaster(
  cluster: Cluster,
  runtime: Runtime,
  log: (line: string) => void,
): Promise<Postmaster> {
  const logFile = await openLog(cluster, runtime);
  try {
    for (let attempt = 1; ; attempt++) {
      const { size } = await logFile.stat();
      const child = await spawnPostgres(cluster, runtime, logFile);
      const postmaster = await waitUntilReady(child, cluster.folder, log);
      if (postmaster !== undefined) return postmaster;
      const reason = await lastMeaningfulLine(logFile, size);
      if (!passing.test(reason) || attempt === attempts) {
        throw new OperatorError(`PostgreSQL in ${cluster.folder} did not start: ${reason} (log: ${cluster.logFile})`);
      }
      await sleep(50);
    }
  } finally {
    await logFile.close();
  }
}
