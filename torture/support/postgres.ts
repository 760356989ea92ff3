import { execFile, execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { clusterIn, placeChild, prepareDataFolder, readPassword } from '../../src/platform/db/embedded/cluster.ts';
import { ensureDatabase } from '../../src/platform/db/embedded/members.ts';
import { prepareCluster } from '../../src/platform/db/embedded/prepare-cluster.ts';
import { urlsOf } from '../../src/platform/db/embedded/roles.ts';
import { freePort } from '../../test/support/process.ts';

export const execute = promisify(execFile);

const common = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_min_messages: 'fatal',
};

/** Starts a PostgreSQL server. It keeps its port when it is stopped and started again. */
export async function startServer(
  bin: string,
  data: string,
  options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number },
  settings: Record<string, string>,
) {
  const port = await freePort();
  const given = Object.entries({ ...common, ...settings, port }).map(([name, value]) => `-c ${name}='${value}'`);
  const program = join(bin, 'pg_ctl');
  const stopping = (mode: string) => ['-D', data, '-m', mode, 'stop'];
  const stopWithUs = () => execFileSync(program, stopping('immediate'), { ...options, stdio: 'ignore' });
  const stop = async (mode: 'fast' | 'immediate') => {
    process.off('exit', stopWithUs);
    await execute(program, stopping(mode), options).catch(() => {});
  };
  const server = {
    port,
    async start() {
      const words = ['-D', data, '-l', join(data, 'log'), '-o', given.join(' '), '-t', '300', 'start'];
      await execute(program, words, options);
      process.once('exit', stopWithUs);
    },
    /** Stops the server immediately, as a crash would. Nothing more is written, and the next start recovers. */
    crash: () => stop('immediate'),
    stop: () => stop('fast'),
  };
  await server.start();
  return server;
}

/** Durable as in production: an acknowledged commit must survive the crash. */
const durable = { shared_buffers: '128MB', fsync: 'on', synchronous_commit: 'on' };

/** Starts a separate server of the embedded PostgreSQL. Returns it with the addresses for each of the roles. */
export async function startOwnPostgres(dataDir: string) {
  const cluster = clusterIn(dataDir);
  await prepareDataFolder(cluster.dataDir);
  const runtime = await prepareCluster(cluster, () => {});
  const { data, options } = placeChild(cluster.folder, runtime);
  const server = await startServer(dirname(runtime.binaries.postgres), data, options, durable);
  const endpoint = { port: server.port, password: await readPassword(cluster) };
  await ensureDatabase(endpoint, 'transit');
  return { ...server, urls: urlsOf(endpoint, 'transit'), logFile: join(cluster.folder, 'log') };
}

export type OwnPostgres = Awaited<ReturnType<typeof startOwnPostgres>>;
