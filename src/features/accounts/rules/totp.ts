import { createHmac, timingSafeEqual } from 'node:crypto';

/** Time-based one-time passwords as authenticator apps make them (RFC 6238): SHA-1, six digits, thirty seconds. */

const stepSeconds = 30;
/** Steps before and after the current one that are accepted, because clocks differ and people type slowly. */
const tolerance = 1;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns bytes in base 32 without padding (RFC 4648), the form in which apps accept a secret. */
export function toBase32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

export function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}

/** Returns the six digits of a time step (RFC 4226). */
export function codeOfStep(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) % 16;
  return String((digest.readUInt32BE(offset) % 2 ** 31) % 1_000_000).padStart(6, '0');
}

export const stepAt = (epochMilliseconds: number) => Math.floor(epochMilliseconds / 1000 / stepSeconds);

const isSame = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** Returns the time step of a code, if it is later than that of the last accepted code. Undefined: the code is wrong. */
export function findStep(
  secret: string,
  code: string,
  { now, after }: { now: number; after: number },
): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const current = stepAt(now);
  for (let step = current - tolerance; step <= current + tolerance; step++) {
    if (step > after && isSame(codeOfStep(secret, step), code)) return step;
  }
  return undefined;
}

/** Returns the address by which apps take over a secret, also as a QR code. */
export function totpUri(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  const query = new URLSearchParams({ secret, issuer, algorithm: 'SHA1', digits: '6', period: String(stepSeconds) });
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${query.toString().replaceAll('+', '%20')}`;
}
