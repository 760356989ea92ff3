import fc from 'fast-check';
import type { Random } from '../../src/demo/random.ts';
import { basic } from '../../test/support/app.ts';
import type { Operation } from '../arbitraries/operations.ts';
import { arbitraryFor } from '../arbitraries/schema.ts';
import { encode } from '../generated-requests/draft.ts';
import type { HttpRequest } from '../support/http-client.ts';
import type { CompanyRecords, Kind } from './records.ts';

/** Names of things that are not ours: they belong to another company or to no company. */
export interface Chosen {
  of(kind: Kind): string;
  /** The same name for use in a path, in one of many spellings. */
  inPath(kind: Kind): string;
}

/** A request with our credentials that names something that is not ours. */
export interface Probe {
  name: string;
  make(chosen: Chosen, random: Random): HttpRequest;
  /** Whether the owner would see something with the same request. Otherwise the probe would prove nothing. */
  isShownToOwner: boolean;
}

/** The value at one place of a path: a name that is theirs, wholly or in part, a name that is ours, or fixed text. */
interface Filling {
  whose: 'theirs' | 'partly-theirs' | 'ours' | 'no-ones';
  make(chosen: Chosen): string;
}

const nouns: Record<string, Kind> = {
  employees: 'employee',
  'employee-documents': 'document',
  documents: 'document',
  items: 'item',
  'hr-integrations': 'integration',
  integrations: 'integration',
  invitations: 'invitation',
};

const ownName = ({ names }: CompanyRecords, kind: Kind) => encode(names[kind][0] ?? '');

const named = (kind: Kind, ours: CompanyRecords): Filling[] => [
  { whose: 'theirs', make: (chosen) => chosen.inPath(kind) },
  { whose: 'ours', make: () => ownName(ours, kind) },
];

/** Company and secret, of which only one is theirs. Both together grant access to any client, by design. */
const halves = (secret: Kind, ours: CompanyRecords): Filling[] => [
  { whose: 'partly-theirs', make: (chosen) => `${chosen.of('company')}.${ownName(ours, secret)}` },
  { whose: 'partly-theirs', make: (chosen) => `${ours.companyId}.${encode(chosen.of(secret))}` },
];

const plain = (text: string): Filling[] => [{ whose: 'no-ones', make: () => text }];

/** Returns the possible values of a path parameter after this segment. */
function fillingsOf(parameter: string, before: string, ours: CompanyRecords): Filling[] {
  const kind = nouns[before];
  switch (parameter) {
    case 'syncId':
      return named('sync', ours);
    case 'userId':
      return named('user', ours);
    case 'pass':
      return halves('walletToken', ours);
    case 'token':
      return halves('invitationSecret', ours);
    case 'username':
      return [
        { whose: 'partly-theirs', make: (chosen) => `tk_${chosen.of('company')}_${chosen.of('keyId')}` },
        { whose: 'partly-theirs', make: (chosen) => `tk_${ours.companyId}_${chosen.of('keyId')}` },
        { whose: 'partly-theirs', make: (chosen) => `tk_${chosen.of('company')}_${ownName(ours, 'keyId')}` },
      ];
    case 'period':
      return plain('2026-11-01');
    case 'chargeType':
      return plain('ticket-charge');
  }
  if (parameter === 'id' && kind !== undefined) return named(kind, ours);
  throw new Error(`torture/cross-company/probes.ts does not know what ${parameter} after ${before} names; add it.`);
}

/** Returns every way to fill the parameters of a path. */
function fill(path: string, ours: CompanyRecords): Filling[][] {
  const segments = path.split('/');
  const places = segments.map((segment, index) => {
    const parameter = /^(?::|\{)(\w+)\}?$/.exec(segment)?.[1];
    return parameter === undefined ? plain(segment) : fillingsOf(parameter, segments[index - 1] ?? '', ours);
  });
  return places.reduce<Filling[][]>((ways, place) => ways.flatMap((way) => place.map((one) => [...way, one])), [[]]);
}

/** Returns the same valid body every time. */
function sampleBody({ body }: Operation): HttpRequest['body'] {
  if (body === 'roster') return exampleRoster;
  return body === undefined ? undefined : (fc.sample(arbitraryFor(body).valid, { seed: 1, numRuns: 1 })[0] as object);
}

type Credentials = Record<string, string>;

function pathProbes(operation: Operation, headers: Credentials, ours: CompanyRecords): Probe[] {
  const { name, method, path } = operation;
  const ways = fill(path, ours).filter((way) => way.some(({ whose }) => whose.endsWith('theirs')));
  const body = sampleBody(operation);
  return ways.map((way, index) => ({
    name: `${name} ${index + 1}`,
    isShownToOwner: method === 'GET' && way.every(({ whose }) => whose === 'theirs' || whose === 'no-ones'),
    make: (chosen, random) => ({
      method,
      path: way.map(({ make }) => make(chosen)).join('/'),
      // A client that has downloaded the file before sends its ETag.
      headers:
        path.endsWith('/download') && random.chance(0.5) ? { ...headers, 'if-none-match': chosen.of('etag') } : headers,
      ...(body === undefined ? {} : { body }),
    }),
  }));
}

/** Returns the kinds of name that a parameter of a list can search for. */
function sought(parameter: string, path: string): Kind[] {
  if (parameter === 'emails') return ['employeeEmail'];
  if (parameter === 'search') return path.endsWith('/employees') ? ['name', 'employeeEmail'] : ['name'];
  const kind = nouns[path.split('/').at(-1) ?? ''];
  return parameter === 'ids' && kind !== undefined ? [kind] : [];
}

function queryProbes(
  { name, method, path, parameters }: Operation,
  headers: Credentials,
  ours: CompanyRecords,
): Probe[] {
  const ownPath = (fill(path, ours).at(-1) ?? []).map(({ make }) => make({ of: () => '', inPath: () => '' })).join('/');
  return parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name: parameter }) =>
      sought(parameter, path).map((kind) => ({
        name: `${name} ${parameter} ${kind}`,
        isShownToOwner: !path.includes('{'),
        make: (chosen, random) => {
          const mixed = parameter !== 'search' && random.chance(0.3) ? `&${parameter}=${ownName(ours, kind)}` : '';
          return { method, path: `${ownPath}?${parameter}=${encode(chosen.of(kind))}${mixed}`, headers };
        },
      })),
    );
}

const entryOf = (hrId: string, email: string) => ({ hrId, firstName: 'Probe', lastName: 'Probe', email });
const exampleRoster = { syncId: 'probe', employees: [entryOf('probe', 'probe@example.com')] };

/** Returns a roster with one entry that has an id of theirs and one that has an address of theirs. */
const rosterOf = (chosen: Chosen) => ({
  syncId: chosen.of('sync'),
  employees: [entryOf(chosen.of('hrId'), 'probe@example.com'), entryOf('probe', chosen.of('employeeEmail'))],
});

/** Returns probes with key usernames, which contain the company and the id of the key. */
function keyProbes({ companyId, key }: CompanyRecords): Probe[] {
  const usernames: Record<string, (chosen: Chosen) => string> = {
    'of theirs': (chosen) => `tk_${chosen.of('company')}_${chosen.of('keyId')}`,
    'of theirs as ours': (chosen) => `tk_${companyId}_${chosen.of('keyId')}`,
    'of ours as theirs': (chosen) => key.username.replace(String(companyId), chosen.of('company')),
  };
  return Object.entries(usernames).map(([name, username]) => ({
    name: `key ${name}`,
    isShownToOwner: false,
    make: (chosen) => ({ path: '/v1/me', headers: { authorization: basic({ ...key, username: username(chosen) }) } }),
  }));
}

/** Returns every request of one company, `ours`, that names something of another. */
export function listProbes(operations: Operation[], ours: CompanyRecords, origin: string): Probe[] {
  const api = { authorization: basic(ours.key) };
  const portal = { cookie: ours.client.cookie, origin };
  const integration = ownName(ours, 'integration');
  const post = (name: string, path: string, body: (chosen: Chosen) => object): Probe => ({
    name,
    isShownToOwner: false,
    make: (chosen) => ({ method: 'POST', path, headers: path.startsWith('/v1') ? api : portal, body: body(chosen) }),
  });
  const invite = (kind: Kind) => (chosen: Chosen) => ({ email: chosen.of(kind), role: 'viewer' });
  return [
    ...operations.flatMap((operation) => {
      const headers = operation.isPortal ? portal : api;
      return [...pathProbes(operation, headers, ours), ...queryProbes(operation, headers, ours)];
    }),
    ...keyProbes(ours),
    post('triggerSync body', `/v1/hr-integrations/${integration}/sync?dryRun=true`, rosterOf),
    post('portal preview', `/portal/api/integrations/${integration}/preview`, rosterOf),
    post('invitation of a user', '/portal/api/users/invitations', invite('userEmail')),
    post('invitation of an employee', '/portal/api/users/invitations', invite('employeeEmail')),
    post('sign-in of a user', '/portal/api/auth/sign-in/email', (chosen) => ({
      email: chosen.of('userEmail'),
      password: 'not the password',
    })),
  ];
}
