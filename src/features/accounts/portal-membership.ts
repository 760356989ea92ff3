import { sql } from 'kysely';
import { Type } from 'typebox';
import { createMessage } from '../../domain/messages/message.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError, notFound } from '../../platform/http/errors.ts';
import { findLanguage } from '../../platform/http/portal/language.ts';
import { NoContent, portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf, Reference } from '../../platform/http/schemas.ts';
import { insertAudit } from '../activity/record.ts';
import type { Routes } from '../context.ts';
import { mailLanguageTo } from '../notices/language.ts';
import { MembershipsSchema, SwitchBody } from './contract.ts';
import { deleteSessions } from './end-sessions.ts';
import { actorOf, sessionOf, userOf } from './guard.ts';
import { listProvenMemberships, listSiblings } from './memberships.ts';
import { isPasswordAllowed } from './password-policy.ts';
import { proveAddress } from './prove-address.ts';
import { hasFactor } from './second-factor.ts';
import { findSession, type SignInDeps } from './session.ts';
import { markSignedIn } from './store.ts';
import { countAttempt } from './throttle.ts';
import { deleteTokens, insertToken, useToken } from './tokens.ts';

const findCompanyName = async (db: Db, id: CompanyId) =>
  (await db.selectFrom('companies as c').select('c.name').where('c.id', '=', id).executeTakeFirst())?.name;

const proofMinutes = 24 * 60;

const wrongToken = () => new ApiError('not-found', createMessage('address-link-wrong'));

/** Serves the account of a signed-in user: the companies that it opens, and the proof of its address. */
export const membershipRoutes =
  (deps: SignInDeps): Routes =>
  (app, { config, db, clock, mail }) => {
    app.get(
      '/memberships',
      portalOperation({
        id: 'listMemberships',
        summary: 'List the companies of your account',
        access: 'read',
        response: { 200: DataOf(Reference(MembershipsSchema)) },
      }),
      async (request) => {
        const { id, email, company } = userOf(request);
        const proven = await listProvenMemberships(db, email);
        const isProven = proven.some(({ userId }) => userId === id);
        const mayLeave = isProven && sessionOf(request).method !== 'single-sign-on';
        const others = mayLeave ? proven.filter(({ userId, hash }) => userId !== id && hash !== null) : [];
        const found = await Promise.all(
          others.map(async ({ companyId }) => ({ id: companyId, name: await findCompanyName(db, companyId) })),
        );
        const companies = [{ id: company.id, name: company.name }, ...found].flatMap(({ id: companyId, name }) =>
          name === undefined ? [] : [{ id: companyId, name }],
        );
        companies.sort((one, other) => one.name.localeCompare(other.name) || one.id - other.id);
        return { data: { companies, isProven, mayProve: !isProven && mail.isConfigured } };
      },
    );

    app.post(
      '/memberships/switch',
      portalOperation({
        id: 'switchCompany',
        summary: 'Continue in another company of your account',
        description: 'This session then belongs to the other company. It does not become longer.',
        access: 'read',
        body: SwitchBody,
        response: { 204: NoContent },
        problems: ['not-found', 'sso-required'],
      }),
      async (request, reply) => {
        const user = userOf(request);
        const session = await findSession(deps, request);
        const siblings = await listSiblings(db, user);
        const target = siblings.find(({ companyId, hash }) => companyId === request.body.companyId && hash !== null);
        if (session === undefined || target === undefined) throw notFound('company in your account');
        if (!(await isPasswordAllowed(db, target))) {
          throw new ApiError('sso-required', createMessage('sso-company-requires'));
        }
        await writeCompany(db, target.companyId, async (tx) => {
          // Checked again in the statement: the membership may have been removed or disabled meanwhile.
          const { rows } = await sql`
            update portal_sessions s set user_id = u.id, updated_at = now()
            from portal_users u join portal_accounts a on a.user_id = u.id and a.provider_id = 'credential'
            where s.id = ${session.id} and s.user_id = ${user.id} and u.id = ${target.userId}
              and u.removed_at is null and u.address_proven_at is not null and u.email = ${user.email}
            returning s.id`.execute(tx);
          if (rows.length === 0) throw notFound('company in your account');
          await markSignedIn(tx, target.companyId, target.userId, config.sessionLifetimeDays);
          await insertAudit(tx, target.companyId, {
            action: 'session.switch',
            target: target.userId,
            actor: { type: 'user', name: target.userId },
            at: clock.now(),
            detail: deps.trail.originOf(request),
          });
        });
        return reply.code(204).send();
      },
    );

    app.post(
      '/auth/prove-address',
      portalOperation({
        id: 'requestAddressProof',
        summary: 'Mail a link that proves your address',
        access: 'read',
        response: { 204: NoContent },
        problems: ['not-found', 'sign-in-throttled'],
      }),
      async (request, reply) => {
        const { id, email, companyId, company } = userOf(request);
        if (!mail.isConfigured) {
          const remedy = 'Ask the operator to record the proof with the command user prove-address.';
          throw new ApiError('not-found', `This service sends no mail. ${remedy}`);
        }
        await countAttempt(db, `prove-address ${id}`);
        await writeCompany(db, companyId, async (tx) => {
          await deleteTokens(tx, 'prove-address', id);
          const { token, expiresAt } = await insertToken(tx, 'prove-address', { value: id, minutes: proofMinutes });
          await mail.queueMail(tx, {
            companyId,
            key: `prove-address/${id}/${Date.parse(expiresAt)}`,
            to: email,
            language: mailLanguageTo({ language: await findLanguage(tx, companyId, id) }, company),
            template: 'verification',
            values: {
              company: company.name,
              url: `${config.publicUrl}/prove-address/${token}`,
              expires: { at: expiresAt, timeZone: company.timeZone },
            },
          });
        });
        return reply.code(204).send();
      },
    );

    app.post(
      '/auth/prove-address/:token',
      portalOperation({
        id: 'proveAddress',
        summary: 'Prove your address with a mailed link',
        description:
          'Needs a session of the same user, so that nobody adds the account of another person to their own. Ends all other sessions.',
        access: 'read',
        params: Type.Object({ token: Type.String({ maxLength: 100 }) }),
        response: { 204: NoContent },
        problems: ['not-found', 'sign-in-throttled'],
      }),
      async (request, reply) => {
        const { id, email, companyId } = userOf(request);
        const sessionId = (await findSession(deps, request))?.id;
        await writeCompany(db, companyId, async (tx) => {
          if ((await useToken(tx, 'prove-address', request.params.token)) !== id) throw wrongToken();
          const by = { actor: actorOf(request), at: clock.now() };
          await proveAddress(tx, companyId, { id, email, sessionId, by });
          // The account may have a second factor that this session has not used.
          if (await hasFactor(tx, { userId: id, companyId })) await deleteSessions(tx, id);
        });
        return reply.code(204).send();
      },
    );
  };
