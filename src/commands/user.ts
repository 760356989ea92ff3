import { roles } from '../domain/vocabulary.ts';
import { isEmail } from '../http/formats.ts';
import { OperatorError } from '../operator-error.ts';
import { maxPasswordLength, minPasswordLength } from '../portal/contract.ts';
import { insertPerson } from '../portal/people/queries.ts';
import { type Arguments, assertCompany, type Command, inTransaction } from './command.ts';

function readEmail(args: Arguments): string {
  const email = args.text('email');
  if (!isEmail(email)) throw new OperatorError(`--email must be an email address, but is "${email}".`);
  return email;
}

/** Not told back: what is refused may be nearly right. */
function readPassword(args: Arguments): string {
  const password = args.text('password');
  const { length } = [...password];
  if (length < minPasswordLength || length > maxPasswordLength) {
    throw new OperatorError(`--password must have ${minPasswordLength} to ${maxPasswordLength} characters.`);
  }
  return password;
}

export const userCreate: Command = {
  usage: 'user create --company ID --email E --password P [--name N] [--role admin|developer|viewer]',
  run: (args, config) => {
    const companyId = args.companyId();
    const email = readEmail(args);
    const password = readPassword(args);
    const name = args.optionalText('name') ?? email.slice(0, email.indexOf('@'));
    const role = args.optionalWord('role', roles) ?? 'admin';
    return inTransaction(config, async (tx) => {
      await assertCompany(tx, companyId);
      const id = await insertPerson(tx, companyId, { name, email, role, password });
      if (id === undefined) throw new OperatorError(`${email} has a portal account already.`);
      return { id };
    });
  },
};
