import fc from 'fast-check';
import { basic, type Credentials } from '../../test/support/app.ts';
import type { Operation } from '../arbitraries/operations.ts';
import { arbitraryFor } from '../arbitraries/schema.ts';
import type { HttpRequest } from '../support/http-client.ts';
import type { CompanyRecords, Kind, Names } from './records.ts';

/** A request with our credentials for something of others: `<kind>` stands for its name, `<~kind>` for a spelling. */
export interface Probe {
  name: string;
  method: string;
  path: string;
  headers?: Record<string, string>;
  key?: Credentials;
  body?: object | undefined;
  /** Whether the owner would see something with the same request. Otherwise the probe would prove nothing. */
  isShownToOwner: boolean;
}

const asJson = (text: string) => JSON.stringify(text).slice(1, -1);

export function fillIn(probe: Probe, names: Names, turn = 0, spell = (name: string) => name) {
  const used = new Map<Kind, string>();
  const fill = (template: string, encode: (name: string) => string) =>
    template.replaceAll(/<(~?)([a-z]\w+)>/gi, (_match, isSpelt: string, kind: Kind) => {
      const name = names[kind][turn % names[kind].length] ?? '';
      used.set(kind, name);
      return encode(isSpelt ? spell(name) : name);
    });
  const fillObject = <T extends object>(template: T): T =>
    JSON.parse(fill(JSON.stringify(template).replaceAll(/"<#(\w+)>"/g, '<$1>'), asJson));
  const { method, path, headers = {}, key, body } = probe;
  const request: HttpRequest = {
    method,
    path: fill(path, encodeURIComponent),
    headers: { ...fillObject(headers), ...(key && { authorization: basic(fillObject(key)) }) },
    ...(body && { body: fillObject(body) }),
  };
  return { request, used };
}

const inDigitsOf = (zero: number) => (id: string) =>
  id.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

/** An id unchanged, and in forms that some parsers treat as equal and others do not. */
const forms = [
  ...['0#', '000000000000000000#', ' #', '# ', '#\n', '+#', '-#', '#.0', '#e0', '#n', '#\u0000', '#/', '#/../#'],
  ...['../#', '#?', '#;#', '#,#', '[#]', '{"id":#}', "#' or '1'='1", '#%20'],
];
export const spellings: ((id: string) => string)[] = [
  ...Array<(id: string) => string>(12).fill((id) => id),
  ...forms.map((form) => (id: string) => form.replaceAll('#', () => id)),
  (id) => `${id}#`,
  (id) => `${id[0]}.${id.slice(1)}e${id.length - 1}`,
  (id) => `0x${Number.parseInt(id, 10).toString(16)}`,
  inDigitsOf(0x0660),
  inDigitsOf(0xff10),
];

const nouns: Record<string, Kind> = {
  employees: 'employee',
  agreements: 'employee',
  'employee-documents': 'document',
  documents: 'document',
  items: 'item',
  'payroll-exports': 'payrollExport',
  exports: 'payrollExport',
  invoices: 'invoice',
  'webhook-endpoints': 'webhook',
  'hr-integrations': 'integration',
  integrations: 'integration',
  invitations: 'invitation',
  'subscription-batches': 'contractBatch',
  'returned-rows': 'returnedRow',
  policies: 'policy',
  changes: 'planChange',
};

const ownName = ({ names }: CompanyRecords, kind: Kind) => encodeURIComponent(names[kind][0] ?? '');

function valuesOf(parameter: string, before: string, ours: CompanyRecords): string[] {
  const named = (kind: Kind) => [`<~${kind}>`, ownName(ours, kind)];
  /** Company and secret, of which only one is theirs. Both together grant access to any client, by design. */
  const halves = (secret: Kind) => [`<company>.${ownName(ours, secret)}`, `${ours.companyId}.<${secret}>`];
  const tokens: Record<string, string[]> = {
    invitations: halves('invitationSecret'),
    signing: halves('signingSecret'),
    // Counts only in a session of the same user.
    'prove-address': ['<addressToken>'],
  };
  const values: Record<string, string[]> = {
    syncId: named('sync'),
    pullId: named('pull'),
    caseId: named('case'),
    sessionId: named('session'),
    passkeyId: named('passkey'),
    domain: named('domain'),
    userId: named('user'),
    pass: halves('walletToken'),
    ...(tokens[before] && { token: tokens[before] }),
    username: ['tk_<company>_<keyId>', `tk_${ours.companyId}_<keyId>`, `tk_<company>_${ownName(ours, 'keyId')}`],
    period: ['2026-11-01'],
    // Order lists are named by their month.
    month: ['2026-12'],
    number: ['1'],
    year: ['2026'],
    format: ['csv'],
    chargeType: ['ticket-charge'],
    // Every company counts its events from 1.
    sequence: ['1'],
    ...(nouns[before] && { id: named(nouns[before]) }),
  };
  const known = values[parameter];
  if (known !== undefined) return known;
  throw new Error(`torture/cross-company/probes.ts does not know what ${parameter} after ${before} names; add it.`);
}

function fillPath(path: string, ours: CompanyRecords): string[] {
  const segments = path.split('/');
  const places = segments.map((segment, index) => {
    const parameter = /^\{(\w+)\}$/.exec(segment)?.[1];
    return parameter === undefined ? [segment] : valuesOf(parameter, segments[index - 1] ?? '', ours);
  });
  return places.reduce((ways, place) => ways.flatMap((way) => place.map((one) => `${way}/${one}`)));
}

type Access = Pick<Probe, 'headers' | 'key'>;

function pathProbes({ name, method, path, body }: Operation, access: Access, ours: CompanyRecords): Probe[] {
  const ways = fillPath(path, ours).filter((way) => way.includes('<'));
  const sample = body && body !== 'roster' && fc.sample(arbitraryFor(body).valid, { seed: 1, numRuns: 1 })[0];
  const sent = body === 'roster' ? rosterOf('probe', ['probe', 'probe@example.com']) : (sample as object | undefined);
  const probes = ways.map((way, index) => {
    const isShownToOwner = method === 'GET' && index === 0 && way.includes('<~');
    return { name: `${name} ${index + 1}`, method, path: way, ...access, body: sent, isShownToOwner };
  });
  if (!path.endsWith('/download')) return probes;
  // A client that has downloaded the file before sends its ETag.
  const again = { headers: { ...access.headers, 'if-none-match': '<etag>' }, isShownToOwner: false };
  return [...probes, ...probes.map((probe) => ({ ...probe, ...again, name: `${probe.name} again` }))];
}

function sought(parameter: string, path: string): Kind[] {
  if (parameter === 'emails') return ['employeeEmail'];
  if (parameter === 'employeeId') return ['employee'];
  if (parameter === 'search') return path.endsWith('/employees') ? ['name', 'employeeEmail'] : ['name'];
  const kind = nouns[path.split('/').at(-1) ?? ''];
  return parameter === 'ids' && kind !== undefined ? [kind] : [];
}

function queryProbes({ name, method, path, parameters }: Operation, access: Access, ours: CompanyRecords): Probe[] {
  const ownPath = fillPath(path, ours).at(-1) ?? '';
  return parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name: parameter }) =>
      sought(parameter, path).flatMap((kind) => {
        const query = `${parameter}=<${kind}>`;
        const isSingle = parameter === 'search' || parameter === 'employeeId';
        const queries = isSingle ? [query] : [query, `${query}&${parameter}=${ownName(ours, kind)}`];
        return queries.map((one, index) => ({
          name: `${name} ${parameter} ${kind} ${index + 1}`,
          method,
          path: `${ownPath}?${one}`,
          ...access,
          isShownToOwner: !path.includes('{'),
        }));
      }),
    );
}

const rosterOf = (syncId: string, ...employees: [string, string][]) => ({
  syncId,
  employees: employees.map(([hrId, email]) => ({ hrId, firstName: 'Probe', lastName: 'Probe', email })),
});

export function listProbes(operations: Operation[], ours: CompanyRecords, origin: string): Probe[] {
  const { key } = ours;
  const portal = { headers: { cookie: ours.client.cookie, origin } };
  const integration = ownName(ours, 'integration');
  const post = (name: string, path: string, body: object): Probe => {
    const access = path.startsWith('/v1') ? { key } : portal;
    return { name, method: 'POST', path, ...access, body, isShownToOwner: false };
  };
  const invite = (name: string, email: string) =>
    post(name, '/portal/api/users/invitations', { email, roles: ['viewer'] });
  // One entry has an id of theirs, and one has an address of theirs.
  const roster = rosterOf('<sync>', ['<hrId>', 'probe@example.com'], ['probe', '<employeeEmail>']);
  const credentials = { email: '<userEmail>', password: 'not the password' };
  // Nobody answers there. The user is checked before.
  const connection = {
    issuer: 'http://127.0.0.1:9',
    clientId: 'x',
    clientSecret: 'x',
    groupsClaim: 'groups',
    groupRoles: [],
  };
  const enforced = { ...connection, defaultRoles: [], isEnforced: true, breakGlassUserId: '<user>' };
  return [
    ...operations.flatMap((operation) => {
      const access = operation.isPortal ? portal : { key };
      return [...pathProbes(operation, access, ours), ...queryProbes(operation, access, ours)];
    }),
    ...valuesOf('username', '', ours).map((username) => ({
      name: `key ${username}`,
      method: 'GET',
      path: '/v1/me',
      key: { ...key, username },
      isShownToOwner: false,
    })),
    post('triggerSync body', `/v1/hr-integrations/${integration}/sync?dryRun=true`, roster),
    post('portal preview', `/portal/api/integrations/${integration}/preview`, roster),
    invite('invitation of a user', '<userEmail>'),
    invite('invitation of an employee', '<employeeEmail>'),
    post('sign-in of a user', '/portal/api/auth/sign-in/email', credentials),
    post('sign-on of a user', '/portal/api/auth/sso/start', { email: '<userEmail>' }),
    post('switch to a company', '/portal/api/memberships/switch', { companyId: '<#company>' }),
    post('admin who keeps a password', '/portal/api/sso', enforced),
    post('links to sign', '/portal/api/contracts/links', { employeeIds: ['<#employee>'] }),
    post('contracts to decide', '/portal/api/contracts/decisions/preview', {
      decision: 'contract-accepted',
      employeeIds: ['<#employee>'],
    }),
  ];
}
