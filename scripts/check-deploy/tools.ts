import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export const root = join(import.meta.dirname, '../..');
export const deploy = join(root, 'deploy');

export const isInstalled = (program: string) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/** Runs a program and returns what it complains about: nothing if it succeeds. */
export function runTool(program: string, args: readonly string[], env: Record<string, string> = {}): string[] {
  try {
    execFileSync(program, args, { cwd: root, env: { ...process.env, ...env }, stdio: 'pipe', encoding: 'utf8' });
    return [];
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string };
    return [`${stdout}${stderr}`.trim() || message];
  }
}

/** Runs a check with a program of Debian, or says why it is skipped. */
export function runInstalled(program: string, packageName: string, check: () => string[]): string[] {
  if (isInstalled(program)) return check();
  process.stdout.write(`skipped: ${program} is not installed (Debian: apt install ${packageName})\n`);
  return [];
}

/** Runs a program with this input and returns its output. */
export const readOutput = (program: string, args: readonly string[], input: string): string =>
  execFileSync(program, args, { cwd: root, input, encoding: 'utf8' });
