import { sql } from 'kysely';
import { Type } from 'typebox';
import { createMessage } from '../../domain/messages/message.ts';
import { asCompanyId } from '../../platform/db/company-scope.ts';
import { countChange, writeCompany, writeShared } from '../../platform/db/write.ts';
import { ApiError, notFound } from '../../platform/http/errors.ts';
import { findLanguage } from '../../platform/http/portal/language.ts';
import { insertAudit } from '../activity/record.ts';
import type { Account } from '../caller.ts';
import { mailLanguageTo } from '../notices/texts.ts';
import { portalRoutes } from '../portal-route.ts';
import {
  type AccessSettings,
  AccessSettingsBody,
  MembershipsSchema,
  RequestBody,
  ResetBody,
  SwitchBody,
} from './contract.ts';
import { listAccounts, listProvenMemberships, listSiblings, lockAddress } from './memberships.ts';
import { queueNotice, queueResetLink } from './notices.ts';
import { assertGoodPassword } from './password-rules.ts';
import { proveAddress } from './prove-address.ts';
import { hasFactor } from './second-factor.ts';
import type { SignIn } from './session.ts';
import {
  assertPasswordAllowed,
  deleteSessions,
  lockPassword,
  markSignedIn,
  recordPasswordChange,
  replacePassword,
  userEmailKey,
} from './store.ts';
import { countAttempt } from './throttle.ts';
import { deleteTokens, insertToken, useToken } from './tokens.ts';

const proofMinutes = 24 * 60;

const wrongToken = () => new ApiError('not-found', createMessage('address-link-wrong'));

/** Serves the account of a signed-in user: the companies that it opens, and the proof of its address. */
export const membershipRoutes = portalRoutes<SignIn>((route, { config, db, clock, mail, trail }) => {
  route('GET /memberships', {
    summary: 'List the companies of your account',
    access: 'read',
    data: MembershipsSchema,
    async handle({ user, session }) {
      const { id, email, company } = user;
      const proven = await listProvenMemberships(db, email);
      const isProven = proven.some(({ userId }) => userId === id);
      const mayLeave = isProven && session.method !== 'single-sign-on';
      const others = mayLeave ? proven.filter(({ userId, hash }) => userId !== id && hash !== null) : [];
      // One statement per company: on a Citus cluster they are on different machines.
      const named = others.map(({ companyId }) =>
        db
          .selectFrom('companies as c')
          .select(['c.id', 'c.name'])
          .where('c.id', '=', companyId)
          .executeTakeFirstOrThrow(),
      );
      const companies = [{ id: company.id, name: company.name }, ...(await Promise.all(named))];
      companies.sort((one, other) => one.name.localeCompare(other.name) || one.id - other.id);
      return { companies, isProven, mayProve: !isProven && mail.isConfigured };
    },
  });

  route('POST /memberships/switch', {
    summary: 'Continue in another company of your account',
    description: 'This session then belongs to the other company. It does not become longer.',
    access: 'read',
    body: SwitchBody,
    problems: ['not-found', 'sso-required'],
    async handle({ request, user, session, body }) {
      const siblings = await listSiblings(db, user);
      const target = siblings.find(({ companyId, hash }) => companyId === body.companyId && hash !== null);
      if (target === undefined) throw notFound('company in your account');
      await assertPasswordAllowed(db, target);
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
          detail: trail.originOf(request),
        });
      });
    },
  });

  route('POST /auth/prove-address', {
    summary: 'Mail a link that proves your address',
    access: 'read',
    problems: ['not-found', 'sign-in-throttled'],
    async handle({ user, write }) {
      const { id, email, companyId, company } = user;
      if (!mail.isConfigured) {
        const remedy = 'Ask the operator to record the proof with the command user prove-address.';
        throw new ApiError('not-found', `This service sends no mail. ${remedy}`);
      }
      await countAttempt(db, `prove-address ${id}`);
      await write(async (tx) => {
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
    },
  });

  route('POST /auth/prove-address/:token', {
    summary: 'Prove your address with a mailed link',
    description:
      'Needs a session of the same user, so that nobody adds the account of another person to their own. Ends all other sessions.',
    access: 'read',
    params: Type.Object({ token: Type.String({ maxLength: 100 }) }),
    problems: ['not-found', 'sign-in-throttled'],
    async handle({ user, account, session, params, by, write }) {
      const { id, email, companyId } = user;
      await write(async (tx) => {
        if ((await useToken(tx, 'prove-address', params.token)) !== id) throw wrongToken();
        await proveAddress(tx, companyId, { id, email, sessionId: session.id, by });
        // The account may have a second factor that this session has not used.
        if (await hasFactor(tx, account)) await deleteSessions(tx, id);
      });
    },
  });
});

const noMail = () =>
  new ApiError(
    'mail-not-configured',
    'This service sends no mail. Ask an admin of your company for a link to choose a new password.',
  );

const notOpen = () => new ApiError('not-found', 'This link has expired or was used. Request a new one.');

/** Lets users who forgot their password choose a new one, by a link that is mailed to them. */
export const resetRoutes = portalRoutes<SignIn>((route, context) => {
  const { db, clock, mail } = context;

  const sendLink = (account: Account) =>
    writeCompany(db, account.companyId, (tx) => queueResetLink(tx, context, account));

  route('POST /auth/request-password-reset', {
    summary: 'Request a link to choose a new password',
    description: 'The response is the same whether or not the address has an account.',
    access: 'public',
    limit: 'invitation',
    body: RequestBody,
    problems: ['mail-not-configured', 'sign-in-throttled'],
    async handle({ request, body }) {
      if (!mail.isConfigured) throw noMail();
      const email = userEmailKey(body.email);
      await countAttempt(db, `password reset ${email}`);
      // After the response, whose time would otherwise reveal whether there is something to write.
      const sendLinks = async () => {
        const accounts = await listAccounts(db, email);
        // The memberships of one account have one password, so one link is enough.
        const first = accounts.find(({ isProven }) => isProven);
        for (const account of accounts) if (account === first || !account.isProven) await sendLink(account);
      };
      context.trail.runLater(sendLinks, (error) =>
        request.log.error({ err: error }, 'password reset could not be mailed'),
      );
    },
  });

  route('POST /auth/reset-password', {
    summary: 'Choose a new password with a mailed link',
    access: 'public',
    limit: 'invitation',
    body: ResetBody,
    problems: ['not-found'],
    async handle({ body }) {
      const { token, newPassword } = body;
      const siblings = await writeShared(db, async (tx) => {
        const mailedTo = await useToken(tx, 'password-reset', token);
        const id = mailedTo ?? (await useToken(tx, 'password-reset by admin', token));
        if (id === undefined) throw notOpen();
        await deleteTokens(tx, 'password-reset', id);
        const user = await tx
          .selectFrom('portal_users')
          .select(['id', 'company_id', 'email'])
          .where('id', '=', id)
          .where('removed_at', 'is', null)
          .executeTakeFirst();
        // A user who was disabled meanwhile has no password and gets none this way.
        if (user === undefined || (await lockPassword(tx, user.id)) === undefined) throw notOpen();
        await lockAddress(tx, user.email);
        const isByAdmin = mailedTo === undefined;
        // The user has joined another company meanwhile, about which that admin does not decide.
        if (isByAdmin && (await listSiblings(tx, user)).length > 0) throw notOpen();
        await assertGoodPassword(newPassword, user.email, '/newPassword');
        const account = { userId: user.id, companyId: asCompanyId(user.company_id) };
        const replaced = await replacePassword(tx, user, newPassword);
        const by = { actor: { type: 'user', name: user.id }, at: clock.now() } as const;
        const action = isByAdmin ? 'user.password-by-link' : 'user.password-by-mail';
        const entry = { action, target: user.id, detail: { sessions: replaced.sessions }, ...by };
        await insertAudit(tx, account.companyId, entry);
        await queueNotice(tx, context, account, { template: 'password-changed', values: {} });
        await countChange(tx, account.companyId);
        return replaced.siblings;
      });
      await recordPasswordChange(db, siblings, clock.now());
    },
  });
});

const listSettingChanges = (current: AccessSettings, wanted: AccessSettings) =>
  (['secondFactorRequired', 'sessionIdleMinutes'] as const)
    .map((setting) => ({ setting, from: current[setting], to: wanted[setting] }))
    .filter(({ from, to }) => from !== to);

/** The rules of a company for the access of its users. */
export const accessSettingsRoutes = portalRoutes((route) => {
  route('GET /settings/access', {
    summary: 'Get the rules for access',
    access: 'settings',
    data: AccessSettingsBody,
    handle: ({ user }) => user.policy,
  });

  route('POST /settings/access', {
    summary: 'Change the rules for access',
    description: 'Users without a second factor must add one before anything else.',
    access: 'settings',
    stepUp: true,
    body: AccessSettingsBody,
    data: AccessSettingsBody,
    async handle({ companyId, body: wanted, by, write }) {
      await write(async (tx) => {
        const current = await tx
          .selectFrom('companies as c')
          .select(['c.second_factor_required as secondFactorRequired', 'c.session_idle_minutes as sessionIdleMinutes'])
          .where('c.id', '=', companyId)
          .forUpdate()
          .executeTakeFirstOrThrow();
        await tx
          .updateTable('companies')
          .set({ second_factor_required: wanted.secondFactorRequired, session_idle_minutes: wanted.sessionIdleMinutes })
          .where('id', '=', companyId)
          .execute();
        for (const detail of listSettingChanges(current, wanted)) {
          await insertAudit(tx, companyId, { action: 'company.change-setting', target: detail.setting, detail, ...by });
        }
      });
      return wanted;
    },
  });
});
