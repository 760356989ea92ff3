import type { Message } from '../../../../src/domain/messages/message.ts';
import type { PortalProblem } from '../../../../src/platform/http/portal/schemas.ts';

export type ProblemError = NonNullable<PortalProblem['errors']>[number];

/** A problem response of the API (RFC 9457). */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  /** What happened, for rendering in the user's language. */
  readonly explanation: Message | undefined;
  readonly errors: readonly ProblemError[];
  /** The total number of errors, where only the first ones are listed. */
  readonly errorCount: number;
  readonly requestId: string | undefined;
  /** The number of seconds to wait before another try, if the response names it. */
  readonly retryAfter: number | undefined;

  constructor(response: Pick<Response, 'status' | 'headers'>, body: Partial<PortalProblem>) {
    super(body.detail ?? `HTTP ${response.status}`);
    this.status = response.status;
    this.code = body.code ?? 'unknown';
    this.explanation = body.message;
    this.errors = body.errors ?? [];
    this.errorCount = body.errorCount ?? this.errors.length;
    this.requestId = response.headers.get('x-request-id') ?? undefined;
    const seconds = Number(response.headers.get('retry-after'));
    this.retryAfter = seconds > 0 ? seconds : undefined;
  }
}

/** The parameters of a query. All may be omitted: undefined and empty values are. */
export type Query<T> = {
  [Name in keyof T]?: (T[Name] extends (infer Item)[] | undefined ? readonly Item[] : T[Name]) | undefined;
};

/** One page of a list. */
export interface Page<T> {
  data: T[];
  page: number;
  perPage: number;
  totalPages: number;
  total: number;
  /** The places of the pages beside this one, in lists that have them. */
  previous?: string | null;
  next?: string | null;
}

/** A roster as the user chose it. The browser reads the file while it sends it. The page never has it in memory. */
export interface RosterFile {
  file: File;
  contentType: 'application/json' | 'text/csv' | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  /** Sends it in place of `fetch`, and reports its progress. */
  fetch?: typeof fetch;
}

/** Returns the path of an operation with encoded values: at`/keys/${username}`. */
export const at = (texts: TemplateStringsArray, ...values: (string | number)[]) =>
  String.raw({ raw: texts }, ...values.map(encodeURIComponent));

/** Returns the address of an operation, such as of a file. */
export const pathTo = (path: string) => `/portal/api${path}`;

/** Appends a query string. A list repeats its name. */
export function withQuery(path: string, query: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') search.append(name, String(one));
    }
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

interface CallOptions {
  query?: object;
  /** Sent as JSON. */
  body?: unknown;
  file?: RosterFile;
  signal?: AbortSignal | undefined;
}

let askToStepUp: () => Promise<boolean> = async () => false;

/** Sets what asks the user to prove who they are, where an operation requires it. */
export function onStepUpRequired(ask: () => Promise<boolean>): void {
  askToStepUp = ask;
}

const isStepUpRequired = (parsed: unknown) => (parsed as Partial<PortalProblem>).code === 'step-up-required';

/** Calls the portal's own API. Returns the `data` of the response. Throws an `ApiProblem` if the call fails. */
async function call<T>(method: string, path: string, options: CallOptions): Promise<T> {
  const { query = {}, body, file, signal } = options;
  const contentType = file?.contentType ?? (body === undefined ? undefined : 'application/json');
  const sent = file?.file ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await (file?.fetch ?? fetch)(pathTo(withQuery(path, query)), {
    method,
    headers: { accept: 'application/json', ...(contentType ? { 'content-type': contentType } : {}) },
    ...(sent === undefined ? {} : { body: sent }),
    ...(signal ? { signal } : {}),
  });
  const parsed = parse(await response.text());
  if (response.status === 403 && isStepUpRequired(parsed) && (await askToStepUp()))
    return call<T>(method, path, options);
  if (!response.ok) throw new ApiProblem(response, parsed as Partial<PortalProblem>);
  return (parsed as { data: T }).data;
}

/** The types of the data, the query and the body are those of the route's contract. */
export const get = <Data, Parameters = Record<never, never>>(
  path: string,
  options: { query?: Query<Parameters>; signal?: AbortSignal } = {},
) => call<Data>('GET', path, options);

export const post = <Data = void, Body = undefined>(
  path: string,
  ...[body, signal]: Body extends undefined ? [] : [body: Body, signal?: AbortSignal]
) => call<Data>('POST', path, { body, signal });

export const remove = (path: string) => call<void>('DELETE', path, {});

export const upload = <Data, Parameters = Record<never, never>>(
  path: string,
  file: RosterFile,
  query: Query<Parameters> = {},
) => call<Data>('POST', path, { file, query });

/** Returns the content of a file for a body of JSON. */
export const readBase64 = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^.*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

export const isSignedOut = (error: unknown) => error instanceof ApiProblem && error.status === 401;

/** Yields the records of an export as they arrive. Throws if the connection breaks, or an `ApiProblem`. */
export async function* readLines<T>(path: string, query: object): AsyncGenerator<T[]> {
  const response = await fetch(pathTo(withQuery(path, query)), { headers: { accept: 'application/x-ndjson, */*' } });
  if (!response.ok) throw new ApiProblem(response, parse(await response.text()) as Partial<PortalProblem>);
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const lines = (rest + next.value).split('\n');
    rest = lines.pop() ?? '';
    yield lines.map((line) => JSON.parse(line) as T);
  }
}
