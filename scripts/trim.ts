import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Deletes files of packages that nothing reads. `npm ci` runs this. With the development dependencies, the compiler needs
 * the declarations and tests read packages, so less is deleted.
 */

/** C++ headers and manuals of the runtime, and source maps. */
const unread = [/^node\/node_modules\/node-[^/]+\/(include|share)\//, /\.map$/];

/** Type declarations, the tests of packages, and the variants of one. */
const unneeded = [
  ...unread,
  /\.d\.[cm]?ts$/,
  /(^|\/node_modules\/)(@[^/]+\/)?[^/@]+\/test\//,
  // Only `bwip-js/generic` is imported.
  /^bwip-js\/(src\/|barcode\.ps$|stb_truetype\.h$|dist\/bwip-js(-node|-min|-rn)?\.m?js$)/,
];

/** Returns whether a file is unneeded at run time. The path is relative to `node_modules`. */
export const isUnneeded = (path: string) => unneeded.some((pattern) => pattern.test(path));

function trim(modules: string): void {
  const isDevelopment = existsSync(join(modules, 'typescript'));
  const entries = readdirSync(modules, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  const isSurplus = (path: string) => (isDevelopment ? unread.some((pattern) => pattern.test(path)) : isUnneeded(path));
  const surplus = files.filter((file) => isSurplus(relative(modules, file)));
  for (const file of surplus) rmSync(file);
  if (isDevelopment) return;
  process.stdout.write(
    `Deleted ${surplus.length} files that only development needs. Before you work on the code, run \`npm ci\`.\n`,
  );
}

if (import.meta.main) trim(join(import.meta.dirname, '../node_modules'));
