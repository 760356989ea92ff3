import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export interface Person {
  sub: string;
  email?: string;
  email_verified?: unknown;
  name?: string;
  groups?: string[];
}

interface ProviderOptions {
  clientSecret?: string;
  /** Whether responses contain `iss`, and the metadata announces it. */
  sendsIssuer?: boolean;
}

/** Starts a real OpenID Connect provider on loopback, that signs in every visitor as `person`. */
export async function startIdentityProvider(
  redirectUri: string,
  { clientSecret = 'a secret of the client, long enough', sendsIssuer = true }: ProviderOptions = {},
) {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { clientId: 'portal', clientSecret };
  const state: { person: Person } = { person: { sub: 'nobody' } };
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    findAccount: (_ctx: unknown, id: string) => ({ accountId: id, claims: () => ({ ...state.person, sub: id }) }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    // biome-ignore lint/suspicious/noExplicitAny: the package has no types.
    async loadExistingGrant(ctx: any) {
      const { client: known, session } = ctx.oidc;
      const grant = new ctx.oidc.provider.Grant({ clientId: known.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    pkce: { required: () => true },
    cookies: { keys: ['a key of the test'] },
  });
  if (!sendsIssuer) {
    // biome-ignore lint/suspicious/noExplicitAny: the package has no types.
    provider.use(async (ctx: any, next: () => Promise<void>) => {
      await next();
      if (ctx.body?.issuer !== undefined) delete ctx.body.authorization_response_iss_parameter_supported;
      const location = ctx.response.get('location') ?? '';
      if (!location.startsWith(redirectUri)) return;
      const url = new URL(location);
      url.searchParams.delete('iss');
      ctx.set('location', url.href);
    });
  }
  const handle = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void handle(request, response);
    const result = { login: { accountId: state.person.sub } };
    void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  });

  /** Follows the redirects as a browser without memory. Returns the query with which it returns to the service. */
  async function visit(url: string): Promise<string> {
    const cookies = new Map<string, string>();
    let next = url;
    for (let step = 0; step < 10; step += 1) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const one of response.headers.getSetCookie()) {
        const [name = '', value = ''] = one.split(';')[0]?.split('=') ?? [];
        cookies.set(name, value);
      }
      next = new URL(response.headers.get('location') ?? '', next).href;
      if (next.startsWith(redirectUri)) return new URL(next).search;
    }
    throw new Error(`The identity provider did not send the browser back, but to ${next}.`);
  }

  return {
    issuer,
    ...client,
    visit,
    become: (person: Person) => {
      state.person = person;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
