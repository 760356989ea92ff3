import { text } from 'node:stream/consumers';
import { OperatorError } from '../operator-error.ts';
import { maxPasswordLength, minPasswordLength } from '../portal/contract.ts';
import { describeWeakness } from '../portal/sign-in/password-rules.ts';

/** Without the line end that `echo` and the Enter key add. */
const readStdin = async () => (await text(process.stdin)).replace(/\r?\n$/, '');

/**
 * Reads a new password from standard input: arguments are seen by everybody who lists the processes and stay in the shell's
 * history. `given`: the value of `--password`, which is still accepted. Never repeats it: what is refused may be nearly right.
 */
export async function readNewPassword(given: string | undefined, email: string): Promise<string> {
  const [name, password] = given === undefined ? ['The password', await readStdin()] : ['--password', given];
  if (password === '') {
    throw new OperatorError('The password is missing. Type it and end with Ctrl+D, or pipe it into the command.');
  }
  const { length } = [...password];
  if (length < minPasswordLength || length > maxPasswordLength) {
    throw new OperatorError(`${name} must have ${minPasswordLength} to ${maxPasswordLength} characters.`);
  }
  const weakness = describeWeakness(password, email);
  if (weakness !== undefined) throw new OperatorError(`${name} ${weakness}.`);
  return password;
}
