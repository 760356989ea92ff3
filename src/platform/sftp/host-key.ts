import { createHash } from 'node:crypto';

/**
 * The key of a server as a company gives it: a line of `ssh-keyscan`, the key without the host, or its fingerprint as
 * `ssh-keygen -l` prints it (`SHA256:…`).
 */
export interface HostKey {
  matches(key: Buffer): boolean;
  /** The algorithms that make the server show this key and no other one of its keys. Undefined: any. */
  algorithms: string[] | undefined;
}

const fingerprint = /^SHA256:[A-Za-z0-9+/]{43}=?$/;
const typeOf = /^(ssh-|ecdsa-|sk-)[\w@.-]+$/;

export function parseHostKey(text: string): HostKey | undefined {
  const words = text.trim().split(/\s+/);
  const print = words.find((word) => fingerprint.test(word))?.replace(/=$/, '');
  if (print !== undefined) {
    const hash = (key: Buffer) => `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
    return { matches: (key) => hash(key) === print, algorithms: undefined };
  }
  const type = words.find((word) => typeOf.test(word));
  const encoded = words[type === undefined ? 0 : words.indexOf(type) + 1] ?? '';
  const bytes = Buffer.from(encoded, 'base64');
  const length = bytes.length > 4 ? bytes.readUInt32BE(0) : 0;
  const ownType = length > 0 && length < 64 ? bytes.toString('latin1', 4, 4 + length) : '';
  if (!typeOf.test(ownType) || (type !== undefined && type !== ownType)) return undefined;
  const algorithms = ownType === 'ssh-rsa' ? ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa'] : [ownType];
  return { matches: (key) => key.equals(bytes), algorithms };
}
