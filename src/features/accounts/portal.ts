import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { SessionMethod } from '../../domain/enums.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError, notFound } from '../../platform/http/errors.ts';
import { withoutNul } from '../../platform/http/schemas.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import { insertAudit } from '../activity/record.ts';
import type { Account } from '../caller.ts';
import { portalRoutes } from '../portal-route.ts';
import { ChangePasswordBody, SessionSchema, SignInBody } from './contract.ts';
import { findAccount, listAccounts } from './memberships.ts';
import { queueNotice } from './notices.ts';
import { usePasskey } from './passkeys.ts';
import { assertGoodPassword } from './password-rules.ts';
import { verifyPassword } from './passwords.ts';
import { describeDevice } from './rules/device.ts';
import { findFactors, useCode } from './second-factor.ts';
import { findSession, type SignIn, startSession } from './session.ts';
import {
  endSessions,
  isPasswordAllowed,
  lockPassword,
  recordPasswordChange,
  replacePassword,
  userEmailKey,
} from './store.ts';
import { countAttempt, limitAttempts, withdrawAttempt } from './throttle.ts';

const failed = () => new ApiError('sign-in-failed', 'The address or the password is wrong. Check both and try again.');

/** What to say to a user whose password was right, and whose second factor is missing or wrong. */
const factorProblems = {
  'code-required': 'The password is right. Enter a code of your second factor as well.',
  'passkey-required': 'The password is right. Use your passkey as well.',
  'wrong-code': 'The code is wrong, has expired or was used before. Enter the next one.',
  'passkey-refused': 'This passkey does not belong to the account, or it was not used in time. Try again.',
};

/** Signs users in and out with a password, changes it, and lists and ends their sessions. */
export const signInRoutes = portalRoutes<SignIn>((route, context) => {
  const { db, clock, encryption, cookie, trail } = context;

  /** An attempt over the limit is a failed authentication as well. */
  const logThrottled = (request: FastifyRequest, email: string) => (error: unknown) => {
    if (error instanceof ApiError) trail.logFailure(request, email, 'throttled');
    throw error;
  };

  /** Counts an attempt to sign in before the password is checked. Returns how to withdraw it. */
  async function count(request: FastifyRequest, attempt: string): Promise<() => Promise<void>> {
    const withdrawCount = context.countClient(request.ip);
    await countAttempt(db, attempt);
    return () => {
      withdrawCount();
      return withdrawAttempt(db, attempt);
    };
  }

  /** Returns how the password and the second factor of a sign-in open the account, or what is wrong with the factor. */
  async function checkFactor({ code, passkey }: Static<typeof SignInBody>, account: Account) {
    const { app: holder, passkeyOwners } = await findFactors(db, account);
    if (holder === undefined && passkeyOwners.length === 0) return 'password';
    if (passkey !== undefined) {
      const owner = await usePasskey(context, 'sign-in', passkey);
      return passkeyOwners.some(({ userId }) => userId === owner?.userId) ? 'password-and-factor' : 'passkey-refused';
    }
    if (holder === undefined) return 'passkey-required';
    if (code === undefined) return 'code-required';
    const used = await writeCompany(db, holder.companyId, (tx) => useCode(tx, encryption, holder, code));
    return used === undefined ? 'wrong-code' : 'password-and-factor';
  }

  route('POST /auth/sign-in/email', {
    summary: 'Sign in',
    access: 'public',
    body: SignInBody,
    problems: [
      ...(['sign-in-failed', 'code-required', 'wrong-code', 'sso-required', 'sign-in-throttled'] as const),
      ...(['passkey-required', 'passkey-refused'] as const),
    ],
    async handle({ request, reply, body }) {
      const email = userEmailKey(body.email);
      const { password } = body;
      // Guesses of strangers do not count against a browser from which the user has signed in before.
      const device = context.devices.find(request, email);
      const attempt = device === undefined ? `sign-in ${email}` : `sign-in ${email} on ${device}`;
      const withdraw = await count(request, attempt).catch(logThrottled(request, email));
      const accounts = await listAccounts(db, email);
      const account = await findAccount(accounts, password, (one) => isPasswordAllowed(db, one));
      const result = account && (await checkFactor(body, account));
      if (account && result && result in factorProblems) {
        const problem = result as keyof typeof factorProblems;
        if (problem.endsWith('-required')) await withdraw();
        else {
          trail.logFailure(request, email, problem.replace('-', ' '));
          trail.recordFailure(request, email, [account]);
        }
        throw new ApiError(problem, factorProblems[problem]);
      }
      const method = result as 'password' | 'password-and-factor';
      if (!account || !(await startSession(context, request, reply, { ...account, method }))) {
        trail.logFailure(request, email, 'sign-in failed');
        trail.recordFailure(request, email, accounts);
        throw failed();
      }
      await withdraw();
    },
  });

  route('POST /auth/sign-out', {
    summary: 'Sign out',
    access: 'public',
    async handle({ request, reply }) {
      const session = await findSession(context, request);
      if (session !== undefined) {
        const { id, userId, companyId } = session;
        await writeCompany(db, companyId, async (tx) => {
          const { numDeletedRows } = await tx
            .deleteFrom('portal_sessions')
            .where('id', '=', id)
            .executeTakeFirstOrThrow();
          if (numDeletedRows === 0n) return;
          const by = { actor: { type: 'user', name: userId }, at: clock.now() } as const;
          await insertAudit(tx, companyId, { action: 'session.sign-out', target: userId, ...by });
        });
      }
      cookie.clear(reply);
    },
  });

  route('POST /auth/change-password', {
    summary: 'Change your password',
    access: 'read',
    body: ChangePasswordBody,
    problems: ['wrong-password', 'sign-in-throttled'],
    async handle({ request, reply, user, session, account, body, by, write }) {
      const { id, companyId, email } = user;
      const { currentPassword, newPassword } = body;
      await assertGoodPassword(newPassword, email, '/newPassword');
      const change = () =>
        write(async (tx) => {
          const hash = await lockPassword(tx, id);
          if (hash === undefined || !(await verifyPassword({ hash, password: currentPassword }))) return undefined;
          const { siblings, sessions } = await replacePassword(tx, { id, email }, newPassword);
          // The session of this request is replaced by a new one, so it does not count as ended.
          const detail = { sessions: sessions - 1 };
          await insertAudit(tx, companyId, { action: 'user.password', target: id, detail, ...by });
          await queueNotice(tx, context, account, { template: 'password-changed', values: {} });
          return siblings;
        });
      const siblings = await limitAttempts(db, `password ${id}`, change).catch(logThrottled(request, email));
      if (siblings === undefined) {
        trail.logFailure(request, email, 'wrong current password');
        throw new ApiError('wrong-password', 'The current password is wrong. Enter it again.');
      }
      await recordPasswordChange(db, siblings, clock.now());
      // If this fails, the password is changed all the same, and the user signs in with the new one.
      await startSession(context, request, reply, { userId: id, companyId, method: session.method });
    },
  });

  route('POST /auth/revoke-other-sessions', {
    summary: 'Sign out everywhere else',
    anySession: true,
    access: 'read',
    handle: ({ account: { userId, companyId }, session, by, write }) =>
      write((tx) => endSessions(tx, companyId, { userId, exceptId: session.id, by })),
  });

  route('POST /auth/revoke-sessions', {
    summary: 'Sign out everywhere',
    anySession: true,
    access: 'read',
    async handle({ reply, account: { userId, companyId }, by, write }) {
      await write((tx) => endSessions(tx, companyId, { userId, by }));
      cookie.clear(reply);
    },
  });

  route('GET /auth/sessions', {
    summary: 'List your sessions',
    access: 'read',
    data: Type.Array(SessionSchema),
    async handle({ user, session }) {
      const rows = await db
        .selectFrom('portal_sessions as s')
        .select(['s.id', 's.ip_address', 's.user_agent', 's.created_at', 's.updated_at', 's.last_used_at', 's.method'])
        .where('s.user_id', '=', user.id)
        .where((eb) => eb('s.expires_at', '>', new Date().toISOString()))
        .execute();
      const sessions = rows.map((row) => ({
        id: row.id,
        device: describeDevice(row.user_agent),
        address: row.ip_address || null,
        signedInAt: presentTimestamp(row.created_at),
        lastUsedAt: presentTimestamp(row.last_used_at ?? row.updated_at),
        method: row.method as SessionMethod | null,
        isCurrent: row.id === session.id,
      }));
      return sessions.toSorted((a, b) => b.lastUsedAt.localeCompare(a.lastUsedAt));
    },
  });

  route('POST /auth/sessions/:sessionId/end', {
    summary: 'End one of your sessions',
    anySession: true,
    access: 'read',
    params: Type.Object({ sessionId: Type.String({ minLength: 1, maxLength: 100, ...withoutNul }) }),
    problems: ['not-found'],
    async handle({ user, params, by, write }) {
      const { id: userId, companyId } = user;
      await write(async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('portal_sessions')
          .where('id', '=', params.sessionId)
          .where('user_id', '=', userId)
          .executeTakeFirst();
        if (numDeletedRows === 0n) throw notFound('session');
        await insertAudit(tx, companyId, { action: 'session.end', target: userId, detail: { sessions: 1 }, ...by });
      });
    },
  });
});
