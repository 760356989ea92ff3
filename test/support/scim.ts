import assert from 'node:assert/strict';
import { operator } from '../../src/domain/actor.ts';
import { collectScimChanges } from '../../src/features/scim/collect.ts';
import { enterpriseSchema, messages, transitSchema, userSchema } from '../../src/features/scim/rules/names.ts';
import { createScimToken } from '../../src/features/scim/tokens.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { writeCompany } from '../../src/platform/db/write.ts';
import type { TestApp, TestResponse } from './app.ts';
import type { Pusher } from './sync.ts';

/** An identity provider with the token of an integration. */
export interface Provider {
  token: string;
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse>;
  /** Creates a user and returns the id. */
  create(user: object): Promise<string>;
  patch(id: string, ...operations: object[]): Promise<TestResponse>;
  /** Makes a sync of what was accepted, and waits for its outcome. Undefined: nothing was accepted. */
  collect(): Promise<TestResponse['body'] | undefined>;
}

export const aUser = (number: number, fields: Record<string, unknown> = {}) => ({
  schemas: [userSchema, enterpriseSchema],
  externalId: `ext-${number}`,
  userName: `user${number}@example.com`,
  name: { givenName: 'Anna', familyName: `Muster${number}` },
  displayName: `Anna Muster${number}`,
  emails: [{ value: `anna${number}@example.com`, type: 'work', primary: true }],
  active: true,
  [enterpriseSchema]: { employeeNumber: `E${number}` },
  ...fields,
});

export const extension = (fields: object) => ({ [transitSchema]: fields });
export const patchOf = (...Operations: object[]) => ({ schemas: [messages.patch], Operations });

const scimUrlOf = (app: TestApp) => app.url.replace(/\/v1$/, '/scim/v2');

export async function sendScim(
  app: TestApp,
  token: string | undefined,
  {
    method,
    path,
    body,
    headers = {},
  }: { method: string; path: string; body?: unknown; headers?: Record<string, string> },
): Promise<TestResponse> {
  const response = await fetch(`${scimUrlOf(app)}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString();
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

export async function connectProvider(pusher: Pusher): Promise<Provider> {
  const { app, companyId, integrationId } = pusher;
  const context = {
    config: app.config,
    db: app.serviceDb,
    companyId,
    by: { actor: operator, name: 'operator', at: app.deps.clock.now() },
    write: <T>(change: (tx: Tx, roles: []) => Promise<T>) =>
      writeCompany(app.serviceDb, companyId, (tx) => change(tx, [])),
    openEncryption: () => Promise.reject(new Error('Nothing is encrypted.')),
  };
  const { token } = await createScimToken(context, { id: integrationId });
  return withToken(pusher, token);
}

function withToken(pusher: Pusher, token: string): Provider {
  const { app, companyId, integrationId } = pusher;
  const request: Provider['request'] = (method, path, body, headers = {}) =>
    sendScim(app, token, { method, path, body, headers });
  const target = { companyId, hrIntegrationId: integrationId };
  return {
    token,
    request,
    async create(user) {
      const { status, body } = await request('POST', '/Users', user);
      assert.equal(status, 201, JSON.stringify(body));
      return body.id;
    },
    patch: (id, ...operations) => request('PATCH', `/Users/${id}`, patchOf(...operations)),
    async collect() {
      let syncId: string | undefined;
      await collectScimChanges(
        {
          db: app.serviceDb,
          ...app.deps,
          maxEntries: 250_000,
          isUrgent: true,
          onCollected: (result) => {
            syncId = result.syncId;
          },
        },
        target,
      );
      return syncId === undefined ? undefined : pusher.finished(syncId);
    },
  };
}
