import { execFile } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');
const packed = join(root, 'sdk/package.tgz');

const isCurrent = () => {
  const sources = globSync(['sdk/{src,bin}/**/*', 'sdk/*.{ts,json,md}', 'src/domain/**/*.ts'], { cwd: root });
  const changedAt = Math.max(...sources.map((file) => statSync(join(root, file)).mtimeMs));
  return existsSync(packed) && statSync(packed).mtimeMs > changedAt;
};

/** Packs the client library if its sources have changed. The service offers the file under /docs/client/. */
export async function ensureClient(): Promise<void> {
  if (!existsSync(join(root, 'sdk/src')) || isCurrent()) return;
  const folder = await mkdtemp(join(root, 'sdk/pack-'));
  try {
    await promisify(execFile)('npm', ['pack', '--workspace', 'sdk', '--pack-destination', folder], { cwd: root });
    const [file = ''] = await readdir(folder);
    await rename(join(folder, file), packed);
  } finally {
    await rm(folder, { recursive: true });
  }
}
