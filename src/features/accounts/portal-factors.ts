import type { FastifyRequest } from 'fastify';
import type { Tx } from '../../platform/db/database.ts';
import { ApiError, notFound } from '../../platform/http/errors.ts';
import { presentOptionalTimestamp, presentTimestamp } from '../../platform/http/view.ts';
import { insertAudit } from '../activity/record.ts';
import type { Account } from '../caller.ts';
import type { MailValues } from '../notices/texts.ts';
import { portalRoutes, type UserCall } from '../portal-route.ts';
import {
  ConfirmFactorBody,
  NewPasskeyBody,
  NewPasskeyOptionsSchema,
  NewSecondFactorSchema,
  PasskeyBody,
  PasskeyOptionsSchema,
  PasskeyParams,
  PasskeySchema,
  PasskeysSchema,
  RecoveryCodesSchema,
  SecondFactorSchema,
  StepUpBody,
} from './contract.ts';
import { hasIdentity, hasPassword } from './memberships.ts';
import { queueNotice } from './notices.ts';
import {
  createNewPasskeyOptions,
  createPasskeyOptions,
  deletePasskey,
  insertPasskey,
  listPasskeys,
  maxPasskeys,
  type Passkey,
  takeChallenge,
  usePasskey,
  verifyAttestation,
} from './passkeys.ts';
import { verifyPassword } from './passwords.ts';
import { totpUri } from './rules/totp.ts';
import {
  countRecoveryCodes,
  deleteApp,
  findFactors,
  findHolder,
  insertSecret,
  renewRecoveryCodes,
  useCode,
} from './second-factor.ts';
import { type SignIn, startSessionOf } from './session.ts';
import { assertPasswordAllowed, endUnprotectedSessions, lockPassword, ssoRequired } from './store.ts';
import { limitAttempts } from './throttle.ts';

const problem = {
  wrongCode: () =>
    new ApiError(
      'wrong-code',
      'The code is wrong, has expired or was used before. Wait for the next one, then enter it.',
    ),
  wrongPassword: () => new ApiError('wrong-password', 'The password is wrong. Enter it again.'),
  hasApp: () => new ApiError('second-factor-exists', 'You already have an authenticator app. Remove it first.'),
  notAdded: () =>
    new ApiError(
      'passkey-refused',
      'The passkey could not be added: it was not created in time, or it is known already.',
    ),
  notOpened: () =>
    new ApiError('passkey-refused', 'This passkey opens no account, or it was not used in time. Try again.'),
};

const presentPasskey = ({ id, name, is_synced, created_at, last_used_at }: Passkey) => ({
  ...{ id, name, isSynced: is_synced },
  createdAt: presentTimestamp(created_at),
  lastUsedAt: presentOptionalTimestamp(last_used_at),
});

/** The name that log lines give to a passkey: which account it was meant for is not known. */
const unknownAccount = 'passkey';

/** Adds and removes the authenticator app and the passkeys of users, who prove with them who they are. */
export const factorRoutes = portalRoutes<SignIn>((route, context) => {
  const { config, db, encryption, trail } = context;

  async function record(
    tx: Tx,
    { account, by }: UserCall,
    change: MailValues['second-factor-changed']['change'],
    detail = {},
  ) {
    const entry = { action: `second-factor.${change}`, target: account.userId, detail, ...by };
    await insertAudit(tx, account.companyId, entry);
    await queueNotice(tx, context, account, { template: 'second-factor-changed', values: { change } });
  }

  /** Notes in the session that its user has proven who they are, if the check says so. */
  async function stepUp(
    { request, user, session }: UserCall & { request: FastifyRequest },
    check: () => Promise<boolean>,
    refusal: () => ApiError,
  ): Promise<void> {
    if (!(await limitAttempts(db, `step-up ${user.id}`, check))) {
      trail.logFailure(request, user.email, 'step-up failed');
      throw refusal();
    }
    const stepped_up_at = new Date().toISOString();
    await db.updateTable('portal_sessions').set({ stepped_up_at }).where('id', '=', session.id).execute();
  }

  route('GET /auth/second-factor', {
    summary: 'Get the state of your authenticator app',
    access: 'read',
    data: SecondFactorSchema,
    async handle({ user, account }) {
      const holder = await findHolder(db, account);
      const left = holder && (await countRecoveryCodes(db, holder));
      const isRequired = user.policy.secondFactorRequired;
      return { isEnabled: left !== undefined, isRequired, recoveryCodes: left ?? 0 };
    },
  });

  route('POST /auth/second-factor', {
    summary: 'Begin to add an authenticator app',
    description: 'It counts once a code of it was entered.',
    access: 'read',
    stepUp: true,
    status: 201,
    data: NewSecondFactorSchema,
    problems: ['second-factor-exists'],
    async handle({ user, account, write }) {
      const secret = await write(async (tx) => {
        const holder = await findHolder(tx, account);
        return holder === undefined ? insertSecret(tx, encryption, account) : undefined;
      });
      if (secret === undefined) throw problem.hasApp();
      return { secret, uri: totpUri(secret, { issuer: 'Transit benefits', account: user.email }) };
    },
  });

  route('POST /auth/second-factor/confirm', {
    summary: 'Confirm an authenticator app with a code',
    access: 'read',
    stepUp: true,
    body: ConfirmFactorBody,
    data: RecoveryCodesSchema,
    problems: ['wrong-code', 'sign-in-throttled', 'second-factor-exists'],
    async handle(call) {
      const { account } = call;
      const confirm = async (tx: Tx) => {
        if ((await findHolder(tx, account)) !== undefined) throw problem.hasApp();
        if ((await useCode(tx, encryption, account, call.body.code)) !== 'app') return undefined;
        await record(tx, call, 'app-added');
        await endUnprotectedSessions(tx, call.user, call.session);
        return renewRecoveryCodes(tx, account);
      };
      const recoveryCodes = await limitAttempts(db, `second factor ${account.userId}`, () => call.write(confirm));
      if (recoveryCodes === undefined) throw problem.wrongCode();
      return { recoveryCodes };
    },
  });

  route('POST /auth/second-factor/recovery-codes', {
    summary: 'Replace your recovery codes',
    access: 'read',
    stepUp: true,
    data: RecoveryCodesSchema,
    problems: ['not-found'],
    async handle(call) {
      const recoveryCodes = await call.write(async (tx) => {
        const holder = await findHolder(tx, call.account);
        if (holder === undefined) throw new ApiError('not-found', 'You have no authenticator app. Add one first.');
        await record(tx, call, 'codes-renewed');
        return renewRecoveryCodes(tx, holder);
      });
      return { recoveryCodes };
    },
  });

  route('POST /auth/second-factor/remove', {
    summary: 'Remove your authenticator app',
    access: 'read',
    stepUp: true,
    problems: ['not-found'],
    handle: (call) =>
      call.write(async (tx) => {
        const holder = await findHolder(tx, call.account);
        if (holder === undefined || !(await deleteApp(tx, holder)))
          throw new ApiError('not-found', 'You have no authenticator app. There is nothing to remove.');
        await record(tx, call, 'app-removed');
      }),
  });

  route('POST /auth/step-up', {
    summary: 'Prove who you are, before something sensitive',
    description: 'With a code of your authenticator app, or without a second factor with your password.',
    access: 'read',
    body: StepUpBody,
    problems: ['wrong-code', 'wrong-password', 'sign-in-throttled'],
    handle(call) {
      const { user, account, body } = call;
      const check = async (tx: Tx) => {
        const holder = await findHolder(tx, account);
        if (holder !== undefined) return (await useCode(tx, encryption, holder, body.credential)) !== undefined;
        // A password is not enough for a user who has passkeys.
        if (user.hasSecondFactor) return false;
        const hash = await lockPassword(tx, user.id);
        return hash !== undefined && (await verifyPassword({ hash, password: body.credential }));
      };
      return stepUp(call, () => call.write(check), user.hasSecondFactor ? problem.wrongCode : problem.wrongPassword);
    },
  });

  /** Returns the passkeys of the user. Throws if they cannot add another one. */
  async function assertAddable(account: Account): Promise<Passkey[]> {
    const passkeys = await listPasskeys(db, account);
    if (passkeys.length >= maxPasskeys)
      throw new ApiError('passkey-not-possible', `You have ${maxPasskeys} passkeys. Remove one first.`);
    return passkeys;
  }

  route('GET /auth/passkeys', {
    summary: 'List your passkeys',
    description: 'Those that you have added in this company.',
    access: 'read',
    data: PasskeysSchema,
    async handle({ account }) {
      const passkeys = await listPasskeys(db, account);
      return { passkeys: passkeys.map(presentPasskey), isFull: passkeys.length >= maxPasskeys };
    },
  });

  route('POST /auth/passkeys/options', {
    summary: 'Begin to add a passkey',
    access: 'read',
    stepUp: true,
    data: NewPasskeyOptionsSchema,
    problems: ['passkey-not-possible'],
    handle: async ({ user, account }) => createNewPasskeyOptions(context, user, await assertAddable(account)),
  });

  route('POST /auth/passkeys', {
    summary: 'Add a passkey',
    access: 'read',
    stepUp: true,
    body: NewPasskeyBody,
    status: 201,
    data: PasskeySchema,
    problems: ['passkey-refused', 'passkey-not-possible'],
    async handle(call) {
      const { passkey } = call.body;
      const name = call.body.name.trim();
      await assertAddable(call.account);
      const challenge = await takeChallenge(db, `add ${call.user.id}`, passkey.clientDataJson);
      const key = challenge === undefined ? undefined : await verifyAttestation(config, challenge, passkey);
      if (key === undefined) throw problem.notAdded();
      return call.write(async (tx) => {
        const added = await insertPasskey(tx, call.account, name, key);
        if (added === undefined) throw problem.notAdded();
        await record(tx, call, 'passkey-added', { name });
        await endUnprotectedSessions(tx, call.user, call.session);
        return presentPasskey(added);
      });
    },
  });

  route('POST /auth/passkeys/:passkeyId/remove', {
    summary: 'Remove one of your passkeys',
    access: 'read',
    stepUp: true,
    params: PasskeyParams,
    problems: ['not-found'],
    handle: (call) =>
      call.write(async (tx) => {
        const name = await deletePasskey(tx, call.account, call.params.passkeyId);
        if (name === undefined) throw notFound('passkey');
        await record(tx, call, 'passkey-removed', { name });
      }),
  });

  route('POST /auth/sign-in/passkey/options', {
    summary: 'Begin to sign in with a passkey',
    description: 'The same for everybody: the browser offers the passkeys that it has for this site.',
    access: 'public',
    limit: 'invitation',
    data: PasskeyOptionsSchema,
    handle: () => createPasskeyOptions(context, 'sign-in'),
  });

  route('POST /auth/sign-in/passkey', {
    summary: 'Sign in with a passkey',
    description:
      'Without password and code: the authenticator has verified its user. Opens the company of the passkey.',
    access: 'public',
    body: PasskeyBody,
    problems: ['passkey-refused', 'sso-required', 'sign-in-throttled'],
    async handle({ request, reply, body }) {
      const withdrawCount = context.countClient(request.ip);
      const account = await usePasskey(context, 'sign-in', body.passkey);
      if (account === undefined) {
        trail.logFailure(request, unknownAccount, 'passkey refused');
        throw problem.notOpened();
      }
      withdrawCount();
      // A passkey replaces the password, so it opens nothing that a password does not open.
      const isDisabled = !(await hasPassword(db, account.userId));
      if (isDisabled && (await hasIdentity(db, account.userId))) throw ssoRequired();
      await assertPasswordAllowed(db, account);
      if (isDisabled) {
        trail.logFailure(request, unknownAccount, 'account disabled');
        throw problem.notOpened();
      }
      const isOpen = await startSessionOf(context, request, reply, { ...account, method: 'passkey' });
      if (!isOpen) throw problem.notOpened();
    },
  });

  route('POST /auth/step-up/passkey/options', {
    summary: 'Begin to prove with a passkey who you are',
    access: 'read',
    data: PasskeyOptionsSchema,
    problems: ['not-found'],
    async handle({ account }) {
      const { passkeyOwners } = await findFactors(db, account);
      const allowed = (await Promise.all(passkeyOwners.map((owner) => listPasskeys(db, owner)))).flat();
      if (allowed.length === 0) throw new ApiError('not-found', 'You have no passkey. Add one first.');
      return createPasskeyOptions(context, `step-up ${account.userId}`, allowed);
    },
  });

  route('POST /auth/step-up/passkey', {
    summary: 'Prove with a passkey who you are, before something sensitive',
    access: 'read',
    body: PasskeyBody,
    problems: ['passkey-refused', 'sign-in-throttled'],
    handle(call) {
      const check = async () => {
        const { passkeyOwners } = await findFactors(db, call.account);
        const used = await usePasskey(context, `step-up ${call.user.id}`, call.body.passkey);
        return passkeyOwners.some((owner) => owner.userId === used?.userId);
      };
      return stepUp(call, check, problem.notOpened);
    },
  });
});
