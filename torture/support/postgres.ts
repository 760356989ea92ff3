import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { clusterIn, placeChild, prepareDataFolder, readPassword } from '../../src/db/embedded/cluster.ts';
import { ensureDatabase } from '../../src/db/embedded/members.ts';
import { readPidFile } from '../../src/db/embedded/postmaster.ts';
import { prepareCluster } from '../../src/db/embedded/prepare-cluster.ts';
import { type EmbeddedUrls, urlsOf } from '../../src/db/embedded/roles.ts';
import { freePort } from '../../test/support/process.ts';
import { until } from '../../test/support/until.ts';

/** A separate PostgreSQL server that keeps its port when it is stopped and started again. */
export interface OwnPostgres {
  /** The addresses for each of the roles. */
  urls: EmbeddedUrls;
  /** Stops the server immediately, as a crash would. Nothing more is written, and the next start recovers. */
  crash(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const database = 'transit';

/** Durable as in production: an acknowledged commit must survive the crash. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_min_messages: 'fatal',
};

export async function startOwnPostgres(dataDir: string): Promise<OwnPostgres> {
  const cluster = clusterIn(dataDir);
  await prepareDataFolder(cluster.dataDir);
  const runtime = await prepareCluster(cluster, () => {});
  const port = await freePort();
  const password = await readPassword(cluster);
  const { data, options } = placeChild(cluster.folder, runtime);
  const log = await open(cluster.logFile, 'a', 0o600);
  const args = Object.entries({ ...settings, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let child: ChildProcess | undefined;

  async function start() {
    const postgres = spawn(runtime.binaries.postgres, ['-D', data, ...args], {
      ...options,
      stdio: ['ignore', log.fd, log.fd],
    });
    child = postgres;
    const endWithUs = () => postgres.kill('SIGQUIT');
    process.once('exit', endWithUs);
    postgres.once('exit', () => process.off('exit', endWithUs));
    await until('PostgreSQL is ready', async () => {
      if (postgres.exitCode !== null) throw new Error(`PostgreSQL did not start, see ${cluster.logFile}`);
      const noted = await readPidFile(cluster.folder);
      return noted?.ready === true && noted.pid === postgres.pid;
    });
  }

  async function end(signal: NodeJS.Signals) {
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  await start();
  const endpoint = { port, password };
  await ensureDatabase(endpoint, database);
  const urls = urlsOf(endpoint, database);
  return {
    urls,
    start,
    crash: () => end('SIGQUIT'),
    async stop() {
      await end('SIGINT');
      await log.close();
    },
  };
}
