import type { Configuration, IDToken } from 'openid-client';
import type { Config } from '../../../platform/config/config.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import { findExceededLimit } from '../../../platform/http/json-limits.ts';
import { createLateDispatcher, undici } from '../../../platform/outgoing/dispatcher.ts';

const timeoutMillis = 10_000;
const maxBytes = 512 * 1024;

/** What a sign-in stores until the browser returns. */
export interface Pending {
  issuer: string;
  nonce: string;
  verifier: string;
}

interface Client {
  redirectUri: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** Reads a body up to a limit, also of what its JSON consists of: the provider is a host that a company chose. */
async function readLimited(body: AsyncIterable<Uint8Array> | null): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw new Error('The response of the identity provider is too large.');
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (findExceededLimit(bytes) !== undefined) throw new Error('The response of the identity provider is too complex.');
  return bytes;
}

/**
 * Returns where an identity provider sends users back to. Each company has an address of its own: with a shared one,
 * a company's provider could pass the browser on to another company's provider and receive the response of that one.
 * A company has one connection, so its number names the connection, and admins can register the address before they
 * have one.
 */
export const redirectUriOf = ({ publicUrl }: Pick<Config, 'publicUrl'>, companyId: CompanyId) =>
  `${publicUrl}/sso/callback/${companyId}`;

/** Loaded with the first sign-in by SSO. */
const openid = () => import('openid-client');

/** Talks to the identity providers of companies, by OpenID Connect. */
export function createSsoProvider({ environment, webhookAllowPrivate }: Config) {
  const dispatcher = createLateDispatcher({ allowPrivate: webhookAllowPrivate, connectMillis: timeoutMillis });

  /** Follows the rules for hosts that companies choose: public addresses, no redirects, limited time and size. */
  async function fetchSafely(url: string, options: object): Promise<Response> {
    const signal = AbortSignal.timeout(timeoutMillis);
    const response = await undici().fetch(url, {
      ...options,
      dispatcher: dispatcher.get(),
      redirect: 'manual',
      signal,
    });
    const bytes = await readLimited(response.body);
    const isEmpty = [204, 205, 304].includes(response.status);
    return new Response(isEmpty ? null : new Uint8Array(bytes), {
      status: response.status,
      headers: Object.fromEntries(response.headers),
    });
  }

  async function open({ issuer, clientId, clientSecret }: Omit<Client, 'redirectUri'>): Promise<Configuration> {
    const { allowInsecureRequests, customFetch, discovery } = await openid();
    return discovery(new URL(issuer), clientId, clientSecret, undefined, {
      [customFetch]: fetchSafely,
      timeout: timeoutMillis / 1000,
      // Only where webhooks may use http as well: never in production.
      execute: environment === 'production' ? [] : [allowInsecureRequests],
    });
  }

  return {
    /** Throws unless the issuer publishes a configuration. */
    check: async (client: Omit<Client, 'redirectUri'>) => void (await open(client)),
    /** Returns where to send the browser, and what the callback needs. */
    async start(client: Client, hint: string, statePrefix = '') {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge, ...random } = await openid();
      const config = await open(client);
      const [state, nonce, verifier] = [
        `${statePrefix}${random.randomState()}`,
        random.randomNonce(),
        random.randomPKCECodeVerifier(),
      ];
      const url = buildAuthorizationUrl(config, {
        redirect_uri: client.redirectUri,
        scope: 'openid email profile',
        response_type: 'code',
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        login_hint: hint,
        state,
        nonce,
      });
      return { url: url.href, state, pending: { issuer: client.issuer, nonce, verifier } };
    },
    /** Returns the verified claims. Throws if the response of the provider is not the one to this sign-in. */
    async finish(
      client: Client,
      query: string,
      { issuer, state, nonce, verifier }: Pending & { state: string },
    ): Promise<IDToken> {
      if (issuer !== client.issuer) throw new Error('The company has changed its identity provider since the start.');
      const { authorizationCodeGrant, fetchUserInfo } = await openid();
      const config = await open(client);
      // Requires `iss` in the query if the provider announces it, and compares it whenever it is there (RFC 9207).
      const tokens = await authorizationCodeGrant(config, new URL(`${client.redirectUri}${query}`), {
        pkceCodeVerifier: verifier,
        expectedNonce: nonce,
        expectedState: state,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('The identity provider sent no ID token.');
      // Many providers state the address there only.
      if (claims.email !== undefined || config.serverMetadata().userinfo_endpoint === undefined) return claims;
      return { ...(await fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
    },
  };
}
