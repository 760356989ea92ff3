import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { runCli } from '../../src/operator/run-cli.ts';
import type { Env, Finished } from './process.ts';

function collect(isTTY = false) {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY }), read: () => chunks.join('') };
}

export interface CliRun {
  env?: Env;
  /** The text that the command reads from standard input. */
  input?: string | undefined;
  /** Whether standard output is a terminal. */
  terminal?: boolean;
}

/** What a command must not take from the repository or from the user who runs the tests. */
const bareEnv = () => ({ DATA_DIR: join(tmpdir(), 'transit-no-data'), LOG_LEVEL: 'warn' });

/** Runs a command of the program in this process. */
export async function runInProcess(
  argv: readonly string[],
  { env = {}, input = '', terminal }: CliRun = {},
): Promise<Finished> {
  const stdout = collect(terminal);
  const stderr = collect();
  const streams = { stdin: Readable.from([input]), stdout: stdout.stream, stderr: stderr.stream };
  const code = await runCli({ argv, env: { ...bareEnv(), ...env }, ...streams });
  return { code, stdout: stdout.read(), stderr: stderr.read() };
}
