import { createMessage, type Message } from '../../../domain/messages/message.ts';
import { type Encryption, nameSecretOf } from '../../../platform/crypto/encryption.ts';
import type { SyncTarget } from '../../roster/target.ts';
import type { Connector, Credentials } from '../providers/connector.ts';

const maxLength = 20_000;

/** Returns the credentials of the connector's fields, or everything that is wrong with them. Quotes no value. */
export function checkCredentials(value: unknown, connector: Connector): Credentials | Message[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [createMessage('credentials-object')];
  const given = value as Record<string, unknown>;
  const names = connector.credentialFields.map(({ name }) => name);
  const wrong = Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => {
      const values = { name: name.slice(0, 50), system: connector.title, names: names.join(', ') };
      return createMessage('credentials-unknown', values);
    });
  const credentials: Record<string, string | number> = {};
  for (const { name, isOptional, kind } of connector.credentialFields) {
    const field = given[name];
    if (field === undefined || field === null || field === '') {
      if (!isOptional) wrong.push(createMessage('credentials-missing', { name }));
    } else if (kind === 'port') {
      const port = Number(field);
      if (Number.isInteger(port) && port > 0 && port < 65_536) credentials[name] = port;
      else wrong.push(createMessage('credentials-port', { name }));
    } else if (typeof field !== 'string' || field.trim() === '' || field.length > maxLength || field.includes('\0')) {
      wrong.push(createMessage('credentials-text', { name, limit: maxLength }));
    } else credentials[name] = field.trim();
  }
  if (wrong.length > 0) return wrong;
  const problem = connector.findCredentialProblem?.(credentials);
  return problem === undefined ? credentials : [problem];
}

const contextOf = ({ companyId, hrIntegrationId }: SyncTarget) =>
  nameSecretOf('hr_connectors', companyId, hrIntegrationId);

export const encryptCredentials = (encryption: Encryption, target: SyncTarget, credentials: Credentials): string =>
  encryption.encrypt(JSON.stringify(credentials), contextOf(target));

export const decryptCredentials = (encryption: Encryption, target: SyncTarget, stored: string): Credentials =>
  JSON.parse(encryption.decrypt(stored, contextOf(target)));
