import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { CliStreams } from '../../../platform/cli/define.ts';
import { OperatorError } from '../../../platform/config/operator-error.ts';
import { maxPasswordLength, minPasswordLength } from '../../../platform/http/portal/schemas.ts';
import { describeWeakness } from '../password-rules.ts';

type PasswordStreams = Pick<CliStreams, 'stdin' | 'stderr'>;

/** Prompts at a terminal without echoing the input. */
async function promptForPassword({ stdin, stderr }: PasswordStreams): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output: silent, terminal: true });
  stderr.write('Password: ');
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    stderr.write('\n');
  }
}

/** Removes the line break that `echo` adds. */
const readStdin = async (streams: PasswordStreams) =>
  streams.stdin.isTTY ? promptForPassword(streams) : (await text(streams.stdin)).replace(/\r?\n$/, '');

/**
 * Reads a new password from standard input, because arguments are visible to every user who lists the processes and
 * stay in the shell history. `given`: the value of `--password`, which is still accepted. Never prints the password,
 * because a refused one may be nearly right.
 */
export async function readNewPassword(
  given: string | undefined,
  email: string,
  streams: PasswordStreams,
): Promise<string> {
  const [name, password] = given === undefined ? ['The password', await readStdin(streams)] : ['--password', given];
  if (password === '') {
    throw new OperatorError('The password is missing. Type it when asked, or pipe it into the command.');
  }
  const { length } = [...password];
  if (length < minPasswordLength || length > maxPasswordLength) {
    throw new OperatorError(`${name} must have ${minPasswordLength} to ${maxPasswordLength} characters.`);
  }
  const weakness = await describeWeakness(password, email);
  if (weakness !== undefined) throw new OperatorError(`${name} ${weakness}.`);
  return password;
}
