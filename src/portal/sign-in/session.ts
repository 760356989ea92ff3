import type { FastifyReply, FastifyRequest } from 'fastify';
import { insertAudit } from '../../audit.ts';
import type { AppContext } from '../../context.ts';
import { asCompanyId, type CompanyId } from '../../db/company-scope.ts';
import type { Db } from '../../db/database.ts';
import { writeCompany } from '../../db/write.ts';
import { describeDevice } from '../../domain/device.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { ApiError, unavailable } from '../../errors.ts';
import { networkOf } from '../../http/rate-limit.ts';
import { isPasswordAllowed } from '../password-policy.ts';
import { type Auth, authPath, clientAddressHeader } from './auth.ts';
import type { Account } from './credentials.ts';
import { rememberNetwork } from './known-networks.ts';
import { queueNotice } from './notices.ts';
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
  createdAt: Date;
  /** To the minute. Null in the database: since an earlier release, which only noted when it prolonged the session. */
  lastUsedAt: Date;
  /** Whether `lastUsedAt` is stored. */
  isUseStored: boolean;
  steppedUpAt: Date | undefined;
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
  if (!user || !session) return undefined;
  const { id, createdAt, updatedAt, lastUsedAt, steppedUpAt } = session;
  return {
    ...{ id, companyId: asCompanyId(user.companyId), userId: user.id, createdAt },
    ...{ lastUsedAt: lastUsedAt ?? updatedAt, isUseStored: lastUsedAt != null, steppedUpAt: steppedUpAt ?? undefined },
  };
}

/** Stores that the user has proven within the session who they are. */
export async function markSteppedUp(db: Db, sessionId: string): Promise<void> {
  await db
    .updateTable('portal_sessions')
    .set({ stepped_up_at: new Date().toISOString() })
    .where('id', '=', sessionId)
    .execute();
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
  context: Pick<AppContext, 'config' | 'db' | 'clock' | 'mail' | 'encryption'>;
  trail: SignInTrail;
}

/** Records a sign-in, and sends the user a mail if it comes from a new network. */
async function recordSignIn(
  { context, trail }: SignInDeps,
  request: FastifyRequest,
  { userId, companyId }: Account,
): Promise<void> {
  const { config, db, clock } = context;
  await writeCompany(db, companyId, async (tx) => {
    await markSignedIn(tx, companyId, userId, config.sessionLifetimeDays);
    await insertAudit(tx, companyId, {
      action: 'session.sign-in',
      target: userId,
      actor: { type: 'user', name: userId },
      at: clock.now(),
      detail: trail.originOf(request),
    });
    if (await rememberNetwork(tx, userId, trail.originOf(request).network)) {
      const device = describeDevice(request.headers['user-agent']) ?? '?';
      const values = { network: networkOf(request.ip), device };
      await queueNotice(tx, context, { userId, companyId }, { template: 'new-sign-in', values });
    }
  });
}

/** Signs the browser in to an account that an identity provider or a passkey has confirmed. */
export async function startSessionOf(
  deps: SignInDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  account: Account,
): Promise<void> {
  const body = { userId: account.userId };
  const { headers } = (await deps.auth.api.startSessionOf({
    ...{ body, headers: headersOf(request), returnHeaders: true },
  } as never)) as unknown as { headers: Headers };
  await recordSignIn(deps, request, account);
  forwardCookies({ headers }, reply);
}

/**
 * Signs the browser in to an account. Returns false if this is not its password. Throws if the company does not allow
 * passwords.
 */
export async function startSession(
  deps: SignInDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { userId, companyId, password }: Account & { password: string },
): Promise<boolean> {
  const {
    auth,
    context: { config, db },
  } = deps;
  if (!(await isPasswordAllowed(db, { userId, companyId }))) {
    throw new ApiError('sso-required', createMessage('sso-company-requires'));
  }
  const response = await callAuth({ auth, config }, request, '/sign-in/email', {
    email: signInNameOf(userId),
    password,
  });
  if (!response.ok) return false;
  await recordSignIn(deps, request, { userId, companyId });
  forwardCookies(response, reply);
  return true;
}
