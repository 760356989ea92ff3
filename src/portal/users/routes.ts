import { Type } from 'typebox';
import { insertAudit } from '../../audit.ts';
import { type KeyOfUser, listKeysOf } from '../../auth/keys.ts';
import type { Routes } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { writeCompany } from '../../db/write.ts';
import type { Role } from '../../domain/enums.ts';
import { isAble } from '../../domain/roles.ts';
import { ApiError, notFound } from '../../errors.ts';
import { DataOf, IdParams, Reference } from '../../http/schemas.ts';
import { presentOptionalTimestamp, presentTimestamp } from '../../http/view.ts';
import { actorOf, lockAbility, userOf } from '../guard.ts';
import { NoContent, portalOperation } from '../operation.ts';
import { Closed } from '../schemas.ts';
import { endSessions } from '../sign-in/end-sessions.ts';
import { closeAccount, isRevokedByDefault } from './close-account.ts';
import { insertInvitation, listInvitations, revokeInvitation, revokeInvitationsOf } from './invitations.ts';
import { findUser, isUserOf, listUsers, lockUser, type PortalUser, updateRole } from './queries.ts';
import {
  InvitationBody,
  NewInvitationSchema,
  RemoveUserBody,
  RoleBody,
  UserKeySchema,
  UserParams,
  UsersSchema,
} from './schema.ts';

/**
 * Locks a user of the company before their role becomes `next` or, without `next`, before they are removed. Throws if
 * they are the last admin, who can be neither removed nor given another role.
 */
async function lockForChange(tx: Tx, { companyId }: PortalUser, id: string, next?: Role) {
  const user = await lockUser(tx, companyId, id);
  if (user === undefined) throw notFound('user');
  if (user.isLastAdmin && next !== 'admin') {
    throw new ApiError('last-admin', `${user.name} is the only admin. Give another user the role admin first.`);
  }
  return user;
}

/**
 * Returns whether to revoke a key: as the admin decided, or by default for a key that was created after the admin
 * opened the page.
 */
const decisionOf =
  ({ revokeKeys, keepKeys }: RemoveUserBody) =>
  (key: KeyOfUser) =>
    revokeKeys.includes(key.username) || (isRevokedByDefault(key) && !keepKeys.includes(key.username));

export const userRoutes: Routes = (app, { config, db, clock }) => {
  app.get(
    '/users',
    portalOperation({
      id: 'listUsers',
      summary: 'List users and open invitations',
      access: 'users',
      response: { 200: DataOf(Reference(UsersSchema)) },
    }),
    async (request) => {
      const { companyId } = userOf(request);
      const users = await listUsers(db, companyId);
      const invitations = await listInvitations(db, companyId);
      return {
        data: {
          users: users.map(({ last_sign_in_at, has_password, ...user }) => ({
            ...user,
            disabled: !has_password,
            lastSignInAt: presentOptionalTimestamp(last_sign_in_at),
          })),
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
      id: 'invite',
      summary: 'Invite a user',
      description: 'Replaces an open invitation to the same address.',
      access: 'users',
      body: InvitationBody,
      response: { 201: DataOf(Reference(NewInvitationSchema)) },
      problems: ['email-taken'],
    }),
    async (request, reply) => {
      const { id, companyId } = userOf(request);
      const { email, role } = request.body;
      const by = { actor: actorOf(request), at: clock.now() };
      const made = await writeCompany(db, companyId, async (tx) => {
        await lockAbility(tx, request, 'users');
        if (await isUserOf(tx, companyId, email)) {
          throw new ApiError('email-taken', `A user of your company already has the address ${email}.`);
        }
        return insertInvitation(tx, companyId, { email, role, invitedBy: id }, by);
      });
      reply.code(201);
      const link = `${config.publicUrl}/invitation/${made.token}`;
      return { data: { link, expiresAt: presentTimestamp(made.expiresAt) } };
    },
  );

  app.delete(
    '/users/invitations/:id',
    portalOperation({
      id: 'withdrawInvitation',
      summary: 'Withdraw an invitation',
      access: 'users',
      params: IdParams('invitation'),
      response: { 204: NoContent },
      problems: ['not-found'],
    }),
    async (request, reply) => {
      const { companyId } = userOf(request);
      const by = { actor: actorOf(request), at: clock.now() };
      const revoked = await writeCompany(db, companyId, (tx) => revokeInvitation(tx, companyId, request.params.id, by));
      if (!revoked) throw notFound('open invitation');
      return reply.code(204).send();
    },
  );

  app.post(
    '/users/:userId/role',
    portalOperation({
      id: 'setRole',
      summary: 'Change the role of a user',
      access: 'users',
      params: UserParams,
      body: RoleBody,
      response: { 204: NoContent },
      problems: ['not-found', 'last-admin'],
    }),
    async (request, reply) => {
      const { companyId } = userOf(request);
      const { role } = request.body;
      await writeCompany(db, companyId, async (tx) => {
        const { id, name, role: before } = await lockForChange(tx, userOf(request), request.params.userId, role);
        if (before === role) return;
        await updateRole(tx, companyId, id, role);
        const detail = { name, from: before, to: role };
        const by = { actor: actorOf(request), at: clock.now() };
        await insertAudit(tx, companyId, { action: 'user.role', target: id, detail, ...by });
        // An invitation that they sent as an admin would let them return as an admin.
        if (!isAble(role, 'users')) await revokeInvitationsOf(tx, companyId, id, by);
      });
      return reply.code(204).send();
    },
  );

  app.get(
    '/users/:userId/keys',
    portalOperation({
      id: 'listUserKeys',
      summary: 'List the API keys that a user created or knows',
      access: 'users',
      params: UserParams,
      response: { 200: DataOf(Type.Array(Reference(UserKeySchema))) },
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

  app.post(
    '/users/:userId/end-sessions',
    portalOperation({
      id: 'endSessions',
      summary: 'End all sessions of a user',
      access: 'users',
      params: UserParams,
      response: { 200: DataOf(Closed({ sessions: Type.Integer() })) },
      problems: ['not-found'],
    }),
    async (request) => {
      const { companyId } = userOf(request);
      const by = { actor: actorOf(request), at: clock.now() };
      const sessions = await writeCompany(db, companyId, async (tx) => {
        const user = await lockUser(tx, companyId, request.params.userId);
        if (user === undefined) throw notFound('user');
        return endSessions(tx, companyId, { userId: user.id, by });
      });
      return { data: { sessions } };
    },
  );

  app.post(
    '/users/:userId/remove',
    portalOperation({
      id: 'removeUser',
      summary: 'Remove a user',
      description: 'A key in neither list is revoked if no other user knows it.',
      access: 'users',
      params: UserParams,
      body: RemoveUserBody,
      response: { 204: NoContent },
      problems: ['not-found', 'last-admin'],
    }),
    async (request, reply) => {
      const { companyId } = userOf(request);
      await writeCompany(db, companyId, async (tx) => {
        const user = await lockForChange(tx, userOf(request), request.params.userId);
        const by = { actor: actorOf(request), at: clock.now() };
        await closeAccount(tx, companyId, user, { how: 'remove', isRevoked: decisionOf(request.body), by });
      });
      return reply.code(204).send();
    },
  );
};
