import {
  type FakeRequest,
  type FakeResponse,
  type FakeServer,
  type FakeServerOptions,
  startFakeServer,
} from '../../../src/features/connectors/fake/fake-server.ts';

export type BambooPerson = { employeeId: number } & Record<string, string | number | null>;

export interface BambooTimeOff {
  employeeId: string;
  status: { status: 'approved' | 'requested' };
  start: string;
  end: string;
  type: { id: string; name: string };
}

export interface FakeBamboohr extends FakeServer {
  account: {
    people: BambooPerson[];
    timeOff: BambooTimeOff[];
    /** Fields that the key may not read: null, and named in `_restrictedFields`. */
    restricted: string[];
    canReadTimeOff: boolean;
  };
  /** The fields that were asked for, of each page. */
  requestedFields: string[][];
}

export const bamboohrCredentials = { domain: 'acme', apiKey: 'bamboo-secret' };
const base = `/api/gateway.php/${bamboohrCredentials.domain}/v1`;

export const aBambooPerson = (employeeId: number, fields: Partial<BambooPerson> = {}): BambooPerson => ({
  employeeId,
  firstName: `First${employeeId}`,
  lastName: `Last${employeeId}`,
  workEmail: `person${employeeId}@example.com`,
  hireDate: '2020-01-01',
  terminationDate: '0000-00-00',
  status: 'Active',
  payRate: '4000',
  ...fields,
});

const denied = (status: number): FakeResponse => ({ status, body: '', headers: { 'x-bamboohr-error-message': 'no' } });

/** Starts a fake of BambooHR's API: employees with cursors, time off, fields and types of time off. */
export async function startFakeBamboohr(count: number, fault?: FakeServerOptions['fault']): Promise<FakeBamboohr> {
  const account: FakeBamboohr['account'] = {
    people: Array.from({ length: count }, (_, index) => aBambooPerson(index + 1)),
    timeOff: [],
    restricted: [],
    canReadTimeOff: true,
  };
  const requestedFields: string[][] = [];
  const expected = `Basic ${Buffer.from(`${bamboohrCredentials.apiKey}:x`).toString('base64')}`;

  function present(person: BambooPerson, fields: string[]) {
    const shown = [...new Set(['employeeId', 'firstName', 'lastName', 'status', ...fields])];
    const restricted = shown.filter((name) => account.restricted.includes(name));
    const values = shown.map((name) => [name, restricted.includes(name) ? null : (person[name] ?? null)]);
    return { ...Object.fromEntries(values), _restrictedFields: restricted };
  }

  function listEmployees({ query, path }: FakeRequest): FakeResponse {
    const fields = (query.get('fields') ?? '').split(',');
    requestedFields.push(fields);
    const limit = Number(query.get('page[limit]') ?? 50);
    const after = Number(query.get('page[after]') ?? 0);
    const data = account.people.slice(after, after + limit).map((person) => present(person, fields));
    const next = new URLSearchParams(query);
    next.set('page[after]', String(after + limit));
    const hasNext = after + limit < account.people.length;
    const links = hasNext ? { next: { href: `https://api.bamboohr.com${path}?${next}` } } : { next: null };
    return { status: 200, body: { data, meta: { page: { limit, total: account.people.length } }, _links: links } };
  }

  function listTimeOff({ query }: FakeRequest): FakeResponse {
    if (!account.canReadTimeOff) return denied(403);
    const [from, to, status] = ['start', 'end', 'status'].map((name) => query.get(name) ?? '');
    const found = account.timeOff.filter(
      (one) => one.start <= (to ?? '') && one.end >= (from ?? '') && one.status.status === status,
    );
    return { status: 200, body: found };
  }

  const routes: Record<string, (request: FakeRequest) => FakeResponse> = {
    [`GET ${base}/employees`]: listEmployees,
    [`GET ${base}/time_off/requests`]: listTimeOff,
    [`GET ${base}/meta/fields`]: () => ({
      status: 200,
      body: [
        { id: 1, name: 'First name', type: 'text', alias: 'firstName' },
        { id: 4040, name: 'Wants a ticket', type: 'checkbox' },
      ],
    }),
    [`GET ${base}/meta/time_off/types`]: () => ({
      status: 200,
      body: { timeOffTypes: [{ id: '78', name: 'Vacation', units: 'days' }] },
    }),
  };
  const server = await startFakeServer({
    fault,
    answer(request) {
      if (request.headers.authorization !== expected) return denied(401);
      return routes[`${request.method} ${request.path}`]?.(request) ?? denied(404);
    },
  });
  return { ...server, account, requestedFields };
}
