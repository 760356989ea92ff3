import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '../../domain/enums.ts';
import { asCompanyId, type CompanyId } from '../../platform/db/company-scope.ts';

/**
 * A key is a public username and a secret password (docs/decisions/0004-api-keys.md).
 *   username  tk_<company id>_<random>       identifies the company and the key
 *   password  tbk_<environment>_<256 random bits>_<checksum>   lets scanners recognise it and detect typing errors
 */

export interface KeyName {
  companyId: CompanyId;
  keyId: string;
}

export const usernameOf = ({ companyId, keyId }: KeyName) => `tk_${companyId}_${keyId}`;

export function parseUsername(username: string): KeyName | undefined {
  const match = /^tk_([1-9]\d{0,15})_([0-9a-z]{16})$/.exec(username);
  if (!match?.[1] || !match[2] || Number(match[1]) > Number.MAX_SAFE_INTEGER) return undefined;
  return { companyId: asCompanyId(Number(match[1])), keyId: match[2] };
}

export const createKeyId = () => randomBytes(8).toString('hex');

const checksum = (text: string) => crc32(text).toString(16).padStart(8, '0');

const passwordPrefix = (environment: Environment) => `tbk_${environment}_`;

export function createPassword(environment: Environment): string {
  const body = `${passwordPrefix(environment)}${randomBytes(32).toString('base64url')}`;
  return `${body}_${checksum(body)}`;
}

const otherEnvironment = { staging: 'production', production: 'staging' } as const;

export const belongsTo = (environment: Environment, password: string) =>
  password.startsWith(passwordPrefix(environment));

/** A fast hash is enough: the password has 256 random bits, which cannot be guessed. */
export const hashPassword = (password: string) => createHash('sha256').update(password).digest();

export const sameHash = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b);

export interface Credentials {
  username: string;
  password: string;
}

/** Returns what follows the scheme, or undefined if that is no Base64. */
const encodedPart = (header: string) => /^Basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(header)?.[1];

export function parseBasicHeader(header: string | undefined): Credentials | undefined {
  const encoded = encodedPart(header ?? '');
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

function hasChecksum(password: string): boolean {
  const end = password.lastIndexOf('_');
  return end > 0 && password.slice(end + 1) === checksum(password.slice(0, end));
}

/**
 * Returns why credentials are refused, as far as they show it themselves. What depends on stored keys is one sentence,
 * so that nobody learns which usernames exist, and which keys were revoked or have expired.
 */
export function explainRefusal(header: string | undefined, environment: Environment): string {
  const howTo = 'Send the username and password of an API key as HTTP Basic authentication.';
  if (!header) return `The request has no Authorization header. ${howTo}`;
  if (!/^Basic(?: |$)/i.test(header)) return `The Authorization header does not have the scheme Basic. ${howTo}`;
  if (encodedPart(header) === undefined) {
    return 'What follows Basic in the Authorization header is not Base64. Send base64(username:password).';
  }
  const credentials = parseBasicHeader(header);
  if (credentials === undefined) {
    return 'The decoded Authorization header has no colon. Send base64(username:password).';
  }
  const { username, password } = credentials;
  const other = otherEnvironment[environment];
  if (belongsTo(other, password)) {
    return `This is a key of ${other}, but this service is ${environment}. Use a key of ${environment}, or the address of ${other}.`;
  }
  if (!belongsTo(environment, password) || !hasChecksum(password)) {
    return 'The password is incomplete or mistyped: its checksum is wrong. Copy all of it again, or create a new key.';
  }
  if (parseUsername(username) === undefined) {
    return 'The username is incomplete or mistyped. It has the form tk_<company>_<16 characters>: copy all of it again.';
  }
  return 'There is no valid key with this username and password. It may have been revoked or have expired: check it in the developer portal, or create a new one.';
}

export type KeyedHash = (text: string) => string;

/**
 * Returns a hash that shows which log entries are about the same account or network. Which one it is cannot be found
 * out without SECRET. The key of the hash is derived, so that it reveals nothing about other uses of SECRET.
 */
export function createKeyedHash(secret: string): KeyedHash {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'transit-benefits: accounts in logs', 32));
  return (text) => createHmac('sha256', key).update(text).digest('hex').slice(0, 32);
}
