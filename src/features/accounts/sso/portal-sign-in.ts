import { createMessage, type MessageKey } from '../../../domain/messages/message.ts';
import { asCompanyId, type CompanyId } from '../../../platform/db/company-scope.ts';
import { writeCompany } from '../../../platform/db/write.ts';
import { ApiError } from '../../../platform/http/errors.ts';
import type { AppContext } from '../../context.ts';
import { portalRoutes } from '../../portal-route.ts';
import { formatCookie, readCookie } from '../cookies.ts';
import { type SignIn, startSessionOf } from '../session.ts';
import { userEmailKey } from '../store.ts';
import { insertToken, tokenName, useToken } from '../tokens.ts';
import { admitIdentity, type Identity } from './admit.ts';
import { findConnectionWithSecret } from './connection.ts';
import { FinishSsoBody, StartedSsoSchema, StartSsoBody } from './contract.ts';
import { domainOf, findCompanyOfDomain } from './manage.ts';
import { createSsoProvider, type Pending, redirectUriOf } from './provider.ts';

const validMinutes = 10;

const cookieName = 'transit.sso';

type Failure = Extract<MessageKey, `sso-${string}`>;

const failed = (reason: Failure) => new ApiError('sso-failed', createMessage(reason as 'sso-no-role'));

type Store = Pick<AppContext, 'db' | 'encryption'>;

/** Stores what the callback needs, encrypted: with it and the response of the provider, others could finish the sign-in. */
const insertPending = ({ db, encryption }: Store, token: string, value: Pending & { companyId: CompanyId }) =>
  insertToken(db, 'sso', {
    ...{ token, minutes: validMinutes },
    value: encryption.encrypt(JSON.stringify(value), tokenName('sso', token)),
  });

/** Returns what was stored for a state, once. */
async function takePending({ db, encryption }: Store, state: string) {
  const value = await useToken(db, 'sso', state);
  if (value === undefined) return undefined;
  const pending = JSON.parse(encryption.decrypt(value, tokenName('sso', state))) as Pending & { companyId: number };
  return { ...pending, companyId: asCompanyId(pending.companyId) };
}

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string');

/** Returns who signs in. Throws if the provider states no address, or one that it has not verified. */
function readIdentity(claims: Record<string, unknown>, groupsClaim: string): Identity {
  const { sub, email, email_verified: isVerified, name } = claims;
  if (typeof sub !== 'string' || typeof email !== 'string' || isVerified === false) {
    throw failed('sso-no-address');
  }
  const address = userEmailKey(email);
  const given = typeof name === 'string' ? name.replaceAll(/\p{C}/gu, ' ').trim().slice(0, 100) : '';
  return {
    subject: sub,
    email: address,
    isVerified: isVerified === true,
    name: given || address.slice(0, address.indexOf('@')),
    groups: texts(claims[groupsClaim]),
  };
}

/** Signs users in at the identity provider of their company. */
export const ssoSignInRoutes = portalRoutes<SignIn>((route, context) => {
  const { config, db, clock, trail } = context;
  const provider = createSsoProvider(config);
  const findClient = async (companyId: CompanyId) => {
    const connection = await findConnectionWithSecret(db, companyId, context.encryption);
    return connection && { ...connection, redirectUri: redirectUriOf(config, companyId) };
  };
  const cookie = (value: string, seconds: number) =>
    formatCookie(config, { name: cookieName, value, path: '/portal/api/auth/sso', seconds });

  route('POST /auth/sso/start', {
    summary: 'Start to sign in at an identity provider',
    description: 'By the domain of the address. The same whether or not the address has an account.',
    access: 'public',
    limit: 'invitation',
    body: StartSsoBody,
    data: StartedSsoSchema,
    problems: ['sso-failed'],
    async handle({ request, reply, body }) {
      const email = userEmailKey(body.email);
      const companyId = await findCompanyOfDomain(db, domainOf(email));
      const connection = companyId && (await findClient(companyId));
      if (companyId === undefined || connection === undefined) return { url: null };
      const { url, state, pending } = await provider.start(connection, email).catch(() => {
        trail.logFailure(request, email, 'identity provider unreachable');
        throw failed('sso-unreachable');
      });
      await insertPending(context, state, { ...pending, companyId });
      reply.header('set-cookie', cookie(state, validMinutes * 60));
      return { url };
    },
  });

  route('POST /auth/sso/finish', {
    summary: 'Finish to sign in at an identity provider',
    description: 'Only in the browser that started. Creates the user with the first sign-in.',
    access: 'public',
    limit: 'invitation',
    body: FinishSsoBody,
    problems: ['sso-failed'],
    async handle({ request, reply, body }) {
      const { connection: number, query } = body;
      if (number === null) throw failed('sso-old-address');
      const state = new URLSearchParams(query).get('state');
      // The cookie ties the response to the browser that started, so that nobody is signed in to a foreign account.
      const pending =
        state !== null && state === readCookie(request, cookieName) ? await takePending(context, state) : undefined;
      const connection = pending && (await findClient(pending.companyId));
      if (state === null || pending === undefined || connection === undefined) {
        throw failed('sso-not-started');
      }
      const { companyId } = pending;
      const refuse = (reason: Failure) => {
        trail.logFailure(request, `sso of company ${companyId}`, reason);
        return failed(reason);
      };
      // Another company's provider sent the browser here. Its response must not reach the one of this sign-in.
      if (number !== companyId) throw refuse('sso-other-connection');
      const claims = await provider.finish(connection, query, { ...pending, state }).catch(() => {
        throw refuse('sso-provider-refused');
      });
      const identity = readIdentity(claims, connection.groupsClaim);
      if ((await findCompanyOfDomain(db, domainOf(identity.email))) !== companyId) {
        throw refuse('sso-other-domain');
      }
      const by = { actor: { type: 'service', name: null }, at: clock.now() } as const;
      const admission = await writeCompany(db, companyId, (tx) =>
        admitIdentity(tx, companyId, { connection, identity, by }),
      );
      if (typeof admission === 'string') throw refuse(`sso-${admission}`);
      const account = { userId: admission.userId, companyId, method: 'single-sign-on' } as const;
      if (!(await startSessionOf(context, request, reply, account))) throw refuse('sso-disabled');
      reply.header('set-cookie', cookie('', 0));
    },
  });
});
