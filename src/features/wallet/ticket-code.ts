import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign, verify } from 'node:crypto';

/**
 * `TB1.<key id>.<company>.<ticket>.<signature>`, verifiable offline. Short, because Google receives it in a URL. A code
 * that was made outside of production begins with `TB1T`.
 */

export interface TicketClaims {
  companyId: number;
  ticketId: string;
}

export interface TicketSigner {
  keyId: string;
  /** The 32 bytes of the Ed25519 public key in hexadecimal, which no command line mistakes for an option. */
  publicKey: string;
  sign(claims: TicketClaims): string;
}

/** The DER prefixes of the 32 bytes of a seed and of a public key (RFC 8410). */
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex');

const rawOf = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).subarray(publicPrefix.length);
const keyIdOf = (raw: Buffer) => createHash('sha256').update(raw).digest('base64url').slice(0, 6);

/** Creates the signer. Its key is derived from SECRET and never stored, so another SECRET results in another key. */
export function createTicketSigner(secret: string, isTest: boolean): TicketSigner {
  const version = isTest ? 'TB1T' : 'TB1';
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'transit-benefits: ticket codes', 32));
  const key = createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: 'der', type: 'pkcs8' });
  const raw = rawOf(createPublicKey(key));
  const keyId = keyIdOf(raw);
  return {
    keyId,
    publicKey: raw.toString('hex'),
    sign({ companyId, ticketId }) {
      const signed = `${version}.${keyId}.${companyId}.${ticketId}`;
      return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
    },
  };
}

const isPublicKey = (text: string) => /^[\da-f]{64}$/i.test(text);

/** The problem with a code, as a readable sentence, or the claims of a valid code. */
export type TicketVerdict =
  | { problem: string }
  | { problem: null; keyId: string; isTest: boolean; claims: TicketClaims };

/** Verifies a code. Whether the ticket is valid today is in its number. */
export function verifyTicketCode(code: string, publicKey: string): TicketVerdict {
  if (!isPublicKey(publicKey))
    return { problem: 'The public key must be 64 hexadecimal digits, as `ticket public-key` prints them.' };
  const raw = Buffer.from(publicKey, 'hex');
  const [, signed, test, keyId, companyId, ticketId, signature] =
    /^(TB1(T?)\.([\w-]{6})\.(\d{1,15})\.([\w-]{1,100}))\.([\w-]{86})$/.exec(code) ?? [];
  if (signed === undefined || keyId === undefined || ticketId === undefined || signature === undefined) {
    return { problem: 'This is not the code of a ticket.' };
  }
  if (keyId !== keyIdOf(raw)) return { problem: `The code is signed with the key ${keyId}, not with this one.` };
  const key = createPublicKey({ key: Buffer.concat([publicPrefix, raw]), format: 'der', type: 'spki' });
  if (!verify(null, Buffer.from(signed), key, Buffer.from(signature, 'base64url'))) {
    return { problem: 'The signature is invalid: the code was not created by this service, or it was changed.' };
  }
  return { problem: null, keyId, isTest: test === 'T', claims: { companyId: Number(companyId), ticketId } };
}
