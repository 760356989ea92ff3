import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { enterpriseSchema, messages, transitSchema, userSchema } from '../../../src/features/scim/rules/names.ts';
import { useApp } from '../../support/app.ts';
import { aUser, connectProvider, extension, type Provider, patchOf } from '../../support/scim.ts';
import { makePusher } from '../../support/sync.ts';

describe('SCIM users', () => {
  const app = useApp();
  let idp: Provider;
  before(async () => {
    idp = await connectProvider(await makePusher(app));
  });
  let counter = 0;
  const next = (fields: Record<string, unknown> = {}) => aUser(++counter, fields);

  it('are created with id, location, version and media type (RFC 7644, 3.3)', async () => {
    const user = next();
    const { status, headers, body } = await idp.request('POST', '/Users', user);
    assert.equal(status, 201, JSON.stringify(body));
    assert.match(headers.get('content-type') ?? '', /^application\/scim\+json/);
    assert.equal(headers.get('location'), body.meta.location);
    assert.equal(headers.get('etag'), body.meta.version);
    assert.deepEqual(body.schemas, [userSchema, enterpriseSchema]);
    assert.equal(body.meta.resourceType, 'User');
    assert.equal(body.userName, user.userName);
    assert.deepEqual(body.emails, user.emails);
    assert.deepEqual(body.name, { ...user.name, formatted: `Anna ${user.name.familyName}` });
    const read = await idp.request('GET', `/Users/${body.id}`);
    assert.deepEqual(read.body, body);
  });

  it('ignore attributes that the roster does not need, and accept application/json', async () => {
    const user = next({ title: 'Engineer', 'urn:example:other:2.0:User': { shoeSize: 42 } });
    const { status, body } = await idp.request('POST', '/Users', user, { 'content-type': 'application/json' });
    assert.equal(status, 201);
    assert.equal(body.title, undefined);
  });

  it('exist once per user name without case, HR id and address', async () => {
    const user = next();
    await idp.create(user);
    const refused = [
      { ...next(), userName: user.userName.toUpperCase() },
      next({ [enterpriseSchema]: user[enterpriseSchema] }),
      next({ emails: [{ value: user.emails[0]?.value.toUpperCase(), primary: 'True' }] }),
    ];
    for (const one of refused) {
      const { status, body } = await idp.request('POST', '/Users', one);
      assert.equal(status, 409, JSON.stringify(body));
      assert.deepEqual([body.schemas, body.status, body.scimType], [[messages.error], '409', 'uniqueness']);
    }
  });

  it('are created once, however many arrive together', async () => {
    const user = next();
    const responses = await Promise.all(Array.from({ length: 8 }, () => idp.request('POST', '/Users', user)));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409, 409, 409]);
  });

  it('that could not be in a roster are refused with every reason', async () => {
    const { status, body } = await idp.request('POST', '/Users', { userName: 'no-address' });
    assert.equal(status, 400);
    assert.equal(body.scimType, 'invalidValue');
    for (const word of ['employeeNumber', 'givenName', 'familyName', 'emails']) assert.match(body.detail, RegExp(word));
    const inactive = await idp.request('POST', '/Users', { userName: 'no-address', active: 'False' });
    assert.equal(inactive.status, 201);
    assert.equal(inactive.body.active, false);
    const activated = await idp.patch(inactive.body.id, { op: 'replace', path: 'active', value: true });
    assert.equal(activated.status, 400);
  });

  it('are replaced as a whole; what was left out is cleared', async () => {
    const user = next(extension({ startDate: '2024-02-01', terminationDate: '2027-01-31T00:00:00Z' }));
    const id = await idp.create(user);
    const { [transitSchema]: _, displayName: __, ...less } = user as Record<string, unknown>;
    const { status, body } = await idp.request('PUT', `/Users/${id}`, less);
    assert.equal(status, 200);
    assert.equal(body[transitSchema], undefined);
    assert.equal(body.displayName, undefined);
    assert.equal(body.meta.version, 'W/"2"');
  });

  it('keep their version if nothing changes', async () => {
    const user = next(
      extension({ autoSyncEmployee: 'True', absences: [{ startDate: '2026-12-01', approved: 'true' }] }),
    );
    const id = await idp.create(user);
    const { body } = await idp.request('PUT', `/Users/${id}`, user);
    assert.equal(body.meta.version, 'W/"1"');
    assert.deepEqual(body[transitSchema], {
      autoSyncEmployee: true,
      absences: [{ startDate: '2026-12-01', approved: true }],
    });
  });

  it('are protected by If-Match, and not sent again with If-None-Match', async () => {
    const id = await idp.create(next());
    const path = `/Users/${id}`;
    const change = patchOf({ op: 'replace', path: 'displayName', value: 'New' });
    const outdated = await idp.request('PATCH', path, change, { 'if-match': 'W/"7"' });
    assert.equal(outdated.status, 412);
    const matching = await idp.request('PATCH', path, change, { 'if-match': 'W/"1"' });
    assert.equal(matching.status, 200);
    const same = await idp.request('GET', path, undefined, { 'if-none-match': 'W/"2"' });
    assert.deepEqual([same.status, same.bytes.length], [304, 0]);
    assert.equal((await idp.request('DELETE', path, undefined, { 'if-match': 'W/"1"' })).status, 412);
    assert.equal((await idp.request('DELETE', path, undefined, { 'if-match': '*' })).status, 204);
  });

  it('are gone after they were deleted, and can be created again', async () => {
    const user = next();
    const id = await idp.create(user);
    assert.equal((await idp.request('DELETE', `/Users/${id}`)).status, 204);
    for (const [method, body] of [
      ['GET'],
      ['DELETE'],
      ['PUT', user],
      ['PATCH', patchOf({ op: 'remove', path: 'active' })],
    ] as const) {
      const response = await idp.request(method, `/Users/${id}`, body);
      assert.equal(response.status, 404, `${method}: ${JSON.stringify(response.body)}`);
      assert.equal(response.body.status, '404');
    }
    assert.notEqual(await idp.create(user), id);
  });

  it('return only the attributes that a request names, and never those that it excludes', async () => {
    const user = next();
    const id = await idp.create(user);
    const of = async (query: string) => (await idp.request('GET', `/Users/${id}?${query}`)).body;
    assert.deepEqual(await of('attributes=userName,name.familyName,emails.value'), {
      schemas: [userSchema, enterpriseSchema],
      id,
      userName: user.userName,
      name: { familyName: user.name.familyName },
      emails: [{ value: user.emails[0]?.value }],
    });
    const { [enterpriseSchema]: number } = await of(`attributes=${enterpriseSchema}:employeeNumber`);
    assert.deepEqual(number, user[enterpriseSchema]);
    const less = await of('excludedAttributes=id,emails,meta,name.formatted');
    assert.deepEqual([less.id, less.emails, less.meta, less.name], [id, undefined, undefined, user.name]);
  });

  it('are not found by ids that are none', async () => {
    for (const id of ['0', '-1', 'abc', '1e3', '99999999999999999999', "1'--", '%00', '999999']) {
      const { status, body } = await idp.request('GET', `/Users/${id}`);
      assert.deepEqual([status, body.schemas], [404, [messages.error]], id);
    }
  });
});

describe('Lists of SCIM users', () => {
  const app = useApp();
  let idp: Provider;
  const count = 12;
  before(async () => {
    idp = await connectProvider(await makePusher(app));
    for (let number = 1; number <= count; number++) {
      await idp.create(
        aUser(number, {
          ...(number > 10 ? { active: false } : {}),
          name: { givenName: number % 2 ? 'Ödön' : 'Eva', familyName: `F${String(number).padStart(2, '0')}` },
          ...extension({ startDate: `2024-01-${String(number).padStart(2, '0')}` }),
        }),
      );
    }
  });

  const list = async (query: Record<string, string>) => {
    const { status, body } = await idp.request('GET', `/Users?${new URLSearchParams(query)}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const names = async (filter: string) =>
    (await list({ filter })).Resources.map(({ externalId }: { externalId: string }) => Number(externalId.slice(4)));

  const cases: [string, number[]][] = [
    ['userName eq "USER3@example.com"', [3]],
    ['USERNAME Eq "user3@example.com"', [3]],
    ['externalId eq "ext-4"', [4]],
    ['externalId eq "EXT-4"', []],
    ['externalId eq "nobody"', []],
    [`${enterpriseSchema}:employeeNumber eq "E5"`, [5]],
    [`${userSchema}:userName eq "user5@example.com"`, [5]],
    ['emails[type eq "work" and value eq "anna6@example.com"]', [6]],
    ['emails[type eq "work"].value eq "ANNA6@example.com"', [6]],
    ['emails.value ew "7@example.com"', [7]],
    ['emails eq "anna8@example.com"', [8]],
    ['active eq false', [11, 12]],
    ['active eq "False"', [11, 12]],
    ['not (active eq true)', [11, 12]],
    ['name.familyName ge "f10" and active eq true', [10]],
    ['name.givenName eq "ödön" and (name.familyName eq "F01" or name.familyName eq "F03")', [1, 3]],
    ['name.familyName co "09" or externalId sw "ext-12"', [9, 12]],
    [`${transitSchema}:startDate lt "2024-01-03"`, [1, 2]],
    ['meta.created gt "2099-01-01T00:00:00Z"', []],
    ['displayName pr and userName sw "user2@"', [2]],
    ['not (emails pr)', []],
    ['externalId eq "\\"; drop table scim_users; --"', []],
    ['externalId ne null and userName eq "user1@example.com"', [1]],
    ['userName eq "user1@example.com" or userName eq "user2@example.com" and active eq false', [1]],
    ['id eq "abc"', []],
  ];
  for (const [filter, expected] of cases) {
    it(`fulfil ${filter}`, async () => assert.deepEqual(await names(filter), expected));
  }

  const refused = [
    '',
    'userName',
    'userName eq',
    'userName eq user1',
    'userName like "a"',
    'eq "a"',
    'userName eq "a" and',
    '(userName eq "a"',
    'userName eq "a")',
    'password eq "a"',
    'active gt true',
    'meta.created eq "yesterday"',
    'userName[value eq "a"]',
    'emails[shoe eq "a"]',
    'emails[type eq "work"].shoe eq "a"',
    'userName eq "a" ; drop table scim_users',
    'userName eq 5',
    `${'('.repeat(9)}userName eq "a"${')'.repeat(9)}`,
    Array.from({ length: 21 }, () => 'userName eq "a"').join(' or '),
    `userName eq "${'a'.repeat(2_000)}"`,
    'userName eq "a\u0000b"',
  ].slice(1);
  for (const filter of refused) {
    it(`refuse ${filter.slice(0, 60)}`, async () => {
      const { status, body } = await idp.request('GET', `/Users?${new URLSearchParams({ filter })}`);
      assert.deepEqual([status, body.scimType, body.schemas], [400, 'invalidFilter', [messages.error]], body.detail);
      assert.match(body.detail, /\.$/);
    });
  }

  it('have pages by startIndex and count', async () => {
    const first = await list({ count: '5' });
    assert.deepEqual([first.totalResults, first.itemsPerPage, first.startIndex], [count, 5, 1]);
    const last = await list({ startIndex: '11', count: '5' });
    assert.deepEqual([last.totalResults, last.itemsPerPage, last.startIndex], [count, 2, 11]);
    const beyond = await list({ startIndex: '99' });
    assert.deepEqual([beyond.totalResults, beyond.Resources], [count, []]);
    const none = await list({ count: '0' });
    assert.deepEqual([none.totalResults, none.itemsPerPage, none.Resources], [count, 0, []]);
    const low = await list({ startIndex: '0', count: '-3' });
    assert.deepEqual([low.startIndex, low.itemsPerPage], [1, 0]);
    const { status } = await idp.request('GET', '/Users?count=many');
    assert.equal(status, 400);
  });

  it('are sorted', async () => {
    const sorted = await list({ sortBy: 'name.familyName', sortOrder: 'descending', count: '2' });
    assert.deepEqual(
      sorted.Resources.map((one: { name: { familyName: string } }) => one.name.familyName),
      ['F12', 'F11'],
    );
    const { status, body } = await idp.request('GET', '/Users?sortBy=shoeSize');
    assert.deepEqual([status, body.scimType], [400, 'invalidValue']);
  });

  it('are found by a search in a body', async () => {
    const search = { schemas: [messages.search], filter: 'externalId eq "ext-2"', attributes: ['userName'], count: 1 };
    for (const path of ['/Users/.search', '/.search']) {
      const { status, body } = await idp.request('POST', path, search);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.totalResults, 1);
      assert.deepEqual(Object.keys(body.Resources[0]).sort(), ['id', 'schemas', 'userName']);
    }
  });
});
