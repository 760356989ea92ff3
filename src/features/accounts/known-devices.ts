import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../platform/config/config.ts';
import type { KeyedHash } from '../keys/keyed-hash.ts';
import { formatCookie, readCookie } from './cookies.ts';

const name = 'transit.device';
/** How many users of one browser are remembered. */
const maxUsers = 5;
const seconds = 180 * 24 * 60 * 60;

/**
 * Recognises browsers from which an address has signed in before, by a cookie that only this service can create (OWASP:
 * device cookies). Their wrong passwords are counted on their own, so that guesses of strangers do not lock them out.
 */
export interface KnownDevices {
  /** Returns the name of the browser. Undefined: the address has not signed in from it. */
  find(request: FastifyRequest, email: string): string | undefined;
  /** Returns the cookie by which the browser is known to the address from now on. */
  remember(request: FastifyRequest, email: string): string;
}

export function createKnownDevices(config: Pick<Config, 'publicUrl'>, keyedHash: KeyedHash): KnownDevices {
  const signatureOf = (email: string, device: string) => keyedHash(`device ${device} of ${email}`);
  const isOf = (token: string, email: string) => {
    const [device = '', signature = ''] = token.split('.');
    const expected = Buffer.from(signatureOf(email, device));
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  const tokensOf = (request: FastifyRequest) => (readCookie(request, name) ?? '').split('~').slice(0, maxUsers);
  const find = (request: FastifyRequest, email: string) => tokensOf(request).find((token) => isOf(token, email));
  return {
    find: (request, email) => find(request, email)?.split('.')[0],
    remember(request, email) {
      const known = find(request, email);
      const device = randomBytes(16).toString('base64url');
      const token = known ?? `${device}.${signatureOf(email, device)}`;
      const others = tokensOf(request).filter((one) => one !== '' && one !== known);
      const value = [token, ...others].slice(0, maxUsers).join('~');
      return formatCookie(config, { name, value, path: '/portal/api', seconds });
    },
  };
}
