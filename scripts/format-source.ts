import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Formats the text of a file by the rules of the repository. */
export async function formatSource(file: string, text: string): Promise<string> {
  const run = promisify(execFile)('biome', ['check', '--write', `--stdin-file-path=${file}`]);
  run.child.stdin?.end(text);
  return (await run).stdout;
}
