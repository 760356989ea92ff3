import { asCompanyId } from '../../platform/db/company-scope.ts';
import { countChange, writeCompany, writeShared } from '../../platform/db/write.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { NoContent, portalOperation } from '../../platform/http/portal/operation.ts';
import { insertAudit } from '../activity/record.ts';
import type { Routes } from '../context.ts';
import { RequestBody, ResetBody } from './contract.ts';
import { type Account, listAccounts } from './credentials.ts';
import { deleteSessions, deleteSessionsOf, recordPasswordChange } from './end-sessions.ts';
import { listProvenMemberships, listSiblings, lockAddress } from './memberships.ts';
import { queueNotice, queueResetLink } from './notices.ts';
import { assertGoodPassword } from './password-rules.ts';
import type { SignInDeps } from './session.ts';
import { lockPassword, updatePassword, userEmailKey } from './store.ts';
import { countAttempt } from './throttle.ts';
import { deleteTokens, useToken } from './tokens.ts';

const noMail = () =>
  new ApiError(
    'mail-not-configured',
    'This service sends no mail. Ask an admin of your company for a link to choose a new password.',
  );

const notOpen = () => new ApiError('not-found', 'This link has expired or was used. Request a new one.');

/** Lets users who forgot their password choose a new one, by a link that is mailed to them. */
export const resetRoutes =
  ({ trail }: SignInDeps): Routes =>
  (app, context) => {
    const { db, clock, mail } = context;

    const sendLink = (account: Account) =>
      writeCompany(db, account.companyId, (tx) => queueResetLink(tx, context, account));

    app.post(
      '/auth/request-password-reset',
      portalOperation({
        id: 'requestPasswordReset',
        summary: 'Request a link to choose a new password',
        description: 'The response is the same whether or not the address has an account.',
        access: 'public',
        limit: 'invitation',
        body: RequestBody,
        response: { 204: NoContent },
        problems: ['mail-not-configured', 'sign-in-throttled'],
      }),
      async (request, reply) => {
        if (!mail.isConfigured) throw noMail();
        const email = userEmailKey(request.body.email);
        await countAttempt(db, `password reset ${email}`);
        // After the response, whose time would otherwise reveal whether there is something to write.
        trail.runLater(request, async () => {
          // The memberships of one account have one password, so one link is enough.
          const proven = new Set((await listProvenMemberships(db, email)).map(({ userId }) => userId));
          const accounts = await listAccounts(db, email);
          const first = accounts.find(({ userId }) => proven.has(userId));
          for (const account of accounts) if (account === first || !proven.has(account.userId)) await sendLink(account);
        });
        return reply.code(204).send();
      },
    );

    app.post(
      '/auth/reset-password',
      portalOperation({
        id: 'resetPassword',
        summary: 'Choose a new password with a mailed link',
        description: 'Ends all sessions of the user.',
        access: 'public',
        limit: 'invitation',
        body: ResetBody,
        response: { 204: NoContent },
        problems: ['not-found'],
      }),
      async (request, reply) => {
        const { token, newPassword } = request.body;
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
          const others = await updatePassword(tx, user, newPassword);
          const sessions = await deleteSessions(tx, user.id);
          await deleteSessionsOf(
            tx,
            others.map((one) => one.userId),
          );
          const by = { actor: { type: 'user', name: user.id }, at: clock.now() } as const;
          const action = isByAdmin ? 'user.password-by-link' : 'user.password-by-mail';
          const entry = { action, target: user.id, detail: { sessions }, ...by };
          await insertAudit(tx, account.companyId, entry);
          await queueNotice(tx, context, account, { template: 'password-changed', values: {} });
          await countChange(tx, account.companyId);
          return others;
        });
        await recordPasswordChange(db, siblings, clock.now());
        return reply.code(204).send();
      },
    );
  };
