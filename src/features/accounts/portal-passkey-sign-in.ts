import { createMessage } from '../../domain/messages/message.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { NoContent, portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf, Reference } from '../../platform/http/schemas.ts';
import type { Counter } from '../../platform/http/shared-counter.ts';
import type { Routes } from '../context.ts';
import { PasskeyBody, PasskeyOptionsSchema } from './contract.ts';
import { sessionOf, userOf } from './guard.ts';
import { hasIdentity, hasPassword } from './memberships.ts';
import { createPasskeyOptions, listPasskeys, usePasskey } from './passkeys.ts';
import { isPasswordAllowed } from './password-policy.ts';
import { findFactors } from './second-factor.ts';
import { markSteppedUp, type SignInDeps, startSessionOf } from './session.ts';
import { clearAttempts, countAttempt, createClientThrottle } from './throttle.ts';

const refused = () =>
  new ApiError('passkey-refused', 'This passkey opens no account, or it was not used in time. Try again.');

/** The name that log lines give to a passkey: which account it was meant for is not known. */
const unknownAccount = 'passkey';

/** Signs users in with a passkey alone, and proves with it within a session who they are. */
export const passkeySignInRoutes =
  (deps: SignInDeps, counter: Counter): Routes =>
  (app, context) => {
    const { config, db } = context;
    const { trail } = deps;
    const countClient = config.rateLimits.key > 0 ? createClientThrottle(counter) : () => () => {};

    app.post(
      '/auth/sign-in/passkey/options',
      portalOperation({
        id: 'beginPasskeySignIn',
        summary: 'Begin to sign in with a passkey',
        description: 'The same for everybody: the browser offers the passkeys that it has for this site.',
        access: 'public',
        limit: 'invitation',
        response: { 200: DataOf(Reference(PasskeyOptionsSchema)) },
      }),
      async () => ({ data: await createPasskeyOptions({ db, config }, 'sign-in') }),
    );

    app.post(
      '/auth/sign-in/passkey',
      portalOperation({
        id: 'signInWithPasskey',
        summary: 'Sign in with a passkey',
        description:
          'Without password and code: the authenticator has verified its user. Opens the company in which it was added.',
        access: 'public',
        body: PasskeyBody,
        response: { 204: NoContent },
        problems: ['passkey-refused', 'sso-required', 'sign-in-throttled'],
      }),
      async (request, reply) => {
        const withdrawCount = countClient(request.ip);
        const account = await usePasskey(context, 'sign-in', request.body.passkey);
        if (account === undefined) {
          trail.logFailure(request, unknownAccount, 'passkey refused');
          throw refused();
        }
        withdrawCount();
        // A passkey replaces the password, so it opens nothing that a password does not open.
        const isDisabled = !(await hasPassword(db, account.userId));
        const isManaged = isDisabled && (await hasIdentity(db, account.userId));
        if (isManaged || !(await isPasswordAllowed(db, account)))
          throw new ApiError('sso-required', createMessage('sso-company-requires'));
        if (isDisabled) {
          trail.logFailure(request, unknownAccount, 'account disabled');
          throw refused();
        }
        if (!(await startSessionOf(deps, request, reply, { ...account, method: 'passkey' }))) throw refused();
        return reply.code(204).send();
      },
    );

    app.post(
      '/auth/step-up/passkey/options',
      portalOperation({
        id: 'beginPasskeyStepUp',
        summary: 'Begin to prove with a passkey who you are',
        access: 'read',
        response: { 200: DataOf(Reference(PasskeyOptionsSchema)) },
        problems: ['not-found'],
      }),
      async (request) => {
        const { id: userId, companyId } = userOf(request);
        const { passkeyOwners } = await findFactors(db, { userId, companyId });
        const allowed = (await Promise.all(passkeyOwners.map((owner) => listPasskeys(db, owner)))).flat();
        if (allowed.length === 0) throw new ApiError('not-found', 'You have no passkey. Add one first.');
        return { data: await createPasskeyOptions({ db, config }, `step-up ${userId}`, allowed) };
      },
    );

    app.post(
      '/auth/step-up/passkey',
      portalOperation({
        id: 'stepUpWithPasskey',
        summary: 'Prove with a passkey who you are, before something sensitive',
        description: 'Counts for 15 minutes.',
        access: 'read',
        body: PasskeyBody,
        response: { 204: NoContent },
        problems: ['passkey-refused', 'sign-in-throttled'],
      }),
      async (request, reply) => {
        const { id: userId, companyId, email } = userOf(request);
        const attempt = `step-up ${userId}`;
        await countAttempt(db, attempt);
        const { passkeyOwners } = await findFactors(db, { userId, companyId });
        const used = await usePasskey(context, `step-up ${userId}`, request.body.passkey);
        if (!passkeyOwners.some((owner) => owner.userId === used?.userId)) {
          trail.logFailure(request, email, 'step-up failed');
          throw refused();
        }
        await clearAttempts(db, attempt);
        await markSteppedUp(db, sessionOf(request).id);
        return reply.code(204).send();
      },
    );
  };
