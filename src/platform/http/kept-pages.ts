import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { CompanyId } from '../db/company-scope.ts';
import type { Versions } from '../db/versions.ts';
import type { PageSource } from '../telemetry/metrics.ts';
import { headersOf } from './reply-headers.ts';

const isMatch = (tag: string, etag: string) => tag === '*' || tag.replace(/^W\//, '') === etag;

export const matchesETag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch === etag || ifNoneMatch?.split(',').some((tag) => isMatch(tag.trim(), etag)) === true;

interface PageState {
  /** The company and the URL. */
  name: string;
  companyId: CompanyId;
  /** How many transactions have changed the company. Undefined: not read yet. */
  version: number | undefined;
  /** The day in the company's time zone: with it, tickets become valid and expire. */
  day: string;
  /** Settings of the company as the response shows them, and everything of the service that changes its bytes. */
  rendering: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response depends on records and the day only. `with-version`: the handler calls `setVersion`. */
    isKept?: boolean | 'with-version';
  }
  interface FastifyRequest {
    page: PageState | undefined;
  }
}

/** Notes the version that was read together with the records of the response, by the same statement. */
export function setVersion({ page }: FastifyRequest, version: number): void {
  if (page !== undefined) page.version = version;
}

/** Returns a validator that changes whenever the bytes of the response may change. */
const etagOf = ({ companyId, version, day, rendering }: PageState, url: string): string =>
  `"${hash('sha256', `${companyId} ${version} ${day} ${rendering} ${url}`, 'base64url').slice(0, 27)}"`;

/** Clients may store the response, but have to ask whether it is still current before they use it. */
function setValidator(reply: FastifyReply, etag: string): void {
  const headers = headersOf(reply);
  headers.etag = etag;
  headers['cache-control'] = 'private, no-cache';
}

interface KeptPage {
  /** What the body was rendered from. */
  state: PageState;
  etag: string;
  body: Buffer;
}

/** Compares what the validator is made of, which takes less time than making it. */
const isCurrent = ({ state }: KeptPage, { version, day, rendering }: PageState) =>
  state.version === version && state.day === day && state.rendering === rendering;

/** Pages that nobody requests are forgotten, because nobody would notice that a person on them was erased. */
const forgetMillis = 300_000;
/** What a page costs besides its bytes. */
const overheadBytes = 500;
/** How many URLs are remembered in order to recognize the second request for each. */
const rememberedUrls = 20_000;

/** Keeps the bodies of responses up to a number of bytes, and forgets the least recently used ones first. */
function createPageCache(maxBytes: number) {
  const pages = new LRUCache<string, KeptPage>({
    maxSize: Math.max(1, maxBytes),
    // One page never takes more than an eighth, so that a few long ones do not displace all others.
    maxEntrySize: Math.max(1, Math.ceil(maxBytes / 8)),
    sizeCalculation: ({ body }, name) => body.length + 2 * name.length + overheadBytes,
    ttl: forgetMillis,
    updateAgeOnGet: true,
  });
  const requested = new LRUCache<string, true>({ max: rememberedUrls });
  const timer = setInterval(() => pages.purgeStale(), forgetMillis / 5).unref();
  return {
    find: (name: string) => pages.get(name),
    forget: (name: string) => pages.delete(name),
    /** Keeps a response from the second one to its URL on: a walk requests every page once. */
    keep(state: PageState, etag: string, payload: string): Buffer | undefined {
      if (maxBytes === 0) return undefined;
      const { name } = state;
      if (requested.get(name) === undefined) {
        requested.set(name, true);
        return undefined;
      }
      const body = Buffer.from(payload);
      pages.set(name, { state, etag, body });
      return body;
    },
    stop: () => clearInterval(timer),
  };
}

interface Caller {
  companyId: CompanyId;
  company: { name: string; locale: string; currency: string; timeZone: string };
}

export interface KeptPagesOptions {
  maxBytes: number;
  versions: Versions;
  callerOf: (request: FastifyRequest) => Caller;
  dayIn: (timeZone: string) => string;
  /** Changes with the service itself: its version and its public URL. */
  edition: string;
  onAnswer: (source: PageSource) => void;
}

/**
 * Answers repeated requests from memory, or with 304 if the client has the answer, in the last hook before the request
 * is read further. Each answer is as new as the database at the time of the request: the version of the company is read
 * first, by one statement for all requests that wait.
 */
export function keepPages(app: FastifyInstance, options: KeptPagesOptions): void {
  const { maxBytes, versions, callerOf, dayIn, edition, onAnswer } = options;
  const pages = createPageCache(maxBytes);
  app.addHook('onClose', (_app, done) => {
    pages.stop();
    done();
  });
  app.decorateRequest('page', undefined);
  /** The settings of a company are one object as long as its key is trusted. */
  const renderings = new WeakMap<Caller['company'], string>();

  function renderingOf(company: Caller['company']): string {
    let rendering = renderings.get(company);
    if (rendering === undefined) {
      rendering = `${edition} ${company.locale} ${company.currency} ${company.name}`;
      renderings.set(company, rendering);
    }
    return rendering;
  }

  /** Answers from memory or with 304, if what is known has the version of the page. Returns whether it has. */
  function answer(request: FastifyRequest, reply: FastifyReply, page: PageState, found: KeptPage | undefined): boolean {
    const kept = found !== undefined && isCurrent(found, page) ? found : undefined;
    if (kept !== found) pages.forget(page.name);
    const validator = request.headers['if-none-match'];
    if (kept === undefined && validator === undefined) return false;
    const etag = kept?.etag ?? etagOf(page, request.raw.url ?? '');
    // This validator was only ever sent with a valid response. A star matches any response, so there must be one.
    if (matchesETag(validator, etag) && (kept !== undefined || !validator?.includes('*'))) {
      onAnswer('not-modified');
      setValidator(reply, etag);
      reply.code(304).send();
      return true;
    }
    if (kept === undefined) return false;
    onAnswer('kept');
    request.page = undefined;
    setValidator(reply, etag);
    headersOf(reply)['content-type'] = 'application/json; charset=utf-8';
    reply.send(kept.body);
    return true;
  }

  function begin(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) {
    const { companyId, company } = callerOf(request);
    // The day is noted before the handler uses it: with a later one, old contents would be kept for a new day.
    const day = dayIn(company.timeZone);
    const name = `${companyId} ${request.raw.url}`;
    const page: PageState = { name, companyId, version: undefined, day, rendering: renderingOf(company) };
    request.page = page;
    const found = request.method === 'GET' ? pages.find(name) : undefined;
    const isReadByHandler =
      found === undefined &&
      request.routeOptions.config.isKept === 'with-version' &&
      request.method === 'GET' &&
      request.headers['if-none-match'] === undefined;
    if (isReadByHandler) return done();
    versions
      .read(companyId)
      .then((version) => {
        page.version = version;
        return answer(request, reply, page, found);
      })
      .then((isSent) => isSent || done(), done);
  }

  function keep(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: null, payload: unknown) => void,
  ) {
    const { page } = request;
    if (page?.version === undefined || reply.statusCode !== 200) return done(null, payload);
    const etag = etagOf(page, request.raw.url ?? '');
    setValidator(reply, etag);
    if (typeof payload !== 'string') return done(null, payload);
    onAnswer('rendered');
    const kept = request.method === 'GET' ? pages.keep(page, etag, payload) : undefined;
    if (!matchesETag(request.headers['if-none-match'], etag)) return done(null, kept ?? payload);
    reply.code(304).removeHeader('content-type');
    done(null, null);
  }

  app.addHook('onRoute', (route) => {
    if (!route.config?.isKept) return;
    route.onRequest = [route.onRequest ?? [], begin].flat() as never;
    route.onSend = [route.onSend ?? [], keep].flat() as never;
  });
}
