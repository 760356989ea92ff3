import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');
const folder = process.env.EINVOICE_RULES ?? join(root, '../shared/einvoice');
const script = join(folder, 'validate.mjs');

/** Why invoices cannot be checked against the official rules here, or false if they can. */
export const rulesMissing = existsSync(script)
  ? (false as const)
  : `The official rules of EN 16931 are not in ${folder}: set EINVOICE_RULES to a folder that has validate.mjs.`;

/**
 * Checks XML files against the official rules of EN 16931, by name, and returns what the script prints. Rejects with the
 * failed rules. Compiling the rules takes a minute, once per machine.
 */
export async function validateInvoices(files: Record<string, string | Uint8Array>): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'einvoice-'));
  try {
    const paths = Object.keys(files).map((name) => join(place, `${name}.xml`));
    await Promise.all(Object.values(files).map((content, index) => writeFile(paths[index] ?? '', content)));
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...paths], {
      cwd: root,
      maxBuffer: 16 * 1024 * 1024,
    }).catch((error: Error & { stdout?: string }) => {
      throw new Error(`Rules of EN 16931 failed:\n${error.stdout ?? error.message}`);
    });
    return stdout;
  } finally {
    await rm(place, { recursive: true });
  }
}
