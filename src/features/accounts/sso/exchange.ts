import type { FastifyReply, FastifyRequest } from 'fastify';
import { createMessage, type MessageKey } from '../../../domain/messages/message.ts';
import { asCompanyId, type CompanyId } from '../../../platform/db/company-scope.ts';
import { ApiError } from '../../../platform/http/errors.ts';
import type { AppContext } from '../../context.ts';
import { formatCookie, readCookie } from '../cookies.ts';
import { userEmailKey } from '../store.ts';
import { insertToken, type TokenKind, tokenName, useToken } from '../tokens.ts';
import type { SignInTrail } from '../trail.ts';
import type { Identity } from './admit.ts';
import { findConnectionWithSecret, type SsoConnection } from './connection.ts';
import type { FinishSsoBody } from './contract.ts';
import { domainOf, findCompanyOfDomain } from './manage.ts';
import { createSsoProvider, type Pending, redirectUriOf } from './provider.ts';

const validMinutes = 10;

export type SsoFailure = Extract<MessageKey, `sso-${string}`>;

const failed = (reason: SsoFailure) => new ApiError('sso-failed', createMessage(reason as 'sso-no-role'));

type Stored = Pending & { companyId: CompanyId };

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

interface Exchange {
  /** Separates what users of the portal have started from what employees have. */
  kind: Extract<TokenKind, 'sso' | 'employee-sso'>;
  /** The cookie that ties the response to the browser that started. */
  cookie: { name: string; path: string };
  /** What begins the state, by which the callback knows whose sign-in it is. */
  statePrefix?: string;
}

interface Identified {
  companyId: CompanyId;
  connection: SsoConnection;
  identity: Identity;
  /** Logs why the identity is refused, and returns the error to throw. */
  refuse: (reason: SsoFailure) => ApiError;
  /** Forgets the browser. */
  end: () => void;
}

/** Signs people in at the identity provider of the company that has proven the domain of their address. */
export function createSsoExchange(
  { config, db, encryption, trail }: Pick<AppContext, 'config' | 'db' | 'encryption'> & { trail: SignInTrail },
  { kind, cookie, statePrefix = '' }: Exchange,
) {
  const provider = createSsoProvider(config);
  const findClient = async (companyId: CompanyId) => {
    const connection = await findConnectionWithSecret(db, companyId, encryption);
    return connection && { ...connection, redirectUri: redirectUriOf(config, companyId) };
  };
  const format = (value: string, seconds: number) => formatCookie(config, { ...cookie, value, seconds });

  /** Stores what the callback needs, encrypted: with it and the response of the provider, others could finish the sign-in. */
  const insertPending = (token: string, value: Stored) =>
    insertToken(db, kind, {
      ...{ token, minutes: validMinutes },
      value: encryption.encrypt(JSON.stringify(value), tokenName(kind, token)),
    });

  /** Returns what was stored for a state, once. */
  async function takePending(state: string): Promise<Stored | undefined> {
    const value = await useToken(db, kind, state);
    if (value === undefined) return undefined;
    const pending = JSON.parse(encryption.decrypt(value, tokenName(kind, state))) as Pending & { companyId: number };
    return { ...pending, companyId: asCompanyId(pending.companyId) };
  }

  return {
    /** Returns where to send the browser. Null: the domain of the address has no single sign-on. */
    async start(request: FastifyRequest, reply: FastifyReply, address: string): Promise<string | null> {
      const email = userEmailKey(address);
      const companyId = await findCompanyOfDomain(db, domainOf(email));
      const connection = companyId && (await findClient(companyId));
      if (companyId === undefined || connection === undefined) return null;
      const { url, state, pending } = await provider.start(connection, email, statePrefix).catch(() => {
        trail.logFailure(request, email, 'identity provider unreachable');
        throw failed('sso-unreachable');
      });
      await insertPending(state, { ...pending, companyId });
      reply.header('set-cookie', format(state, validMinutes * 60));
      return url;
    },

    /** Returns whom the provider has identified, with an address of a domain of the company. Throws for everybody else. */
    async finish(request: FastifyRequest, reply: FastifyReply, body: FinishSsoBody): Promise<Identified> {
      const { connection: number, query } = body;
      if (number === null) throw failed('sso-old-address');
      const state = new URLSearchParams(query).get('state');
      // The cookie ties the response to the browser that started, so that nobody is signed in to a foreign account.
      const pending =
        state !== null && state === readCookie(request, cookie.name) ? await takePending(state) : undefined;
      const connection = pending && (await findClient(pending.companyId));
      if (state === null || pending === undefined || connection === undefined) {
        throw failed('sso-not-started');
      }
      const { companyId } = pending;
      const refuse = (reason: SsoFailure) => {
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
      return { companyId, connection, identity, refuse, end: () => void reply.header('set-cookie', format('', 0)) };
    },
  };
}
