import type { FastifyReply, FastifyRequest } from 'fastify';
import { asCompanyId } from '../../db/company-scope.ts';
import { unavailable } from '../../errors.ts';
import type { Parts } from '../../http/routes.ts';
import { markSignedIn } from '../people/queries.ts';
import { type Auth, authPath, clientAddressHeader } from './auth.ts';

/** What better-auth needs of a request, and nothing else of it. */
function headersOf(request: FastifyRequest): Headers {
  const headers = new Headers({ [clientAddressHeader]: request.ip });
  for (const name of ['cookie', 'user-agent'] as const) {
    const value = request.headers[name];
    if (value !== undefined) headers.set(name, value);
  }
  return headers;
}

/** Its own answers hold the session's token, which pages need not see: cookies are all that is passed on. */
export function passOnCookies({ headers }: Pick<Response, 'headers'>, reply: FastifyReply): void {
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) reply.header('set-cookie', cookies);
}

/** The session of the request's cookie, which a use later than a day after the last one prolongs. */
export async function findSession(auth: Auth, request: FastifyRequest, reply: FastifyReply) {
  if (request.headers.cookie === undefined) return undefined;
  const found = await auth.api.getSession({ headers: headersOf(request), returnHeaders: true }).catch(() => {
    // It has caught whatever was wrong, and a session is nothing but rows of the database.
    throw unavailable('The session cannot be checked at the moment.');
  });
  passOnCookies(found, reply);
  const { user } = found.response ?? {};
  return user && { companyId: asCompanyId(user.companyId), personId: user.id };
}

/** Hands a request to better-auth. The guard has seen where it comes from; better-auth is told so, and checks it again. */
export async function askAuth(
  auth: Auth,
  request: FastifyRequest,
  { publicUrl }: Parts['config'],
  path: string,
  body: object = {},
): Promise<Response> {
  const { origin } = new URL(publicUrl);
  const headers = headersOf(request);
  headers.set('origin', origin);
  headers.set('content-type', 'application/json');
  const response = await auth.handler(
    new Request(`${origin}${authPath}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
  );
  if (response.status >= 500) throw unavailable('Signing in is not possible at the moment.');
  return response;
}

interface SignInParts {
  auth: Auth;
  parts: Pick<Parts, 'config' | 'db'>;
}

/** Signs the browser in, if there is somebody with this address and password. */
export async function startSession(
  { auth, parts: { config, db } }: SignInParts,
  request: FastifyRequest,
  reply: FastifyReply,
  credentials: { email: string; password: string },
): Promise<boolean> {
  const response = await askAuth(auth, request, config, '/sign-in/email', credentials);
  if (!response.ok) return false;
  const { user } = (await response.json()) as { user: { id: string; companyId: number } };
  await markSignedIn(db, asCompanyId(user.companyId), user.id);
  passOnCookies(response, reply);
  return true;
}

/** better-auth would tell this session from the others by their tokens, of which only hashes are known. */
export async function endOtherSessions(
  { auth, parts: { db } }: SignInParts,
  request: FastifyRequest,
  personId: string,
): Promise<void> {
  const found = await auth.api.getSession({ headers: headersOf(request) });
  await db
    .deleteFrom('portal_sessions')
    .where('user_id', '=', personId)
    .where('id', '<>', found?.session.id ?? '')
    .execute();
}
