import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CompanyId } from '../db/company-scope.ts';
import type { Versions } from '../db/versions.ts';
import type { PageSource } from '../telemetry/metrics.ts';
import { matchesETag } from './etag.ts';
import { etagOf, type KeptPage, type PageCache, type PageState } from './page-cache.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response depends only on records of the company and on the day. */
    isKept?: true;
  }
  interface FastifyRequest {
    /** What the response depends on, as far as it is known. Undefined: it cannot be kept. */
    page: (Omit<PageState, 'version'> & { version: number | undefined }) | undefined;
  }
}

/** Notes the version that was read together with the records of the response, by the same statement. */
export function setVersion({ page }: FastifyRequest, version: number): void {
  if (page !== undefined) page.version = version;
}

/** The caller of a kept response. */
export interface Caller {
  companyId: CompanyId;
  company: { name: string; locale: string; currency: string; timeZone: string };
}

export interface KeepPagesOptions {
  pages: PageCache;
  versions: Versions;
  stateOf: (caller: Caller, version: number) => PageState;
  callerOf: (request: FastifyRequest) => Caller;
  onAnswer: (source: PageSource) => void;
}

/** Clients may store the response, but have to ask whether it is still current before they use it. */
export const validatorHeaders = (etag: string) => ['etag', etag, 'cache-control', 'private, no-cache'] as const;

function setValidator(reply: FastifyReply, etag: string): FastifyReply {
  const [name, value, cacheControl, directives] = validatorHeaders(etag);
  return reply.header(name, value).header(cacheControl, directives);
}

interface StateOptions {
  /** Returns the present day in a time zone. */
  dayIn: (timeZone: string) => string;
  /** Changes with the service itself: its version and its public URL. */
  edition: string;
}

/** Returns a function that describes what the responses to a caller depend on. */
export function describeStates({ dayIn, edition }: StateOptions): (caller: Caller, version: number) => PageState {
  /** The settings of a company are one object as long as its key is trusted. */
  const renderings = new WeakMap<Caller['company'], string>();

  function renderingOf(company: Caller['company']): string {
    const known = renderings.get(company);
    if (known !== undefined) return known;
    const rendering = `${edition} ${company.locale} ${company.currency} ${company.name}`;
    renderings.set(company, rendering);
    return rendering;
  }

  return ({ companyId, company }, version) => ({
    companyId,
    version,
    day: dayIn(company.timeZone),
    rendering: renderingOf(company),
  });
}

/**
 * Answers repeated requests from memory, or with 304 if the client has the answer. Each answer is as new as the
 * database at the time of the request: the version of the company is read first, by one statement for all requests that
 * wait.
 */
export function keepPages(app: FastifyInstance, options: KeepPagesOptions): void {
  const { pages, versions, stateOf, callerOf, onAnswer } = options;
  app.decorateRequest('page', undefined);

  /** Returns whether the response must be rendered anyway, by a handler that reads the version itself. */
  const isNew = ({ method, headers, raw, routeOptions }: FastifyRequest, { companyId }: Caller) =>
    routeOptions.config.read !== undefined &&
    method === 'GET' &&
    headers['if-none-match'] === undefined &&
    !pages.has(companyId, raw.url ?? '');

  function keepPage(
    { raw, routeOptions }: FastifyRequest,
    state: PageState,
    { etag, payload }: { etag: string; payload?: string },
  ): KeptPage | undefined {
    const { url: route = '', config } = routeOptions;
    const permissions = config.anyPermission === undefined ? config.permissions : undefined;
    const body = () => (payload === undefined ? undefined : Buffer.from(payload));
    return pages.keep(state, raw.url ?? '', () => ({ etag, body: body(), route, permissions }));
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const caller = callerOf(request);
    if (isNew(request, caller)) {
      // The day is noted before the handler uses it: with a later one, old contents would be kept for a new day.
      const state = stateOf(caller, 0);
      if (await versions.areCounted()) request.page = { ...state, version: undefined };
      return undefined;
    }
    const version = await versions.read(caller.companyId);
    if (version === undefined) return undefined;
    const state = stateOf(caller, version);
    const url = request.raw.url ?? '';
    const etag = etagOf(state, url);
    request.page = state;
    const page = request.method === 'GET' ? pages.find(state, url) : undefined;
    const body = page?.body;
    const validator = request.headers['if-none-match'];
    // This validator was only ever sent with a valid response. A star says nothing about that, unless there is one.
    if (matchesETag(validator, etag) && (body !== undefined || !validator?.includes('*'))) {
      if (request.method === 'GET' && page === undefined) keepPage(request, state, { etag });
      onAnswer('not-modified');
      return setValidator(reply.code(304), etag).send();
    }
    if (body === undefined) return undefined;
    onAnswer('kept');
    return reply.header('content-type', 'application/json; charset=utf-8').send(body);
  }

  async function keep(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    const { page } = request;
    if (page?.version === undefined || reply.statusCode !== 200) return payload;
    const state = { ...page, version: page.version };
    const url = request.raw.url ?? '';
    const etag = etagOf(state, url);
    setValidator(reply, etag);
    if (typeof payload !== 'string') return payload;
    onAnswer('rendered');
    const kept = request.method === 'GET' ? keepPage(request, state, { etag, payload }) : undefined;
    if (!matchesETag(request.headers['if-none-match'], etag)) return kept?.body ?? payload;
    reply.code(304).removeHeader('content-type');
    return null;
  }

  app.addHook('onRoute', (route) => {
    if (!route.config?.isKept) return;
    route.onRequest = [route.onRequest ?? [], answer].flat() as never;
    route.onSend = [route.onSend ?? [], keep].flat() as never;
  });
}
