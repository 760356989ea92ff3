import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionMethod } from '../../domain/enums.ts';
import { asCompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { unavailable } from '../../platform/http/errors.ts';
import { networkOf } from '../../platform/http/rate-limit.ts';
import { insertAudit } from '../activity/record.ts';
import type { Account, Session } from '../caller.ts';
import type { AppContext } from '../context.ts';
import { idleDays, type KnownDevices, type SessionCookie } from './cookies.ts';
import { queueNotice } from './notices.ts';
import { describeDevice } from './rules/device.ts';
import { assertPasswordAllowed, markSignedIn, rememberNetwork } from './store.ts';
import type { SignInTrail } from './trail.ts';

const renewAfterDays = 1;
const dayMillis = 24 * 60 * 60 * 1000;

const hashOf = (token: string) => hash('sha256', token, 'hex');

/**
 * Sessions are ours and no framework's (docs/decisions/0071-accounts.md): they belong to a membership of an account, know
 * how and by whose identity provider they were opened, and end with a new password or factor. In a framework, each of
 * these would be a hook against its model. What remains is one table and one cookie.
 */

const expiryOfNow = () => new Date(Date.now() + idleDays * dayMillis).toISOString();

async function findRow(db: Db, token: string) {
  const row = await db
    .selectFrom('portal_sessions as s')
    .innerJoin('portal_users as u', 'u.id', 's.user_id')
    .select(['s.id', 's.user_id', 's.method', 's.connection_company_id', 'u.company_id'])
    .select(['s.created_at', 's.updated_at', 's.expires_at', 's.last_used_at', 's.stepped_up_at'])
    .where('s.token', '=', hashOf(token))
    .executeTakeFirst();
  return row && { ...row, createdAt: new Date(row.created_at), expiresAt: new Date(row.expires_at) };
}

/**
 * Returns the session of the request's cookie. With `reply`, a use more than a day after the last renewal prolongs the
 * session, but never beyond its absolute lifetime. After that the session is deleted. Sessions expire by real time, even
 * where the environment's clock was moved.
 */
export async function findSession(
  { cookie, config, db }: Pick<SignInContext, 'cookie' | 'config' | 'db'>,
  request: FastifyRequest,
  reply?: FastifyReply,
): Promise<Session | undefined> {
  const token = cookie.read(request);
  if (token === undefined) return undefined;
  const row = await findRow(db, token).catch(() => {
    // Not 401, with which the pages would send their user to sign in.
    throw unavailable('Your session cannot be checked at the moment. Try again.');
  });
  const now = Date.now();
  const isLiving =
    row !== undefined &&
    row.expiresAt.getTime() > now &&
    now - row.createdAt.getTime() < config.sessionLifetimeDays * dayMillis;
  if (!isLiving) {
    if (row !== undefined) await db.deleteFrom('portal_sessions').where('id', '=', row.id).execute();
    return undefined;
  }
  const { id, user_id, company_id, connection_company_id, method, createdAt } = row;
  // The identity provider of a company opens that company only.
  if (method === null || (connection_company_id !== null && connection_company_id !== company_id)) return undefined;
  if (reply && row.expiresAt.getTime() - now <= (idleDays - renewAfterDays) * dayMillis) {
    const renewed = { expires_at: expiryOfNow(), updated_at: new Date().toISOString() };
    await db.updateTable('portal_sessions').set(renewed).where('id', '=', id).execute();
    cookie.set(reply, token);
  }
  return {
    ...{ id, companyId: asCompanyId(company_id), userId: user_id, createdAt, method: method as SessionMethod },
    lastUsedAt: new Date(row.last_used_at ?? row.updated_at),
    steppedUpAt: row.stepped_up_at === null ? undefined : new Date(row.stepped_up_at),
  };
}

/** What only the routes have with which users sign in. */
export interface SignIn {
  cookie: SessionCookie;
  trail: SignInTrail;
  devices: KnownDevices;
  /** Counts an attempt of a client. Returns how to withdraw it. */
  countClient: (address: string) => () => void;
}

type SignInContext = Pick<AppContext, 'config' | 'db' | 'clock' | 'mail'> & SignIn;

/** Records a sign-in, and sends the user a mail if it comes from a new network. */
async function recordSignIn(context: SignInContext, request: FastifyRequest, { userId, companyId }: Account) {
  const { config, db, clock, trail } = context;
  const origin = trail.originOf(request);
  await writeCompany(db, companyId, async (tx) => {
    await markSignedIn(tx, companyId, userId, config.sessionLifetimeDays);
    await insertAudit(tx, companyId, {
      action: 'session.sign-in',
      target: userId,
      actor: { type: 'user', name: userId },
      at: clock.now(),
      detail: origin,
    });
    if (await rememberNetwork(tx, userId, origin.network)) {
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
 * Returns the address of an account that can still be opened. Closing it, or changing its password, ends its
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
  context: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { userId, companyId, ...proof }: Account & Proof,
): Promise<boolean> {
  const { db, cookie, devices } = context;
  const { method } = proof;
  const token = randomBytes(24).toString('base64url');
  const id = randomUUID();
  await db
    .insertInto('portal_sessions')
    .values({
      ...{ id, token: hashOf(token), user_id: userId, expires_at: expiryOfNow(), method },
      ...{ ip_address: request.ip, user_agent: request.headers['user-agent'] ?? '' },
      connection_company_id: method === 'single-sign-on' ? companyId : null,
    })
    .execute();
  const email = await findOpenAddress(db, userId, proof);
  if (email === undefined) {
    await db.deleteFrom('portal_sessions').where('id', '=', id).execute();
    return false;
  }
  await recordSignIn(context, request, { userId, companyId });
  cookie.set(reply, token);
  if (method !== 'single-sign-on') reply.header('set-cookie', devices.remember(request, email));
  return true;
}

/** Signs the browser in to an account whose password was right. Throws if the company does not allow passwords. */
export async function startSession(
  context: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
  account: Account & Partial<Proof>,
): Promise<boolean> {
  await assertPasswordAllowed(context.db, account);
  return startSessionOf(context, request, reply, { method: 'password', ...account });
}
