import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { OperatorError } from '../config/operator-error.ts';

/** Encrypts secrets of companies (docs/decisions/0034-stored-secrets.md): `enc1.<key id>.<nonce, tag, ciphertext>`. */

export interface Encryption {
  /** `context` names the row, as `nameSecretOf` does: a text copied to another row cannot be decrypted there. */
  encrypt(plain: string, context: string): string;
  /** Throws an operator error if SECRET is not the one with which the text was encrypted, or if the text was changed. */
  decrypt(stored: string, context: string): string;
  isCurrent(stored: string): boolean;
  isKnown(stored: string): boolean;
}

interface Key {
  id: string;
  bytes: Buffer;
}

const version = 'enc1';
const cipher = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

const derive = (secret: string, use: string, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, '', `transit-benefits: ${use}`, length));

/** Derives the key and its id. The id tells a wrong SECRET from a changed text, and reveals nothing about the key. */
const deriveKey = (secret: string): Key => ({
  id: derive(secret, 'id of the key of stored secrets', 6).toString('base64url'),
  bytes: derive(secret, 'stored secrets', 32),
});

export const nameSecretOf = (table: string, companyId: number, id: number | string): string =>
  `${table}/${companyId}/${id}`;

const notReadable = (context: string, reason: string) =>
  new OperatorError(`The secret stored in ${context} cannot be decrypted: ${reason}`);

/** `previous`: the SECRET before a rotation. It only decrypts. */
export function createEncryption(secret: string, previous?: string): Encryption {
  const current = deriveKey(secret);
  const keys = [current, ...(previous === undefined ? [] : [deriveKey(previous)])];

  function encrypt(plain: string, context: string): string {
    const nonce = randomBytes(nonceLength);
    const sealing = createCipheriv(cipher, current.bytes, nonce, { authTagLength: tagLength }).setAAD(
      Buffer.from(context),
    );
    const text = Buffer.concat([sealing.update(plain, 'utf8'), sealing.final()]);
    return `${version}.${current.id}.${Buffer.concat([nonce, sealing.getAuthTag(), text]).toString('base64url')}`;
  }

  function decrypt(stored: string, context: string): string {
    const [format, keyId, body] = stored.split('.');
    if (format !== version || body === undefined) throw notReadable(context, 'its format is unknown. Upgrade first.');
    const key = keys.find(({ id }) => id === keyId);
    if (key === undefined) {
      throw notReadable(
        context,
        'SECRET has changed. Set SECRET_PREVIOUS to the former SECRET, then run "secrets rotate".',
      );
    }
    const bytes = Buffer.from(body, 'base64url');
    const [nonce, tag] = [bytes.subarray(0, nonceLength), bytes.subarray(nonceLength, nonceLength + tagLength)];
    try {
      const opening = createDecipheriv(cipher, key.bytes, nonce, { authTagLength: tagLength })
        .setAAD(Buffer.from(context))
        .setAuthTag(tag);
      return Buffer.concat([opening.update(bytes.subarray(nonceLength + tagLength)), opening.final()]).toString('utf8');
    } catch {
      throw notReadable(context, 'it was changed or moved. Enter the secret again.');
    }
  }

  const isOf = (stored: string, { id }: Key) => stored.startsWith(`${version}.${id}.`);
  return {
    encrypt,
    decrypt,
    isCurrent: (stored) => isOf(stored, current),
    isKnown: (stored) => keys.some((key) => isOf(stored, key)),
  };
}
