import type { Random } from '../../src/demo/random.ts';
import { basic } from '../../test/support/app.ts';
import { type Operation, operations } from '../../test/support/openapi.ts';
import { encode } from '../support/generate-drafts.ts';
import { portalForms } from '../support/generate-portal.ts';
import type { WireRequest } from '../support/wire.ts';
import type { Holdings, Kind } from './holdings.ts';

/** Names of things that are not ours: they belong to another company or to no company. */
export interface Chosen {
  of(kind: Kind): string;
  /** The same name for use in a path, in one of many spellings. */
  inPath(kind: Kind): string;
}

/** A request with our credentials that names something that is not ours. */
export interface Probe {
  name: string;
  make(chosen: Chosen, random: Random): WireRequest;
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

const ownName = ({ names }: Holdings, kind: Kind) => encode(names[kind][0] ?? '');

const named = (kind: Kind, ours: Holdings): Filling[] => [
  { whose: 'theirs', make: (chosen) => chosen.inPath(kind) },
  { whose: 'ours', make: () => ownName(ours, kind) },
];

/** Company and secret, of which only one is theirs. Both together grant access to any client, by design. */
const halves = (secret: Kind, ours: Holdings): Filling[] => [
  { whose: 'partly-theirs', make: (chosen) => `${chosen.of('company')}.${ownName(ours, secret)}` },
  { whose: 'partly-theirs', make: (chosen) => `${ours.companyId}.${encode(chosen.of(secret))}` },
];

const plain = (text: string): Filling[] => [{ whose: 'no-ones', make: () => text }];

/** Returns the possible values of a path parameter after this segment. */
function fillingsOf(parameter: string, before: string, ours: Holdings): Filling[] {
  const kind = nouns[before];
  switch (parameter) {
    case 'syncId':
      return named('sync', ours);
    case 'userId':
      return named('person', ours);
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
  throw new Error(`torture/support/probes.ts does not know what ${parameter} after ${before} names; add it.`);
}

/** Returns every way to fill the parameters of a path. */
function fill(path: string, ours: Holdings): Filling[][] {
  const segments = path.split('/');
  const places = segments.map((segment, index) => {
    const parameter = /^(?::|\{)(\w+)\}?$/.exec(segment)?.[1];
    return parameter === undefined ? plain(segment) : fillingsOf(parameter, segments[index - 1] ?? '', ours);
  });
  return places.reduce<Filling[][]>((ways, place) => ways.flatMap((way) => place.map((one) => [...way, one])), [[]]);
}

interface Place {
  name: string;
  method: string;
  prefix: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

function pathProbes({ name, method, prefix, path, headers, body }: Place, ours: Holdings): Probe[] {
  const ways = fill(path, ours).filter((way) => way.some(({ whose }) => whose.endsWith('theirs')));
  const isDownload = path.endsWith('/download');
  return ways.map((way, index) => ({
    name: `${name} ${index + 1}`,
    isShownToOwner: method === 'GET' && way.every(({ whose }) => whose === 'theirs' || whose === 'no-ones'),
    make: (chosen, random) => ({
      method,
      path: prefix + way.map(({ make }) => make(chosen)).join('/'),
      // A client that has downloaded the file before sends its ETag.
      headers: isDownload && random.chance(0.5) ? { ...headers, 'if-none-match': chosen.of('etag') } : headers,
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

function queryProbes(place: Place, parameters: string[], ours: Holdings): Probe[] {
  const { name, method, prefix, path, headers } = place;
  const ownPath = (fill(path, ours).at(-1) ?? []).map(({ make }) => make({ of: () => '', inPath: () => '' })).join('/');
  return parameters.flatMap((parameter) =>
    sought(parameter, path).map((kind) => ({
      name: `${name} ${parameter} ${kind}`,
      isShownToOwner: !/[:{]/.test(path),
      make: (chosen, random) => {
        const mixed = parameter !== 'search' && random.chance(0.3) ? `&${parameter}=${ownName(ours, kind)}` : '';
        return { method, path: `${prefix}${ownPath}?${parameter}=${encode(chosen.of(kind))}${mixed}`, headers };
      },
    })),
  );
}

const json = { 'content-type': 'application/json' };

/** Returns a roster with one entry that has an id of theirs and one that has an address of theirs. */
const rosterOf = (chosen: Chosen) => ({
  syncId: chosen.of('sync'),
  employees: [
    { hrId: chosen.of('hrId'), firstName: 'Probe', lastName: 'Probe', email: 'probe@example.com' },
    { hrId: 'probe', firstName: 'Probe', lastName: 'Probe', email: chosen.of('employeeEmail') },
  ],
});

const bodyProbe = (place: Omit<Place, 'path'>, path: string, body: (chosen: Chosen) => object): Probe => ({
  name: place.name,
  isShownToOwner: false,
  make: (chosen) => ({
    method: place.method,
    path: `${place.prefix}${path}`,
    headers: { ...place.headers, ...json },
    body: JSON.stringify(body(chosen)),
  }),
});

const exampleRoster = JSON.stringify({
  syncId: 'probe',
  employees: [{ hrId: 'probe', firstName: 'Probe', lastName: 'Probe', email: 'probe@example.com' }],
});

function placeOf(operation: Operation, { key }: Holdings): Place {
  const { operationId, method, path, requestBody } = operation;
  const authorization = basic(key);
  const place = { name: operationId, method, prefix: '/v1', path, headers: { authorization } };
  return requestBody ? { ...place, headers: { authorization, ...json }, body: exampleRoster } : place;
}

/** Returns probes with key usernames, which contain the company and the id of the key. */
function keyProbes({ companyId, key }: Holdings): Probe[] {
  const asked = (name: string, username: (chosen: Chosen) => string): Probe => ({
    name: `key ${name}`,
    isShownToOwner: false,
    make: (chosen) => {
      const authorization = basic({ ...key, username: username(chosen) });
      return { method: 'GET', path: '/v1/me', headers: { authorization } };
    },
  });
  return [
    asked('of theirs', (chosen) => `tk_${chosen.of('company')}_${chosen.of('keyId')}`),
    asked('of theirs as ours', (chosen) => `tk_${companyId}_${chosen.of('keyId')}`),
    asked('of ours as theirs', (chosen) => key.username.replace(String(companyId), chosen.of('company'))),
  ];
}

export function listApiProbes(ours: Holdings): Probe[] {
  const generic = operations.flatMap((operation) => {
    const place = placeOf(operation, ours);
    const parameters = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    return [...pathProbes(place, ours), ...queryProbes(place, parameters, ours)];
  });
  const sync = { name: 'triggerSync body', method: 'POST', prefix: '/v1', headers: { authorization: basic(ours.key) } };
  const path = `/hr-integrations/${ownName(ours, 'integration')}/sync?dryRun=true`;
  return [...generic, ...keyProbes(ours), bodyProbe(sync, path, rosterOf)];
}

export function listPortalProbes(routes: { method: string; url: string }[], ours: Holdings, origin: string): Probe[] {
  const prefix = '/portal/api';
  const headers = { cookie: ours.client.cookie, origin };
  const generic = routes.flatMap(({ method, url }) => {
    const name = `${method} ${url}`;
    const { sample, query } = portalForms[name] ?? {};
    const body = sample === 'roster' ? exampleRoster : sample && JSON.stringify(sample);
    const place = { name, method, prefix, path: url, headers: body ? { ...headers, ...json } : headers };
    const parameters = Object.keys(query?.properties ?? {});
    return [...pathProbes(body ? { ...place, body } : place, ours), ...queryProbes(place, parameters, ours)];
  });
  const post = (name: string, path: string, body: (chosen: Chosen) => object) =>
    bodyProbe({ name, method: 'POST', prefix, headers }, path, body);
  return [
    ...generic,
    post('portal preview', `/integrations/${ownName(ours, 'integration')}/preview`, rosterOf),
    post('invitation of a person', '/users/invitations', (chosen) => ({
      email: chosen.of('personEmail'),
      role: 'viewer',
    })),
    post('invitation of an employee', '/users/invitations', (chosen) => ({
      email: chosen.of('employeeEmail'),
      role: 'viewer',
    })),
    post('sign-in of a person', '/auth/sign-in/email', (chosen) => ({
      email: chosen.of('personEmail'),
      password: 'not the password',
    })),
  ];
}
