import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionMethod } from '../../domain/enums.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { asCompanyId, type CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError, unavailable } from '../../platform/http/errors.ts';
import { networkOf } from '../../platform/http/rate-limit.ts';
import { insertAudit } from '../activity/record.ts';
import type { AppContext } from '../context.ts';
import { type Auth, authPath, clientAddressHeader } from './auth.ts';
import type { Account } from './credentials.ts';
import type { KnownDevices } from './known-devices.ts';
import { rememberNetwork } from './known-networks.ts';
import { hasIdentity } from './memberships.ts';
import { queueNotice } from './notices.ts';
import { isPasswordAllowed } from './password-policy.ts';
import { describeDevice } from './rules/device.ts';
import { markSignedIn } from './store.ts';
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
function forwardCookies({ headers }: Pick<Response, 'headers'>, reply: FastifyReply): void {
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
  method: SessionMethod;
}

interface SessionOptions {
  auth: Auth;
  context: Pick<AppContext, 'config' | 'db'>;
}

/** Sessions expire by real time, even where the environment's clock was moved. */
const isOlderThan = (days: number, createdAt: Date) => Date.now() - createdAt.getTime() >= days * 24 * 60 * 60 * 1000;

/** Returns how a session was opened that a release without `method` has stored. */
const guessMethod = async (db: Db, userId: string): Promise<SessionMethod> =>
  (await hasIdentity(db, userId)) ? 'single-sign-on' : 'password';

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
  const { id, createdAt, updatedAt, lastUsedAt, steppedUpAt, connectionCompanyId } = session;
  // The identity provider of a company opens that company only.
  if (connectionCompanyId != null && connectionCompanyId !== user.companyId) return undefined;
  return {
    ...{ id, companyId: asCompanyId(user.companyId), userId: user.id, createdAt },
    ...{ lastUsedAt: lastUsedAt ?? updatedAt, isUseStored: lastUsedAt != null, steppedUpAt: steppedUpAt ?? undefined },
    method: (session.method as SessionMethod | null) ?? (await guessMethod(db, user.id)),
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
 * Clears the cookie of a session. The guard has already checked the origin of the request, so this sends that origin,
 * and better-auth checks it again.
 */
export async function clearCookie(
  { auth, config }: { auth: Auth; config: AppContext['config'] },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { origin } = new URL(config.publicUrl);
  const headers = headersOf(request);
  headers.set('origin', origin);
  headers.set('content-type', 'application/json');
  const url = `${origin}${authPath}/sign-out`;
  const response = await auth.handler(new Request(url, { method: 'POST', headers, body: '{}' }));
  if (response.status >= 500) throw unavailable('Signing out is not possible at the moment. Try again.');
  forwardCookies(response, reply);
}

/** Dependencies of the sign-in routes. */
export interface SignInDeps {
  auth: Auth;
  context: Pick<AppContext, 'config' | 'db' | 'clock' | 'mail' | 'encryption'>;
  trail: SignInTrail;
  devices: KnownDevices;
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

/** How a user was authenticated. */
interface Proof {
  method: SessionMethod;
  /** The hash of the password that was right. */
  hash?: string;
}

/**
 * Returns the address of an account that can still be opened. Whoever closes it, or changes its password, ends its
 * sessions afterwards.
 */
async function findOpenAddress(db: Db, userId: string, { method, hash }: Proof): Promise<string | undefined> {
  const row = await db
    .selectFrom('portal_accounts as a')
    .innerJoin('portal_users as u', 'u.id', 'a.user_id')
    .select(['u.email', 'a.password'])
    .where('a.user_id', '=', userId)
    .where('a.provider_id', '=', method === 'single-sign-on' ? 'oidc' : 'credential')
    .executeTakeFirst();
  return row !== undefined && (hash === undefined || row.password === hash) ? row.email : undefined;
}

/**
 * Signs the browser in to an account whose user was authenticated. Returns false if the account was closed, or its
 * password changed, at the same moment.
 */
export async function startSessionOf(
  deps: SignInDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { userId, companyId, ...proof }: Account & Proof,
): Promise<boolean> {
  const { db } = deps.context;
  const { method } = proof;
  const connectionCompanyId = method === 'single-sign-on' ? companyId : null;
  const options = { body: { userId, method, connectionCompanyId }, headers: headersOf(request), returnHeaders: true };
  const started = deps.auth.api.startSessionOf(options as never).catch(() => {
    throw unavailable('Signing in is not possible at the moment. Try again.');
  });
  const { headers, response } = (await started) as unknown as { headers: Headers; response: { id: string } };
  const email = await findOpenAddress(db, userId, proof);
  if (email === undefined) {
    await db.deleteFrom('portal_sessions').where('id', '=', response.id).execute();
    return false;
  }
  await recordSignIn(deps, request, { userId, companyId });
  forwardCookies({ headers }, reply);
  if (method !== 'single-sign-on') reply.header('set-cookie', deps.devices.remember(request, email));
  return true;
}

/** Signs the browser in to an account whose password was right. Throws if the company does not allow passwords. */
export async function startSession(
  deps: SignInDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  account: Account & Partial<Proof>,
): Promise<boolean> {
  if (!(await isPasswordAllowed(deps.context.db, account))) {
    throw new ApiError('sso-required', createMessage('sso-company-requires'));
  }
  return startSessionOf(deps, request, reply, { method: 'password', ...account });
}
