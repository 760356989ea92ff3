import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAble } from '../../domain/roles.ts';
import type { Db } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/errors.ts';
import type { RateLimiter } from '../../platform/http/rate-limit.ts';
import type { Session } from '../caller.ts';
import { missingRole, notSignedIn, type PortalUser } from '../caller.ts';
import type { AppContext } from '../context.ts';
import type { SessionCookie } from './cookies.ts';
import { findSession } from './session.ts';
import { findUser, lockRoles } from './users/store.ts';

export const isSafe = (method: string) => method === 'GET' || method === 'HEAD';

/** Throws unless the request comes from our own pages. Browsers set these headers, and no page can change them. */
export function assertOwnOrigin({ headers }: FastifyRequest, origin: string): void {
  if (headers.origin === origin || headers['sec-fetch-site'] === 'same-origin') return;
  throw new ApiError('cross-site-request', `Only pages of ${origin} can make changes.`);
}

const minute = 60_000;
/** How long a sign-in or a confirmation counts. */
const stepUpMillis = 15 * minute;

/** Throws unless the user has proven recently who they are. By real time, like everything about sessions. */
function assertSteppedUp({ createdAt, steppedUpAt }: Session): void {
  if (Date.now() - Math.max(createdAt.getTime(), steppedUpAt?.getTime() ?? 0) < stepUpMillis) return;
  throw new ApiError('step-up-required', 'Confirm who you are. Your last sign-in or confirmation is too long ago.');
}

/**
 * Throws if a session that a company's identity provider has opened would change the account: its factors, password,
 * address or company. They protect the other companies of the account as well.
 */
function assertOwnAccount({ method }: Session, { method: verb, routeOptions }: FastifyRequest): void {
  const isAccount = /^\/portal\/api\/(auth|memberships)\//.test(routeOptions.url ?? '');
  if (method !== 'single-sign-on' || isSafe(verb) || !isAccount || routeOptions.config.anySession) return;
  throw new ApiError(
    'account-protected',
    'You signed in at the identity provider of your company, which does not manage your account.',
  );
}

/**
 * Returns whether the user has to add a second factor before anything else. Users who sign in at an identity provider
 * have theirs there.
 */
export const lacksFactor = ({ policy, hasSecondFactor }: PortalUser, { method }: Session) =>
  policy.secondFactorRequired && !hasSecondFactor && method !== 'single-sign-on';

/** Throws if the company requires a second factor that the user does not have, except where they can add it. */
function assertSecondFactor(user: PortalUser, session: Session, path: string): void {
  if (!lacksFactor(user, session) || /^\/portal\/api\/(auth\/|me$)/.test(path)) return;
  throw new ApiError('second-factor-missing', 'Your company requires a second factor. Add one to your account.');
}

/** Notes that a session is used, at most once per minute. Returns false, and ends it, if it was idle for too long. */
async function useSession(db: Db, session: Session, { policy }: PortalUser): Promise<boolean> {
  const idle = Date.now() - session.lastUsedAt.getTime();
  if (idle >= policy.sessionIdleMinutes * minute) {
    await db.deleteFrom('portal_sessions').where('id', '=', session.id).execute();
    return false;
  }
  if (idle >= minute) {
    const last_used_at = new Date().toISOString();
    await db.updateTable('portal_sessions').set({ last_used_at }).where('id', '=', session.id).execute();
  }
  return true;
}

/** Checks where the request comes from, then who makes it, then whether they may. */
export function createPortalGuard(
  cookie: SessionCookie,
  { config, db }: Pick<AppContext, 'config' | 'db'>,
  limiter: RateLimiter,
) {
  const { origin } = new URL(config.publicUrl);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { portal, stepUp } = request.routeOptions.config;
    if (!isSafe(request.method)) assertOwnOrigin(request, origin);
    if (portal === undefined) return;
    const session = await findSession({ cookie, config, db }, request, reply);
    const user = session && (await findUser(db, session.companyId, session.userId));
    if (session === undefined || user === undefined || !(await useSession(db, session, user))) {
      limiter.countFailure(request, reply);
      throw notSignedIn();
    }
    request.user = user;
    request.lockRoles = (tx) => lockRoles(tx, user.companyId, user.id);
    request.portalSession = session;
    limiter.countUser(user, reply);
    if (portal !== 'read' && !isAble(user.roles, portal)) throw missingRole(user.roles);
    assertOwnAccount(session, request);
    assertSecondFactor(user, session, request.routeOptions.url ?? '');
    if (stepUp) assertSteppedUp(session);
  };
}
