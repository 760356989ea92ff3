import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { isUnneeded } from '../../scripts/trim.ts';

const root = join(import.meta.dirname, '../..');
const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));

interface LockedPackage {
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  link?: boolean;
}

/** Returns the folders of the packages that `npm ci --omit=dev --omit=optional` installs. */
function listProductionFolders(): string[] {
  const packages = Object.entries<LockedPackage>(read('package-lock.json').packages);
  return packages
    .filter(([path, one]) => path.includes('node_modules/') && !one.link)
    .filter(([, one]) => !one.dev && !one.optional && !one.devOptional)
    .map(([path]) => path);
}

const blockBytes = 4096;

/** Returns the disk space of the files of a package that remain after trimming, without the packages inside it. */
function measure(folder: string): number {
  const modules = join(root, 'node_modules');
  let bytes = 0;
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(root, folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') bytes += blockBytes + measure(join(folder, entry.name));
    else if (entry.isFile() && !isUnneeded(relative(modules, path))) {
      bytes += Math.ceil(statSync(path).size / blockBytes) * blockBytes;
    }
  }
  return bytes;
}

/** Development dependencies that production packages or the service itself need too. */
const shared = new Set(['ajv', 'ajv-formats', 'uqr', 'yaml']);

describe('an installation without development and optional dependencies', () => {
  it('contains no development dependency', () => {
    const installed = new Set(listProductionFolders());
    const names = ['package.json', 'portal/package.json', 'my/package.json'].flatMap((file) =>
      Object.keys(read(file).devDependencies),
    );
    const surplus = names.filter((name) => !shared.has(name) && installed.has(`node_modules/${name}`));
    assert.deepEqual(surplus, [], 'move what depends on these to devDependencies, or explain them here');
    for (const file of ['portal/package.json', 'my/package.json']) {
      assert.equal(read(file).dependencies, undefined, 'the pages are built before they are installed');
    }
  });

  it('takes at most 250 MB', () => {
    const sizes = listProductionFolders()
      .filter((folder) => existsSync(join(root, folder)))
      .map((folder) => ({ folder, megabytes: measure(folder) / 2 ** 20 }))
      .toSorted((a, b) => b.megabytes - a.megabytes);
    const total = sizes.reduce((sum, { megabytes }) => sum + megabytes, 0);
    const largest = sizes.slice(0, 12).map(({ folder, megabytes }) => `${folder} ${megabytes.toFixed(1)}`);
    assert(total <= 250, `${total.toFixed(0)} MB: ${largest.join(', ')}`);
  });
});
