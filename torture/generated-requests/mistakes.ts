import fc from 'fast-check';
import type { Permission } from '../../src/domain/enums.ts';
import { basic } from '../../test/support/app.ts';
import { apiOperations, type Operation } from '../arbitraries/operations.ts';
import { listRosterMistakes, type RosterLimits, validRoster } from '../arbitraries/roster.ts';
import { arbitraryFor, arbitraryTextFor, encode, typeOf } from '../arbitraries/schema.ts';
import type { HttpRequest } from '../support/http-client.ts';
import { arbitraryDraft, type Draft, type Expected, parametersIn } from './draft.ts';
import type { Targets } from './targets.ts';

export interface GeneratedRequest extends HttpRequest {
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
  operation: Operation;
  mistake?: MistakeKind | undefined;
  expected: Expected;
}

type Change = (draft: Draft) => Partial<Draft>;

interface MistakeKind {
  name: string;
  status: number;
  change: fc.Arbitrary<Change>;
  parameter?: string | undefined;
}

function kind(name: string, status: number, change: fc.Arbitrary<Change>, parameter?: string): MistakeKind {
  return { name, status, change, parameter };
}

const pick = fc.constantFrom;
const broken = pick('%', '%z', '%zz', '%FF', '%C3', '%c3%28', '%E0%80%80', '%ED%A0%80', '%u0041');

const change = <T>(values: fc.Arbitrary<T>, apply: (value: T, draft: Draft) => Partial<Draft>): fc.Arbitrary<Change> =>
  values.map((value) => (draft) => apply(value, draft));

const changePath = (name: string, values: fc.Arbitrary<string>) =>
  change(values, (text, { params }) => ({ params: { ...params, [name]: text } }));

const changeQuery = (name: string, pairs: fc.Arbitrary<string[]>) =>
  change(pairs, (bad, { query }) => ({ query: [...query.filter((pair) => !pair.startsWith(name)), ...bad] }));

const changeHeader = (name: string, values: fc.Arbitrary<string | undefined>) =>
  change(values, (text, { headers: { [name]: _dropped, ...rest } }) => ({
    headers: text === undefined ? rest : { ...rest, [name]: text },
  }));

const changeBody = (bodies: fc.Arbitrary<string | Uint8Array>) => change(bodies, (body) => ({ body }));

const pathMistakes = (operation: Operation): MistakeKind[] =>
  parametersIn(operation, 'path').flatMap(({ name, schema }) => {
    const { isPortal } = operation;
    // The portal also accepts what no schema refuses, so its values begin with a character of no id.
    const encoded = (text: string) => encode(isPortal ? `?${text}` : text);
    const unknown = pick('-1', encode('?'), 'x'.repeat(300), `1.${'x'.repeat(43)}`);
    const hasUnknown = isPortal && typeOf(schema) === 'string';
    return [
      ...Object.entries(arbitraryTextFor(schema).invalid).map(([mistake, bad]) =>
        kind(`path: ${name} ${mistake}`, 400, changePath(name, bad.map(encoded)), name),
      ),
      kind(`path: ${name} in a broken encoding`, 400, changePath(name, broken)),
      ...(hasUnknown ? [kind(`path: unknown ${name}`, 404, changePath(name, unknown))] : []),
    ];
  });

function misspell(name: string): string[] {
  const snake = `${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_`;
  return [name.toUpperCase(), snake, ` ${name}`, name.slice(0, -1), `${name}x`].map(encode);
}

const queryMistakes = (operation: Operation): MistakeKind[] =>
  parametersIn(operation, 'query').flatMap(({ name, schema }) => {
    const isArray = schema.items !== undefined;
    const keys = isArray ? [name, `${name}[]`, `${name}[7]`] : [name];
    const pair = (names: string[], values: fc.Arbitrary<string>) =>
      changeQuery(
        name,
        fc.tuple(pick(...names), values).map((parts) => [parts.join('=')]),
      );
    const { valid, invalid } = arbitraryTextFor(schema);
    const value = valid.map(encode);
    const [bare, twice] = [fc.constant<string[]>([name]), value.map((text) => [`${name}=${text}`, `${name}=`])];
    const isSwitch = typeOf(schema) === 'boolean';
    return [
      ...Object.entries(invalid).map(([mistake, bad]) =>
        kind(`query: ${name} ${mistake}`, 400, pair(keys, bad.map(encode)), name),
      ),
      kind(`query: ${name} misspelt`, 400, pair(misspell(name), value)),
      kind(`query: ${name} in a broken encoding`, 400, pair(keys, broken)),
      ...(isSwitch ? [kind(`query: ${name} without a value`, 400, changeQuery(name, bare), name)] : []),
      ...(isArray ? [] : [kind(`query: ${name} given twice`, 400, changeQuery(name, twice), name)]),
    ];
  });

const strayPairs = 'utm_source=x __proto__=1 constructor=1 x[]=1 page[]=x ids.x=y x =x null=null'.split(' ');
const prefixes = ['', '/v2', '/V1', '/v1/v1', '/v1/x', '/v1/%2e%2e/v1', '/v1/..', '/v1%2F', '//v1'];

function addressMistakes({ name, path: own, isPortal, ...operation }: Operation): MistakeKind[] {
  const all = isPortal ? ['PUT', 'PATCH', 'OPTIONS'] : ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
  const known = [operation, ...apiOperations.filter(({ path }) => path === own)].map(({ method }) => method);
  const others = pick(...all.filter((other) => !known.includes(other)));
  const stray = change(pick(...strayPairs), (pair, { query }) => ({ query: [...query, pair] }));
  const elsewhere = change(pick(...prefixes), (text, { path }) => ({ path: path.replace('/v1', text) }));
  const wrongMethod = change(others, (other) => ({ method: other }));
  return [
    kind('wrong method', 405, wrongMethod),
    // Monitors add parameters to health checks.
    ...(name === 'checkHealth' ? [] : [kind('query: an unknown parameter', 400, stray)]),
    ...(isPortal ? [] : [kind('unknown path', 404, elsewhere)]),
  ];
}

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
    const origins = pick('', 'null', 'https://evil.example', `${origin}.evil`, 'x');
    const cookies = pick('', 'x', cookie.slice(0, -5), cookie.replace('=', '=x'), 'transit.session_token=%%%');
    return [
      ...(method === 'GET' ? [] : [kind('from another site', 403, changeHeader('origin', origins))]),
      ...(isPublic ? [] : [kind('no session', 401, changeHeader('cookie', cookies))]),
    ];
  }
  const keys = changeHeader('authorization', pick(...invalidKeys(targets)));
  const lacking = (permission: string) => fc.constant(basic(targets.lacking[permission as Permission]));
  return [
    ...(isPublic ? [] : [kind('no valid key', 401, keys)]),
    ...permissions.map((one) => kind(`key without ${one}`, 403, changeHeader('authorization', lacking(one)))),
  ];
}

const notJson = pick<(string | Uint8Array)[]>(
  ...['', ' ', '{', '{"a":', 'x', '{a:1}', "{'a':1}", '{}{}', '{"__proto__":{"role":"admin"}}'],
  Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
);
const urlEncoded = 'application/x-www-form-urlencoded';
const otherTypes = [undefined, 'text/plain', urlEncoded, 'application/xml', 'application/ld+json', 'json', '*/*'];

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
  const reused = change(validRoster, (roster) => ({ query: [], body: JSON.stringify({ ...roster, syncId: taken }) }));
  const compressed = changeHeader('content-encoding', pick('gzip', 'br', 'zstd', 'x'));
  return [
    ...ofSchema,
    kind('body: not JSON', 400, changeBody(notJson)),
    kind('body: another content type', 415, changeHeader('content-type', pick(...otherTypes))),
    ...(isPortal || body !== 'roster' ? [] : [kind('body: a syncId used before', 422, reused)]),
    ...(isPortal ? [] : [kind('body: compressed', 415, compressed)]),
  ];
}

const passSpellings: ((company: string, token: string) => string)[] = [
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

function passMistakes({ path }: Operation): MistakeKind[] {
  if (!path.includes('{pass}')) return [];
  const wrong = change(pick(...passSpellings), (spell, { params }) => {
    const [company = '', token = ''] = (params.pass ?? '').split('.');
    return { params: { pass: spell(company, token) } };
  });
  return [kind('path: pass of no ticket', 404, wrong)];
}

function write(operation: Operation, draft: Draft, mistake?: MistakeKind): GeneratedRequest {
  const { method, headers, body, query, params } = draft;
  const path = draft.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => params[name] ?? '');
  return {
    operation,
    method,
    path: `${path}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers,
    ...(body === undefined ? {} : { body }),
    mistake,
    expected: mistake === undefined ? draft.expected : operation.isPortal ? 'refused' : [mistake.status],
  };
}

export function arbitraryRequest(
  operation: Operation,
  targets: Targets,
  limits: RosterLimits,
): fc.Arbitrary<GeneratedRequest> {
  const mistakes = [
    ...pathMistakes(operation),
    ...queryMistakes(operation),
    ...addressMistakes(operation),
    ...credentialMistakes(operation, targets),
    ...bodyMistakes(operation, targets, limits),
    ...passMistakes(operation),
  ];
  const plain = arbitraryDraft(operation, targets, true);
  const invalid = mistakes.map((mistake) =>
    fc.tuple(plain, mistake.change).map(([draft, apply]) => write(operation, { ...draft, ...apply(draft) }, mistake)),
  );
  const valid = arbitraryDraft(operation, targets, false).map((draft) => write(operation, draft));
  return fc.oneof(valid, fc.oneof(...invalid));
}
