import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Step } from './dockerfile.ts';

/** Executes the steps of a Dockerfile in a folder that becomes the root of their processes. */

/** A file system with the programs of this machine, which stand in for those of the base image. */
export interface Tree {
  root: string;
  workdir: string;
  user: string;
  variables: Record<string, string>;
}

const links = ['bin', 'sbin', 'lib', 'lib64'];

export function createTree(root: string): Tree {
  for (const name of ['usr', 'etc', 'proc', 'dev', 'tmp', 'data', 'app'])
    mkdirSync(join(root, name), { recursive: true });
  chmodSync(root, 0o755);
  chmodSync(join(root, 'tmp'), 0o1777);
  for (const name of links) {
    if (lstatSync(`/${name}`, { throwIfNoEntry: false })?.isSymbolicLink()) {
      symlinkSync(readlinkSync(`/${name}`), join(root, name));
    }
  }
  return { root, workdir: '/', user: '0:0', variables: {} };
}

interface Enter {
  /** Folders of this machine to show in the tree under the same path. */
  shared?: readonly string[];
  /** Makes everything read-only except /tmp, which is empty, and /data. */
  isReadOnly?: boolean;
}

/** Mounts in a namespace of its own, so that every mount ends with the process. */
const enterScript = `
set -e
root=$1 workdir=$2 user=$3 mode=$4 shared=$5
shift 5
mount --bind "$root" "$root"
show() { mkdir -p "$root$1" && mount --bind "$1" "$root$1"; }
show /usr && mount -o remount,bind,ro "$root/usr"
show /etc && mount -o remount,bind,ro "$root/etc"
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
IFS=:
for folder in $shared; do show "$folder"; done
unset IFS
if [ "$mode" = read-only ]; then
  mount -t tmpfs -o mode=1777 none "$root/tmp"
  mount --bind "$root/data" "$root/data"
  mount -o remount,bind,ro "$root"
fi
cd "$root$workdir"
exec /usr/sbin/chroot "$root" /usr/bin/setpriv --reuid="\${user%:*}" --regid="\${user#*:}" --clear-groups --no-new-privs \\
  /usr/bin/env --chdir="$workdir" "$@"
`;

/** Starts a program in the tree. The process that it returns is the program itself, so signals reach it. */
export function startIn(tree: Tree, words: readonly string[], options: Enter = {}): ChildProcess {
  const mode = options.isReadOnly ? 'read-only' : 'writable';
  const shared = (options.shared ?? []).filter((path) => existsSync(path)).join(':');
  const args = [tree.root, tree.workdir, tree.user, mode, shared, ...words];
  return spawn('unshare', ['--mount', 'sh', '-c', enterScript, 'enter', ...args], {
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...tree.variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Copies files and the content of folders, as COPY does. */
function copy(sources: readonly string[], target: string): void {
  for (const source of sources) {
    const isFolder = lstatSync(source).isDirectory();
    const into = isFolder || !target.endsWith('/') ? target : join(target, source.split('/').at(-1) ?? '');
    mkdirSync(dirname(into), { recursive: true });
    cpSync(source, into, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  }
}

/** Applies a step that runs no program. `from`: the folder that the sources of COPY are in. */
export function applyStep(tree: Tree, { keyword, words, text, variables }: Step, from: string): void {
  if (keyword === 'WORKDIR') {
    tree.workdir = resolve(tree.workdir, text);
    mkdirSync(join(tree.root, tree.workdir), { recursive: true });
  } else if (keyword === 'ENV') Object.assign(tree.variables, variables);
  else if (keyword === 'USER') tree.user = text;
  else if (keyword === 'COPY') {
    const target = words.at(-1) ?? '';
    const path = join(tree.root, resolve(tree.workdir, target), target.endsWith('/') ? '/' : '');
    copy(
      words.slice(0, -1).map((source) => join(from, source)),
      path,
    );
  }
}

/** Returns the first package of an `apt-get install` that this machine lacks. */
export function findMissingPackage(command: string): string | undefined {
  const [, list = ''] = /apt-get install ([^&]+)/.exec(command) ?? [];
  const packages = list.split(' ').filter((word) => /^[a-z0-9]/.test(word));
  return packages.find((name) => {
    try {
      return !String(execFileSync('dpkg', ['-s', name], { stdio: 'pipe' })).includes('Status: install ok installed');
    } catch {
      return true;
    }
  });
}
