import type { FastifyRequest } from 'fastify';
import type { Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf } from '../../platform/http/schemas.ts';
import { insertAudit } from '../activity/record.ts';
import type { Routes } from '../context.ts';
import type { MailValues } from '../notices/texts.ts';
import {
  ConfirmFactorBody,
  NewSecondFactorSchema,
  RecoveryCodesSchema,
  SecondFactorSchema,
  StepUpBody,
} from './contract.ts';
import { accountOf, actorOf, sessionOf, userOf } from './guard.ts';
import { queueNotice } from './notices.ts';
import { verifyPassword } from './passwords.ts';
import { totpUri } from './rules/totp.ts';
import {
  countRecoveryCodes,
  deleteApp,
  findHolder,
  insertSecret,
  renewRecoveryCodes,
  useCode,
} from './second-factor.ts';
import { markSteppedUp, type SignInDeps } from './session.ts';
import { endUnprotectedSessions, lockPassword } from './store.ts';
import { limitAttempts } from './throttle.ts';

const wrongCode = () =>
  new ApiError(
    'wrong-code',
    'The code is wrong, has expired or was used before. Wait for the next one, then enter it.',
  );

const hasApp = () => new ApiError('second-factor-exists', 'You already have an authenticator app. Remove it first.');

type Change = MailValues['second-factor-changed']['change'];

/** Adds, renews and removes the authenticator app of the signed-in user, and proves within a session who they are. */
export const secondFactorRoutes =
  ({ trail }: SignInDeps): Routes =>
  (app, context) => {
    const { db, clock, encryption } = context;
    async function record(tx: Tx, request: FastifyRequest, change: Change): Promise<void> {
      const account = accountOf(request);
      const by = { actor: actorOf(request), at: clock.now() };
      await insertAudit(tx, account.companyId, { action: `second-factor.${change}`, target: account.userId, ...by });
      await queueNotice(tx, context, account, { template: 'second-factor-changed', values: { change } });
    }

    app.get(
      '/auth/second-factor',
      portalOperation({
        summary: 'Get the state of your authenticator app',
        access: 'read',
        response: { 200: DataOf(SecondFactorSchema) },
      }),
      async (request) => {
        const { policy } = userOf(request);
        const holder = await findHolder(db, accountOf(request));
        const left = holder && (await countRecoveryCodes(db, holder));
        return {
          data: { isEnabled: left !== undefined, isRequired: policy.secondFactorRequired, recoveryCodes: left ?? 0 },
        };
      },
    );

    app.post(
      '/auth/second-factor',
      portalOperation({
        summary: 'Begin to add an authenticator app',
        description: 'It counts once a code of it was entered.',
        access: 'read',
        stepUp: true,
        response: { 201: DataOf(NewSecondFactorSchema) },
        problems: ['second-factor-exists'],
      }),
      async (request) => {
        const { companyId, email } = userOf(request);
        const secret = await writeCompany(db, companyId, async (tx) => {
          const holder = await findHolder(tx, accountOf(request));
          return holder === undefined ? insertSecret(tx, encryption, accountOf(request)) : undefined;
        });
        if (secret === undefined) throw hasApp();
        return { data: { secret, uri: totpUri(secret, { issuer: 'Transit benefits', account: email }) } };
      },
    );

    app.post(
      '/auth/second-factor/confirm',
      portalOperation({
        summary: 'Confirm an authenticator app with a code',
        description: 'Returns recovery codes, which cannot be shown again. Ends sessions without a second factor.',
        access: 'read',
        stepUp: true,
        body: ConfirmFactorBody,
        response: { 200: DataOf(RecoveryCodesSchema) },
        problems: ['wrong-code', 'sign-in-throttled', 'second-factor-exists'],
      }),
      async (request) => {
        const account = accountOf(request);
        const confirm = async (tx: Tx) => {
          if ((await findHolder(tx, account)) !== undefined) throw hasApp();
          if ((await useCode(tx, encryption, account, request.body.code)) !== 'app') return undefined;
          await record(tx, request, 'app-added');
          await endUnprotectedSessions(tx, userOf(request), sessionOf(request));
          return renewRecoveryCodes(tx, account);
        };
        const recoveryCodes = await limitAttempts(db, `second factor ${account.userId}`, () =>
          writeCompany(db, account.companyId, confirm),
        );
        if (recoveryCodes === undefined) throw wrongCode();
        return { data: { recoveryCodes } };
      },
    );

    app.post(
      '/auth/second-factor/recovery-codes',
      portalOperation({
        summary: 'Replace your recovery codes',
        access: 'read',
        stepUp: true,
        response: { 200: DataOf(RecoveryCodesSchema) },
        problems: ['not-found'],
      }),
      async (request) => {
        const { companyId } = userOf(request);
        const recoveryCodes = await writeCompany(db, companyId, async (tx) => {
          const holder = await findHolder(tx, accountOf(request));
          if (holder === undefined) throw new ApiError('not-found', 'You have no authenticator app. Add one first.');
          await record(tx, request, 'codes-renewed');
          return renewRecoveryCodes(tx, holder);
        });
        return { data: { recoveryCodes } };
      },
    );

    app.post(
      '/auth/second-factor/remove',
      portalOperation({
        summary: 'Remove your authenticator app',
        access: 'read',
        stepUp: true,
        problems: ['not-found'],
      }),
      async (request) => {
        const { companyId } = userOf(request);
        await writeCompany(db, companyId, async (tx) => {
          const holder = await findHolder(tx, accountOf(request));
          if (holder === undefined || !(await deleteApp(tx, holder)))
            throw new ApiError('not-found', 'You have no authenticator app. There is nothing to remove.');
          await record(tx, request, 'app-removed');
        });
      },
    );

    app.post(
      '/auth/step-up',
      portalOperation({
        summary: 'Prove who you are, before something sensitive',
        description:
          'With a code of your authenticator app, or without a second factor with your password. Counts for 15 minutes.',
        access: 'read',
        body: StepUpBody,
        problems: ['wrong-code', 'wrong-password', 'sign-in-throttled'],
      }),
      async (request) => {
        const { id, companyId, email, hasSecondFactor } = userOf(request);
        const { credential } = request.body;
        const check = async (tx: Tx) => {
          const holder = await findHolder(tx, accountOf(request));
          if (holder !== undefined) return (await useCode(tx, encryption, holder, credential)) !== undefined;
          // A password is not enough for a user who has passkeys.
          if (hasSecondFactor) return false;
          const hash = await lockPassword(tx, id);
          return hash !== undefined && (await verifyPassword({ hash, password: credential }));
        };
        const isRight = await limitAttempts(db, `step-up ${id}`, () => writeCompany(db, companyId, check));
        if (!isRight) {
          trail.logFailure(request, email, 'step-up failed');
          throw hasSecondFactor
            ? wrongCode()
            : new ApiError('wrong-password', 'The password is wrong. Enter it again.');
        }
        await markSteppedUp(db, sessionOf(request).id);
      },
    );
  };
