import type { RouteOptions } from 'fastify';
import findMyWay from 'find-my-way';
import type { Permission } from '../../domain/enums.ts';
import type { Caller } from './keep-pages.ts';

/** What the statement of a read has found. */
export interface ReadResult<Body = unknown> {
  /** The version of the company at that moment. */
  version: number;
  /** The body of the response. */
  body: Body;
}

/** Reads records of the caller's company, and their version, by one statement. Returns undefined if there is no such record. */
export type Read<Query = unknown, Params = unknown, Body = unknown> = (
  caller: Caller,
  parameters: { query: Query; params: Params },
) => Promise<ReadResult<Body> | undefined>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the handler of the route does, for requests that are answered before they reach it. */
    read?: Read;
  }
}

/** A valid request for a read. */
export interface RequestedRead {
  /** The pattern of the route. */
  route: string;
  permissions: readonly Permission[];
  execute(caller: Caller): Promise<ReadResult | undefined>;
}

export interface ReadRouter {
  add(route: RouteOptions): void;
  /** Returns undefined if this URL is not that of a read, or if its parameters are invalid. */
  find(url: string): RequestedRead | undefined;
}

/** Finds the read that a URL requests. The options are those of the router of the application. */
export function createReadRouter(options: { maxParamLength: number }): ReadRouter {
  const router = findMyWay({ ...options, querystringParser: (text) => ({ text }) });
  return {
    add({ method, url, config: { read, permissions, readParameters } = {} }) {
      if (method !== 'GET' || read === undefined || permissions === undefined || readParameters === undefined) return;
      const request = (params: Record<string, string | undefined>, queryText: string): RequestedRead | undefined => {
        const { errors, ...parameters } = readParameters(params, queryText);
        if (errors.length > 0) return undefined;
        return { route: url, permissions, execute: (caller) => read(caller, parameters) };
      };
      router.on('GET', url, () => {}, request);
    },
    find(url) {
      const found = router.find('GET', url);
      return found?.store(found.params, (found.searchParams as { text?: string }).text ?? '');
    },
  };
}
