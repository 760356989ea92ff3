import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Deletes what no process of an installation without development dependencies reads: C++ headers and manuals of the
 * runtime, source maps, type declarations, and the tests of packages. `npm ci` runs this; with the development
 * dependencies it deletes nothing, because the compiler needs the declarations.
 */

const unneeded = [
  /^node\/node_modules\/node-[^/]+\/(include|share)\//,
  /\.map$/,
  /\.d\.[cm]?ts$/,
  /(^|\/node_modules\/)(@[^/]+\/)?[^/@]+\/test\//,
];

/** Returns whether a file is unneeded at run time. The path is relative to `node_modules`. */
export const isUnneeded = (path: string) => unneeded.some((pattern) => pattern.test(path));

function trim(modules: string): void {
  const entries = readdirSync(modules, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  const surplus = files.filter((file) => isUnneeded(relative(modules, file)));
  for (const file of surplus) rmSync(file);
  process.stdout.write(
    `Deleted ${surplus.length} files that only development needs. Before you work on the code, run \`npm ci\`.\n`,
  );
}

if (import.meta.main) {
  const modules = join(import.meta.dirname, '../node_modules');
  if (!existsSync(join(modules, 'typescript'))) trim(modules);
}
