import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Db } from '../../src/platform/db/database.ts';

/** Compares files with documents: `intact` match their hash, `missing` do not, `unknown` belong to none. */
export async function compareFiles(db: Db, folder: string) {
  const { rows } = await sql<{ key: string; sha256: string; size: number }>`
    select d.store_key as key, encode(d.sha256, 'hex') as sha256, d.size_bytes as size
    from documents d where d.store_key is not null`.execute(db);
  const missing: string[] = [];
  for (const { key, sha256, size } of rows) {
    const bytes = await readFile(join(folder, key)).catch(() => undefined);
    const isIntact = bytes?.length === size && createHash('sha256').update(bytes).digest('hex') === sha256;
    if (!isIntact) missing.push(key);
  }
  const known = new Set(rows.map(({ key }) => join(folder, key)));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const unknown = entries.filter((entry) => entry.isFile() && !known.has(join(entry.parentPath, entry.name)));
  return { intact: rows.length - missing.length, missing, unknown: unknown.length };
}
