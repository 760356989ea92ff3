import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { CommandError, usageError } from './errors.ts';
import type { Terminal } from './terminal.ts';

/**
 * Starts the program `jq` between a command and the output. It is the reference of its language; a copy of it would be
 * larger than this package. Texts are printed without quotes, as scripts need them.
 */
export async function startJq(
  terminal: Terminal,
  filter: string,
): Promise<{ terminal: Terminal; end(): Promise<void> }> {
  const child = spawn('jq', ['--unbuffered', '--raw-output', filter], { stdio: ['pipe', 'pipe', 'pipe'] });
  const errors: string[] = [];
  child.stderr.on('data', (text) => errors.push(String(text)));
  // A filter that has failed reads no more. Its exit code says so.
  child.stdin.on('error', () => {});
  child.stdout.on('data', (chunk) => void terminal.stdout.write(chunk));
  const closed = once(child, 'close');
  try {
    await once(child, 'spawn');
  } catch (error) {
    closed.catch(() => {});
    const { code } = error as { code?: string };
    throw new CommandError(
      code === 'ENOENT'
        ? '--jq needs the program jq, which is not installed. Install it (https://jqlang.org), or use --json.'
        : `jq could not be started (${code}).`,
    );
  }
  return {
    terminal: { ...terminal, stdout: child.stdin, isJson: true },
    async end() {
      child.stdin.end();
      await finished(child.stdin).catch(() => {});
      const [code] = await closed;
      if (code !== 0) throw usageError(`--jq: ${errors.join('').trim() || `jq ended with ${code}`}`);
    },
  };
}
