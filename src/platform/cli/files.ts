import { readFile, writeFile } from 'node:fs/promises';
import { OperatorError } from '../config/operator-error.ts';

export const readInput = (option: string, path: string): Promise<Buffer> =>
  readFile(path).catch((error: Error) => {
    throw new OperatorError(`${option}: ${path} cannot be read (${error.message}). Check the path.`);
  });

export async function readJsonInput(option: string, path: string): Promise<unknown> {
  const text = (await readInput(option, path)).toString();
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new OperatorError(`${option}: ${path} is not valid JSON (${(error as Error).message}). Correct the file.`);
  }
}

export const writeOutput = (path: string, content: Uint8Array): Promise<void> =>
  writeFile(path, content).catch((error: Error) => {
    throw new OperatorError(`${path} cannot be written (${error.message}). Choose another --out.`);
  });
