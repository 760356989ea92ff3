import { Type } from 'typebox';
import { insertAudit } from '../../audit.ts';
import { type KeyOfUser, listKeysOf } from '../../auth/keys.ts';
import type { Routes } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Role } from '../../domain/enums.ts';
import { ApiError, notFound } from '../../errors.ts';
import { IdParams } from '../../http/schemas.ts';
import { presentOptionalTimestamp, presentTimestamp } from '../../http/view.ts';
import {
  type Data,
  InvitationBody,
  isAble,
  type KeyOfPerson,
  RemovePersonBody,
  RoleBody,
  type Users,
} from '../contract.ts';
import { actorOf, holdAbility, type PortalPerson, userOf } from '../guard.ts';
import { endSessions } from '../sign-in/end-sessions.ts';
import { insertInvitation, listInvitations, revokeInvitation, revokeInvitationsOf } from './invitations.ts';
import { closeAccount, isRevokedByDefault } from './leaving.ts';
import { findUser, isUserOf, listUsers, lockUser, updateRole } from './queries.ts';

const PersonParams = Type.Object({ personId: Type.String({ pattern: '^[^\\u0000]*$' }) });

/**
 * Locks a user of the company before their role becomes `next` or, without `next`, before they are removed. Throws if
 * they are the last admin, who can be neither removed nor given another role.
 */
async function lockForChange(tx: Tx, { companyId }: PortalPerson, id: string, next?: Role) {
  const person = await lockUser(tx, companyId, id);
  if (person === undefined) throw notFound('person');
  if (person.isLastAdmin && next !== 'admin') {
    throw new ApiError('last-admin', `${person.name} is the only admin; make somebody else admin first.`);
  }
  return person;
}

/**
 * Returns whether to revoke a key: as the admin decided, or by default for a key that was created after the admin
 * opened the page.
 */
const decisionOf =
  ({ revokeKeys, keepKeys }: RemovePersonBody) =>
  (key: KeyOfUser) =>
    revokeKeys.includes(key.username) || (isRevokedByDefault(key) && !keepKeys.includes(key.username));

export const userRoutes: Routes = (app, { config, db, clock }) => {
  app.get(
    '/people',
    { config: { portal: 'people' }, schema: { hide: true } },
    async (request): Promise<Data<Users>> => {
      const { companyId } = userOf(request);
      const people = await listUsers(db, companyId);
      const invitations = await listInvitations(db, companyId);
      return {
        data: {
          people: people.map(({ last_sign_in_at, has_password, ...person }) => ({
            ...person,
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
    '/people/invitations',
    { config: { portal: 'people' }, schema: { hide: true, body: InvitationBody } },
    async (request, reply): Promise<Data<{ link: string; expiresAt: string }>> => {
      const { id, companyId } = userOf(request);
      const { email, role } = request.body;
      const by = { actor: actorOf(request), at: clock.now() };
      const made = await db.transaction().execute(async (tx) => {
        await holdAbility(tx, request, 'people');
        if (await isUserOf(tx, companyId, email)) {
          throw new ApiError('email-taken', `${email} belongs to somebody of your company already.`);
        }
        return insertInvitation(tx, companyId, { email, role, invitedBy: id }, by);
      });
      reply.code(201);
      const link = `${config.publicUrl}/invitation/${made.token}`;
      return { data: { link, expiresAt: presentTimestamp(made.expiresAt) } };
    },
  );

  app.delete(
    '/people/invitations/:id',
    { config: { portal: 'people' }, schema: { hide: true, params: IdParams('invitation') } },
    async (request, reply) => {
      const { companyId } = userOf(request);
      const by = { actor: actorOf(request), at: clock.now() };
      const revoked = await db.transaction().execute((tx) => revokeInvitation(tx, companyId, request.params.id, by));
      if (!revoked) throw notFound('open invitation');
      return reply.code(204).send();
    },
  );

  app.post(
    '/people/:personId/role',
    { config: { portal: 'people' }, schema: { hide: true, params: PersonParams, body: RoleBody } },
    async (request, reply) => {
      const { companyId } = userOf(request);
      const { role } = request.body;
      await db.transaction().execute(async (tx) => {
        const { id, name, role: before } = await lockForChange(tx, userOf(request), request.params.personId, role);
        if (before === role) return;
        await updateRole(tx, companyId, id, role);
        const detail = { name, from: before, to: role };
        const by = { actor: actorOf(request), at: clock.now() };
        await insertAudit(tx, companyId, { action: 'person.role', target: id, detail, ...by });
        // An invitation that they sent as an admin would let them return as an admin.
        if (!isAble(role, 'people')) await revokeInvitationsOf(tx, companyId, id, by);
      });
      return reply.code(204).send();
    },
  );

  app.get(
    '/people/:personId/keys',
    { config: { portal: 'people' }, schema: { hide: true, params: PersonParams } },
    async (request): Promise<Data<KeyOfPerson[]>> => {
      const { companyId } = userOf(request);
      const { personId } = request.params;
      if ((await findUser(db, companyId, personId)) === undefined) throw notFound('person');
      const keys = await listKeysOf(db, companyId, personId);
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
    '/people/:personId/end-sessions',
    { config: { portal: 'people' }, schema: { hide: true, params: PersonParams } },
    async (request): Promise<Data<{ sessions: number }>> => {
      const { companyId } = userOf(request);
      const by = { actor: actorOf(request), at: clock.now() };
      const sessions = await db.transaction().execute(async (tx) => {
        const person = await lockUser(tx, companyId, request.params.personId);
        if (person === undefined) throw notFound('person');
        return endSessions(tx, companyId, { userId: person.id, by });
      });
      return { data: { sessions } };
    },
  );

  app.post(
    '/people/:personId/remove',
    { config: { portal: 'people' }, schema: { hide: true, params: PersonParams, body: RemovePersonBody } },
    async (request, reply) => {
      const { companyId } = userOf(request);
      await db.transaction().execute(async (tx) => {
        const leaver = await lockForChange(tx, userOf(request), request.params.personId);
        const by = { actor: actorOf(request), at: clock.now() };
        await closeAccount(tx, companyId, leaver, { how: 'remove', isRevoked: decisionOf(request.body), by });
      });
      return reply.code(204).send();
    },
  );
};
