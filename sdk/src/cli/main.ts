import { exitCodes } from './errors.ts';
import { runCli } from './run.ts';

/** Runs the command line of this process. Ctrl-C ends it in order; a second one at once. */
export async function main(version: string): Promise<number> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  // A reader that has seen enough, such as `head`, is no failure.
  process.stdout.on('error', ({ code }: { code?: string }) => {
    if (code !== 'EPIPE') process.stderr.write(`The output cannot be written (${code}).\n`);
    process.exit(code === 'EPIPE' ? exitCodes.success : exitCodes.failure);
  });
  const { stdin, stdout, stderr, env } = process;
  return runCli(process.argv.slice(2), { stdin, stdout, stderr, env }, version, stop.signal);
}
