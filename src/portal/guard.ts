import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../audit.ts';
import type { AppContext } from '../context.ts';
import type { Tx } from '../db/database.ts';
import type { Role } from '../domain/enums.ts';
import { type Ability, isAble } from '../domain/roles.ts';
import { ApiError } from '../errors.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { Auth } from './sign-in/auth.ts';
import { findSession } from './sign-in/session.ts';
import { findUser, lockRole, type PortalUser } from './users/queries.ts';

declare module 'fastify' {
  interface FastifyRequest {
    user: PortalUser | undefined;
  }
}

/** Returns the signed-in user. Only for handlers of portal routes, which run after the portal's guard. */
export function userOf(request: FastifyRequest): PortalUser {
  if (request.user === undefined) throw new Error('This route is public, so it has no user.');
  return request.user;
}

/** Returns the actor that the audit log names for the changes of this request. */
export const actorOf = (request: FastifyRequest): Actor => ({ type: 'user', name: userOf(request).id });

const missingRole = (role: Role) => new ApiError('missing-role', `Your role, ${role}, does not allow this.`);

const notSignedIn = () => new ApiError('not-signed-in', 'You are not signed in, or your session has ended. Sign in.');

/**
 * Throws unless the user may still do this, and locks their role until the transaction ends. If they are removed or
 * demoted at the same moment, either that comes first and this throws, or it comes later and finds what was created
 * here.
 */
export async function lockAbility(tx: Tx, request: FastifyRequest, ability: Ability): Promise<void> {
  const { companyId, id } = userOf(request);
  const role = await lockRole(tx, companyId, id);
  if (role === undefined) throw notSignedIn();
  if (!isAble(role, ability)) throw missingRole(role);
}

const isSafe = (method: string) => method === 'GET' || method === 'HEAD';

/** Throws unless the request comes from our own pages. Browsers set these headers, and no page can change them. */
function assertOwnOrigin({ headers }: FastifyRequest, origin: string): void {
  if (headers.origin === origin || headers['sec-fetch-site'] === 'same-origin') return;
  throw new ApiError('cross-site-request', `Only pages of ${origin} can make changes.`);
}

/** Checks where the request comes from, then who makes it, then whether they may. */
export function createPortalGuard(auth: Auth, { config, db }: Pick<AppContext, 'config' | 'db'>, limiter: RateLimiter) {
  const { origin } = new URL(config.publicUrl);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { portal } = request.routeOptions.config;
    if (!isSafe(request.method)) assertOwnOrigin(request, origin);
    if (portal === undefined) return;
    const session = await findSession({ auth, context: { config, db } }, request, reply);
    const user = session && (await findUser(db, session.companyId, session.userId));
    if (user === undefined) {
      limiter.countFailure(request, reply);
      throw notSignedIn();
    }
    request.user = user;
    limiter.countUser(user, reply);
    if (portal !== 'read' && !isAble(user.role, portal)) throw missingRole(user.role);
  };
}
