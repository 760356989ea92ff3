import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { SessionMethod } from '../../domain/enums.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError, notFound } from '../../platform/http/errors.ts';
import { portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf, withoutNul } from '../../platform/http/schemas.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import { insertAudit } from '../activity/record.ts';
import type { Routes } from '../context.ts';
import { ChangePasswordBody, SessionSchema, SignInBody } from './contract.ts';
import { accountOf, actorOf, sessionOf, userOf } from './guard.ts';
import { type Account, findAccount, listAccounts } from './memberships.ts';
import { queueNotice } from './notices.ts';
import { usePasskey } from './passkeys.ts';
import { assertGoodPassword } from './password-rules.ts';
import { verifyPassword } from './passwords.ts';
import { describeDevice } from './rules/device.ts';
import { findFactors, useCode } from './second-factor.ts';
import { findSession, type SignInDeps, startSession } from './session.ts';
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

/** Signs users in and out with a password, and changes it. */
export const signInRoutes =
  (deps: SignInDeps): Routes =>
  (app, context) => {
    const { db, clock, encryption } = context;
    const { cookie, trail, countClient } = deps;
    app.addHook('onClose', () => trail.flush());

    /** An attempt over the limit is a failed authentication as well. */
    const logThrottled = (request: FastifyRequest, email: string) => (error: unknown) => {
      if (error instanceof ApiError) trail.logFailure(request, email, 'throttled');
      throw error;
    };

    /** Counts an attempt to sign in before the password is checked. Returns how to withdraw it. */
    async function count(request: FastifyRequest, attempt: string): Promise<() => Promise<void>> {
      const withdrawCount = countClient(request.ip);
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

    app.post(
      '/auth/sign-in/email',
      portalOperation({
        summary: 'Sign in',
        access: 'public',
        body: SignInBody,
        problems: [
          ...(['sign-in-failed', 'code-required', 'wrong-code', 'sso-required', 'sign-in-throttled'] as const),
          ...(['passkey-required', 'passkey-refused'] as const),
        ],
      }),
      async (request, reply) => {
        const email = userEmailKey(request.body.email);
        const { password } = request.body;
        // Guesses of strangers do not count against a browser from which the user has signed in before.
        const device = deps.devices.find(request, email);
        const attempt = device === undefined ? `sign-in ${email}` : `sign-in ${email} on ${device}`;
        const withdraw = await count(request, attempt).catch(logThrottled(request, email));
        const accounts = await listAccounts(db, email);
        const account = await findAccount(accounts, password, (one) => isPasswordAllowed(db, one));
        const result = account && (await checkFactor(request.body, account));
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
        if (!account || !(await startSession(deps, request, reply, { ...account, method }))) {
          trail.logFailure(request, email, 'sign-in failed');
          trail.recordFailure(request, email, accounts);
          throw failed();
        }
        await withdraw();
      },
    );

    app.post('/auth/sign-out', portalOperation({ summary: 'Sign out', access: 'public' }), async (request, reply) => {
      const session = await findSession(deps, request);
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
    });

    app.post(
      '/auth/change-password',
      portalOperation({
        summary: 'Change your password',
        description: 'Ends all other sessions.',
        access: 'read',
        body: ChangePasswordBody,
        problems: ['wrong-password', 'sign-in-throttled'],
      }),
      async (request, reply) => {
        const { id, companyId, email } = userOf(request);
        const { currentPassword, newPassword } = request.body;
        await assertGoodPassword(newPassword, email, '/newPassword');
        const change = () =>
          writeCompany(db, companyId, async (tx) => {
            const hash = await lockPassword(tx, id);
            if (hash === undefined || !(await verifyPassword({ hash, password: currentPassword }))) return undefined;
            const { siblings, sessions } = await replacePassword(tx, { id, email }, newPassword);
            const by = { actor: actorOf(request), at: clock.now() };
            // The session of this request is replaced by a new one, so it does not count as ended.
            const detail = { sessions: sessions - 1 };
            await insertAudit(tx, companyId, { action: 'user.password', target: id, detail, ...by });
            await queueNotice(tx, context, accountOf(request), { template: 'password-changed', values: {} });
            return siblings;
          });
        const siblings = await limitAttempts(db, `password ${id}`, change).catch(logThrottled(request, email));
        if (siblings === undefined) {
          trail.logFailure(request, email, 'wrong current password');
          throw new ApiError('wrong-password', 'The current password is wrong. Enter it again.');
        }
        await recordPasswordChange(db, siblings, clock.now());
        // If this fails, the password is changed all the same, and the user signs in with the new one.
        await startSession(deps, request, reply, { userId: id, companyId, method: sessionOf(request).method });
      },
    );

    const endOwnSessions = (request: FastifyRequest, exceptId?: string) => {
      const { userId, companyId } = accountOf(request);
      const by = { actor: actorOf(request), at: clock.now() };
      return writeCompany(db, companyId, (tx) => endSessions(tx, companyId, { userId, exceptId, by }));
    };

    app.post(
      '/auth/revoke-other-sessions',
      portalOperation({ summary: 'Sign out everywhere else', anySession: true, access: 'read' }),
      async (request) => {
        await endOwnSessions(request, sessionOf(request).id);
      },
    );

    app.post(
      '/auth/revoke-sessions',
      portalOperation({
        summary: 'Sign out everywhere',
        description: 'Ends the session of this browser as well.',
        anySession: true,
        access: 'read',
      }),
      async (request, reply) => {
        await endOwnSessions(request);
        cookie.clear(reply);
      },
    );
  };

/** Lists and ends the sessions of the signed-in user. */
export const sessionRoutes: Routes = (app, { db, clock }) => {
  app.get(
    '/auth/sessions',
    portalOperation({
      summary: 'List your sessions',
      description: 'Most recently used first.',
      access: 'read',
      response: { 200: DataOf(Type.Array(SessionSchema)) },
    }),
    async (request) => {
      const current = sessionOf(request).id;
      const rows = await db
        .selectFrom('portal_sessions as s')
        .select(['s.id', 's.ip_address', 's.user_agent', 's.created_at', 's.updated_at', 's.last_used_at', 's.method'])
        .where('s.user_id', '=', userOf(request).id)
        .where((eb) => eb('s.expires_at', '>', new Date().toISOString()))
        .execute();
      const sessions = rows.map((row) => ({
        id: row.id,
        device: describeDevice(row.user_agent),
        address: row.ip_address || null,
        signedInAt: presentTimestamp(row.created_at),
        lastUsedAt: presentTimestamp(row.last_used_at ?? row.updated_at),
        method: row.method as SessionMethod | null,
        isCurrent: row.id === current,
      }));
      return { data: sessions.toSorted((a, b) => b.lastUsedAt.localeCompare(a.lastUsedAt)) };
    },
  );

  app.post(
    '/auth/sessions/:sessionId/end',
    portalOperation({
      summary: 'End one of your sessions',
      anySession: true,
      access: 'read',
      params: Type.Object({ sessionId: Type.String({ minLength: 1, maxLength: 100, ...withoutNul }) }),
      problems: ['not-found'],
    }),
    async (request) => {
      const { id: userId, companyId } = userOf(request);
      await writeCompany(db, companyId, async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('portal_sessions')
          .where('id', '=', request.params.sessionId)
          .where('user_id', '=', userId)
          .executeTakeFirst();
        if (numDeletedRows === 0n) throw notFound('session');
        const by = { actor: actorOf(request), at: clock.now() };
        await insertAudit(tx, companyId, { action: 'session.end', target: userId, detail: { sessions: 1 }, ...by });
      });
    },
  );
};
