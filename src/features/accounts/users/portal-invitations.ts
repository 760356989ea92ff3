import { randomUUID } from 'node:crypto';
import { createMessage } from '../../../domain/messages/message.ts';
import { parseToken } from '../../../platform/crypto/company-token.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { writeCompany } from '../../../platform/db/write.ts';
import { ApiError, unavailable } from '../../../platform/http/errors.ts';
import { portalRoutes } from '../../portal-route.ts';
import { listProvenMemberships, lockAddress } from '../memberships.ts';
import { assertGoodPassword } from '../password-rules.ts';
import { verifyPassword } from '../passwords.ts';
import { hasFactor } from '../second-factor.ts';
import { type SignIn, startSession } from '../session.ts';
import { assertPasswordAllowed } from '../store.ts';
import { countAttempt, withdrawAttempt } from '../throttle.ts';
import { AcceptInvitationBody, InvitationSchema, JoinBody, TokenParams } from './contract.ts';
import { insertUser, type NewUser } from './insert-user.ts';
import { findInvitation, useInvitation } from './invitations.ts';

const notOpen = () => new ApiError('not-found', createMessage('invitation-not-open'));

const hasAccountAlready = () => new ApiError('email-taken', createMessage('account-exists'));

/** Returns name and password of the account of an address, or undefined if there is none that can sign in. */
async function findAccountPassword(db: Db | Tx, email: string): Promise<{ name: string; hash: string } | undefined> {
  const memberships = await listProvenMemberships(db, email);
  return memberships.flatMap(({ name, hash }) => (hash === null ? [] : [{ name, hash }]))[0];
}

/** Creates the user of an invitation. Throws if the company already has a user with the address. */
async function insertInvited(
  tx: Tx,
  companyId: CompanyId,
  user: NewUser & { id: string },
  at: Temporal.Instant,
): Promise<string> {
  const by = { actor: { type: 'user', name: user.id }, at } as const;
  await assertPasswordAllowed(tx, { companyId, userId: user.id });
  if ((await insertUser(tx, companyId, user, by)) !== undefined) return user.id;
  throw new ApiError('email-taken', createMessage('account-email-taken', { email: user.email }));
}

/** Serves visitors who are not signed in. The token in the link is their only credential. */
export const invitationRoutes = portalRoutes<SignIn>((route, context) => {
  const { db, clock } = context;
  route('GET /invitations/:token', {
    summary: 'Get an invitation',
    access: 'public',
    limit: 'invitation',
    params: TokenParams,
    data: InvitationSchema,
    problems: ['not-found'],
    async handle({ params }) {
      const token = parseToken(params.token);
      const invitation = token && (await findInvitation(db, token));
      if (invitation === undefined) throw notOpen();
      const { isMailed, ...data } = invitation;
      const hasAccount = isMailed && (await findAccountPassword(db, data.email)) !== undefined;
      return { ...data, hasAccount };
    },
  });

  route('POST /invitations/:token', {
    summary: 'Accept an invitation',
    description: 'Creates the account and signs in. For an address that has no account yet.',
    access: 'public',
    limit: 'invitation',
    params: TokenParams,
    body: AcceptInvitationBody,
    problems: ['not-found', 'email-taken', 'sso-required'],
    async handle({ request, reply, params, body }) {
      const token = parseToken(params.token);
      if (token === undefined) throw notOpen();
      const name = body.name.trim();
      const { password } = body;
      const { companyId } = token;
      const userId = await writeCompany(db, companyId, async (tx) => {
        const invitation = await useInvitation(tx, token);
        if (invitation === undefined) throw notOpen();
        const { email, roles, isMailed } = invitation;
        await assertGoodPassword(password, email, '/password');
        await lockAddress(tx, email);
        if (isMailed && (await findAccountPassword(tx, email)) !== undefined) throw hasAccountAlready();
        const user = { id: randomUUID(), name, password, email, roles, isProven: isMailed };
        return insertInvited(tx, companyId, user, clock.now());
      });
      if (!(await startSession(context, request, reply, { userId, companyId }))) {
        throw unavailable('Your account was created, but you cannot be signed in at the moment. Sign in later.');
      }
    },
  });

  route('POST /invitations/:token/join', {
    summary: 'Accept an invitation with an account',
    description: 'Adds the company to the account of the address and signs in. Only for a link that was mailed.',
    access: 'public',
    limit: 'invitation',
    params: TokenParams,
    body: JoinBody,
    problems: ['not-found', 'email-taken', 'sign-in-failed', 'sso-required', 'sign-in-throttled'],
    async handle({ request, reply, params, body }) {
      const token = parseToken(params.token);
      const invitation = token && (await findInvitation(db, token));
      if (token === undefined || invitation?.isMailed !== true) throw notOpen();
      const { email } = invitation;
      const { password } = body;
      const { companyId } = token;
      // Counted like a sign-in, so that an invitation gives no further guesses.
      const attempt = `sign-in ${email}`;
      await countAttempt(db, attempt);
      const known = await findAccountPassword(db, email);
      if (known === undefined || !(await verifyPassword({ hash: known.hash, password }))) {
        context.trail.logFailure(request, email, 'sign-in failed');
        throw new ApiError('sign-in-failed', 'The password is wrong. Enter the password of your account.');
      }
      await withdrawAttempt(db, attempt);
      const userId = await writeCompany(db, companyId, async (tx) => {
        const used = await useInvitation(tx, token);
        if (used === undefined) throw notOpen();
        await lockAddress(tx, email);
        const account = await findAccountPassword(tx, email);
        if (account?.hash !== known.hash) throw new ApiError('sign-in-failed', 'The password was changed. Try again.');
        const user = { id: randomUUID(), name: known.name, email, roles: used.roles, isProven: true };
        return insertInvited(tx, companyId, { ...user, password: { hash: known.hash } }, clock.now());
      });
      // Users with a second factor sign in with it.
      if (await hasFactor(db, { userId, companyId })) return;
      if (!(await startSession(context, request, reply, { userId, companyId }))) {
        throw unavailable('You have joined, but you cannot be signed in at the moment. Sign in later.');
      }
    },
  });
});
