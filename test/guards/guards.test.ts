import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Permission, permissions } from '../../src/domain/enums.ts';
import { basic, type Credentials, type TestResponse, useApp } from '../support/app.ts';
import { runsOf } from '../support/domain/runs.ts';
import { makeCompany, makeKey } from '../support/factories.ts';
import { type Operation, operations } from '../support/openapi.ts';
import { bodyOf, makeOneOfEach, type Records, sampleOf } from '../support/records.ts';
import { walletEnv } from '../support/wallets.ts';

/**
 * These tests cover all routes. They send a request to every operation of the OpenAPI document, so a new route is
 * covered as soon as it is documented. A route that is not documented fails in the last test.
 */

const withoutRequestId = ({ body }: TestResponse) => ({ ...body, requestId: undefined });

describe('every operation', () => {
  const app = useApp({ env: walletEnv });
  let own: Records;
  let foreign: Records;
  let key: Credentials;

  before(async () => {
    const company = await makeCompany(app.db, 'Own');
    own = await makeOneOfEach(app, company);
    key = await makeKey(app.db, company);
    foreign = await makeOneOfEach(app, await makeCompany(app.db, 'Foreign'));
  });

  const send = (operation: Operation, records: Records, headers: Record<string, string> = {}) => {
    const sent = bodyOf(operation);
    return app.request(sampleOf(operation, records), {
      ...sent,
      method: operation.method,
      headers: { ...sent?.headers, ...headers },
    });
  };
  const sendAs = (operation: Operation, records: Records, credentials: Credentials) =>
    send(operation, records, { authorization: basic(credentials) });

  for (const operation of operations) {
    describe(operation.operationId, () => {
      const isOpen = operation.permissions === undefined;
      const needed = (operation.permissions ?? []) as Permission[];

      it('accepts a key with all permissions', async () => {
        const { status } = await sendAs(operation, own, key);
        assert(status < 400, `answered ${status}`);
      });

      it(`${isOpen ? 'needs no key' : 'refuses everything but a valid key with a 401 that differs only in its detail'}`, async () => {
        const responses = [
          await send(operation, own),
          await send(operation, own, { authorization: 'Bearer abc' }),
          await sendAs(operation, own, { ...key, password: `${key.password}x` }),
          await sendAs(operation, own, { ...key, username: 'tk_999999_0123456789abcdef' }),
          await sendAs(operation, own, { ...key, password: key.password.replace('_staging_', '_production_') }),
        ];
        for (const response of responses) {
          if (isOpen) {
            assert(response.status < 400, `answered ${response.status}`);
            continue;
          }
          assert.equal(response.status, 401);
          assert.match(response.headers.get('www-authenticate') ?? '', /^Basic /);
          assert.equal(response.body.code, 'invalid-credentials');
          const { detail } = response.body;
          const [first] = responses as [TestResponse];
          const expected = { ...first, body: { ...first.body, detail } };
          assert.deepEqual(withoutRequestId(response), withoutRequestId(expected));
        }
      });

      for (const missing of needed) {
        it(`refuses a key without ${missing}`, async () => {
          const without = permissions.filter((permission) => permission !== missing);
          const lacking = await makeKey(app.db, own.companyId, without);
          const response = await sendAs(operation, own, lacking);
          assert.equal(response.status, 403);
          assert.deepEqual(response.body.missingPermissions, [missing]);
        });
      }

      it('sends a request id and forbids shared caching', async () => {
        const { headers } = await sendAs(operation, own, key);
        assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
        assert.match(headers.get('cache-control') ?? '', /no-store|private/);
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
      });

      const ignoresQuery = operation.operationId === 'checkHealth';
      it(`${ignoresQuery ? 'ignores' : 'refuses and names'} an unknown parameter`, async () => {
        const path = `${sampleOf(operation, own)}?nobodyKnowsThis=1`;
        const { status, body } = await app.request(path, { ...bodyOf(operation), method: operation.method, key });
        if (ignoresQuery) return assert.equal(status, 204);
        assert.equal(status, 400);
        assert.equal(body.code, 'invalid-parameters');
        assert.equal(body.errors[0].parameter, 'nobodyKnowsThis');
        assert.equal(body.errors[0].code, 'unknown');
      });

      if (operation.parameters.some((parameter) => parameter.in === 'path' && parameter.name === 'id')) {
        it('treats ids of another company exactly like unknown ids', async () => {
          const unknown = {
            ...foreign,
            ids: Object.fromEntries(Object.keys(foreign.ids).map((name) => [name, 999_999_999])),
          };
          const theirs = await sendAs(operation, foreign, key);
          const unknownOnes = await sendAs(operation, unknown as Records, key);
          assert.equal(theirs.status, 404);
          assert.deepEqual(withoutRequestId(theirs), withoutRequestId(unknownOnes));
        });

        it('checks credentials before parameters, and permissions before existence', async () => {
          const path = operation.path.replace('{id}', 'not-a-number');
          assert.equal((await app.request(path, { method: operation.method })).status, 401);
          if (needed.length === 0) return;
          const none = await makeKey(app.db, own.companyId, []);
          assert.equal((await app.request(path, { method: operation.method, key: none })).status, 403);
          assert.equal((await app.request(path, { method: operation.method, key })).status, 400);
        });
      } else {
        it('returns nothing of another company', async () => {
          const response = await sendAs(operation, own, key);
          const text = response.bytes.toString();
          for (const secret of foreign.marks) assert(!text.includes(secret), `${secret} belongs to another company`);
        });
      }

      for (const parameter of operation.parameters.filter(
        ({ name, in: place }) => name === 'ids' && place === 'query',
      )) {
        it(`finds nothing for ${parameter.name} of another company`, async () => {
          const ids = Object.values(foreign.ids).map((id) => `ids=${id}`);
          const response = await app.request(`${sampleOf(operation, own)}?${ids.join('&')}`, { key });
          assert.equal(response.body.data.total, 0);
        });
      }
    });
  }

  it('accepts exactly those subsets of the six permissions that the operation needs', async () => {
    const all = 2 ** permissions.length;
    // An odd step, so that those of `npm test` differ in every permission. `npm run test:slow` sends all of them.
    const subsets = Array.from({ length: runsOf(all) }, (_, number) => {
      const bits = (number * 23) % all;
      return permissions.filter((_permission, index) => (bits >> index) & 1);
    });
    for (const subset of subsets) {
      const limited = await makeKey(app.db, own.companyId, subset);
      await Promise.all(
        operations.map(async (operation) => {
          const { permissions: all = [], anyPermission: any } = operation;
          const isMissing = (permission: string) => !subset.includes(permission as Permission);
          const missing = any?.every(isMissing) ? any : all.filter(isMissing);
          const { status, body } = await sendAs(operation, own, limited);
          assert.equal(status === 403, missing.length > 0, `${operation.operationId} with ${subset}: ${status}`);
          if (missing.length > 0) assert.deepEqual(body.missingPermissions, missing);
        }),
      );
    }
  });
});
