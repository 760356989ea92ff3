import { type KeyName, parseUsername } from '../auth/credentials.ts';
import { insertKey, revokeKey, rotateKey } from '../auth/keys.ts';
import { permissions } from '../domain/enums.ts';
import { OperatorError } from '../operator-error.ts';
import { type Arguments, assertCompany, type Command, inTransaction } from './command.ts';

function instant(args: Arguments, name: string): Temporal.Instant | undefined {
  const text = args.optionalText(name);
  if (text === undefined) return undefined;
  try {
    return Temporal.Instant.from(text);
  } catch {
    throw new OperatorError(`--${name} must be a moment such as 2027-01-01T00:00:00Z, but is "${text}".`);
  }
}

function keyName(args: Arguments): KeyName {
  const username = args.text('username');
  const name = parseUsername(username);
  if (name === undefined) throw new OperatorError(`--username must be the username of a key, but is "${username}".`);
  return name;
}

export const keyCreate: Command = {
  usage: 'key create --company ID --permissions all|a,b,… [--name N] [--expires-at MOMENT]',
  run: (args, config) => {
    const companyId = args.companyId();
    const expiresAt = instant(args, 'expires-at');
    const settings = {
      name: args.optionalText('name') ?? 'Created at the command line',
      permissions: args.words('permissions', permissions),
      ...(expiresAt ? { expiresAt } : {}),
    };
    return inTransaction(config, async (tx) => {
      await assertCompany(tx, companyId);
      return insertKey(tx, config.environment, companyId, settings);
    });
  },
};

export const keyRotate: Command = {
  usage: 'key rotate --username U [--overlap-ends-at MOMENT]   (default: the old password ends in 24 hours)',
  run: (args, config) => {
    const name = keyName(args);
    const overlapEnds = instant(args, 'overlap-ends-at') ?? Temporal.Now.instant().add({ hours: 24 });
    return inTransaction(config, async (tx) => {
      const key = await rotateKey(tx, config.environment, name, overlapEnds);
      if (key === undefined) throw new OperatorError('There is no such key, or it is revoked.');
      return key;
    });
  },
};

export const keyRevoke: Command = {
  usage: 'key revoke --username U',
  run: (args, config) => {
    const name = keyName(args);
    return inTransaction(config, async (tx) => {
      if (!(await revokeKey(tx, name, Temporal.Now.instant())))
        throw new OperatorError('There is no such key, or it is revoked.');
      return { revoked: true };
    });
  },
};
