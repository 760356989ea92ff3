import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { messages, userSchema } from '../../../src/features/scim/rules/names.ts';
import { type TestResponse, useApp } from '../../support/app.ts';
import { aUser, connectProvider, type Provider, patchOf, sendScim } from '../../support/scim.ts';
import { makePusher, type Pusher } from '../../support/sync.ts';

describe('The protocol of SCIM', () => {
  const app = useApp();
  let pusher: Pusher;
  let idp: Provider;
  before(async () => {
    pusher = await makePusher(app);
    idp = await connectProvider(pusher);
  });

  it('describes the service (RFC 7644, section 4)', async () => {
    const { body: config } = await idp.request('GET', '/ServiceProviderConfig');
    for (const feature of ['patch', 'filter', 'sort', 'etag']) assert.equal(config[feature].supported, true, feature);
    assert.equal(config.changePassword.supported, false);
    for (const [path, count] of [
      ['/Schemas', 4],
      ['/ResourceTypes', 2],
    ] as const) {
      const { status, body } = await idp.request('GET', path);
      assert.deepEqual([status, body.schemas, body.totalResults], [200, [messages.list], count]);
      for (const one of body.Resources) {
        const { status: found, body: single } = await idp.request('GET', `${path}/${one.id}`);
        assert.deepEqual([found, single], [200, one]);
      }
    }
    assert.equal((await idp.request('GET', '/Schemas/urn:unknown')).status, 404);
  });

  it('has no /Me, and answers unknown paths and methods in its own form', async () => {
    for (const method of ['GET', 'POST', 'PATCH']) assert.equal((await idp.request(method, '/Me')).status, 501);
    const missing = await idp.request('GET', '/Devices');
    assert.deepEqual([missing.status, missing.body.schemas], [404, [messages.error]]);
    const wrong = await idp.request('PUT', '/Users');
    assert.equal(wrong.status, 405);
    assert.match(wrong.headers.get('allow') ?? '', /POST/);
  });

  it('answers bad bodies in its own form', async () => {
    const cases: [unknown, string, number][] = [
      ['{', 'application/scim+json', 400],
      ['[]', 'application/scim+json', 400],
      ['"text"', 'application/scim+json', 400],
      ['{}', 'application/xml', 415],
      [`${'['.repeat(50)}${']'.repeat(50)}`, 'application/scim+json', 400],
      [JSON.stringify({ userName: 'x'.repeat(300_000) }), 'application/scim+json', 413],
      [JSON.stringify(aUser(1, { userName: 'a\u0000b' })), 'application/scim+json', 400],
      [JSON.stringify(aUser(1, { userName: { a: 1 } })), 'application/scim+json', 400],
      [JSON.stringify(aUser(1, { active: 'perhaps' })), 'application/scim+json', 400],
    ];
    for (const [body, type, expected] of cases) {
      const response = await idp.request('POST', '/Users', body, { 'content-type': type });
      assert.equal(response.status, expected, JSON.stringify(response.body));
      assert.deepEqual([response.body.schemas, response.body.status], [[messages.error], String(expected)]);
    }
  });

  it('refuses every token but the newest, and for a day the one before', async () => {
    const [company, secret = ''] = idp.token.split('.');
    const wrong = [
      undefined,
      'x',
      `${company}.${'A'.repeat(secret.length)}`,
      idp.token.replace('_staging_', '_production_'),
      idp.token.replace(/_(\d+)\./, '_9999999.'),
      `${idp.token}x`,
    ];
    const bodies = new Set<string>();
    for (const token of wrong) {
      const { status, headers, body } = await sendScim(app, token, { method: 'GET', path: '/Users' });
      assert.equal(status, 401);
      assert.match(headers.get('www-authenticate') ?? '', /^Bearer/);
      bodies.add(JSON.stringify(body));
    }
    assert.equal(bodies.size, 1);
    const other = await makePusher(app);
    const first = await connectProvider(other);
    const second = await connectProvider(other);
    assert.equal((await first.request('GET', '/Users')).status, 200);
    await sql`update scim_connections set previous_token_until = now() - interval '1 second'
      where hr_integration_id = ${other.integrationId}`.execute(app.db);
    assert.equal((await first.request('GET', '/Users')).status, 401);
    assert.equal((await second.request('GET', '/Users')).status, 200);
    await sql`update hr_integrations set status = 'inactive' where id = ${other.integrationId}`.execute(app.db);
    assert.equal((await second.request('GET', '/Users')).status, 403);
    await sql`update scim_connections set token_hash = null where hr_integration_id = ${other.integrationId}`.execute(
      app.db,
    );
    assert.equal((await second.request('GET', '/Users')).status, 401);
    const { rows } = await sql<{ found: boolean }>`select exists (select from audit_log
      where company_id = ${other.companyId} and detail::text like ${`%${secret}%`}) as found`.execute(app.db);
    assert.equal(rows[0]?.found, false);
  });

  it('shows nothing of another company or integration', async () => {
    const foreign = await connectProvider(await makePusher(app));
    const id = await foreign.create(aUser(1));
    const change = patchOf({ op: 'replace', path: 'active', value: false });
    for (const [method, path, body] of [
      ['GET', `/Users/${id}`],
      ['PUT', `/Users/${id}`, aUser(2)],
      ['PATCH', `/Users/${id}`, change],
      ['DELETE', `/Users/${id}`],
    ] as const) {
      const { status, body: answer } = await idp.request(method, path, body);
      assert.deepEqual([status, answer.status], [404, '404'], method);
    }
    const search = { filter: `id eq "${id}"` };
    assert.equal((await idp.request('POST', '/Users/.search', search)).body.totalResults, 0);
    assert.equal((await idp.request('POST', '/.search', search)).body.totalResults, 0);
    const untouched = await foreign.request('GET', `/Users/${id}`);
    assert.deepEqual([untouched.status, untouched.body.meta.version], [200, 'W/"1"']);
    // The portal's key opens nothing here, and the token nothing elsewhere.
    const { username, password } = pusher.key;
    const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    assert.equal((await idp.request('GET', '/Users', undefined, { authorization: basic })).status, 401);
    const api = await app.request('/employees', { headers: { authorization: `Bearer ${idp.token}` } });
    assert.equal(api.status, 401);
  });

  it('answers any filter and any PATCH with success or a SCIM error', async () => {
    const id = await idp.create(aUser(1));
    const word = fc.constantFrom(
      'userName',
      'emails',
      'type',
      'eq',
      'co',
      'pr',
      'and',
      'or',
      'not',
      '(',
      ')',
      '[',
      ']',
      '"a"',
      '5',
      'true',
      '.value',
      'urn:x:y',
      userSchema,
      '\\',
      '"',
      "'",
      ';',
    );
    const filter = fc.oneof(
      fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
    );
    const operation = fc.record(
      {
        op: fc.constantFrom('add', 'Replace', 'remove', 'move', null),
        path: fc.option(
          fc.oneof(
            filter,
            fc.constantFrom(
              'emails[type eq "work"].value',
              'name',
              'name.givenName',
              'members',
              '__proto__',
              'constructor.prototype',
            ),
          ),
          { nil: undefined },
        ),
        value: fc.jsonValue({ maxDepth: 3 }),
      },
      { requiredKeys: ['op'] },
    );
    const known = [200, 400, 409];
    await fc.assert(
      fc.asyncProperty(filter, fc.array(operation, { maxLength: 4 }), async (text, operations) => {
        const list = await idp.request('GET', `/Users?${new URLSearchParams({ filter: text.toWellFormed() })}`);
        assert(known.includes(list.status), `${text}: ${JSON.stringify(list.body)}`);
        const patch = await idp.patch(id, ...operations);
        assert(known.includes(patch.status), `${JSON.stringify(operations)}: ${JSON.stringify(patch.body)}`);
        for (const { status, body } of [list, patch])
          if (status >= 400) assert.deepEqual(body.schemas, [messages.error]);
      }),
      { numRuns: 150 },
    );
    assert.equal((await idp.request('GET', `/Users/${id}`)).status, 200);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });

  /** Statuses of SCIM that say what the client did wrong, and those of success. */
  const understood = [200, 201, 204, 400, 404, 409, 412, 413];
  const anyValue = fc.jsonValue({ maxDepth: 3 });
  const anyText = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.constantFrom(
      '',
      '1',
      '-1',
      '0',
      '99999999999999999',
      '__proto__',
      'bulkId:one',
      'bulkId:two',
      'bulkId:',
      '\u0000',
    ),
  );

  function assertUnderstood({ status, body }: TestResponse, sent: unknown): void {
    const text = JSON.stringify([sent, status, body]).slice(0, 2_000);
    assert(understood.includes(status), text);
    if (status >= 400) assert.deepEqual([body.schemas, body.status], [[messages.error], String(status)], text);
  }

  it('answers any Group with success or a SCIM error', async () => {
    const userId = await idp.create(aUser(50));
    const { body: group } = await idp.request('POST', '/Groups', { displayName: 'Fuzz' });
    const member = fc.oneof(fc.record({ value: fc.oneof(fc.constant(userId), anyText) }), anyValue);
    const members = fc.oneof(fc.array(member, { maxLength: 5 }), anyValue);
    const body = fc.oneof(
      fc.record(
        {
          schemas: fc.oneof(fc.constant(['urn:ietf:params:scim:schemas:core:2.0:Group']), anyValue),
          displayName: fc.oneof(anyText, anyValue),
          externalId: fc.oneof(anyText, anyValue),
          members,
        },
        { requiredKeys: [] },
      ),
      anyValue,
    );
    const path = fc.oneof(
      fc.constantFrom(
        'members',
        'displayName',
        `members[value eq "${userId}"]`,
        'members[value eq "x"].display',
        'id',
        'meta',
      ),
      anyText,
    );
    const operation = fc.record(
      { op: fc.constantFrom('add', 'Remove', 'replace', 'x'), path, value: fc.oneof(members, anyText) },
      { requiredKeys: ['op'] },
    );
    await fc.assert(
      fc.asyncProperty(body, fc.array(operation, { maxLength: 4 }), async (given, operations) => {
        const created = await idp.request('POST', '/Groups', JSON.stringify(given));
        assertUnderstood(created, given);
        assertUnderstood(await idp.request('PUT', `/Groups/${group.id}`, JSON.stringify(given)), given);
        assertUnderstood(await idp.request('PATCH', `/Groups/${group.id}`, patchOf(...operations)), operations);
        if (created.status === 201) {
          assertUnderstood(await idp.request('DELETE', `/Groups/${created.body.id}`), 'delete');
        }
      }),
      { numRuns: 100 },
    );
    assert.equal((await idp.request('GET', `/Groups/${group.id}`)).status, 200);
    assert.equal((await idp.request('GET', `/Users/${userId}`)).status, 200);
  });

  it('answers any Bulk request, each of its operations with a status of its own', async () => {
    const userId = await idp.create(aUser(60));
    const data = fc.oneof(
      anyValue,
      fc.integer({ min: 61, max: 69 }).map((number) => aUser(number)),
      fc.constant({ displayName: 'Bulk', members: [{ value: 'bulkId:one' }] }),
    );
    const operation = fc.oneof(
      fc.record(
        {
          method: fc.oneof(fc.constantFrom('POST', 'put', 'PATCH', 'DELETE', 'GET', 'TRACE'), anyValue),
          path: fc.oneof(
            fc.constantFrom(
              '/Users',
              '/Groups',
              `/Users/${userId}`,
              '/Users/bulkId:one',
              '/Bulk',
              '/Users/%',
              '//',
              '/Me',
            ),
            anyText,
            anyValue,
          ),
          bulkId: fc.oneof(fc.constantFrom('one', 'two'), anyValue),
          version: fc.oneof(anyText, anyValue),
          data,
        },
        { requiredKeys: [] },
      ),
      anyValue,
    );
    const body = fc.oneof(
      fc.record(
        {
          schemas: fc.constant([messages.bulkRequest]),
          failOnErrors: fc.oneof(fc.integer({ min: -1, max: 3 }), anyValue),
          Operations: fc.oneof(fc.array(operation, { maxLength: 8 }), anyValue),
        },
        { requiredKeys: [] },
      ),
      anyValue,
    );
    await fc.assert(
      fc.asyncProperty(body, async (given) => {
        const response = await idp.request('POST', '/Bulk', JSON.stringify(given));
        assertUnderstood(response, given);
        for (const { status, response: failure } of response.body.Operations ?? []) {
          assert(understood.includes(Number(status)), JSON.stringify([given, response.body]).slice(0, 2_000));
          if (Number(status) >= 400) assert.deepEqual(failure.schemas, [messages.error]);
        }
      }),
      { numRuns: 150 },
    );
    assert.equal((await idp.request('GET', '/Users?count=0')).status, 200);
  });

  it('refuses a Bulk request that is too long or too large before it works on any of it', async () => {
    const { totalResults: before } = (await idp.request('GET', '/Users?count=0')).body;
    const one = { method: 'POST', path: '/Users', bulkId: 'a', data: aUser(70) };
    const long = await idp.request('POST', '/Bulk', { Operations: Array.from({ length: 101 }, () => one) });
    assert.deepEqual([long.status, long.body.scimType], [413, 'tooMany']);
    const large = { ...one, data: { ...aUser(71), title: 'x'.repeat(2_000_000) } };
    assert.equal((await idp.request('POST', '/Bulk', { Operations: [large] })).status, 413);
    let deep: unknown = 'bulkId:none';
    for (let depth = 0; depth < 40; depth++) deep = [deep];
    assert.equal((await idp.request('POST', '/Bulk', { Operations: [{ ...one, data: deep }] })).status, 400);
    assert.equal((await idp.request('GET', '/Users?count=0')).body.totalResults, before);
  });
});

describe('The limit of SCIM', () => {
  const app = useApp({ env: { RATE_LIMIT_PER_MINUTE: '100', SCIM_RATE_LIMIT_PER_MINUTE: '5' } });

  it('counts per integration and says when to come back', async () => {
    const [one, other] = [await connectProvider(await makePusher(app)), await connectProvider(await makePusher(app))];
    const statuses: number[] = [];
    for (let count = 0; count < 7; count++) statuses.push((await one.request('GET', '/Users?count=0')).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429]);
    const { headers, body } = await one.request('GET', '/Users');
    assert(Number(headers.get('retry-after')) > 0);
    assert.deepEqual([body.schemas, body.status], [[messages.error], '429']);
    assert.equal((await other.request('GET', '/Users')).status, 200);
  });
});
