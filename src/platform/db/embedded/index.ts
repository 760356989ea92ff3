import { closeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../../config/operator-error.ts';
import { withFileLock } from '../../files/file-lock.ts';
import { type Cluster, clusterIn, prepareDataFolder, readPassword } from './cluster.ts';
import type { Endpoint } from './endpoint.ts';
import { createUsersFile, holdUsersFile, removeWithServer } from './guard.ts';
import { startPostmaster } from './launch.ts';
import { ensureDatabase, join, listMembers, type Role } from './members.ts';
import {
  endPostmaster,
  findPostmaster,
  isAlive,
  isRunning,
  type Postmaster,
  removeStalePidFile,
} from './postmaster.ts';
import { prepareCluster } from './prepare-cluster.ts';
import { type EmbeddedUrls, urlsOf } from './roles.ts';

export interface EmbeddedServer extends EmbeddedUrls {
  /** Leaves the server. Close all of your own connections first. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  dataDir: string;
  /** `serve`: the only such process, on a PostgreSQL that it started. The last process to leave stops PostgreSQL. */
  role: Role;
  /** Deletes the folder when the server has ended, even if its users were killed. For tests. */
  isTemporary?: boolean;
  log?: (line: string) => void;
}

type Log = (line: string) => void;

const database = 'transit';
const startTimeoutMs = 30_000;
const startLock = {
  timeoutMs: 60_000,
  describeFailure: (path: string, reason: string) => `Cannot lock ${path}: ${reason}. Set DATA_DIR to another folder.`,
  describeTimeout: (path: string) => `Another process has locked ${path} for a minute to start PostgreSQL. Try again.`,
};

async function endpointOf(cluster: Cluster, { port }: Postmaster): Promise<Endpoint> {
  return { port, password: await readPassword(cluster) };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

/** Runs `work` while no other process prepares, joins, starts or ends PostgreSQL in the same data folder. */
const withStartLock = <T>(cluster: Cluster, work: () => Promise<T>) => withFileLock(cluster.lockFile, startLock, work);

const inTransit = (cluster: Cluster) =>
  `PostgreSQL in ${cluster.dataDir} is still starting or shutting down: try again in a minute.`;

/** Stops PostgreSQL unless others use it. Holds the start lock, so that nobody joins between check and stop. */
function endUnlessUsed(cluster: Cluster, running: Postmaster, endpoint: Endpoint): Promise<void> {
  return withStartLock(cluster, async () => {
    if (!(await isRunning(running))) return;
    const members = (await listMembers(endpoint)) ?? [];
    if (members.some(({ pid }) => isAlive(pid))) return;
    await endPostmaster(running);
    await rm(cluster.usersFile, { force: true });
  });
}

async function enter(cluster: Cluster, running: Postmaster, role: Role): Promise<EmbeddedServer | undefined> {
  const hold = holdUsersFile(cluster.usersFile);
  const release = () => hold !== undefined && closeSync(hold);
  const endpoint = await endpointOf(cluster, running);
  const isUsable = await ensureDatabase(endpoint, database);
  const leave = isUsable ? await join(endpoint, role) : undefined;
  if (leave === undefined) {
    release();
    return undefined;
  }
  const stop = once(async () => {
    await leave();
    try {
      await endUnlessUsed(cluster, running, endpoint);
    } catch (error) {
      // A `serve` process leaves no PostgreSQL running, even if its data folder has been deleted and cannot be locked
      // any more.
      if (role === 'command') throw error;
      await endPostmaster(running);
    } finally {
      release();
    }
  });
  return { ...urlsOf(endpoint, database), stop };
}

async function startAndEnter(cluster: Cluster, options: EmbeddedOptions, log: Log): Promise<EmbeddedServer | string> {
  const runtime = await prepareCluster(cluster, log);
  await removeStalePidFile(cluster.folder);
  // If anything fails, PostgreSQL ends as soon as this is closed.
  const hold = await createUsersFile(cluster.usersFile);
  try {
    const running = await startPostmaster(cluster, runtime, log);
    if (options.isTemporary) await removeWithServer(cluster.usersFile, running.pid, cluster.dataDir);
    return (await enter(cluster, running, options.role)) ?? inTransit(cluster);
  } finally {
    closeSync(hold);
  }
}

/** Stops a server without members. Otherwise returns the reason why the running server must end first. */
async function replaceUnused(cluster: Cluster, running: Postmaster, log: Log): Promise<string | undefined> {
  const members = await listMembers(await endpointOf(cluster, running));
  if (members === undefined) return inTransit(cluster);
  const server = members.find((member) => member.role === 'serve');
  const member = server ?? members[0];
  if (member === undefined) {
    log(`Stopping PostgreSQL (pid ${running.pid}), which a killed process left running.`);
    await endPostmaster(running);
    return undefined;
  }
  if (server === undefined) {
    return `A command (pid ${member.pid}) is using ${cluster.dataDir}. Start again when it has finished.`;
  }
  const refusal =
    `Another process (pid ${server.pid}) is already serving from ${cluster.dataDir}. ` +
    'Stop it first, or set DATA_DIR to another folder.';
  // The connection of a process that was just killed disappears a moment later.
  if (!isAlive(server.pid)) return refusal;
  throw new OperatorError(refusal);
}

async function attempt(cluster: Cluster, options: EmbeddedOptions, log: Log): Promise<EmbeddedServer | string> {
  const { role } = options;
  const running = await findPostmaster(cluster.folder);
  if (running === undefined) return startAndEnter(cluster, options, log);
  if (!running.ready) return inTransit(cluster);
  if (role === 'command') return (await enter(cluster, running, role)) ?? inTransit(cluster);
  return (await replaceUnused(cluster, running, log)) ?? startAndEnter(cluster, options, log);
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** Opens the database in `dataDir`, created on the first start. Foreseeable failures are OperatorErrors. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { log = () => {} } = options;
  const cluster = clusterIn(options.dataDir);
  await prepareDataFolder(cluster.dataDir);
  const deadline = Date.now() + startTimeoutMs;
  try {
    for (;;) {
      const outcome = await withStartLock(cluster, () => attempt(cluster, options, log));
      if (typeof outcome !== 'string') return outcome;
      if (Date.now() > deadline) throw new OperatorError(outcome);
      await sleep(20);
    }
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new OperatorError(`The database in ${cluster.dataDir} cannot be opened: ${error.message}.`);
  }
}
