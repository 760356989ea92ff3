import type { Permission } from '../../domain/enums.ts';
import type { CommandContext } from '../../platform/cli/define.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import { assertCompany, changeCompany } from '../command-context.ts';
import { updatePushAccess } from '../connectors/push-access.ts';
import { type KeyName, parseUsername } from './credentials.ts';
import { insertKey, revokeKey, rotateKey } from './keys.ts';

function readKeyName(username: string): KeyName {
  const name = parseUsername(username);
  if (name === undefined) throw new OperatorError(`--username must be the username of a key, but is "${username}".`);
  return name;
}

interface CreateOptions {
  company: CompanyId;
  permissions: Permission[];
  name: string | undefined;
  expiresAt: Temporal.Instant | undefined;
}

export function createKey({ company, permissions, name, expiresAt }: CreateOptions, { config }: CommandContext) {
  const settings = {
    name: name ?? 'Created at the command line',
    permissions,
    ...(expiresAt ? { expiresAt } : {}),
  };
  return changeCompany(config, company, async (tx, now) => {
    await assertCompany(tx, company);
    const key = await insertKey(tx, company, { ...settings, environment: config.environment });
    await updatePushAccess(tx, { companyId: company }, now);
    return key;
  });
}

const noKey = () => new OperatorError('There is no such key, or it is revoked: check --username.');

interface RotateOptions {
  username: string;
  overlapEndsAt: Temporal.Instant | undefined;
}

export async function rotate({ username, overlapEndsAt }: RotateOptions, { config }: CommandContext) {
  const name = readKeyName(username);
  const overlapEnds = overlapEndsAt ?? Temporal.Now.instant().add({ hours: 24 });
  return changeCompany(config, name.companyId, async (tx) => {
    const key = await rotateKey(tx, name, { environment: config.environment, overlapEnds });
    if (key === undefined) throw noKey();
    return key;
  });
}

export async function revoke({ username }: { username: string }, { config }: CommandContext) {
  const name = readKeyName(username);
  return changeCompany(config, name.companyId, async (tx, now) => {
    if (!(await revokeKey(tx, name, Temporal.Now.instant()))) throw noKey();
    await updatePushAccess(tx, name, now);
    return { revoked: true };
  });
}
