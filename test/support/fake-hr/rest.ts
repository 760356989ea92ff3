import {
  type FakeRequest,
  type FakeResponse,
  type FakeServer,
  type FakeServerOptions,
  startFakeServer,
} from '../../../src/features/connectors/fake/fake-server.ts';

/** How the fake ends its pages. */
export type Paging = 'none' | 'page' | 'offset' | 'more' | 'cursor' | 'next' | 'link';

export interface FakeRest extends FakeServer {
  account: { people: Record<string, unknown>[]; absences: Record<string, unknown>[] };
  /** Headers and bodies of all requests, in which credentials are looked for. */
  requests: FakeRequest[];
}

/** Names of members and parameters, as a template expects them. */
export interface Shape {
  /** Path of the list of people, and of absences. */
  paths: [people: string, absences?: string];
  paging: Paging;
  size: number;
  /** In the addresses of pages. By default `skip`. */
  parameter?: string;
  isAllowed(request: FakeRequest): boolean;
  /** Answers other paths, such as those of tokens. */
  answer?(request: FakeRequest): FakeResponse | undefined;
  /** Wraps a page. `next` is the offset of the next one, undefined at the end. */
  wrap(records: unknown[], page: { total: number; next: number | undefined; url: (offset: number) => string }): unknown;
  /** Reads the offset from a request. */
  offsetOf(query: URLSearchParams, size: number): number;
}

/** Starts a fake of some REST API: two lists in pages of any kind, in the shape that a template describes. */
export async function startFakeRest(
  { paths, paging, size, parameter = 'skip', isAllowed, answer, wrap, offsetOf }: Shape,
  account: FakeRest['account'],
  fault?: FakeServerOptions['fault'],
): Promise<FakeRest> {
  const requests: FakeRequest[] = [];
  let origin = '';
  const server = await startFakeServer({
    fault,
    answer(request) {
      requests.push(request);
      const other = answer?.(request);
      if (other !== undefined) return other;
      const list = [account.people, account.absences][paths.indexOf(request.path)];
      if (list === undefined) return { status: 404, body: { error: 'not found' } };
      if (!isAllowed(request)) return { status: 401, body: { error: 'unauthorized' } };
      const offset = paging === 'none' ? 0 : offsetOf(request.query, size);
      const end = paging === 'none' ? list.length : offset + size;
      const next = end < list.length ? end : undefined;
      const url = (at: number) => {
        const query = new URLSearchParams(request.query);
        query.set(parameter, String(at));
        return `${origin}${request.path}?${query}`;
      };
      const body = wrap(list.slice(offset, end), { total: list.length, next, url });
      const link =
        next === undefined ? `<${url(0)}>; rel="first"` : `<${url(0)}>; rel="first", <${url(next)}>; rel="next"`;
      return { status: 200, body, headers: paging === 'link' ? { link } : {} };
    },
  });
  origin = server.origin;
  return { ...server, account, requests };
}

export const factorialCredentials = { authentication: 'header', headerName: 'x-api-key', token: 'rest-secret' };

/** Starts a fake of Factorial as its template expects it. Every second employee will be on parental leave. */
export const startFakeFactorial = (count: number): Promise<FakeRest> => {
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  return startFakeRest(
    {
      paths: ['/api/employees/employees', '/api/timeoff/leaves'],
      paging: 'cursor',
      size: 100,
      isAllowed: ({ headers }) => headers['x-api-key'] === factorialCredentials.token,
      wrap: (data, { total, next }) => ({
        data,
        meta: { has_next_page: next !== undefined, end_cursor: next === undefined ? null : String(next), total },
      }),
      offsetOf: (query) => Number(query.get('after_id') ?? 0),
    },
    {
      people: ids.map((id) => ({
        ...{ id, first_name: `First${id}`, last_name: `Last${id}`, email: `person${id}@example.com` },
        terminated_on: id === 1 ? '2027-03-31' : null,
      })),
      absences: ids
        .filter((id) => id % 2 === 1)
        .map((id) => ({
          ...{ employee_id: id, start_on: '2026-12-01', finish_on: '2027-02-28', approved: true },
          ...{ leave_type_id: 7, leave_type_name: 'Parental leave' },
        })),
    },
  );
};
