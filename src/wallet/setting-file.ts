import { readFile } from 'node:fs/promises';
import { OperatorError } from '../operator-error.ts';

const reasons: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be read by this user',
  EISDIR: 'is a folder',
};

/** Reads a file that a setting names. Errors contain its path and never any of its content. */
export async function readSettingFile(setting: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code = 'unknown error' } = error as { code?: string };
    throw new OperatorError(`${setting}: ${path} ${reasons[code] ?? `cannot be read (${code})`}.`);
  }
}
