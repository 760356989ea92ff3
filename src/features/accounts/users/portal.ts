import { Type } from 'typebox';
import { createMessage } from '../../../domain/messages/message.ts';
import { ApiError, notFound } from '../../../platform/http/errors.ts';
import { portalOperation } from '../../../platform/http/portal/operation.ts';
import { DataOf, IdParams } from '../../../platform/http/schemas.ts';
import { presentOptionalTimestamp, presentTimestamp } from '../../../platform/http/view.ts';
import { insertAudit } from '../../activity/record.ts';
import type { Routes } from '../../context.ts';
import { type KeyOfUser, listKeysOf } from '../../keys/keys.ts';
import { mailLanguageOf } from '../../notices/language.ts';
import { listEndpointsOf } from '../../webhooks/list-endpoints.ts';
import { contextOf, userOf } from '../guard.ts';
import { createResetLink, queueNotice, queueResetLink } from '../notices.ts';
import { endSessions, lockPassword, userEmailKey } from '../store.ts';
import { setRoles } from './change-roles.ts';
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
import { assertOnlyHere, lockNamed } from './named-user.ts';
import { resetSecondFactor } from './reset-access.ts';
import { findUser, findUserId, lockUser, presentUsers } from './store.ts';

/**
 * Returns whether to revoke a key: as the admin decided, or by default for a key that was created after the admin
 * opened the page.
 */
const decisionOf =
  ({ revokeKeys, keepKeys }: RemoveUserBody) =>
  (key: KeyOfUser) =>
    revokeKeys.includes(key.username) || (isRevokedByDefault(key) && !keepKeys.includes(key.username));

export const userRoutes: Routes = (app, context) => {
  const { config, db, mail } = context;
  app.get(
    '/users',
    portalOperation({
      summary: 'List users and open invitations',
      access: 'users',
      response: { 200: DataOf(UsersSchema) },
    }),
    async (request) => {
      const { companyId } = userOf(request);
      const invitations = await listInvitations(db, companyId);
      return {
        data: {
          users: await presentUsers(db, companyId),
          invitations: invitations.map(({ expires_at, ...invitation }) => ({
            ...invitation,
            expiresAt: presentTimestamp(expires_at),
          })),
        },
      };
    },
  );

  app.post(
    '/users/invitations',
    portalOperation({
      summary: 'Invite a user',
      description:
        'Replaces an open invitation to the same address. Mails the link if the operator has configured a mail server.',
      access: 'users',
      stepUp: true,
      body: InvitationBody,
      response: { 201: DataOf(NewInvitationSchema) },
      problems: ['email-taken', 'too-many-invitations'],
    }),
    async (request) => {
      const { id, name, company } = userOf(request);
      const { companyId, by, write } = contextOf(request, context, 'users');
      const { email, roles } = request.body;
      const isMailed = mail.isConfigured;
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
      return { data: { link: isMailed ? null : made.url, expiresAt: presentTimestamp(made.expiresAt) } };
    },
  );

  app.delete(
    '/users/invitations/:id',
    portalOperation({
      summary: 'Withdraw an invitation',
      access: 'users',
      params: IdParams('invitation'),
      problems: ['not-found'],
    }),
    async (request) => {
      const { companyId, by, write } = contextOf(request, context);
      const revoked = await write((tx) => revokeInvitations(tx, companyId, request.params, by));
      if (revoked === 0) throw notFound('open invitation');
    },
  );

  app.post(
    '/users/:userId/roles',
    portalOperation({
      summary: 'Change the roles of a user',
      access: 'users',
      stepUp: true,
      params: UserParams,
      body: RolesBody,
      problems: ['not-found', 'last-admin'],
    }),
    async (request) => {
      await setRoles(contextOf(request, context), request.params, request.body.roles);
    },
  );

  app.get(
    '/users/:userId/keys',
    portalOperation({
      summary: 'List the API keys that a user created or knows',
      access: 'users',
      params: UserParams,
      response: { 200: DataOf(Type.Array(UserKeySchema)) },
      problems: ['not-found'],
    }),
    async (request) => {
      const { companyId } = userOf(request);
      const { userId } = request.params;
      if ((await findUser(db, companyId, userId)) === undefined) throw notFound('user');
      const keys = await listKeysOf(db, companyId, userId);
      return {
        data: keys.map(({ username, name, last_used_at, isOnlyTheirs }) => ({
          username,
          name,
          lastUsedAt: presentOptionalTimestamp(last_used_at),
          isOnlyTheirs,
        })),
      };
    },
  );

  app.get(
    '/users/:userId/webhook-endpoints',
    portalOperation({
      summary: 'List the webhook endpoints that a user created, changed or knows the secret of',
      access: 'users',
      params: UserParams,
      response: { 200: DataOf(Type.Array(UserEndpointSchema)) },
      problems: ['not-found'],
    }),
    async (request) => {
      const { companyId } = userOf(request);
      const { userId } = request.params;
      if ((await findUser(db, companyId, userId)) === undefined) throw notFound('user');
      const endpoints = await listEndpointsOf(db, companyId, userId);
      return {
        data: endpoints.map(({ id, url, description, state }) => ({ id, host: new URL(url).host, description, state })),
      };
    },
  );

  app.post(
    '/users/:userId/end-sessions',
    portalOperation({
      summary: 'End all sessions of a user',
      access: 'users',
      params: UserParams,
      response: { 200: DataOf(EndedSessionsSchema) },
      problems: ['not-found'],
    }),
    async (request) => {
      const { companyId, by, write } = contextOf(request, context);
      const sessions = await write(async (tx) => {
        const { id: userId } = await lockNamed(tx, companyId, request.params);
        return endSessions(tx, companyId, { userId, by });
      });
      return { data: { sessions } };
    },
  );

  app.post(
    '/users/:userId/reset-second-factor',
    portalOperation({
      summary: 'Remove the second factor of a user who has lost it',
      description: 'Ends all sessions of the user. Not for an account that opens other companies too.',
      access: 'users',
      stepUp: true,
      params: UserParams,
      problems: ['not-found', 'account-shared'],
    }),
    async (request) => {
      await resetSecondFactor(contextOf(request, context), request.params, (tx, account) =>
        queueNotice(tx, context, account, { template: 'second-factor-changed', values: { change: 'reset-by-admin' } }),
      );
    },
  );

  app.post(
    '/users/:userId/reset-link',
    portalOperation({
      summary: 'Create a link with which a user chooses a new password',
      description:
        'Mailed to the user, or shown to the admin where the service sends no mail. Then not for an account that opens other companies too.',
      access: 'users',
      stepUp: true,
      params: UserParams,
      response: { 201: DataOf(ResetLinkSchema) },
      problems: ['not-found', 'account-shared'],
    }),
    async (request) => {
      const { companyId, by, write } = contextOf(request, context);
      const data = await write(async (tx) => {
        const user = await lockUser(tx, companyId, request.params.userId);
        if (user === undefined || (await lockPassword(tx, user.id)) === undefined)
          throw notFound('user with a password');
        const account = { userId: user.id, companyId };
        if (!mail.isConfigured) await assertOnlyHere(tx, user);
        const made = mail.isConfigured
          ? { link: null, expiresAt: await queueResetLink(tx, context, account) }
          : await createResetLink(tx, config, account);
        const detail = { name: user.name };
        await insertAudit(tx, companyId, { action: 'user.reset-link', target: user.id, detail, ...by });
        return { ...made, expiresAt: presentTimestamp(made.expiresAt.toString()) };
      });
      return { data };
    },
  );

  app.post(
    '/users/:userId/remove',
    portalOperation({
      summary: 'Remove a user',
      description: 'A key in neither list is revoked if no other user knows it.',
      access: 'users',
      stepUp: true,
      params: UserParams,
      body: RemoveUserBody,
      problems: ['not-found', 'last-admin'],
    }),
    async (request) => {
      const { disableEndpoints } = request.body;
      const options = { how: 'remove', isRevoked: decisionOf(request.body), disableEndpoints } as const;
      await closeAccount(contextOf(request, context), request.params, options);
    },
  );
};
