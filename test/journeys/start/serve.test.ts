import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findPostmaster, isRunning } from '../../../src/platform/db/embedded/postmaster.ts';
import { connectAs } from '../../support/database.ts';
import { freePort, run, type Serving, serve, withFolder } from '../../support/process.ts';
import { productionEnv } from '../../support/production.ts';
import { until } from '../../support/until.ts';

const isRoot = process.getuid?.() === 0;
const repository = fileURLToPath(new URL('../../..', import.meta.url));

async function withService(folder: string, work: (service: Serving) => Promise<void>, uid?: number): Promise<void> {
  const env = { DATA_DIR: join(folder, 'data'), DEMO: 'off' };
  const service = await serve({ env, ...(uid === undefined ? {} : { uid }) });
  try {
    await work(service);
  } finally {
    const postmaster = await postmasterOf(folder);
    await service.end('SIGKILL');
    if (postmaster !== undefined) await until('PostgreSQL has ended too', async () => !(await isRunning(postmaster)));
  }
}

const health = async ({ url }: Serving) => (await fetch(`${url}/health`)).status;

const postmasterOf = (folder: string) => findPostmaster(join(folder, 'data/postgres'));

/**
 * Tries to read the program as this user. File modes are not enough: every parent folder and access lists count too.
 */
function canStart(uid: number): boolean {
  const script = `require('node:fs').accessSync(${JSON.stringify(join(repository, 'src/main.ts'))})`;
  return spawnSync(process.execPath, ['-e', script], { cwd: '/', uid, gid: uid }).status === 0;
}

describe('npm start', () => {
  it('makes the demo, prints a curl line that works when pasted, and finds its data again', () =>
    withFolder(async (folder) => {
      // The port must be the same after the restart, since links and the pasted line contain it.
      const env = { DATA_DIR: join(folder, 'data'), PORT: String(await freePort()) };
      const first = await serve({ env });
      assert.match(first.output.stdout, /Reference +http:\/\/localhost:\d+\/docs/);
      const line = /export KEY='([^']+)'\n +curl -u "\$KEY" '([^']+)'/.exec(first.output.stdout);
      assert(line?.[1] && line[2]);
      const request = () =>
        fetch(String(line[2]), {
          headers: { authorization: `Basic ${Buffer.from(String(line[1])).toString('base64')}` },
        });
      const before = (await (await request()).json()) as { data: { data: unknown[] } };
      assert.equal(before.data.data.length, 2);
      assert.doesNotMatch(first.output.stdout, /\/my\/enter/, 'there are no pages');
      first.signal('SIGTERM');
      const { code, stderr } = await first.exited;
      assert.equal(code, 0, stderr);

      const second = await serve({ env });
      assert.equal(second.key, first.key);
      assert.deepEqual(await (await request()).json(), before);
      second.signal('SIGINT');
      assert.equal((await second.exited).code, 0);
      await assert.rejects(stat(join(folder, 'data/postgres/postmaster.pid')), 'PostgreSQL has stopped too');
    }));

  it('completes requests in flight before it exits', async () => {
    await withFolder((folder) =>
      withService(folder, async (service) => {
        const password = await readFile(join(folder, 'data/postgres.password'), 'utf8');
        const postmaster = await postmasterOf(folder);
        const locker = await connectAs(`postgres://postgres:${password.trim()}@127.0.0.1:${postmaster?.port}/transit`);
        await locker.query('begin');
        await locker.query('lock table api_keys in access exclusive mode');
        const underWay = fetch(`${service.url}/me`);
        await until('the query waits', async () => {
          const { rowCount } = await locker.query(`select from pg_stat_activity where wait_event_type = 'Lock'`);
          return rowCount === 1;
        });
        service.signal('SIGTERM');
        const isRefused = () =>
          fetch(`${service.url}/health`).then(
            () => false,
            () => true,
          );
        await until('nobody new is let in', isRefused);
        await locker.query('rollback');
        assert.equal((await underWay).status, 401);
        await locker.end();
        assert.equal((await service.exited).code, 0);
      }),
    );
  });

  it('exits cleanly, including PostgreSQL, when npm receives a signal', () =>
    withFolder(async (folder) => {
      const env = {
        ...process.env,
        DATA_DIR: join(folder, 'data'),
        PORT: '0',
        DEMO: 'off',
        PORTAL: 'off',
      };
      const npm = spawn('npm', ['start'], { cwd: repository, env, stdio: ['ignore', 'pipe', 'ignore'] });
      let output = '';
      npm.stdout.on('data', (chunk) => {
        output += chunk;
      });
      await until('the service is ready', () => output.includes('is ready'));
      const postmaster = await postmasterOf(folder);
      assert(postmaster);
      npm.kill('SIGTERM');
      await until('PostgreSQL has ended', async () => !(await isRunning(postmaster)));
    }));

  it('ends its PostgreSQL when it is killed, and starts again with its data', () =>
    withFolder(async (folder) => {
      await withService(folder, async () => {
        const created = await run(['company', 'create', '--name', 'Kept'], { DATA_DIR: join(folder, 'data') });
        assert.deepEqual(JSON.parse(created.stdout), { id: 1 });
      });
      assert.equal(await postmasterOf(folder), undefined);
      await withService(folder, async (service) => {
        assert.equal(await health(service), 204);
        const next = await run(['company', 'create', '--name', 'Next'], { DATA_DIR: join(folder, 'data') });
        assert.deepEqual(JSON.parse(next.stdout), { id: 2 });
      });
    }));

  it('reports that another process uses the same folder', () =>
    withFolder(async (folder) => {
      await withService(folder, async (service) => {
        const env = { DATA_DIR: join(folder, 'data'), DEMO: 'off' };
        const second = await run(['serve'], env);
        assert.equal(second.code, 1);
        assert.match(
          second.stderr,
          new RegExp(`^Another process \\(pid ${service.pid}\\) is already serving from .*\\n$`),
        );
        assert.equal(await health(service), 204);
      });
    }));

  it('lets one of two concurrent starts serve', () =>
    withFolder(async (folder) => {
      const start = async () => serve({ env: { DATA_DIR: join(folder, 'data'), DEMO: 'off' } });
      const outcomes = await Promise.allSettled([start(), start()]);
      const winners = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      const losers = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      assert.equal(winners.length, 1);
      assert.match(losers[0].stderr, /^Another process .* is already serving from/);
      assert(winners[0]);
      assert.equal(await health(winners[0]), 204);
      winners[0].signal('SIGTERM');
      assert.equal((await winners[0].exited).code, 0);
    }));

  it('runs as root from a folder that only root may enter', { skip: !isRoot && 'needs root' }, () =>
    withFolder(async (folder) => {
      await chmod(folder, 0o700);
      await withService(folder, async (service) => assert.equal(await health(service), 204));
    }),
  );

  it('runs as an ordinary user', { skip: !isRoot && 'the other tests do so already' }, async (t) => {
    const nobody = 65534;
    if (!canStart(nobody)) return t.skip(`user id ${nobody} cannot enter ${repository}`);
    await withFolder(async (folder) => {
      await chmod(folder, 0o755);
      await mkdir(join(folder, 'data'));
      await chown(join(folder, 'data'), nobody, nobody);
      await withService(folder, async (service) => assert.equal(await health(service), 204), nobody);
    });
  });

  it('exits with one clear line if a setting is invalid', async () => {
    const production = { ...productionEnv, DATABASE_URL: 'embedded' };
    const cases: [Record<string, string>, RegExp][] = [
      [{ PORT: 'http' }, /^PORT must be a whole number from 0 to 65535, but is "http"\.\n$/],
      [{ ENVIRONMENT: 'live' }, /^ENVIRONMENT must be one of staging, production, but is "live"\.\n$/],
      [productionEnv, /^DATABASE_URL is required in production.*\n$/],
      [{ ...production, SECRET: '' }, /^SECRET is required in production.*\n$/],
      [{ ...production, SECRET: '0123456789abcdef'.repeat(2) }, /^SECRET can be guessed\. .*\n$/],
      [{ ...production, PUBLIC_URL: '' }, /^PUBLIC_URL is required in production and must start with https:\/\/\.\n$/],
      [{ ...production, PUBLIC_URL: 'http://transit.example' }, /^PUBLIC_URL is required in production .*https.*\n$/],
      [
        { DATABASE_URL: 'mysql://x' },
        /^DATABASE_URL must be a URL that starts with postgres:\/\/ or postgresql:\/\/\.\n$/,
      ],
      [
        { DATABASE_URL: 'postgres://localhost:1/x' },
        /^The database of DATABASE_URL cannot be used: connect ECONNREFUSED .*\n$/,
      ],
      [
        { DATABASE_URL: 'postgres://localhost/x?connect_timeout=soon' },
        /^connect_timeout in DATABASE_URL must be a whole number of seconds from 1 to 600\.\n$/,
      ],
      [{ PUBLIC_URL: 'nowhere', LOG_LEVEL: 'loud' }, /^PUBLIC_URL must be .* LOG_LEVEL must be one of .*\n$/],
      [{ DEMO: 'on', ...production }, /^DEMO=on is not allowed in production\.\n$/],
    ];
    for (const [env, message] of cases) {
      const { code, stdout, stderr } = await run(['serve'], env);
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, message);
    }
  });

  it('exits with one clear line if the port is taken or the folder is not writable', () =>
    withFolder(async (folder) => {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const address = taken.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      const busy = await run(['serve'], { DATA_DIR: join(folder, 'data'), PORT: String(port), DEMO: 'off' });
      taken.close();
      assert.equal(busy.code, 1);
      assert.match(busy.stderr, new RegExp(`^Port ${port} is in use.*\\n$`));
      assert.ok(!existsSync(join(folder, 'data')), 'nothing has begun');

      await writeFile(join(folder, 'file'), '');
      const blocked = await run(['serve'], { DATA_DIR: join(folder, 'file/data'), DEMO: 'off' });
      assert.equal(blocked.code, 1);
      assert.match(blocked.stderr, /^[^\n]*file\/data[^\n]*\n$/);
    }));

  it('refuses the database of the other environment', () =>
    withFolder(async (folder) => {
      const env = { DATA_DIR: join(folder, 'data') };
      assert.equal((await run(['migrate'], env)).code, 0);
      const other = { ...env, ...productionEnv, DATABASE_URL: 'embedded' };
      const refused = await run(['serve'], other);
      assert.equal(refused.code, 1);
      assert.equal(
        refused.stderr,
        'This database belongs to the environment staging, but ENVIRONMENT is production. Correct ENVIRONMENT or DATABASE_URL.\n',
      );
    }));
});
