import { randomUUID } from 'node:crypto';
import type { Routes } from '../../context.ts';
import { writeCompany } from '../../db/write.ts';
import { ApiError, unavailable } from '../../errors.ts';
import { DataOf, Reference } from '../../http/schemas.ts';
import { NoContent, portalOperation } from '../operation.ts';
import { assertGoodPassword } from '../sign-in/password-rules.ts';
import { type SignInDeps, startSession } from '../sign-in/session.ts';
import { findInvitation, parseInvitationToken, useInvitation } from './invitations.ts';
import { insertUser } from './queries.ts';
import { AcceptInvitationBody, InvitationSchema, TokenParams } from './schema.ts';

const notOpen = () =>
  new ApiError(
    'not-found',
    'This invitation does not exist, has expired, or was used or withdrawn. Ask an admin of the company for a new one.',
  );

/** Serves visitors who have no account yet. The token in the link is their only credential. */
export const invitationRoutes =
  (signIn: SignInDeps): Routes =>
  (app, { db, clock }) => {
    app.get(
      '/invitations/:token',
      portalOperation({
        id: 'getInvitation',
        summary: 'Get an invitation',
        access: 'public',
        limit: 'invitation',
        params: TokenParams,
        response: { 200: DataOf(Reference(InvitationSchema)) },
        problems: ['not-found'],
      }),
      async (request) => {
        const token = parseInvitationToken(request.params.token);
        const invitation = token && (await findInvitation(db, token));
        if (invitation === undefined) throw notOpen();
        const { email, role, company_name: companyName } = invitation;
        return { data: { email, companyName, role } };
      },
    );

    app.post(
      '/invitations/:token',
      portalOperation({
        id: 'acceptInvitation',
        summary: 'Accept an invitation',
        description: 'Creates the account and signs in.',
        access: 'public',
        limit: 'invitation',
        params: TokenParams,
        body: AcceptInvitationBody,
        response: { 204: NoContent },
        problems: ['not-found', 'email-taken'],
      }),
      async (request, reply) => {
        const token = parseInvitationToken(request.params.token);
        if (token === undefined) throw notOpen();
        const name = request.body.name.trim();
        const { password } = request.body;
        const { companyId } = token;
        const userId = await writeCompany(db, companyId, async (tx) => {
          const invitation = await useInvitation(tx, token);
          if (invitation === undefined) throw notOpen();
          assertGoodPassword(password, invitation.email, '/password');
          const user = { id: randomUUID(), name, password, ...invitation };
          const by = { actor: { type: 'user', name: user.id }, at: clock.now() } as const;
          if ((await insertUser(tx, companyId, user, by)) === undefined) {
            const detail = `${user.email} already has an account of this company. Sign in with it.`;
            throw new ApiError('email-taken', detail);
          }
          return user.id;
        });
        if (!(await startSession(signIn, request, reply, { userId, companyId, password }))) {
          throw unavailable('Your account was created, but you cannot be signed in at the moment. Sign in later.');
        }
        return reply.code(204).send();
      },
    );
  };
