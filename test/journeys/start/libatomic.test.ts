import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { withFolder } from '../../support/process.ts';

/** A machine without the library that the bundled Node loads (docs/decisions/0061-node-26-and-libatomic.md). */

const root = join(import.meta.dirname, '../../..');
const local = 'scripts/require-libatomic';

/** Hides the library in a namespace of its own, so that every mount ends with the process. */
const hideScript = `
set -e
libraries=$1 scratch=$2
shift 2
mount -t tmpfs none "$scratch"
mkdir "$scratch/upper" "$scratch/work"
mknod "$scratch/upper/libatomic.so.1" c 0 0
mount -t overlay -o "lowerdir=$libraries,upperdir=$scratch/upper,workdir=$scratch/work" none "$libraries"
exec "$@"
`;

/** Returns the folder of the library that this process, on the bundled Node, has loaded. */
function findLibraries(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const [path] = /\/\S+\/libatomic\.so\.1\S*/.exec(readFileSync('/proc/self/maps', 'utf8')) ?? [];
  return path === undefined ? undefined : dirname(path);
}

const libraries = findLibraries();

/** Runs a program of the machine itself, not of this checkout. */
function run(folder: string, words: string[], { isHidden }: { isHidden: boolean }) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((one) => !one.includes('node_modules'));
  const scratch = join(folder, 'scratch');
  mkdirSync(scratch, { recursive: true });
  const hide = isHidden ? ['unshare', '--mount', 'sh', '-c', hideScript, 'hide', libraries ?? '', scratch] : [];
  const [program = '', ...rest] = [...hide, ...words];
  const { status, stdout, stderr } = spawnSync(program, rest, {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: folders.join(delimiter), HOME: folder },
  });
  return { status, output: `${stdout}${stderr}` };
}

async function findObstacle(): Promise<string | false> {
  if (libraries === undefined) return 'the bundled Node needs libatomic only on Linux';
  if (process.getuid?.() !== 0) return 'needs root, to hide a library';
  return withFolder(async (folder) => {
    if (run(folder, ['true'], { isHidden: true }).status !== 0) return 'this container may not mount';
    const { status, output } = run(folder, ['npm', '--version'], { isHidden: true });
    return status === 0 ? false : `npm of this machine does not run without libatomic: ${output}`;
  });
}

/** Makes a project with our settings of npm whose packages are the check and one whose `install` needs the bundled Node. */
function makeProject(folder: string): void {
  const later = join(folder, 'later');
  mkdirSync(later);
  const write = (file: string, value: object) => writeFileSync(file, JSON.stringify(value));
  write(join(later, 'package.json'), {
    name: 'later',
    version: '1.0.0',
    scripts: { install: 'touch ../../installed' },
  });
  write(join(folder, 'package.json'), {
    name: 'project',
    version: '1.0.0',
    dependencies: { later: 'file:later', 'require-libatomic': `file:${local}` },
  });
  cpSync(join(root, '.npmrc'), join(folder, '.npmrc'));
  cpSync(join(root, local), join(folder, local), { recursive: true });
}

describe('an installation without libatomic', { skip: await findObstacle() }, () => {
  for (const isHidden of [true, false]) {
    const title = isHidden ? 'ends with the name of the package, before anything needs Node' : 'works with it';
    it(title, () =>
      withFolder(async (folder) => {
        makeProject(folder);
        const { status, output } = run(folder, ['npm', 'install', '--offline'], { isHidden });
        const line = /The bundled Node needs the library libatomic\.so\.1, which .* apt-get install libatomic1 .*\n/;
        assert.equal(line.test(output), isHidden, output);
        assert.equal(status === 0, !isHidden, output);
        assert.equal(existsSync(join(folder, 'installed')), !isHidden);
      }),
    );
  }

  it('is found out by a package that our own lock file holds as a copy, not as a link', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    const { resolved, hasInstallScript, link, dev, optional } = packages['node_modules/require-libatomic'];
    assert.deepEqual(
      { resolved, hasInstallScript, link, dev, optional },
      { resolved: `file:${local}`, hasInstallScript: true, link: undefined, dev: undefined, optional: undefined },
    );
  });
});
