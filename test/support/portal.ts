import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Role } from '../../src/domain/enums.ts';
import { insertUser } from '../../src/features/accounts/users/insert-user.ts';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import type { TestApp, TestResponse } from './app.ts';
import { assertPortalDocumented } from './portal-document.ts';
import { prepare } from './prepare.ts';

export interface TestUser {
  id: string;
  email: string;
  password: string;
}

/** Creates a user of the company who can sign in. */
export async function makeUser(
  app: Pick<TestApp, 'db'>,
  companyId: CompanyId,
  role: Role | readonly Role[] = 'admin',
  fields: Partial<{ name: string; email: string }> = {},
): Promise<TestUser> {
  const mark = randomBytes(6).toString('hex');
  const user = { name: `User ${mark}`, email: `user-${mark}@example.com`, ...fields, roles: [role].flat() };
  const password = `a password ${mark}`;
  const id = await app.db.transaction().execute((tx) => insertUser(tx, companyId, { ...user, password }));
  assert(id, `${user.email} is taken`);
  return { id, email: user.email, password };
}

export interface PortalRequest {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON, except text and bytes, which are sent unchanged. */
  body?: unknown;
}

const originOf = (app: TestApp) => new URL(app.config.publicUrl).origin;

/** Sends one request to the portal's own API with exactly these headers. `path` is relative to /portal/api. */
export const portalRequest = (app: TestApp, path: string, options: PortalRequest = {}): Promise<TestResponse> =>
  pageRequest(app, { prefix: '/portal/api', path, assertDocumented: assertPortalDocumented }, options);

interface PageAddress {
  prefix: string;
  path: string;
  assertDocumented: typeof assertPortalDocumented;
}

/** Sends one request to the API of our own pages, and checks that its route declares such a response. */
export async function pageRequest(
  app: TestApp,
  { prefix, path, assertDocumented }: PageAddress,
  options: PortalRequest,
): Promise<TestResponse> {
  const { method = 'GET', headers = {}, body } = options;
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(`${new URL(app.url).origin}${prefix}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '') && bytes.length > 0;
  const result = {
    status: response.status,
    headers: response.headers,
    bytes,
    body: isJson ? JSON.parse(bytes.toString()) : undefined,
  };
  const contentType = response.headers.get('content-type');
  if (method !== 'HEAD') {
    assertDocumented(method, path.split('?')[0] ?? '', { ...result, contentType });
  }
  return result;
}

/** Returns `name=value` of each cookie that a response sets, ready to be sent back. */
export const cookiesOf = ({ headers }: Pick<TestResponse, 'headers'>) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

export interface PortalClient {
  /** The cookies, sent with every request. */
  cookie: string;
  get(path: string, headers?: Record<string, string>): Promise<TestResponse>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse>;
  delete(path: string, headers?: Record<string, string>): Promise<TestResponse>;
}

/** Returns a client that sends requests as the portal's own pages do, with this cookie. */
export function clientWith(app: TestApp, cookie: string, request = portalRequest): PortalClient {
  const send = (path: string, options: PortalRequest) =>
    request(app, path, {
      ...options,
      headers: { origin: originOf(app), ...(cookie ? { cookie } : {}), ...options.headers },
    });
  return {
    cookie,
    get: (path, headers = {}) => send(path, { headers }),
    post: (path, body, headers = {}) => send(path, { method: 'POST', body, headers }),
    delete: (path, headers = {}) => send(path, { method: 'DELETE', headers }),
  };
}

/** Returns a client that sends requests as the portal's own pages do before sign-in. */
export const anonymousClient = (app: TestApp) => clientWith(app, '');

/** Signs in as the pages do. Throws if the sign-in is refused. */
export async function signIn(app: TestApp, { email, password }: Omit<TestUser, 'id'>): Promise<PortalClient> {
  const result = await anonymousClient(app).post('/auth/sign-in/email', { email, password });
  assert.equal(result.status, 204, result.bytes.toString());
  return clientWith(app, cookiesOf(result));
}

/** Signs in as an administrator of the company for the tests of a suite or file. */
export const usePortal = (app: TestApp, company: { companyId: CompanyId }): PortalClient =>
  prepare(async () => signIn(app, await makeUser(app, company.companyId)));
