import type { FastifyRequest } from 'fastify';
import type { Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError, notFound } from '../../platform/http/errors.ts';
import { portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf } from '../../platform/http/schemas.ts';
import { presentOptionalTimestamp, presentTimestamp } from '../../platform/http/view.ts';
import { insertAudit } from '../activity/record.ts';
import type { Routes } from '../context.ts';
import {
  NewPasskeyBody,
  NewPasskeyOptionsSchema,
  PasskeyBody,
  PasskeyOptionsSchema,
  PasskeyParams,
  PasskeySchema,
  PasskeysSchema,
} from './contract.ts';
import { accountOf, actorOf, sessionOf, userOf } from './guard.ts';
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
} from './passkeys.ts';
import { findFactors } from './second-factor.ts';
import { markSteppedUp, type SignInDeps, startSessionOf } from './session.ts';
import { assertPasswordAllowed, endUnprotectedSessions, ssoRequired } from './store.ts';
import { limitAttempts } from './throttle.ts';
import { verifyAttestation } from './webauthn.ts';

const present = ({ id, name, is_synced, created_at, last_used_at }: Passkey) => ({
  ...{ id, name, isSynced: is_synced },
  createdAt: presentTimestamp(created_at),
  lastUsedAt: presentOptionalTimestamp(last_used_at),
});

const refused = () =>
  new ApiError(
    'passkey-refused',
    'The passkey could not be added: it was not created in time, or it is known already.',
  );

/** Adds, lists and removes the passkeys of the signed-in user. */
export const passkeyRoutes: Routes = (app, context) => {
  const { config, db, clock } = context;

  /** Returns the passkeys of the user. Throws if they cannot add another one. */
  async function assertAddable(request: FastifyRequest): Promise<Passkey[]> {
    const passkeys = await listPasskeys(db, accountOf(request));
    if (passkeys.length >= maxPasskeys)
      throw new ApiError('passkey-not-possible', `You have ${maxPasskeys} passkeys. Remove one first.`);
    return passkeys;
  }

  async function record(tx: Tx, request: FastifyRequest, change: 'passkey-added' | 'passkey-removed', name: string) {
    const account = accountOf(request);
    const by = { actor: actorOf(request), at: clock.now() };
    const entry = { action: `second-factor.${change}`, target: account.userId, detail: { name }, ...by };
    await insertAudit(tx, account.companyId, entry);
    await queueNotice(tx, context, account, { template: 'second-factor-changed', values: { change } });
  }

  app.get(
    '/auth/passkeys',
    portalOperation({
      summary: 'List your passkeys',
      description: 'Those that you have added in this company.',
      access: 'read',
      response: { 200: DataOf(PasskeysSchema) },
    }),
    async (request) => {
      const passkeys = await listPasskeys(db, accountOf(request));
      return { data: { passkeys: passkeys.map(present), isFull: passkeys.length >= maxPasskeys } };
    },
  );

  app.post(
    '/auth/passkeys/options',
    portalOperation({
      summary: 'Begin to add a passkey',
      description: 'Returns what the browser needs to create it, within five minutes.',
      access: 'read',
      stepUp: true,
      response: { 200: DataOf(NewPasskeyOptionsSchema) },
      problems: ['passkey-not-possible'],
    }),
    async (request) => {
      const known = await assertAddable(request);
      return { data: await createNewPasskeyOptions({ db, config }, userOf(request), known) };
    },
  );

  app.post(
    '/auth/passkeys',
    portalOperation({
      summary: 'Add a passkey',
      description: 'Ends sessions without a second factor.',
      access: 'read',
      stepUp: true,
      body: NewPasskeyBody,
      response: { 201: DataOf(PasskeySchema) },
      problems: ['passkey-refused', 'passkey-not-possible'],
    }),
    async (request) => {
      const { id, companyId } = userOf(request);
      const { passkey } = request.body;
      const name = request.body.name.trim();
      await assertAddable(request);
      const challenge = await takeChallenge(db, `add ${id}`, passkey.clientDataJson);
      const key = challenge === undefined ? undefined : await verifyAttestation(config, challenge, passkey);
      if (key === undefined) throw refused();
      const added = await writeCompany(db, companyId, async (tx) => {
        const row = await insertPasskey(tx, accountOf(request), name, key);
        if (row === undefined) throw refused();
        await record(tx, request, 'passkey-added', name);
        await endUnprotectedSessions(tx, userOf(request), sessionOf(request));
        return row;
      });
      return { data: present(added) };
    },
  );

  app.post(
    '/auth/passkeys/:passkeyId/remove',
    portalOperation({
      summary: 'Remove one of your passkeys',
      access: 'read',
      stepUp: true,
      params: PasskeyParams,
      problems: ['not-found'],
    }),
    async (request) => {
      await writeCompany(db, userOf(request).companyId, async (tx) => {
        const name = await deletePasskey(tx, accountOf(request), request.params.passkeyId);
        if (name === undefined) throw notFound('passkey');
        await record(tx, request, 'passkey-removed', name);
      });
    },
  );
};

const notOpened = () =>
  new ApiError('passkey-refused', 'This passkey opens no account, or it was not used in time. Try again.');

/** The name that log lines give to a passkey: which account it was meant for is not known. */
const unknownAccount = 'passkey';

/** Signs users in with a passkey alone, and proves with it within a session who they are. */
export const passkeySignInRoutes =
  (deps: SignInDeps): Routes =>
  (app, context) => {
    const { config, db } = context;
    const { trail, countClient } = deps;

    app.post(
      '/auth/sign-in/passkey/options',
      portalOperation({
        summary: 'Begin to sign in with a passkey',
        description: 'The same for everybody: the browser offers the passkeys that it has for this site.',
        access: 'public',
        limit: 'invitation',
        response: { 200: DataOf(PasskeyOptionsSchema) },
      }),
      async () => ({ data: await createPasskeyOptions({ db, config }, 'sign-in') }),
    );

    app.post(
      '/auth/sign-in/passkey',
      portalOperation({
        summary: 'Sign in with a passkey',
        description:
          'Without password and code: the authenticator has verified its user. Opens the company in which it was added.',
        access: 'public',
        body: PasskeyBody,
        problems: ['passkey-refused', 'sso-required', 'sign-in-throttled'],
      }),
      async (request, reply) => {
        const withdrawCount = countClient(request.ip);
        const account = await usePasskey(context, 'sign-in', request.body.passkey);
        if (account === undefined) {
          trail.logFailure(request, unknownAccount, 'passkey refused');
          throw notOpened();
        }
        withdrawCount();
        // A passkey replaces the password, so it opens nothing that a password does not open.
        const isDisabled = !(await hasPassword(db, account.userId));
        if (isDisabled && (await hasIdentity(db, account.userId))) throw ssoRequired();
        await assertPasswordAllowed(db, account);
        if (isDisabled) {
          trail.logFailure(request, unknownAccount, 'account disabled');
          throw notOpened();
        }
        if (!(await startSessionOf(deps, request, reply, { ...account, method: 'passkey' }))) throw notOpened();
      },
    );

    app.post(
      '/auth/step-up/passkey/options',
      portalOperation({
        summary: 'Begin to prove with a passkey who you are',
        access: 'read',
        response: { 200: DataOf(PasskeyOptionsSchema) },
        problems: ['not-found'],
      }),
      async (request) => {
        const account = accountOf(request);
        const { passkeyOwners } = await findFactors(db, account);
        const allowed = (await Promise.all(passkeyOwners.map((owner) => listPasskeys(db, owner)))).flat();
        if (allowed.length === 0) throw new ApiError('not-found', 'You have no passkey. Add one first.');
        return { data: await createPasskeyOptions({ db, config }, `step-up ${account.userId}`, allowed) };
      },
    );

    app.post(
      '/auth/step-up/passkey',
      portalOperation({
        summary: 'Prove with a passkey who you are, before something sensitive',
        description: 'Counts for 15 minutes.',
        access: 'read',
        body: PasskeyBody,
        problems: ['passkey-refused', 'sign-in-throttled'],
      }),
      async (request) => {
        const account = accountOf(request);
        const purpose = `step-up ${account.userId}` as const;
        const isRight = await limitAttempts(db, purpose, async () => {
          const { passkeyOwners } = await findFactors(db, account);
          const used = await usePasskey(context, purpose, request.body.passkey);
          return passkeyOwners.some((owner) => owner.userId === used?.userId);
        });
        if (!isRight) {
          trail.logFailure(request, userOf(request).email, 'step-up failed');
          throw notOpened();
        }
        await markSteppedUp(db, sessionOf(request).id);
      },
    );
  };
