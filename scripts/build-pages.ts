import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

/**
 * Builds the pages of a workspace (`portal` or `my`) into the given folder and compresses each file in advance, so that
 * serving costs no compression. A separate program, so that the bundler's memory is released when it ends.
 */
const [workspace = '', target] = process.argv.slice(2);
const folder = join(import.meta.dirname, '..', workspace);
const outDir = target ?? join(folder, 'dist');

await build({
  configFile: join(folder, 'vite.config.ts'),
  configLoader: 'native',
  logLevel: 'warn',
  build: { outDir, emptyOutDir: true },
});

const brotli = promisify(brotliCompress);
const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
const assets = join(outDir, 'assets');
for (const name of await readdir(assets)) {
  const bytes = await readFile(join(assets, name));
  if (bytes.length < 1024 || name.endsWith('.woff2')) continue;
  await writeFile(join(assets, `${name}.br`), await brotli(bytes, { params }));
  await writeFile(join(assets, `${name}.gz`), await promisify(gzip)(bytes));
}
