import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FakeServerOptions } from '../../../src/features/connectors/fake/fake-server.ts';
import {
  type Connection,
  ConnectorError,
  type Credentials,
} from '../../../src/features/connectors/providers/connector.ts';
import { httpJson } from '../../../src/features/connectors/providers/http-json.ts';
import { checkRules } from '../../../src/features/connectors/pull/check-rules.ts';
import type { Requests } from '../../../src/features/connectors/pull/contract.ts';
import { checkCredentials, openNewConnection } from '../../../src/features/connectors/pull/open-connection.ts';
import { mapRecord } from '../../../src/features/connectors/rules/map-record.ts';
import { listAttributes, type Mapping } from '../../../src/features/connectors/rules/mapping.ts';
import { templates } from '../../../src/features/connectors/templates/index.ts';
import { createEncryption } from '../../../src/platform/crypto/encryption.ts';
import {
  type FakeRest,
  factorialCredentials,
  type Paging,
  type Shape,
  startFakeFactorial,
  startFakeRest,
} from '../../support/fake-hr/rest.ts';

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    firstName: `First${index + 1}`,
    lastName: `Last${index + 1}`,
    email: `person${index + 1}@example.com`,
    salary: 'planted-salary',
  }));

const bearer = { authentication: 'bearer', token: 'rest-secret' };
const { mapping: genericMapping } = templates[0] as (typeof templates)[number];

const openRest = (origin: string, credentials: Credentials, { isTrusted = true, allowsPrivateHosts = true } = {}) =>
  openNewConnection(
    {
      encryption: createEncryption('x'.repeat(32)),
      origins: {},
      allowsPrivateHosts,
      hasDemo: false,
      retryDelayMillis: 0,
      isTrusted,
    },
    {
      provider: 'http-json',
      credentials: { baseUrl: `${origin}/api`, ...credentials },
      company: { timeZone: 'Europe/Berlin' },
      signal: AbortSignal.timeout(60_000),
    },
  );

async function readAll(connection: Connection, mapping: Mapping) {
  const absences = mapping.absences && { from: '2025-11-15', to: '2028-11-15' };
  const last = { people: null, memory: null };
  const records = [];
  for await (const page of connection.read({ mapping, attributes: listAttributes(mapping), absences, last })) {
    records.push(...page.records);
  }
  return records;
}

async function failOf(read: Promise<unknown>): Promise<ConnectorError> {
  const error = await read.then(
    () => assert.fail('it did not fail'),
    (thrown: unknown) => thrown,
  );
  assert(error instanceof ConnectorError, String(error));
  return error;
}

/** Each kind of paging, as the fake does it and as the mapping describes it. */
const pagings: Record<
  Paging,
  [Pick<Shape, 'wrap' | 'offsetOf'>, Pick<Requests['employees'], 'list' | 'total' | 'more' | 'paging'>]
> = {
  none: [
    { wrap: (data) => data, offsetOf: () => 0 },
    { list: '$', paging: { kind: 'none' } },
  ],
  page: [
    {
      wrap: (items, { total }) => ({ items, count: total }),
      offsetOf: (query, size) => (Number(query.get('p')) - 1) * size,
    },
    { list: 'items', total: 'count', paging: { kind: 'page', parameter: 'p', first: 1 } },
  ],
  offset: [
    { wrap: (items, { total }) => ({ items, count: String(total) }), offsetOf: (query) => Number(query.get('start')) },
    { list: 'items', total: 'count', paging: { kind: 'offset', parameter: 'start' } },
  ],
  more: [
    {
      wrap: (items, { next }) => ({ items, hasMore: next !== undefined }),
      offsetOf: (query) => Number(query.get('start')),
    },
    { list: 'items', more: 'hasMore', paging: { kind: 'offset', parameter: 'start' } },
  ],
  cursor: [
    {
      wrap: (items, { next }) => ({ items, page: { after: next === undefined ? null : `c${next}` } }),
      offsetOf: (query) => Number((query.get('after') ?? 'c0').slice(1)),
    },
    { list: 'items', paging: { kind: 'cursor', next: 'page.after', parameter: 'after' } },
  ],
  next: [
    {
      wrap: (items, { next, url }) => ({ items, ...(next === undefined ? {} : { next: url(next) }) }),
      offsetOf: (query) => Number(query.get('skip')),
    },
    { list: 'items', paging: { kind: 'cursor', next: 'next', parameter: null } },
  ],
  link: [
    { wrap: (items) => ({ items }), offsetOf: (query) => Number(query.get('skip')) },
    { list: 'items', paging: { kind: 'link' } },
  ],
};

const mappingOf = (paging: Paging, path = '/people?fields=a%2Cb'): Mapping => ({
  ...genericMapping,
  requests: { employees: { path, id: 'id', ...pagings[paging][1] }, absences: null },
});

const startPaged = (paging: Paging, count: number, fault?: FakeServerOptions['fault']) =>
  startFakeRest(
    {
      paths: ['/api/people'],
      paging,
      size: 40,
      isAllowed: ({ headers }) => headers.authorization === 'Bearer rest-secret',
      ...pagings[paging][0],
    },
    { people: people(count), absences: [] },
    fault,
  );

describe('any REST API', () => {
  for (const paging of Object.keys(pagings) as Paging[]) {
    it(`is read to its end: ${paging}`, async () => {
      for (const count of [0, 1, 39, 40, 41, 130]) {
        const fake = await startPaged(paging, count);
        const connection = await openRest(fake.origin, bearer);
        const records = await readAll(connection, mappingOf(paging));
        assert.deepEqual(
          records.map(({ attributes }) => attributes.id),
          people(count).map(({ id }) => id),
        );
        assert(fake.requests.every(({ query }) => query.get('fields') === 'a,b'));
        assert.doesNotMatch(JSON.stringify(records), /planted-salary/);
        await connection.close();
        await fake.close();
      }
    });
  }

  it('never takes a page that is missing for the end', async () => {
    const cases: [Paging, (body: Record<string, unknown>) => void, RegExp][] = [
      ['page', (body) => (body.items as unknown[]).splice(0), /listed|empty page/],
      ['page', (body) => delete body.count, /left out the number of records/],
      ['page', (body) => Object.assign(body, { count: 40 }), /differs between pages/],
      ['offset', (body) => (body.items as unknown[]).shift(), /twice/],
      ['more', (body) => delete body.hasMore, /did not say whether there are further pages/],
      ['cursor', (body) => Object.assign(body, { page: { after: 'c40' } }), /repeated a page/],
      ['cursor', (body) => delete body.items, /without a list/],
      ['next', (body) => Object.assign(body, { next: 'https://example.com/people' }), /leads elsewhere/],
    ];
    for (const [paging, edit, expected] of cases) {
      const fake = await startPaged(paging, 130, ({ index }) =>
        index !== 1
          ? undefined
          : (response) => {
              const body = structuredClone(response.body) as Record<string, unknown>;
              edit(body);
              return { ...response, body };
            },
      );
      const connection = await openRest(fake.origin, bearer);
      const { code, message } = await failOf(readAll(connection, mappingOf(paging)));
      assert.equal(code, 'incomplete', `${paging}: ${message}`);
      assert.match(message, expected);
      await connection.close();
      await fake.close();
    }
  });

  it('authenticates in each way, and renews a token that has expired', async () => {
    let issued = 0;
    const tokenPath = '/login/token';
    const cases: [Credentials, Shape['isAllowed']][] = [
      [
        { authentication: 'basic', user: 'ada', password: 'rest-secret' },
        ({ headers }) => headers.authorization === `Basic ${Buffer.from('ada:rest-secret').toString('base64')}`,
      ],
      [bearer, ({ headers }) => headers.authorization === 'Bearer rest-secret'],
      [
        { authentication: 'header', headerName: 'X-API-Key', token: 'rest-secret' },
        ({ headers }) => headers['x-api-key'] === 'rest-secret' && headers.authorization === undefined,
      ],
      [
        { authentication: 'oauth2', clientId: 'me', clientSecret: 'rest-secret', scope: 'people' },
        ({ headers }) => headers.authorization === 'Bearer form-2',
      ],
      [
        { authentication: 'key-pair', clientId: 'me', clientSecret: 'rest-secret' },
        ({ headers }) => headers.authorization === 'Bearer json-2',
      ],
    ];
    for (const [credentials, isAllowed] of cases) {
      issued = 0;
      const fake = await startFakeRest(
        {
          ...pagings.none[0],
          paths: ['/api/people'],
          paging: 'none',
          size: 10,
          isAllowed,
          answer({ method, path, body }) {
            if (path !== tokenPath || method !== 'POST') return undefined;
            issued += 1;
            const form = new URLSearchParams(body);
            if (form.get('grant_type') === 'client_credentials' && form.get('client_secret') === 'rest-secret') {
              assert.equal(form.get('scope'), 'people');
              return { status: 200, body: { access_token: `form-${issued}` } };
            }
            const { accessKey, secretAccessKey } = JSON.parse(body) as Record<string, string>;
            assert.deepEqual([accessKey, secretAccessKey], ['me', 'rest-secret']);
            return { status: 200, body: { token: `json-${issued}` } };
          },
        },
        { people: people(3), absences: [] },
      );
      const tokenUrl = { tokenUrl: `${fake.origin}${tokenPath}` };
      const complete = 'clientId' in credentials ? { ...credentials, ...tokenUrl } : credentials;
      const connection = await openRest(fake.origin, complete);
      assert.equal((await readAll(connection, mappingOf('none'))).length, 3);
      await connection.close();
      const refused = await openRest(fake.origin, { ...complete, password: 'x', token: 'x', authentication: 'bearer' });
      assert.equal((await failOf(readAll(refused, mappingOf('none')))).code, 'credentials-refused');
      await refused.close();
      await fake.close();
    }
  });

  it('is not asked at private addresses or without TLS, whatever its name leads to', async () => {
    const fake = await startPaged('none', 1);
    const strict = { allowsPrivateHosts: false };
    for (const origin of [fake.origin, 'https://localhost:9', 'https://[::1]:8443', 'https://10.0.0.1']) {
      const connection = await openRest(origin, bearer, strict);
      assert.equal((await failOf(readAll(connection, mappingOf('none')))).code, 'unreachable');
      await connection.close();
    }
    assert.equal(fake.requests.length, 0);
    await fake.close();
  });

  it('checks the mapping against the first page, and shows it', async () => {
    const fake = await startPaged('cursor', 100);
    const connection = await openRest(fake.origin, bearer);
    const mapping = mappingOf('cursor');
    assert.deepEqual(await connection.check(mapping), []);
    const { fields, sample } = await connection.describe(mapping);
    assert.deepEqual(
      fields.map(({ name }) => name),
      ['id', 'firstName', 'lastName', 'email', 'salary'],
    );
    assert.equal(JSON.parse(sample ?? '').items.length, 40);
    const wrong = { ...mapping, fields: { ...mapping.fields, email: 'contact.mail' } };
    const problems = await connection.check(wrong);
    assert.deepEqual(
      problems.map(({ code, what }) => [code, what]),
      [['attribute-withheld', 'contact.mail']],
    );
    const other = { ...mapping, requests: { ...mappingOf('cursor', '/staff').requests } } as Mapping;
    assert.match(JSON.stringify(await connection.check(other)), /rest-not-found/);
    await connection.close();
    await fake.close();
  });

  it('withholds an attribute that is missing, unless the expression allows it', async () => {
    const fake = await startPaged('none', 3);
    const [first] = fake.account.people;
    delete first?.email;
    const connection = await openRest(fake.origin, bearer);
    const mapping = mappingOf('none');
    const [strict] = await readAll(connection, mapping);
    assert.deepEqual(strict && mapRecord(strict, mapping, 'Europe/Berlin'), {
      kind: 'withheld',
      attributes: ['email'],
    });
    const lenient = { ...mapping, fields: { ...mapping.fields, email: 'email ?? null' } };
    const [record] = await readAll(connection, lenient);
    assert.equal(record && mapRecord(record, lenient, 'Europe/Berlin').kind, 'entry');
    await connection.close();
    await fake.close();
  });

  it('ends expressions that run for long, nest deeply or grow', async () => {
    const fake = await startPaged('none', 1);
    const endless = [
      '($f := function($n) { $f($n) }; $f(1))',
      '($f := function($n) { 1 + $f($n) }; $f(1))',
      '$count($map([1..99999], function($n) { $count([1..99999]) }))',
    ];
    const connection = await openRest(fake.origin, bearer, { isTrusted: false });
    for (const expression of endless) {
      const mapping = { ...mappingOf('none'), fields: { ...genericMapping.fields, email: expression } };
      const error = await failOf(readAll(connection, mapping));
      assert.deepEqual([error.code, error.explanation.key], ['unexpected-response', 'expression-failed'], expression);
    }
    await connection.close();
    await fake.close();
  });

  it('refuses mappings with wrong requests and expressions, and credentials that lack a part', async () => {
    const paths = async (value: unknown) => {
      const result = await checkRules(value, httpJson.defaultMapping);
      return Array.isArray(result) ? result.map(({ path, message }) => `${path} ${message.key}`) : 'ok';
    };
    assert.equal(await paths({}), 'ok');
    const employees = { path: '/x', list: 'a', id: 'id', paging: { kind: 'offset', parameter: 'o' } };
    const requests = { employees, absences: null };
    assert.deepEqual(await paths({ requests }), ['requests.employees requests-end']);
    const syntax = { employees: { ...employees, total: 'a.b[' }, absences: null };
    assert.deepEqual(await paths({ requests: syntax, fields: { email: '$(' } }), [
      'requests.employees.total expression-syntax',
      'fields.email expression-syntax',
    ]);
    const include = [
      { attribute: 'status', is: 'present' },
      { attribute: 'status =', is: 'present' },
    ];
    const autoSyncEmployee = { attribute: '[', yes: ['Yes'], no: ['No'] };
    assert.deepEqual(await paths({ include, autoSyncEmployee }), [
      'include.1.attribute expression-syntax',
      'autoSyncEmployee.attribute expression-syntax',
    ]);
    assert.match(String(await paths({ requests: { employees: {} } })), /requests\S* requests-invalid/);
    const keysOf = (given: object) => {
      const result = checkCredentials({ baseUrl: 'https://hr.example.com', ...given }, httpJson);
      return Array.isArray(result) ? result.map(({ key }) => key) : 'ok';
    };
    assert.equal(keysOf(bearer), 'ok');
    assert.deepEqual(keysOf({ authentication: 'basic', user: 'x' }), ['credentials-authentication']);
    assert.deepEqual(keysOf({ authentication: 'none' }), ['credentials-authentication']);
    assert.deepEqual(keysOf({ ...bearer, baseUrl: 'ftp://hr.example.com' }), ['url-not-https']);
    assert.deepEqual(keysOf({ ...bearer, baseUrl: 'https://a:b@hr.example.com' }), ['url-credentials']);
    assert.deepEqual(keysOf({ authentication: 'header', token: 'x', headerName: 'a b' }), ['credentials-text']);
  });
});

/** Fakes of the systems that templates are for, as their public documentation describes the responses. */
const ofTemplates: Record<string, () => Promise<[FakeRest, Credentials, absences: number]>> = {
  async hrworks() {
    const fake = await startFakeRest(
      {
        paths: ['/api/persons/master-data'],
        paging: 'link',
        size: 50,
        isAllowed: ({ headers }) => headers.authorization === 'Bearer jwt',
        answer: ({ path, body }) =>
          path === '/api/authentication' && JSON.parse(body).secretAccessKey === 'rest-secret'
            ? { status: 200, body: { token: 'jwt' } }
            : undefined,
        wrap: (persons) => ({ persons }),
        offsetOf: (query) => Number(query.get('skip')),
      },
      {
        people: people(120).map(({ id, firstName, lastName, email }) => ({
          ...{ personnelNumber: `P-${id}`, firstName, lastName, email, joinDate: '2020-01-01' },
          ...(id === 1 ? { leaveDate: '2027-03-31' } : {}),
        })),
        absences: [],
      },
    );
    const tokenUrl = `${fake.origin}/api/authentication`;
    return [fake, { authentication: 'key-pair', clientId: 'key', clientSecret: 'rest-secret', tokenUrl }, 0];
  },
  async factorial() {
    return [await startFakeFactorial(250), factorialCredentials, 125];
  },
  async successfactors() {
    const date = (day: string) => `/Date(${Date.parse(day)})/`;
    const fake = await startFakeRest(
      {
        paths: ['/api/User', '/api/EmployeeTime'],
        parameter: '$skiptoken',
        paging: 'next',
        size: 100,
        isAllowed: ({ headers, query }) =>
          headers.authorization === `Basic ${Buffer.from('api@acme:rest-secret').toString('base64')}` &&
          query.get('$format') === 'json',
        wrap: (results, { total, next, url }) => ({
          d: {
            results,
            __count: String(total),
            ...(next === undefined ? {} : { __next: url(next) }),
          },
        }),
        offsetOf: (query) => Number(query.get('$skiptoken') ?? 0),
      },
      {
        people: people(230).map(({ id, firstName, lastName, email }) => ({
          ...{ userId: `u${id}`, firstName, lastName, email, status: 't' },
          hireDate: id === 2 ? null : date('2020-01-01'),
        })),
        absences: [
          {
            ...{ userId: 'u1', timeType: 'PARENTAL', approvalStatus: 'APPROVED' },
            ...{ startDate: date('2026-12-01'), endDate: date('2027-02-28') },
          },
          {
            ...{ userId: 'u1', timeType: 'VACATION', approvalStatus: 'PENDING' },
            ...{ startDate: date('2026-12-01'), endDate: date('2026-12-02') },
          },
        ],
      },
    );
    return [fake, { authentication: 'basic', user: 'api@acme', password: 'rest-secret' }, 2];
  },
  async workday() {
    const fake = await startFakeRest(
      {
        paths: ['/api/Transit_Tickets'],
        paging: 'none',
        size: 0,
        isAllowed: ({ headers }) =>
          headers.authorization === `Basic ${Buffer.from('ISU:rest-secret').toString('base64')}`,
        wrap: (entries) => ({ Report_Entry: entries }),
        offsetOf: () => 0,
      },
      {
        people: people(60).map(({ id, firstName, lastName, email }) => ({
          ...{ Employee_ID: String(id), First_Name: firstName, Last_Name: lastName, Work_Email: email },
          Hire_Date: '2020-01-01',
          ...(id === 1 ? { Termination_Date: '2027-03-31' } : {}),
        })),
        absences: [],
      },
    );
    return [fake, { authentication: 'basic', user: 'ISU', password: 'rest-secret' }, 0];
  },
};

describe('the templates for REST APIs', () => {
  it('have a fake each', () => {
    assert.deepEqual(
      templates.map(({ name }) => name).filter((name) => name !== 'generic'),
      Object.keys(ofTemplates),
    );
  });

  for (const { name, mapping, credentials: preset } of templates.filter((one) => one.name !== 'generic')) {
    it(`read every employee of ${name}`, async () => {
      assert.deepEqual(await checkRules(mapping, httpJson.defaultMapping), mapping);
      const [fake, credentials, absences] = (await ofTemplates[name]?.()) ?? assert.fail();
      assert.equal(credentials.authentication, preset.authentication);
      const connection = await openRest(fake.origin, credentials);
      assert.deepEqual(await connection.check(mapping), []);
      const records = await readAll(connection, mapping);
      assert.equal(records.length, fake.account.people.length);
      assert.equal(records.flatMap((record) => record.absences ?? []).length, absences);
      const entries = records.map((record) => mapRecord(record, mapping, 'Europe/Berlin'));
      assert(entries.every(({ kind }) => kind === 'entry'));
      const [first] = entries;
      assert(first?.kind === 'entry');
      if ('startDate' in first.entry) assert.equal(first.entry.startDate, '2020-01-01');
      if (absences > 0) assert.match(JSON.stringify(first.entry.absences), /"2026-12-01".*"2027-02-28".*true/);
      assert(!JSON.stringify(records).includes('rest-secret'));
      await connection.close();
      await fake.close();
    });
  }
});
