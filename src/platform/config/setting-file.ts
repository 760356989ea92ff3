import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { OperatorError } from './operator-error.ts';

const reasons: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be read by this user',
  EISDIR: 'is a folder',
};

function createReadError(setting: string, path: string, error: unknown): OperatorError {
  const { code = 'unknown error' } = error as { code?: string };
  return new OperatorError(`${setting}: ${path} ${reasons[code] ?? `cannot be read (${code})`}.`);
}

/** Reads a file that a setting names. Errors contain its path and never any of its content. */
export async function readSettingFile(setting: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw createReadError(setting, path, error);
  }
}

/** Returns the secret in a file, without the newline at its end. Throws if the file is empty or cannot be read. */
export function readSecretFile(setting: string, path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw createReadError(setting, path, error);
  }
  if (text === '') throw new OperatorError(`${setting}: ${path} is empty.`);
  return text;
}
