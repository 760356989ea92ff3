import { createHmac, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../platform/config/config.ts';
import { type KeyedHash, sameHash } from '../keys/credentials.ts';

/**
 * Cookies are read and written here: with a fixed set of attributes and values that need no escaping, that is less code
 * than the options of @fastify/cookie would be.
 */

export type Site = Pick<Config, 'publicUrl'>;

/** Returns the value of a cookie of the request. */
export const readCookie = ({ headers }: FastifyRequest, name: string) =>
  headers.cookie
    ?.split(';')
    .map((one) => one.trim())
    .find((one) => one.startsWith(`${name}=`))
    ?.slice(name.length + 1);

interface Cookie {
  name: string;
  value: string;
  path: string;
  seconds: number;
}

const isSecure = ({ publicUrl }: Site) => publicUrl.startsWith('https:');

/** Returns the name of a cookie that browsers accept from secure pages only, where the service has such. */
export const secureName = (site: Site, name: string) => `${isSecure(site) ? '__Secure-' : ''}${name}`;

/** Returns the header that sets a cookie, which no script can read and no form of another site sends. */
export const formatCookie = (site: Site, { name, value, path, seconds }: Cookie) =>
  `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure(site) ? '; Secure' : ''}`;

/** How long a session lasts without use. */
export const idleDays = 7;

export type SessionCookie = ReturnType<typeof createSessionCookie>;

/** Writes and reads the cookie of sessions: a random token with an HMAC, as release 0.3.0 does. */
export function createSessionCookie(site: Site, secret: string) {
  const name = secureName(site, 'transit.session_token');
  const sign = (token: string) => encodeURIComponent(createHmac('sha256', secret).update(token).digest('base64'));
  const write = (reply: FastifyReply, value: string, seconds: number) =>
    void reply.header('set-cookie', formatCookie(site, { name, value, path: '/', seconds }));
  return {
    /** Returns the token of the request, if this service has signed it. */
    read(request: FastifyRequest): string | undefined {
      const [token = '', signature = ''] = (readCookie(request, name) ?? '').split('.');
      return sameHash(Buffer.from(signature), Buffer.from(sign(token))) ? token : undefined;
    },
    set: (reply: FastifyReply, token: string) => write(reply, `${token}.${sign(token)}`, idleDays * 86_400),
    clear: (reply: FastifyReply) => write(reply, '', 0),
  };
}

const deviceCookie = 'transit.device';
/** How many users of one browser are remembered. */
const maxUsers = 5;
const deviceSeconds = 180 * 86_400;

export type KnownDevices = ReturnType<typeof createKnownDevices>;

/**
 * Recognises browsers from which an address has signed in before, by a cookie that only this service can create (OWASP:
 * device cookies). Their wrong passwords are counted on their own, so that guesses of strangers do not lock them out.
 * Libraries for sign-in count per address or per client only, with which anybody could lock a known address out.
 */
export function createKnownDevices(site: Site, keyedHash: KeyedHash) {
  const signatureOf = (email: string, device: string) => keyedHash(`device ${device} of ${email}`);
  const isOf = (token: string, email: string) => {
    const [device = '', signature = ''] = token.split('.');
    return sameHash(Buffer.from(signature), Buffer.from(signatureOf(email, device)));
  };
  const tokensOf = (request: FastifyRequest) => (readCookie(request, deviceCookie) ?? '').split('~').slice(0, maxUsers);
  const find = (request: FastifyRequest, email: string) => tokensOf(request).find((token) => isOf(token, email));
  return {
    /** Returns the name of the browser. Undefined: the address has not signed in from it. */
    find: (request: FastifyRequest, email: string) => find(request, email)?.split('.')[0],
    /** Returns the cookie by which the browser is known to the address from now on. */
    remember(request: FastifyRequest, email: string): string {
      const known = find(request, email);
      const device = randomBytes(16).toString('base64url');
      const token = known ?? `${device}.${signatureOf(email, device)}`;
      const others = tokensOf(request).filter((one) => one !== '' && one !== known);
      const value = [token, ...others].slice(0, maxUsers).join('~');
      return formatCookie(site, { name: deviceCookie, value, path: '/portal/api', seconds: deviceSeconds });
    },
  };
}
