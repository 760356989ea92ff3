import { Secret, TOTP } from 'otpauth';

/** Codes of authenticator apps (RFC 6238): SHA-1, six digits, thirty seconds, which are the defaults of the library. */

/** Returns random bytes in base 32, the form in which apps accept a secret. */
export const createSecret = (bytes = 20) => new Secret({ size: bytes }).base32;

/** Returns the time step of a code, if it is later than that of the last accepted code. Undefined: the code is wrong. */
export function findStep(
  secret: string,
  code: string,
  { now, after }: { now: number; after: number },
): number | undefined {
  // A step before and after the current one is accepted, because clocks differ and people type slowly.
  const totp = new TOTP({ secret });
  const delta = totp.validate({ token: code, timestamp: now, window: 1 });
  const step = delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
  return step !== undefined && step > after ? step : undefined;
}

/** Returns the address by which apps take over a secret, also as a QR code. */
export const totpUri = (secret: string, { issuer, account }: { issuer: string; account: string }) =>
  new TOTP({ secret, issuer, label: account }).toString();
