import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Db } from '../../src/db/database.ts';

interface StoredDocument {
  id: number;
  employeeId: number | null;
  key: string;
}

export interface Stored {
  /** Documents whose file exists and matches the recorded hash. */
  intact: number;
  /** Documents whose file is missing or different. */
  missing: StoredDocument[];
  /** Files that belong to no document. */
  unknown: number;
}

/** Lists files and folders of the service, including its root folder, that other users of the machine can open. */
export async function listOpenToOthers(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  const open: string[] = [];
  for (const path of [folder, ...entries.map((entry) => join(folder, entry))]) {
    if (((await stat(path)).mode & 0o077) !== 0) open.push(path);
  }
  return open;
}

/** Compares the files in a folder with the documents in the database. */
export async function compareFiles(db: Db, folder: string): Promise<Stored> {
  const { rows } = await sql<StoredDocument & { sha256: string; size: number }>`
    select d.id, d.employee_id as "employeeId", d.store_key as key, encode(d.sha256, 'hex') as sha256, d.size_bytes as size
    from documents d where d.store_key is not null order by d.id`.execute(db);
  const missing: StoredDocument[] = [];
  for (const { sha256, size, ...document } of rows) {
    const bytes = await readFile(join(folder, document.key)).catch(() => undefined);
    const isIntact = bytes?.length === size && createHash('sha256').update(bytes).digest('hex') === sha256;
    if (!isIntact) missing.push(document);
  }
  const known = new Set(rows.map(({ key }) => join(folder, key)));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return { intact: rows.length - missing.length, missing, unknown: files.filter((file) => !known.has(file)).length };
}
