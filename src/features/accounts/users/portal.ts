import { Type } from 'typebox';
import { createMessage } from '../../../domain/messages/message.ts';
import { ApiError, notFound } from '../../../platform/http/errors.ts';
import { IdParams } from '../../../platform/http/schemas.ts';
import { presentOptionalTimestamp, presentTimestamp } from '../../../platform/http/view.ts';
import { insertAudit } from '../../activity/record.ts';
import { type KeyOfUser, listKeysOf } from '../../keys/keys.ts';
import { mailLanguageOf } from '../../notices/texts.ts';
import { portalRoutes } from '../../portal-route.ts';
import { listEndpointsOf } from '../../webhooks/list-endpoints.ts';
import { createResetLink, queueNotice, queueResetLink } from '../notices.ts';
import { endSessions, lockPassword, userEmailKey } from '../store.ts';
import { closeAccount, isRevokedByDefault } from './close-account.ts';
import {
  EndedSessionsSchema,
  InvitationBody,
  NewInvitationSchema,
  RemoveUserBody,
  ResetLinkSchema,
  RolesBody,
  UserEndpointSchema,
  UserKeySchema,
  UserParams,
  UsersSchema,
} from './contract.ts';
import {
  insertInvitation,
  invitationMailKey,
  isInvitationLimitReached,
  listInvitations,
  maxInvitationsPerDay,
  revokeInvitations,
} from './invitations.ts';
import { assertOnlyHere, lockNamed, resetSecondFactor, setRoles } from './manage-users.ts';
import { findUser, findUserId, lockUser, presentUsers } from './store.ts';

/**
 * Returns whether to revoke a key: as the admin decided, or by default for a key that was created after the admin
 * opened the page.
 */
const decisionOf =
  ({ revokeKeys, keepKeys }: RemoveUserBody) =>
  (key: KeyOfUser) =>
    revokeKeys.includes(key.username) || (isRevokedByDefault(key) && !keepKeys.includes(key.username));

export const userRoutes = portalRoutes((route, context) => {
  const { config, db, mail } = context;
  route('GET /users', {
    summary: 'List users and open invitations',
    access: 'users',
    data: UsersSchema,
    async handle({ companyId }) {
      const invitations = await listInvitations(db, companyId);
      return {
        users: await presentUsers(db, companyId),
        invitations: invitations.map(({ expires_at, ...invitation }) => ({
          ...invitation,
          expiresAt: presentTimestamp(expires_at),
        })),
      };
    },
  });

  route('POST /users/invitations', {
    summary: 'Invite a user',
    description:
      'Replaces an open invitation to the same address. Mails the link if the operator has configured a mail server.',
    access: 'users',
    stepUp: true,
    body: InvitationBody,
    status: 201,
    data: NewInvitationSchema,
    problems: ['email-taken', 'too-many-invitations'],
    async handle({ user, companyId, body, by, write }) {
      const { id, name, company } = user;
      const { email, roles } = body;
      const isMailed = mail.reaches(userEmailKey(email));
      const made = await write(async (tx) => {
        if ((await findUserId(tx, companyId, email)) !== undefined) {
          throw new ApiError('email-taken', createMessage('user-email-taken', { email }));
        }
        if (await isInvitationLimitReached(tx, companyId))
          throw new ApiError(
            'too-many-invitations',
            createMessage('too-many-invitations', { limit: maxInvitationsPerDay }),
          );
        const invitation = await insertInvitation(tx, companyId, { email, roles, invitedBy: id, isMailed }, by);
        const url = `${config.publicUrl}/invitation/${invitation.token}`;
        const { timeZone } = company;
        await mail.queueMail(tx, {
          companyId,
          key: invitationMailKey(invitation.id),
          to: userEmailKey(email),
          language: mailLanguageOf(company),
          template: 'invitation',
          values: { company: company.name, inviter: name, url, expires: { at: invitation.expiresAt, timeZone } },
        });
        return { url, expiresAt: invitation.expiresAt };
      });
      return { link: isMailed ? null : made.url, expiresAt: presentTimestamp(made.expiresAt) };
    },
  });

  route('DELETE /users/invitations/:id', {
    summary: 'Withdraw an invitation',
    access: 'users',
    params: IdParams('invitation'),
    problems: ['not-found'],
    async handle({ companyId, params, by, write }) {
      const revoked = await write((tx) => revokeInvitations(tx, companyId, params, by));
      if (revoked === 0) throw notFound('open invitation');
    },
  });

  route('POST /users/:userId/roles', {
    summary: 'Change the roles of a user',
    access: 'users',
    locksUsers: true,
    stepUp: true,
    params: UserParams,
    body: RolesBody,
    problems: ['not-found', 'last-admin'],
    handle: (call) => setRoles(call, call.params, call.body.roles),
  });

  route('GET /users/:userId/keys', {
    summary: 'List the API keys that a user created or knows',
    access: 'users',
    params: UserParams,
    data: Type.Array(UserKeySchema),
    problems: ['not-found'],
    async handle({ companyId, params }) {
      const { userId } = params;
      if ((await findUser(db, companyId, userId)) === undefined) throw notFound('user');
      const keys = await listKeysOf(db, companyId, userId);
      return keys.map(({ username, name, last_used_at, isOnlyTheirs }) => ({
        username,
        name,
        lastUsedAt: presentOptionalTimestamp(last_used_at),
        isOnlyTheirs,
      }));
    },
  });

  route('GET /users/:userId/webhook-endpoints', {
    summary: 'List the webhook endpoints that a user created, changed or knows the secret of',
    access: 'users',
    params: UserParams,
    data: Type.Array(UserEndpointSchema),
    problems: ['not-found'],
    async handle({ companyId, params }) {
      const { userId } = params;
      if ((await findUser(db, companyId, userId)) === undefined) throw notFound('user');
      const endpoints = await listEndpointsOf(db, companyId, userId);
      return endpoints.map(({ id, url, description, state }) => ({ id, host: new URL(url).host, description, state }));
    },
  });

  route('POST /users/:userId/end-sessions', {
    summary: 'End all sessions of a user',
    access: 'users',
    locksUsers: true,
    params: UserParams,
    data: EndedSessionsSchema,
    problems: ['not-found'],
    async handle({ companyId, params, by, write }) {
      const sessions = await write(async (tx) => {
        const { id: userId } = await lockNamed(tx, companyId, params);
        return endSessions(tx, companyId, { userId, by });
      });
      return { sessions };
    },
  });

  route('POST /users/:userId/reset-second-factor', {
    summary: 'Remove the second factor of a user who has lost it',
    description: 'Ends all sessions of the user. Not for an account that opens other companies too.',
    access: 'users',
    locksUsers: true,
    stepUp: true,
    params: UserParams,
    problems: ['not-found', 'account-shared'],
    handle: (call) =>
      resetSecondFactor(call, call.params, (tx, account) =>
        queueNotice(tx, context, account, { template: 'second-factor-changed', values: { change: 'reset-by-admin' } }),
      ),
  });

  route('POST /users/:userId/reset-link', {
    summary: 'Create a link with which a user chooses a new password',
    description:
      'Mailed to the user, or shown to the admin where the service sends no mail. Then not for an account that opens other companies too.',
    access: 'users',
    locksUsers: true,
    stepUp: true,
    params: UserParams,
    status: 201,
    data: ResetLinkSchema,
    problems: ['not-found', 'account-shared'],
    handle: ({ companyId, params, by, write }) =>
      write(async (tx) => {
        const user = await lockUser(tx, companyId, params.userId);
        if (user === undefined || (await lockPassword(tx, user.id)) === undefined)
          throw notFound('user with a password');
        const account = { userId: user.id, companyId };
        const isMailed = mail.reaches(user.email);
        if (!isMailed) await assertOnlyHere(tx, user);
        const made = isMailed
          ? { link: null, expiresAt: await queueResetLink(tx, context, account) }
          : await createResetLink(tx, config, account);
        const detail = { name: user.name };
        await insertAudit(tx, companyId, { action: 'user.reset-link', target: user.id, detail, ...by });
        return { ...made, expiresAt: presentTimestamp(made.expiresAt.toString()) };
      }),
  });

  route('POST /users/:userId/remove', {
    summary: 'Remove a user',
    description: 'A key in neither list is revoked if no other user knows it.',
    access: 'users',
    locksUsers: true,
    stepUp: true,
    params: UserParams,
    body: RemoveUserBody,
    problems: ['not-found', 'last-admin'],
    handle: (call) =>
      closeAccount(call, call.params, {
        how: 'remove',
        isRevoked: decisionOf(call.body),
        disableEndpoints: call.body.disableEndpoints,
      }),
  });
});
