import fc from 'fast-check';
import type { Permission } from '../../src/domain/enums.ts';
import { basic } from '../../test/support/app.ts';
import type { Operation } from '../arbitraries/operations.ts';
import { listRosterMistakes, type RosterLimits, validRoster } from '../arbitraries/roster.ts';
import { arbitraryFor, arbitraryTextFor, typeOf } from '../arbitraries/schema.ts';
import { type Draft, encode, parametersIn } from './draft.ts';
import type { Targets } from './targets.ts';

type Change = (draft: Draft) => Partial<Draft>;

/** One kind of mistake. `parameter` is the one that the refusal must name. */
export interface MistakeKind {
  name: string;
  expected: readonly number[];
  change: fc.Arbitrary<Change>;
  parameter?: string | undefined;
}

const kind = (name: string, status: number, change: fc.Arbitrary<Change>, parameter?: string): MistakeKind => ({
  name,
  expected: [status],
  change,
  parameter,
});

const brokenEncodings = ['%', '%z', '%zz', '%FF', '%C3', '%c3%28', '%E0%80%80', '%ED%A0%80', '%u0041'];
const broken = fc.constantFrom(...brokenEncodings);

const changePath = (name: string, value: fc.Arbitrary<string>): fc.Arbitrary<Change> =>
  value.map((text) => ({ params }) => ({ params: { ...params, [name]: text } }));

const pathMistakes = (operation: Operation): MistakeKind[] =>
  parametersIn(operation, 'path').flatMap(({ name, schema }) => {
    const { isPortal } = operation;
    // The portal also accepts what no schema refuses, so its values begin with a character of no id.
    const encoded = (text: string) => encode(isPortal ? `?${text}` : text);
    const unknown = fc.constantFrom('-1', encode('?'), 'x'.repeat(300), `1.${'x'.repeat(43)}`);
    return [
      ...Object.entries(arbitraryTextFor(schema).invalid).map(([mistake, bad]) =>
        kind(`path: ${name} ${mistake}`, 400, changePath(name, bad.map(encoded)), name),
      ),
      kind(`path: ${name} in a broken encoding`, 400, changePath(name, broken)),
      ...(isPortal && typeOf(schema) === 'string'
        ? [kind(`path: unknown ${name}`, 404, changePath(name, unknown))]
        : []),
    ];
  });

const changeQuery = (name: string, pairs: fc.Arbitrary<string[]>): fc.Arbitrary<Change> =>
  pairs.map((bad) => ({ query }) => ({ query: [...query.filter((pair) => !pair.startsWith(name)), ...bad] }));

/** Returns a name in another spelling, or with a letter missing. */
function misspell(name: string): string[] {
  const snake = `${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_`;
  return [name.toUpperCase(), snake, ` ${name}`, name.slice(0, -1), `${name}x`].map(encode);
}

const queryMistakes = (operation: Operation): MistakeKind[] =>
  parametersIn(operation, 'query').flatMap(({ name, schema }) => {
    const isArray = schema.items !== undefined;
    const key = fc.constantFrom(...(isArray ? [name, `${name}[]`, `${name}[7]`] : [name]));
    const pair = (keys: fc.Arbitrary<string>, value: fc.Arbitrary<string>) =>
      changeQuery(
        name,
        fc.tuple(keys, value).map((parts) => [parts.join('=')]),
      );
    const { valid, invalid } = arbitraryTextFor(schema);
    const value = valid.map(encode);
    const twice = changeQuery(
      name,
      value.map((text) => [`${name}=${text}`, `${name}=`]),
    );
    const isSwitch = typeOf(schema) === 'boolean';
    return [
      ...Object.entries(invalid).map(([mistake, bad]) =>
        kind(`query: ${name} ${mistake}`, 400, pair(key, bad.map(encode)), name),
      ),
      kind(`query: ${name} misspelt`, 400, pair(fc.constantFrom(...misspell(name)), value)),
      kind(`query: ${name} in a broken encoding`, 400, pair(key, broken)),
      ...(isSwitch ? [kind(`query: ${name} without a value`, 400, changeQuery(name, fc.constant([name])), name)] : []),
      ...(isArray ? [] : [kind(`query: ${name} given twice`, 400, twice, name)]),
    ];
  });

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

const changeHeader = (name: string, value: fc.Arbitrary<string | undefined>): fc.Arbitrary<Change> =>
  value.map((text) => ({ headers }) => {
    const { [name]: _dropped, ...rest } = headers;
    return { headers: text === undefined ? rest : { ...rest, [name]: text } };
  });

function addressMistakes({ method, isPortal }: Operation): MistakeKind[] {
  const others = isPortal ? ['PUT', 'PATCH', 'OPTIONS'] : ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
  const wrong = fc.constantFrom(...others.filter((other) => other !== method));
  const prefix = fc.constantFrom('', '/v2', '/V1', '/v1/v1', '/v1/x', '/v1/%2e%2e/v1', '/v1/..', '/v1%2F', '//v1');
  const elsewhere = prefix.map(
    (text): Change =>
      ({ path }) => ({ path: path.replace('/v1', text) }),
  );
  const stray = fc.constantFrom(...strayPairs).map(
    (pair): Change =>
      ({ query }) => ({ query: [...query, pair] }),
  );
  return [
    kind(
      'wrong method',
      405,
      wrong.map((other) => () => ({ method: other })),
    ),
    kind('query: an unknown parameter', 400, stray),
    ...(isPortal ? [] : [kind('unknown path', 404, elsewhere)]),
  ];
}

/** Authorization headers that do not contain exactly a key of this environment. */
const invalidKeys = ({ key }: Targets): (string | undefined)[] => {
  const { username, password } = key;
  const wrong = [
    ...[{ password: '' }, { username: '' }, { password: `${password}x` }, { username: username.toUpperCase() }],
    { password: password.replace('_staging_', '_production_') },
    { username: 'tk_999999_0123456789abcdef' },
    { username: `tk_${'9'.repeat(30)}_0123456789abcdef` },
    { username: `${username}\u0000`, password: `\u0000${password}` },
  ];
  const malformed = ['Bearer abc', 'Basic', 'Basic ====', `Basic ${btoa('no colon')}`, `${username}:${password}`];
  return [undefined, ...malformed, ...wrong.map((parts) => basic({ ...key, ...parts }))];
};

function credentialMistakes(operation: Operation, targets: Targets): MistakeKind[] {
  const { permissions = [], isPortal, isPublic, method } = operation;
  if (isPortal) {
    const { origin = '', cookie = '' } = targets.credentialsFor(operation);
    const origins = fc.constantFrom('', 'null', 'https://evil.example', `${origin}.evil`, 'x');
    const forged = [cookie.slice(0, -5), cookie.replace('=', '=x'), 'transit.session_token=%%%'];
    const cookies = fc.constantFrom('', 'x', ...forged);
    return [
      ...(method === 'GET' ? [] : [kind('from another site', 403, changeHeader('origin', origins))]),
      ...(isPublic ? [] : [kind('no session', 401, changeHeader('cookie', cookies))]),
    ];
  }
  const keys = changeHeader('authorization', fc.constantFrom(...invalidKeys(targets)));
  const lacking = (permission: string) => fc.constant(basic(targets.lacking[permission as Permission]));
  return [
    ...(isPublic ? [] : [kind('no valid key', 401, keys)]),
    ...permissions.map((one) => kind(`key without ${one}`, 403, changeHeader('authorization', lacking(one)))),
  ];
}

const changeBody = (body: fc.Arbitrary<string | Uint8Array>): fc.Arbitrary<Change> =>
  body.map((text) => () => ({ body: text }));

const notJson = fc.constantFrom<(string | Uint8Array)[]>(
  ...['', ' ', '{', '{"a":', 'x', '{a:1}', "{'a':1}", '{}{}', '{"__proto__":{"role":"admin"}}'],
  Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
);
const otherTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'application/ld+json',
  'json',
  '*/*',
];

function bodyMistakes({ body, isPortal }: Operation, { taken }: Targets, limits: RosterLimits): MistakeKind[] {
  if (body === undefined) return [];
  const ofSchema =
    body === 'roster'
      ? listRosterMistakes(limits)
          // The portal accepts a plain list of employees as a roster.
          .filter(({ name }) => !isPortal || name !== 'of another type')
          .map(({ name, status, body: bad }) => kind(`body: ${name}`, status, changeBody(bad)))
      : Object.entries(arbitraryFor(body).invalid).map(([name, bad]) =>
          kind(`body: ${name}`, 400, changeBody(bad.map((value) => JSON.stringify(value)))),
        );
  const reused = validRoster.map((roster) => () => ({ query: [], body: JSON.stringify({ ...roster, syncId: taken }) }));
  const codings = fc.constantFrom('gzip', 'br', 'zstd', 'x');
  const types = fc.constantFrom(undefined, ...otherTypes);
  return [
    ...ofSchema,
    kind('body: not JSON', 400, changeBody(notJson)),
    kind('body: another content type', 415, changeHeader('content-type', types)),
    ...(isPortal ? [] : [kind('body: a syncId used before', 422, reused)]),
    ...(isPortal ? [] : [kind('body: compressed', 415, changeHeader('content-encoding', codings))]),
  ];
}

/** Returns passes of no ticket that resemble a real one. */
function passMistakes({ path }: Operation): MistakeKind[] {
  if (!path.includes('{pass}')) return [];
  const spellings: ((company: string, token: string) => string)[] = [
    (company, token) => encode(`${company}.${token}x`),
    (company, token) => encode(`0${company}.${token}`),
    (_company, token) => token,
    (company, token) => encode(`${company}/${token}`),
    (_company, token) => encode(`${'9'.repeat(16)}.${token}`),
    (company, token) => encode(`${company}.${token.slice(0, -1)}\u0000`),
    (company, token) => encode(`${Number(company) + 1}.${token}`),
    (company, token) => `${company}.${[...token].reverse().join('')}`,
    () => '%00',
  ];
  const change = fc.constantFrom(...spellings).map(
    (spell): Change =>
      ({ params }) => {
        const [company = '', token = ''] = (params.pass ?? '').split('.');
        return { params: { pass: spell(company, token) } };
      },
  );
  return [kind('path: pass of no ticket', 404, change)];
}

/** Returns every kind of mistake that can be made with the operation. */
export const listMistakes = (operation: Operation, targets: Targets, limits: RosterLimits): MistakeKind[] => [
  ...pathMistakes(operation),
  ...queryMistakes(operation),
  ...addressMistakes(operation),
  ...credentialMistakes(operation, targets),
  ...bodyMistakes(operation, targets, limits),
  ...passMistakes(operation),
];
