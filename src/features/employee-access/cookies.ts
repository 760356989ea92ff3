import type { FastifyReply, FastifyRequest } from 'fastify';
import { createSecret, hashSecret } from '../../platform/crypto/company-token.ts';
import { asCompanyId, type CompanyId } from '../../platform/db/company-scope.ts';
import { formatCookie, readCookie, type Site, secureName } from '../accounts/cookies.ts';

/** How long a session lasts without use. */
export const idleDays = 90;
/** How long a link works, and the cookie of the browser that asked for it. */
export const linkMinutes = 30;
/** A device holds at most so many employments of one person. */
export const maxEmployments = 8;

/** What the cookie of a session names: the companies of its employments, the current one first, and the token of all. */
export interface DeviceToken {
  companyIds: CompanyId[];
  secret: string;
}

const pattern = /^([1-9]\d{0,14}(?:~[1-9]\d{0,14})*)\.([\w-]{43})$/;

function parseToken(text: string): DeviceToken | undefined {
  const [, ids, secret] = pattern.exec(text) ?? [];
  if (ids === undefined || secret === undefined) return undefined;
  const companyIds = [...new Set(ids.split('~').map(Number))].slice(0, maxEmployments).map(asCompanyId);
  return { companyIds, secret };
}

export type AccessCookies = ReturnType<typeof createAccessCookies>;

/** Writes and reads the cookies of employees. Neither is sent to the portal, and none of the portal's is read. */
export function createAccessCookies(site: Site) {
  const session = secureName(site, 'transit.my');
  const browser = secureName(site, 'transit.my_browser');
  const write = (reply: FastifyReply, value: string, seconds: number) =>
    void reply.header('set-cookie', formatCookie(site, { name: session, value, path: '/my', seconds }));
  return {
    /** Returns what the session cookie of the request names, whether or not there is such a session. */
    read: (request: FastifyRequest) => parseToken(readCookie(request, session) ?? ''),
    set: (reply: FastifyReply, { companyIds, secret }: DeviceToken) =>
      write(reply, `${companyIds.join('~')}.${secret}`, idleDays * 86_400),
    clear: (reply: FastifyReply) => write(reply, '', 0),
    /** Returns the hash by which the browser of the request is recognised. Undefined: it has asked for no link. */
    findBrowser(request: FastifyRequest): Buffer | undefined {
      const value = readCookie(request, browser);
      return value === undefined ? undefined : hashSecret(value);
    },
    /** Makes the browser recognisable for as long as a link works. Its earlier links keep working. Returns the hash. */
    markBrowser(request: FastifyRequest, reply: FastifyReply): Buffer {
      const known = readCookie(request, browser) ?? '';
      const value = /^[\w-]{43}$/.test(known) ? known : createSecret();
      const cookie = { name: browser, value, path: '/my/api/access', seconds: linkMinutes * 60 };
      reply.header('set-cookie', formatCookie(site, cookie));
      return hashSecret(value);
    },
  };
}
