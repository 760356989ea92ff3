import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where programs started by a test file keep what they have compiled: dozens of starts compile it once. */
export const compiled = mkdtempSync(join(tmpdir(), 'transit-compiled-'));
process.once('exit', () => rmSync(compiled, { recursive: true, force: true }));
