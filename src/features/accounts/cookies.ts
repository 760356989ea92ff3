import type { FastifyRequest } from 'fastify';
import type { Config } from '../../platform/config/config.ts';

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

/** Returns the header that sets a cookie, which no script can read and no form of another site sends. */
export const formatCookie = ({ publicUrl }: Pick<Config, 'publicUrl'>, { name, value, path, seconds }: Cookie) =>
  `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${publicUrl.startsWith('https:') ? '; Secure' : ''}`;
