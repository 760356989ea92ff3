import {
  type FakeRequest,
  type FakeResponse,
  type FakeServer,
  type FakeServerOptions,
  startFakeServer,
} from '../../../src/features/connectors/fake/fake-server.ts';

/** An employee by the ids of fields, such as `work.startDate`. */
export type HibobPerson = { 'root.id': string } & Record<string, string | null>;

export interface HibobOut {
  employeeId: string;
  startDate: string;
  endDate?: string;
  type: 'days' | 'hours' | 'openEnded';
  policyTypeDisplayName: string;
}

export interface FakeHibob extends FakeServer {
  account: {
    people: HibobPerson[];
    outs: HibobOut[];
    /** Fields that the service user may not read: they are silently left out. */
    withheld: string[];
    canReadTimeOff: boolean;
  };
  /** The fields that were asked for, of each search. */
  searches: string[][];
}

export const hibobCredentials = { serviceUserId: 'SERVICE-1', token: 'hibob-secret' };

export const aHibobPerson = (id: number, fields: Record<string, string | null> = {}): HibobPerson => ({
  'root.id': String(id),
  'root.firstName': `First${id}`,
  'root.surname': `Last${id}`,
  'root.email': `person${id}@example.com`,
  'work.startDate': '2020-01-01',
  'internal.terminationDate': id === 1 ? '2027-12-31' : null,
  'internal.status': 'Active',
  'payroll.salary': '4000',
  ...fields,
});

const denied = (status: number, error: string): FakeResponse => ({ status, body: { error, key: error } });

/** HiBob leaves out fields that are empty, and those that the service user may not read. */
const presentPerson = (person: HibobPerson, fields: string[], withheld: string[]) =>
  Object.fromEntries(
    Object.entries(person)
      .filter(([name, value]) => fields.includes(name) && !withheld.includes(name) && value !== null)
      .map(([name, value]) => [`/${name.replaceAll('.', '/')}`, { value }]),
  );

/** Starts a fake of HiBob's API: the search for employees, fields, who's out, types of time off. */
export async function startFakeHibob(count: number, fault?: FakeServerOptions['fault']): Promise<FakeHibob> {
  const account: FakeHibob['account'] = {
    people: Array.from({ length: count }, (_, index) => aHibobPerson(index + 1)),
    outs: [],
    withheld: [],
    canReadTimeOff: true,
  };
  const searches: string[][] = [];
  const { serviceUserId, token } = hibobCredentials;
  const expected = `Basic ${Buffer.from(`${serviceUserId}:${token}`).toString('base64')}`;

  function search({ body }: FakeRequest): FakeResponse {
    const { fields, showInactive } = JSON.parse(body) as { fields: string[]; showInactive?: boolean };
    searches.push(fields);
    const employees = account.people
      .filter((person) => showInactive === true || person['internal.status'] === 'Active')
      .map((person) => presentPerson(person, fields, account.withheld));
    return { status: 200, body: { employees }, headers: { 'x-ratelimit-limit': '50', 'x-ratelimit-remaining': '49' } };
  }

  function listOuts({ query }: FakeRequest): FakeResponse {
    if (!account.canReadTimeOff) return denied(403, 'insufficient permission');
    const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''];
    const outs = account.outs.filter(({ startDate, endDate = '9999' }) => startDate <= to && endDate >= from);
    return { status: 200, body: { outs } };
  }

  const routes: Record<string, (request: FakeRequest) => FakeResponse> = {
    'POST /v1/people/search': search,
    'GET /v1/timeoff/whosout': listOuts,
    'GET /v1/timeoff/policy-types': () => ({ status: 200, body: { policyTypes: ['Holiday', 'Parental leave'] } }),
    'GET /v1/company/people/fields': () => ({
      status: 200,
      body: Object.keys(account.people[0] ?? {}).map((id) => ({ id, name: id, type: 'text' })),
    }),
  };
  const server = await startFakeServer({
    fault,
    answer(request) {
      if (request.headers.authorization !== expected) return denied(401, 'Unauthorized');
      return routes[`${request.method} ${request.path}`]?.(request) ?? denied(404, 'Not found');
    },
  });
  return { ...server, account, searches };
}
