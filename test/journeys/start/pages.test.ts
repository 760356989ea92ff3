import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ensurePages, hashSources, listSources, workspaces } from '../../../src/portal/build.ts';
import { type Env, type Finished, withFolder } from '../../support/process.ts';
import { productionEnv } from '../../support/production.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** Makes a checkout that shares its code with this one and has no built pages. */
async function makeCheckout(folder: string, ...names: string[]): Promise<void> {
  await Promise.all(names.map((name) => symlink(join(repository, name), join(folder, name))));
}

/** Runs a script of a checkout. The flags keep it from finding its own files in this one. */
const runScript = (folder: string, words: string[], env: Env) =>
  new Promise<Finished>((resolve) => {
    const flags = ['--preserve-symlinks', '--preserve-symlinks-main'];
    const options = { cwd: tmpdir(), env: { PATH: process.env.PATH ?? '', HOME: tmpdir(), ...env } };
    const [script = '', ...rest] = words;
    const child = execFile(process.execPath, [...flags, join(folder, script), ...rest], options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });

const shared = ['src', 'scripts', 'docs', 'migrations', 'package.json'];
const notBuilt = 'The pages of the portal are not built: run `npm run build`, or set PORTAL=off.\n';

describe('production', () => {
  it('does not start without the pages of the portal, and names the remedy', () =>
    withFolder(async (folder) => {
      await makeCheckout(folder, ...shared, 'node_modules');
      const env = { ...productionEnv, PORT: '0', DATABASE_URL: 'postgres://localhost:1/x' };
      const refused = await runScript(folder, ['src/main.ts', 'serve'], env);
      assert.deepEqual(refused, { code: 1, stdout: '', stderr: notBuilt });

      const without = await runScript(folder, ['src/main.ts', 'serve'], { ...env, PORTAL: 'off' });
      assert.match(without.stderr, /^The database of DATABASE_URL cannot be used/);
      for (const workspace of workspaces) {
        const refusedAgain = await runScript(folder, ['src/main.ts', 'serve'], env);
        assert.equal(refusedAgain.stderr, notBuilt);
        await mkdir(join(folder, workspace, 'dist'), { recursive: true });
        await writeFile(join(folder, workspace, 'dist/index.html'), '');
      }
      const built = await runScript(folder, ['src/main.ts', 'serve'], env);
      assert.match(built.stderr, /^The database of DATABASE_URL cannot be used/);
    }));
});

describe('npm run build', () => {
  it('says what is missing, and lets an installation without it go on', () =>
    withFolder(async (folder) => {
      await makeCheckout(folder, ...shared);
      const build = (...words: string[]) => runScript(folder, ['scripts/build.ts', ...words], {});
      const noSources = 'The pages of the portal are not built: portal/src is missing. Use a full checkout.\n';
      assert.deepEqual(await build(), { code: 1, stdout: '', stderr: noSources });
      assert.deepEqual(await build('--if-possible'), { code: 0, stdout: '', stderr: noSources });
      await mkdir(join(folder, 'portal/src'), { recursive: true });
      assert.match((await build()).stderr, /: my\/src is missing/);
      await mkdir(join(folder, 'my/src'), { recursive: true });
      const { code, stderr } = await build('--if-possible');
      assert.deepEqual(
        [code, stderr.split('. ')[0]],
        [0, 'The pages of the portal are not built: Vite is not installed'],
      );
      assert.equal((await build()).code, 1);
    }));

  it('is content with pages that came with an installation without sources', () =>
    withFolder(async (folder) => {
      await makeCheckout(folder, ...shared);
      const folders = workspaces.map((workspace) => join(folder, workspace, 'dist'));
      for (const pages of folders) {
        await mkdir(pages, { recursive: true });
        await writeFile(join(pages, 'index.html'), '');
      }
      const { code, stdout, stderr } = await runScript(folder, ['scripts/build.ts', '--if-possible'], {});
      const lines = folders.map((pages) => `Already built: ${pages}\n`);
      assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: lines.join(''), stderr: '' });
    }));

  for (const [workspace, files] of [
    ['portal', ['portal/src/app/main.tsx', 'portal/vite.config.ts', 'portal/src/app/api/request.ts']],
    ['my', ['my/src/main.tsx', 'my/vite.config.ts', 'my/index.html', 'my/public/icon.svg']],
  ] as const) {
    it(`builds ${workspace} again after any change of its sources`, () =>
      withFolder(async (folder) => {
        for (const file of await listSources(workspace)) {
          await mkdir(dirname(join(folder, file)), { recursive: true });
          await cp(join(repository, file), join(folder, file));
        }
        const original = await hashSources(workspace);
        assert.equal(await hashSources(workspace, folder), original);
        for (const file of [...files, 'src/domain/enums.ts', 'scripts/build-pages.ts', 'package-lock.json']) {
          const content = await readFile(join(folder, file));
          await appendFile(join(folder, file), ' ');
          assert.notEqual(await hashSources(workspace, folder), original, file);
          await writeFile(join(folder, file), content);
        }
        await writeFile(join(folder, workspace, 'dist.lock'), '');
        assert.equal(await hashSources(workspace, folder), original);
        await writeFile(join(folder, workspace, 'src/new.ts'), '');
        assert.notEqual(await hashSources(workspace, folder), original);
      }));
  }
});

describe('pages', () => {
  it('are built once for two concurrent requests, and again only if the sources change', () =>
    withFolder(async (folder) => {
      const target = join(folder, 'dist');
      const outcomes = await Promise.all([ensurePages('my', target), ensurePages('my', target)]);
      assert.deepEqual(outcomes.toSorted(), ['built', 'found']);
      assert.equal(await ensurePages('my', target), 'found');
      assert.deepEqual(await readdir(folder), ['dist', 'dist.lock']);
    }));
});
