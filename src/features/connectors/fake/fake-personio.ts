import { randomUUID } from 'node:crypto';
import {
  type FakeRequest,
  type FakeResponse,
  type FakeServer,
  type FakeServerOptions,
  startFakeServer,
} from './fake-server.ts';

/** What Personio knows about an employee. Each key is an attribute. */
export type FakePerson = { id: number } & Record<string, string | number | null>;

export interface FakeAbsence {
  personId: number;
  typeId: string;
  start: string;
  end: string | null;
  status: 'APPROVED' | 'PENDING' | 'REJECTED';
}

/** The content of a fake account. Tests change it between two requests. */
export interface FakePersonioAccount {
  people: FakePerson[];
  absences: FakeAbsence[];
  absenceTypes: { id: string; name: string }[];
  clientId: string;
  clientSecret: string;
  /** Attributes that are not released for the credentials: they are silently left out. */
  withheld: string[];
  /** Whether the credentials may read absences. */
  canReadAbsences: boolean;
  canReadEmployees: boolean;
}

export interface FakePersonio extends FakeServer {
  account: FakePersonioAccount;
  /** Makes every token that was issued expire. */
  expireTokens(): void;
  requests: { method: string; path: string }[];
}

const labels: Record<string, string> = {
  id: 'ID',
  first_name: 'First name',
  last_name: 'Last name',
  email: 'Email',
  hire_date: 'Hire date',
  termination_date: 'Termination date',
  status: 'Status',
  fix_salary: 'Fixed salary',
};

const describeAttribute = (name: string, value: string | number | null) => {
  const isDate = name.endsWith('_date');
  const shown = isDate && typeof value === 'string' ? `${value}T00:00:00+01:00` : value;
  return { label: labels[name] ?? name, value: shown, type: isDate ? 'date' : 'standard', universal_id: name };
};

const denied = (status: number, message: string): FakeResponse => ({
  status,
  body: { success: false, error: { code: 0, message } },
});

const deniedV2 = (status: number, title: string): FakeResponse => ({
  status,
  body: { personio_trace_id: randomUUID(), timestamp: '2026-01-01T00:00:00Z', errors: [{ title, detail: title }] },
  headers: { 'content-type': 'application/problem+json' },
});

function createAnswers(account: FakePersonioAccount, tokens: Set<string>) {
  const issue = () => {
    const token = `papi-${randomUUID()}`;
    tokens.add(token);
    return token;
  };
  const isKnown = (id: unknown, secret: unknown) => id === account.clientId && secret === account.clientSecret;
  const isSignedIn = ({ headers }: FakeRequest) => tokens.has(headers.authorization?.replace(/^Bearer /, '') ?? '');

  function authenticateV1({ body }: FakeRequest): FakeResponse {
    const { client_id: id, client_secret: secret } = JSON.parse(body) as Record<string, unknown>;
    if (!isKnown(id, secret)) return denied(403, 'Wrong credentials');
    return { status: 200, body: { success: true, data: { token: issue() } } };
  }

  function authenticateV2({ body }: FakeRequest): FakeResponse {
    const form = new URLSearchParams(body);
    const isAllowed =
      form.get('grant_type') === 'client_credentials' && isKnown(form.get('client_id'), form.get('client_secret'));
    if (!isAllowed) {
      const headers = { 'content-type': 'application/problem+json' };
      return {
        status: 400,
        body: { error: 'invalid_client', error_description: 'Client authentication failed' },
        headers,
      };
    }
    return { status: 200, body: { access_token: issue(), token_type: 'Bearer', expires_in: 86_400, scope: '' } };
  }

  function listEmployees(request: FakeRequest): FakeResponse {
    if (!isSignedIn(request)) return denied(401, 'The token has expired.');
    if (!account.canReadEmployees) return denied(403, 'Missing permission');
    const limit = Math.min(Number(request.query.get('limit') ?? 50), 100);
    const offset = Number(request.query.get('offset') ?? 0);
    const wanted = request.query.getAll('attributes[]');
    const data = account.people.slice(offset, offset + limit).map((person) => ({
      type: 'Employee',
      attributes: Object.fromEntries(
        Object.entries(person)
          .filter(([name]) => !account.withheld.includes(name) && (wanted.length === 0 || wanted.includes(name)))
          .map(([name, value]) => [name, describeAttribute(name, value)]),
      ),
    }));
    const total = account.people.length;
    const metadata = {
      total_elements: total,
      current_page: Math.floor(offset / limit),
      total_pages: Math.ceil(total / limit),
    };
    return { status: 200, body: { success: true, data, metadata, offset, limit } };
  }

  /** Version 2 answers pages with a link to the next one. */
  function listPage(request: FakeRequest, all: unknown[]): FakeResponse {
    const limit = Math.min(Number(request.query.get('limit') ?? 50), 100);
    const offset = Number(request.query.get('cursor') ?? 0);
    const query = new URLSearchParams(request.query);
    query.set('cursor', String(offset + limit));
    const hasNext = offset + limit < all.length;
    const next = { next: { href: `https://api.personio.de${request.path}?${query}` } };
    return { status: 200, body: { _data: all.slice(offset, offset + limit), _meta: { links: hasNext ? next : {} } } };
  }

  function listAbsences(request: FakeRequest): FakeResponse {
    if (!isSignedIn(request)) return deniedV2(401, 'Unauthorized');
    if (!account.canReadAbsences) return deniedV2(403, 'Forbidden');
    const latest = request.query.get('starts_from.date_time.lte') ?? '9999';
    const earliest = request.query.get('ends_at.date_time.gte') ?? '';
    const all = account.absences
      .filter(({ start, end }) => `${start}T00:00:00` <= latest && (end === null || `${end}T23:59:59` >= earliest))
      .map(({ personId, typeId, start, end, status }) => ({
        person: { id: String(personId) },
        starts_from: { date_time: `${start}T00:00:00` },
        ...(end === null ? {} : { ends_at: { date_time: `${end}T00:00:00` } }),
        absence_type: { id: typeId, name: account.absenceTypes.find(({ id }) => id === typeId)?.name ?? null },
        approval: { status },
      }));
    return listPage(request, all);
  }

  function listTypes(request: FakeRequest): FakeResponse {
    if (!isSignedIn(request)) return deniedV2(401, 'Unauthorized');
    if (!account.canReadAbsences) return deniedV2(403, 'Forbidden');
    return listPage(request, account.absenceTypes);
  }

  return { authenticateV1, authenticateV2, listEmployees, listAbsences, listTypes };
}

/** Starts a fake of Personio's API: sign-in, employees (version 1), absences and their types (version 2). */
export async function startFakePersonio(
  given: Partial<FakePersonioAccount> = {},
  fault?: FakeServerOptions['fault'],
): Promise<FakePersonio> {
  const account: FakePersonioAccount = {
    people: [],
    absences: [],
    absenceTypes: [],
    clientId: 'papi-client',
    clientSecret: 'papi-secret',
    withheld: [],
    canReadAbsences: true,
    canReadEmployees: true,
    ...given,
  };
  const tokens = new Set<string>();
  const requests: FakePersonio['requests'] = [];
  const answers = createAnswers(account, tokens);
  const routes: Record<string, (request: FakeRequest) => FakeResponse> = {
    'POST /v1/auth': answers.authenticateV1,
    'POST /v2/auth/token': answers.authenticateV2,
    'GET /v1/company/employees': answers.listEmployees,
    'GET /v2/absence-periods': answers.listAbsences,
    'GET /v2/absence-types': answers.listTypes,
  };
  const server = await startFakeServer({
    fault,
    answer(request) {
      requests.push({ method: request.method, path: request.path });
      const route = routes[`${request.method} ${request.path}`];
      return route ? route(request) : deniedV2(404, 'Not Found');
    },
  });
  return { ...server, account, expireTokens: () => tokens.clear(), requests };
}
