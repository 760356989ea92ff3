import fc from 'fast-check';
import type { Permission } from '../../src/domain/enums.ts';
import { basic } from '../../test/support/app.ts';
import type { Operation, Parameter } from '../arbitraries/operations.ts';
import { listRosterMistakes, type RosterLimits, rosterText, validRoster } from '../arbitraries/roster.ts';
import { arbitraryFor, arbitraryTextFor, typeOf } from '../arbitraries/schema.ts';
import type { HttpRequest } from '../support/http-client.ts';
import type { Targets } from './targets.ts';

/** The required response: one of these statuses, any refusal of a mistake (4xx), or anything but a failure (5xx). */
export type Expected = readonly number[] | 'refused' | 'answered';

/** A generated request and its required response. */
export interface GeneratedRequest extends HttpRequest {
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
  operation: Operation;
  /** The one deliberate mistake. Undefined if the request is valid. */
  mistake?: string;
  expected: Expected;
  /** The parameter that the refusal must name. */
  parameter?: string;
}

/** A request whose parts can still be changed. Values and pairs are encoded. */
interface Draft {
  method: string;
  path: string;
  params: Record<string, string>;
  query: string[];
  headers: Record<string, string>;
  body?: string | Uint8Array;
  expected: Expected;
}

export const encode = (text: string) => encodeURIComponent(text.toWellFormed());

/** Returns a query parameter in one of several equivalent spellings. */
function spellParameter({ name, schema }: Parameter): fc.Arbitrary<string[]> {
  const { valid } = arbitraryTextFor(schema);
  const value = valid.map(encode);
  // A boolean without a value would be ambiguous.
  if (typeOf(schema) === 'boolean') return value.map((text) => [`${name}=${text}`]);
  const isString = typeOf(schema) === 'string';
  const empty = fc.constantFrom<string[][]>([`${name}=`], [name], ...(isString ? [] : [[`${name}=null`]]));
  const { items } = schema;
  if (items === undefined) {
    const spelt = fc
      .tuple(value, fc.boolean())
      .map(([text, isForm]) => [`${name}=${isForm ? text.replaceAll('%20', '+') : text}`]);
    return fc.oneof({ arbitrary: spelt, weight: 9 }, { arbitrary: empty, weight: 1 });
  }
  const maxLength = typeOf(items) === 'integer' || items.enum ? 150 : 3;
  const list = fc.array(value, { minLength: 1, maxLength, size: 'small' });
  const spellings = [
    list.map((all) => all.map((text) => `${name}=${text}`)),
    list.map((all) => all.map((text) => `${name}[]=${text}`)),
    list.map((all) => all.map((text, index) => `${encode(`${name}[${index}]`)}=${text}`)),
    // A comma in an address would be ambiguous.
    ...(items.enum || typeOf(items) === 'integer' ? [list.map((all) => [`${name}=${all.join(',')}`])] : []),
  ];
  return fc.oneof(...spellings, empty);
}

const parametersIn = ({ parameters }: Operation, place: Parameter['in']) =>
  parameters.filter((one) => one.in === place);

const validQuery = (operation: Operation): fc.Arbitrary<string[]> =>
  fc
    .tuple(...parametersIn(operation, 'query').map((one) => fc.option(spellParameter(one), { freq: 1, nil: [] })))
    .map((pairs) => pairs.flat());

type BodyParts = Pick<Draft, 'headers' | 'query' | 'body'>;

const jsonTypes = ['application/json', 'application/json; charset=utf-8', 'Application/JSON'];

/** Fields of bodies whose random values would change more than the next requests can bear. */
const fixedFields: Record<string, object> = {
  '/portal/api/time-travel': { to: '2000-01-01' },
  '/portal/api/integrations/{id}/status': { status: 'active' },
};

function validBody({ body, isPortal, path }: Operation): fc.Arbitrary<Partial<BodyParts>> {
  if (body === undefined) return fc.constant({});
  const headers = fc.constantFrom(...jsonTypes).map((type) => ({ 'content-type': type }));
  if (body === 'roster') {
    const query = isPortal
      ? fc.constant<string[]>([])
      : fc.constantFrom<string[][]>(['dryRun=true'], ['dryRun=true'], [], ['dryRun=false']);
    return fc.record({ headers, query, body: rosterText });
  }
  const text = arbitraryFor(body).valid.map((value) => JSON.stringify({ ...(value as object), ...fixedFields[path] }));
  return fc.record({ headers, body: text });
}

/** Returns valid requests. If `isPlain`, they name only existing things. */
function arbitraryDraft(operation: Operation, targets: Targets, isPlain: boolean): fc.Arbitrary<Draft> {
  const { method, path, isPortal, success } = operation;
  const credentials = targets.credentialsFor(operation);
  return fc
    .record({ target: targets.targetsOf(operation, isPlain), query: validQuery(operation), more: validBody(operation) })
    .map(({ target, query, more }) => {
      const sent = more.query ?? query;
      const isApplied = success.includes(204) && !sent.includes('dryRun=true');
      const expected = target.expected ?? (success.includes(204) && more.body ? [isApplied ? 204 : 200] : success);
      const headers = { ...credentials, ...target.headers, ...more.headers };
      return {
        method,
        path,
        params: target.params,
        ...more,
        query: sent,
        headers,
        expected: isPortal ? 'answered' : expected,
      };
    });
}

interface MistakeKind {
  name: string;
  expected: readonly number[];
  /** The parameter that the refusal must name. */
  parameter?: string;
  change: fc.Arbitrary<(draft: Draft) => Partial<Draft>>;
}

const brokenEncodings = ['%', '%z', '%zz', '%FF', '%C3', '%c3%28', '%E0%80%80', '%ED%A0%80', '%u0041'];

const changePath = (name: string, value: fc.Arbitrary<string>) =>
  value.map((text) => ({ params }: Draft) => ({ params: { ...params, [name]: text } }));

const pathMistakes = (operation: Operation): MistakeKind[] =>
  parametersIn(operation, 'path').flatMap(({ name, schema }) => [
    ...Object.entries(arbitraryTextFor(schema).invalid).map(([mistake, bad]) => ({
      name: `path: ${name} ${mistake}`,
      expected: [400],
      parameter: name,
      // The portal also accepts what no schema refuses, so its values begin with a character of no id.
      change: changePath(
        name,
        bad.map((text) => encode(operation.isPortal ? `?${text}` : text)),
      ),
    })),
    {
      name: `path: ${name} in a broken encoding`,
      expected: [400],
      change: changePath(name, fc.constantFrom(...brokenEncodings)),
    },
    ...(operation.isPortal && typeOf(schema) === 'string'
      ? [
          {
            name: `path: ${name} of nothing`,
            expected: [404],
            change: changePath(name, fc.constantFrom('-1', encode('?'), 'x'.repeat(300), `1.${'x'.repeat(43)}`)),
          },
        ]
      : []),
  ]);

const changeQuery = (name: string, pairs: fc.Arbitrary<string[]>) =>
  pairs.map((bad) => ({ query }: Draft) => ({ query: [...query.filter((pair) => !pair.startsWith(name)), ...bad] }));

/** Returns a name in another spelling, or with a letter missing. */
const misspell = (name: string) =>
  [
    name.toUpperCase(),
    `${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_`,
    ` ${name}`,
    name.slice(0, -1),
    `${name}x`,
  ].map(encode);

function queryMistakes(operation: Operation): MistakeKind[] {
  return parametersIn(operation, 'query').flatMap(({ name, schema }) => {
    const isArray = schema.items !== undefined;
    const keys = isArray ? [name, `${name}[]`, `${name}[7]`] : [name];
    const given = (value: fc.Arbitrary<string>) =>
      changeQuery(
        name,
        fc.tuple(fc.constantFrom(...keys), value).map(([key, text]) => [`${key}=${text}`]),
      );
    const { valid, invalid } = arbitraryTextFor(schema);
    const misspelt = fc
      .tuple(fc.constantFrom(...misspell(name)), valid)
      .map(([key, text]) => [`${key}=${encode(text)}`]);
    const kind = (mistake: string, change: MistakeKind['change'], parameter?: string): MistakeKind => ({
      name: `query: ${name} ${mistake}`,
      expected: [400],
      change,
      ...(parameter ? { parameter } : {}),
    });
    return [
      ...Object.entries(invalid).map(([mistake, bad]) => kind(mistake, given(bad.map(encode)), name)),
      kind('misspelt', changeQuery(name, misspelt)),
      kind('in a broken encoding', given(fc.constantFrom(...brokenEncodings))),
      ...(typeOf(schema) === 'boolean' ? [kind('without a value', changeQuery(name, fc.constant([name])), name)] : []),
      ...(isArray
        ? []
        : [
            kind(
              'given twice',
              changeQuery(
                name,
                valid.map((text) => [`${name}=${encode(text)}`, `${name}=`]),
              ),
              name,
            ),
          ]),
    ];
  });
}

const strayPairs = [
  'utm_source=x',
  '__proto__=1',
  'constructor=1',
  'x[]=1',
  'page[]=x',
  'ids.x=y',
  'x',
  '=x',
  'null=null',
];

const changeHeader = (name: string, value: fc.Arbitrary<string | undefined>) =>
  value.map((text) => ({ headers }: Draft) => {
    const { [name]: _dropped, ...rest } = headers;
    return { headers: text === undefined ? rest : { ...rest, [name]: text } };
  });

function addressMistakes({ method, isPortal }: Operation): MistakeKind[] {
  const others = isPortal ? ['PUT', 'PATCH', 'OPTIONS'] : ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
  const wrong = fc.constantFrom(...others.filter((other) => other !== method));
  const prefixes = ['', '/v2', '/V1', '/v1/v1', '/v1/x', '/v1/%2e%2e/v1', '/v1/..', '/v1%2F', '//v1'];
  const elsewhere = fc.constantFrom(...prefixes).map((prefix) => ({ path }: Draft) => ({
    path: path.replace('/v1', prefix),
  }));
  const stray = fc.constantFrom(...strayPairs).map((pair) => ({ query }: Draft) => ({ query: [...query, pair] }));
  return [
    { name: 'wrong method', expected: [405], change: wrong.map((other) => () => ({ method: other })) },
    { name: 'query: an unknown parameter', expected: [400], change: stray },
    ...(isPortal ? [] : [{ name: 'unknown path', expected: [404], change: elsewhere }]),
  ];
}

/** Authorization headers that do not contain exactly a key of this environment. */
const invalidKeys = ({ key }: Targets): (string | undefined)[] => {
  const { username, password } = key;
  const wrong = [
    { password: '' },
    { username: '' },
    { password: `${password}x` },
    { password: password.replace('_staging_', '_production_') },
    { username: username.toUpperCase() },
    { username: 'tk_999999_0123456789abcdef' },
    { username: `tk_${'9'.repeat(30)}_0123456789abcdef` },
    { username: `${username}\u0000`, password: `\u0000${password}` },
  ];
  const malformed = ['Bearer abc', 'Basic', 'Basic ====', `Basic ${btoa('no colon')}`, `${username}:${password}`];
  return [undefined, ...malformed, ...wrong.map((parts) => basic({ ...key, ...parts }))];
};

function credentialMistakes(operation: Operation, targets: Targets): MistakeKind[] {
  const { permissions, isPortal, isPublic, method } = operation;
  if (isPortal) {
    const { origin = '', cookie = '' } = targets.credentialsFor(operation);
    const origins = fc.constantFrom('', 'null', 'https://evil.example', `${origin}.evil`, 'x');
    const cookies = fc.constantFrom(
      '',
      'x',
      cookie.slice(0, -5),
      cookie.replace('=', '=x'),
      'transit.session_token=%%%',
    );
    return [
      ...(method === 'GET'
        ? []
        : [{ name: 'from another site', expected: [403], change: changeHeader('origin', origins) }]),
      ...(isPublic ? [] : [{ name: 'no session', expected: [401], change: changeHeader('cookie', cookies) }]),
    ];
  }
  const keys = fc.constantFrom(...invalidKeys(targets));
  return [
    ...(isPublic ? [] : [{ name: 'no valid key', expected: [401], change: changeHeader('authorization', keys) }]),
    ...(permissions ?? []).map((permission) => ({
      name: `key without ${permission}`,
      expected: [403],
      change: changeHeader('authorization', fc.constant(basic(targets.lacking[permission as Permission]))),
    })),
  ];
}

const changeBody = (body: fc.Arbitrary<string | Uint8Array>) => body.map((text) => () => ({ body: text }));
const notJson = ['', ' ', '{', '{"a":', 'x', '{a:1}', "{'a':1}", '\ufeff{}', '{}{}', '{"__proto__":{"role":"admin"}}'];
const otherTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'application/ld+json',
  'multipart/form-data',
  'json',
  '*/*',
];

function bodyMistakes({ body, isPortal }: Operation, { taken }: Targets, limits: RosterLimits): MistakeKind[] {
  if (body === undefined) return [];
  const bytes = fc.oneof(
    fc.constantFrom<string | Uint8Array>(...notJson),
    fc.constant(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])),
  );
  const ofSchema: MistakeKind[] =
    body === 'roster'
      ? listRosterMistakes(limits)
          // The portal accepts a plain list of employees as a roster.
          .filter(({ name }) => !isPortal || name !== 'of another type')
          .map(({ name, status, body: bad }) => ({
            name: `body: ${name}`,
            expected: [status],
            change: changeBody(bad),
          }))
      : Object.entries(arbitraryFor(body).invalid).map(([name, bad]) => ({
          name: `body: ${name}`,
          expected: [400],
          change: changeBody(bad.map((value) => JSON.stringify(value))),
        }));
  const reused = validRoster.map((roster) => () => ({ query: [], body: JSON.stringify({ ...roster, syncId: taken }) }));
  const apiOnly: MistakeKind[] = [
    { name: 'body: a syncId used before', expected: [422], change: reused },
    {
      name: 'body: compressed',
      expected: [415],
      change: changeHeader('content-encoding', fc.constantFrom('gzip', 'br', 'zstd', 'x')),
    },
  ];
  return [
    ...ofSchema,
    { name: 'body: not JSON', expected: [400], change: changeBody(bytes) },
    {
      name: 'body: another content type',
      expected: [415],
      change: changeHeader('content-type', fc.constantFrom(undefined, ...otherTypes)),
    },
    ...(isPortal ? [] : apiOnly),
  ];
}

const passMistakes = (operation: Operation): MistakeKind[] => {
  if (!operation.path.includes('{pass}')) return [];
  const spellings: ((pass: string, company: string, token: string) => string)[] = [
    (pass) => encode(`${pass}x`),
    (pass) => encode(`0${pass}`),
    (_pass, _company, token) => token,
    (_pass, company, token) => encode(`${company}/${token}`),
    (_pass, _company, token) => encode(`${'9'.repeat(16)}.${token}`),
    (_pass, company, token) => encode(`${company}.${token.slice(0, -1)}\u0000`),
    (_pass, company, token) => encode(`${Number(company) + 1}.${token}`),
    (_pass, company, token) => `${company}.${[...token].reverse().join('')}`,
    () => '%00',
  ];
  const change = fc.constantFrom(...spellings).map((spell) => ({ params }: Draft) => {
    const [company = '', token = ''] = (params.pass ?? '').split('.');
    return { params: { pass: spell(params.pass ?? '', company, token) } };
  });
  return [{ name: 'path: pass of no ticket', expected: [404], change }];
};

function write(operation: Operation, draft: Draft, mistake?: MistakeKind): GeneratedRequest {
  const { method, headers, body, query } = draft;
  const filled = draft.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => draft.params[name] ?? '');
  return {
    operation,
    method,
    path: `${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers,
    ...(body === undefined ? {} : { body }),
    expected: mistake === undefined ? draft.expected : operation.isPortal ? 'refused' : mistake.expected,
    ...(mistake === undefined ? {} : { mistake: mistake.name }),
    ...(mistake?.parameter === undefined || operation.isPortal ? {} : { parameter: mistake.parameter }),
  };
}

/** Returns valid requests to the operation, and as many with one mistake. */
export function arbitraryRequest(
  operation: Operation,
  targets: Targets,
  limits: RosterLimits,
): fc.Arbitrary<GeneratedRequest> {
  const valid = arbitraryDraft(operation, targets, false).map((draft) => write(operation, draft));
  const plain = arbitraryDraft(operation, targets, true);
  const mistakes = [
    ...pathMistakes(operation),
    ...queryMistakes(operation),
    ...addressMistakes(operation),
    ...credentialMistakes(operation, targets),
    ...bodyMistakes(operation, targets, limits),
    ...passMistakes(operation),
  ].map((kind) =>
    fc.tuple(plain, kind.change).map(([draft, change]) => write(operation, { ...draft, ...change(draft) }, kind)),
  );
  return fc.oneof(valid, fc.oneof(...mistakes));
}
