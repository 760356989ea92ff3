import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Permission } from '../../domain/enums.ts';
import type { CompanyId } from '../db/company-scope.ts';
import type { Versions } from '../db/versions.ts';
import { createEarlyResponses, type EarlyContent, type EarlyResponseOptions } from './early-responses.ts';
import { matchesETag } from './etag.ts';
import type { Caller } from './keep-pages.ts';
import { etagOf, type PageCache, type PageState } from './page-cache.ts';
import type { LimitHeaders } from './rate-limit.ts';
import type { ReadRouter } from './reads.ts';
import { assertHead } from './request-head.ts';

interface KeyCaller extends Caller {
  companyId: CompanyId;
  keyId: string;
  permissions: ReadonlySet<Permission>;
}

export interface EarlyAnswerOptions extends EarlyResponseOptions {
  pages: PageCache;
  reads: Pick<ReadRouter, 'find'>;
  versions: Versions;
  stateOf: (caller: Caller, version: number) => PageState;
  /** Returns the caller of a request if its key is trusted without another check. */
  findCaller: (authorization: string | undefined) => KeyCaller | undefined;
  /** Counts the request against its key. Throws if that exceeds the limit, and then counts nothing. */
  countKey: (caller: KeyCaller, reply: LimitHeaders) => void;
  /** Returns whether a request of the key would exceed its limit. Counts nothing. */
  isKeyAtLimit: (caller: KeyCaller) => boolean;
  /** Returns whether every request has to pass through all hooks: the service closes or is overloaded. */
  isExcluded: () => boolean;
}

/** Answers a request, or calls `pass`. Until then, it has only read. */
export type EarlyAnswer = (request: IncomingMessage, response: ServerResponse, pass: () => void) => void;

const isPlainGet = ({ method, headers }: IncomingMessage) =>
  method === 'GET' && headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;

function isValidHead(request: IncomingMessage): boolean {
  try {
    assertHead(request);
    return true;
  } catch {
    return false;
  }
}

/**
 * Creates the answer to frequent requests before they reach Fastify, whose routing and hooks take longer than the rest:
 * to repeated ones from memory, and to valid ones for a read (src/platform/http/reads.ts). It does the same as the hooks for such
 * a request (src/processes/app.ts): head, overload, key, permission, limit, headers, log and metrics. Requests that are unusual or
 * fail pass to Fastify.
 */
export function createEarlyAnswer(options: EarlyAnswerOptions): EarlyAnswer {
  const { pages, reads, versions, stateOf, findCaller, countKey, isKeyAtLimit, isExcluded } = options;
  const send = createEarlyResponses(options);

  /** Returns the headers that describe the limit of the key, or undefined if it is exceeded. */
  function count(caller: KeyCaller): (string | number)[] | undefined {
    const set: (string | number)[] = [];
    try {
      countKey(caller, { headers: (values) => set.push(...Object.entries(values).flat()) });
      return set;
    } catch {
      return undefined;
    }
  }

  async function findKept(
    { url = '', headers }: IncomingMessage,
    caller: KeyCaller,
  ): Promise<EarlyContent | undefined> {
    const version = await versions.read(caller.companyId);
    const page = version === undefined ? undefined : pages.find(stateOf(caller, version), url);
    if (!page?.permissions?.every((one) => caller.permissions.has(one))) return undefined;
    const { route, etag, body } = page;
    const validator = headers['if-none-match'];
    // A star says nothing about what the client has.
    if (matchesETag(validator, etag) && (body !== undefined || !validator?.includes('*'))) {
      return { route, etag, body: undefined, source: 'not-modified' };
    }
    return body && { route, etag, body, source: 'kept' };
  }

  async function executeRead(url: string, caller: KeyCaller): Promise<EarlyContent | undefined> {
    const requested = reads.find(url);
    if (!requested?.permissions.every((one) => caller.permissions.has(one))) return undefined;
    // The day is noted before the read uses it: with a later one, old contents would be kept for a new day.
    const begun = stateOf(caller, 0);
    if (!(await versions.areCounted())) return undefined;
    const found = await requested.execute(caller);
    if (found === undefined) return undefined;
    const { route, permissions } = requested;
    const state = { ...begun, version: found.version };
    const etag = etagOf(state, url);
    const text = JSON.stringify(found.body);
    const kept = pages.keep(state, url, () => ({ etag, body: Buffer.from(text), route, permissions }));
    return { route, etag, body: kept?.body ?? text, source: 'rendered' };
  }

  /** Returns what the request is answered with, or undefined if Fastify has to answer it. */
  function findContent(request: IncomingMessage, caller: KeyCaller): Promise<EarlyContent | undefined> | undefined {
    const { url = '', headers } = request;
    if (pages.has(caller.companyId, url)) return findKept(request, caller);
    if (headers['if-none-match'] !== undefined || isKeyAtLimit(caller)) return undefined;
    return executeRead(url, caller);
  }

  return (request, response, pass) => {
    if (!isPlainGet(request) || isExcluded()) return pass();
    const begun = performance.now();
    const caller = findCaller(request.headers.authorization);
    const finding = caller && isValidHead(request) ? findContent(request, caller) : undefined;
    if (caller === undefined || finding === undefined) return pass();
    finding.then((content) => {
      const limit = content && count(caller);
      if (content === undefined || limit === undefined) pass();
      else send(request, response, content, { caller, limit, begun });
    }, pass);
  };
}

/** Holds the answer until the application that it belongs to is built. */
export function createEarlyAnswerSlot() {
  let earlyAnswer: EarlyAnswer | undefined;
  return {
    fill(answer: EarlyAnswer): void {
      earlyAnswer = answer;
    },
    wrap:
      (handler: RequestListener): RequestListener =>
      (request, response) => {
        if (earlyAnswer === undefined) handler(request, response);
        else earlyAnswer(request, response, () => handler(request, response));
      },
  };
}
