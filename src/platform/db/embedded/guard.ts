import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * PostgreSQL ends when nobody uses it any more, even if its users were killed. Every process that uses it holds a named
 * pipe open for writing. The kernel closes the pipe of a process that ends, whatever ended it; a shell that reads the
 * pipe then sees its end.
 */

/** Starts PostgreSQL, stops it at the end of the pipe, and ends with it. */
const runGuarded = `
"$@" 3<&- & server=$!
(read -r _ <&3; kill -INT $server) & guard=$!
exec 3<&-
wait $server; code=$?
kill $guard 2>/dev/null
exit $code`;

const removeAfterwards = `
read -r _ <&3
while kill -0 "$1" 2>/dev/null; do sleep 0.1; done
rm -rf "$2"`;

/** Creates the pipe anew, and returns this process's hold of it. The start lock must be held. */
export async function createUsersFile(path: string): Promise<number> {
  await rm(path, { force: true });
  await promisify(execFile)('mkfifo', ['-m', '600', path]);
  // Opened for reading too, since opening a pipe that nobody reads would block.
  return openSync(path, 'r+');
}

/** Returns this process's hold of the pipe, to close when it leaves. Undefined if the server has none. */
export function holdUsersFile(path: string): number | undefined {
  try {
    return openSync(path, 'r+');
  } catch {
    return undefined;
  }
}

type Options = { cwd?: string; env?: NodeJS.ProcessEnv; uid?: number; gid?: number; output: number | 'ignore' };

/** Runs a script in its own session, so that Ctrl-C in a terminal does not reach it. This process must hold the pipe. */
async function spawnScript(usersFile: string, script: string, words: string[], { output, ...options }: Options) {
  const users = openSync(usersFile, 'r');
  try {
    const stdio = ['ignore', output, output, users] as const;
    const child = spawn('/bin/sh', ['-c', script, 'sh', ...words], { ...options, detached: true, stdio: [...stdio] });
    await once(child, 'spawn');
    child.unref();
    return child;
  } finally {
    closeSync(users);
  }
}

export const spawnGuarded = (usersFile: string, command: string[], options: Options): Promise<ChildProcess> =>
  spawnScript(usersFile, runGuarded, command, options);

/** Deletes the folder of a server for tests when the server has ended with its last user. */
export async function removeWithServer(usersFile: string, pid: number, folder: string): Promise<void> {
  await spawnScript(usersFile, removeAfterwards, [String(pid), folder], { output: 'ignore' });
}
