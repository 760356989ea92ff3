import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { OperatorError } from '../operator-error.ts';
import { maxPasswordLength, minPasswordLength } from '../portal/contract.ts';
import { describeWeakness } from '../portal/sign-in/password-rules.ts';

/** Prompts at a terminal without echoing the input. */
async function askAtTerminal(): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  process.stderr.write('Password: ');
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

/** Removes the line break that `echo` adds. */
const readStdin = async () =>
  process.stdin.isTTY ? askAtTerminal() : (await text(process.stdin)).replace(/\r?\n$/, '');

/**
 * Reads a new password from standard input, because arguments are visible to every user who lists the processes and
 * stay in the shell history. `given`: the value of `--password`, which is still accepted. Never prints the password,
 * because a refused one may be nearly right.
 */
export async function readNewPassword(given: string | undefined, email: string): Promise<string> {
  const [name, password] = given === undefined ? ['The password', await readStdin()] : ['--password', given];
  if (password === '') {
    throw new OperatorError('The password is missing. Type it when asked, or pipe it into the command.');
  }
  const { length } = [...password];
  if (length < minPasswordLength || length > maxPasswordLength) {
    throw new OperatorError(`${name} must have ${minPasswordLength} to ${maxPasswordLength} characters.`);
  }
  const weakness = describeWeakness(password, email);
  if (weakness !== undefined) throw new OperatorError(`${name} ${weakness}.`);
  return password;
}
