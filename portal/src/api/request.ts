export interface ProblemError {
  pointer?: string;
  parameter?: string;
  hrId?: string;
  code: string;
  detail: string;
}

/** A problem response of the API (RFC 9457). */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: readonly ProblemError[];
  /** The total number of errors, where only the first ones are listed. */
  readonly errorCount: number;
  readonly requestId: string | undefined;
  /** The number of seconds to wait before another try, if the response names it. */
  readonly retryAfter: number | undefined;

  constructor(response: Pick<Response, 'status' | 'headers'>, body: Record<string, unknown>) {
    super(String(body.detail ?? `HTTP ${response.status}`));
    this.status = response.status;
    this.code = String(body.code ?? 'unknown');
    this.errors = (body.errors as ProblemError[] | undefined) ?? [];
    this.errorCount = Number(body.errorCount ?? this.errors.length);
    this.requestId = response.headers.get('x-request-id') ?? undefined;
    const seconds = Number(response.headers.get('retry-after'));
    this.retryAfter = seconds > 0 ? seconds : undefined;
  }
}

type Scalar = string | number | boolean | null | undefined;
export type Query = Record<string, Scalar | readonly Scalar[]>;

/** Appends a query string. A list repeats its name, and empty values are omitted. */
export function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') search.append(name, String(one));
    }
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

interface Options {
  method?: 'GET' | 'POST' | 'DELETE';
  /** Sent as JSON, unless `contentType` marks it as text or a file to send unchanged. */
  body?: unknown;
  contentType?: string;
  signal?: AbortSignal;
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

/** Calls the portal's own API, under `/portal/api`. */
export async function request<T>(
  path: string,
  { method = 'GET', body, contentType, signal }: Options = {},
): Promise<T> {
  const response = await fetch(`/portal/api${path}`, {
    method,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': contentType ?? 'application/json' }),
    },
    ...(body === undefined ? {} : { body: contentType === undefined ? JSON.stringify(body) : (body as string | Blob) }),
    ...(signal ? { signal } : {}),
  });
  const answer = parse(await response.text());
  if (!response.ok) throw new ApiProblem(response, answer as Record<string, unknown>);
  return answer as T;
}

/** Returns the `data` of the response. */
export const read = async <T>(path: string, options?: Options): Promise<T> =>
  (await request<{ data: T }>(path, options)).data;

export const isSignedOut = (error: unknown) => error instanceof ApiProblem && error.status === 401;
