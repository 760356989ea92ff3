import type { FastifyReply, FastifyRequest } from 'fastify';
import { insertAudit } from '../../audit.ts';
import type { AppContext } from '../../context.ts';
import { asCompanyId, type CompanyId } from '../../db/company-scope.ts';
import { writeCompany } from '../../db/write.ts';
import { unavailable } from '../../errors.ts';
import { type Auth, authPath, clientAddressHeader } from './auth.ts';
import type { Account } from './credentials.ts';
import { markSignedIn } from './queries.ts';
import { signInNameOf } from './sign-in-names.ts';
import type { SignInTrail } from './trail.ts';

/** Returns only the headers that better-auth needs from a request. */
function headersOf(request: FastifyRequest): Headers {
  const headers = new Headers({ [clientAddressHeader]: request.ip });
  for (const name of ['cookie', 'user-agent'] as const) {
    const value = request.headers[name];
    if (value !== undefined) headers.set(name, value);
  }
  return headers;
}

/**
 * Passes on only the cookies of a better-auth response. Its body contains the session's token, which pages need not
 * see.
 */
export function forwardCookies({ headers }: Pick<Response, 'headers'>, reply: FastifyReply): void {
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) reply.header('set-cookie', cookies);
}

export interface Session {
  id: string;
  companyId: CompanyId;
  userId: string;
}

interface SessionOptions {
  auth: Auth;
  context: Pick<AppContext, 'config' | 'db'>;
}

/** Sessions expire by real time, even where the environment's clock was moved. */
const isOlderThan = (days: number, createdAt: Date) => Date.now() - createdAt.getTime() >= days * 24 * 60 * 60 * 1000;

/**
 * Returns the session of the request's cookie. With `reply`, a use more than a day after the last renewal prolongs the
 * session, but never beyond its absolute lifetime. After that the session is deleted.
 */
export async function findSession(
  { auth, context: { config, db } }: SessionOptions,
  request: FastifyRequest,
  reply?: FastifyReply,
): Promise<Session | undefined> {
  if (request.headers.cookie === undefined) return undefined;
  const query = { disableRefresh: reply === undefined };
  const found = await auth.api.getSession({ headers: headersOf(request), query, returnHeaders: true }).catch(() => {
    // better-auth has hidden the cause. A session consists only of database rows, so the database must have failed.
    throw unavailable('Your session cannot be checked at the moment. Try again.');
  });
  const { user, session } = found.response ?? {};
  if (user && session && isOlderThan(config.sessionLifetimeDays, session.createdAt)) {
    await db.deleteFrom('portal_sessions').where('id', '=', session.id).execute();
    return undefined;
  }
  if (reply) forwardCookies(found, reply);
  return user && session && { id: session.id, companyId: asCompanyId(user.companyId), userId: user.id };
}

/**
 * Passes a request to better-auth. The guard has already checked its origin, so this sends that origin, and better-auth
 * checks it again.
 */
export async function callAuth(
  { auth, config }: { auth: Auth; config: AppContext['config'] },
  request: FastifyRequest,
  path: string,
  body: object = {},
): Promise<Response> {
  const { origin } = new URL(config.publicUrl);
  const headers = headersOf(request);
  headers.set('origin', origin);
  headers.set('content-type', 'application/json');
  const response = await auth.handler(
    new Request(`${origin}${authPath}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
  );
  if (response.status >= 500) throw unavailable('Signing in is not possible at the moment. Try again.');
  return response;
}

/** Dependencies of the sign-in routes. */
export interface SignInDeps {
  auth: Auth;
  context: Pick<AppContext, 'config' | 'db' | 'clock'>;
  trail: SignInTrail;
}

/** Signs the browser in to an account. Returns false if this is not its password. */
export async function startSession(
  { auth, context: { config, db, clock }, trail }: SignInDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { userId, companyId, password }: Account & { password: string },
): Promise<boolean> {
  const response = await callAuth({ auth, config }, request, '/sign-in/email', {
    email: signInNameOf(userId),
    password,
  });
  if (!response.ok) return false;
  await writeCompany(db, companyId, async (tx) => {
    await markSignedIn(tx, companyId, userId, config.sessionLifetimeDays);
    await insertAudit(tx, companyId, {
      action: 'session.sign-in',
      target: userId,
      actor: { type: 'user', name: userId },
      at: clock.now(),
      detail: trail.originOf(request),
    });
  });
  forwardCookies(response, reply);
  return true;
}
