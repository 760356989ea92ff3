import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Permission } from '../../domain/enums.ts';
import type { CompanyId } from '../db/company-scope.ts';
import { createRepetitionMemory } from './repetition.ts';

/** Pages of companies that nobody asks for are forgotten, since nobody would notice that a person on them was erased. */
const forgetMillis = 300_000;
/** What a page costs besides its bytes. */
const overheadBytes = 500;

/** What the bytes of a page depend on besides its URL. */
export interface PageState {
  companyId: CompanyId;
  /** How many transactions have changed the company. */
  version: number;
  /** The day in the company's time zone: with it, tickets become valid and expire. */
  day: string;
  /** Settings of the company as the response shows them, and everything of the service that changes its bytes. */
  rendering: string;
}

interface CompanyPages {
  state: PageState;
  urls: Set<string>;
}

/** A response as it was sent, and what a request needs to receive it again. */
export interface KeptPage {
  /** Undefined: only clients that have the response, and say so by its validator, receive it again. */
  body: Buffer | undefined;
  etag: string;
  /** The route pattern, for log and metrics. */
  route: string;
  /** The permissions that a key needs. Undefined: the guard of the route has to decide. */
  permissions: readonly Permission[] | undefined;
}

interface Entry {
  companyId: CompanyId;
  url: string;
  page: KeptPage;
}

const isSameState = (one: PageState, other: PageState) =>
  one.version === other.version && one.day === other.day && one.rendering === other.rendering;

/** Returns a validator that changes whenever the bytes of the response may change. */
export const etagOf = ({ companyId, version, day, rendering }: PageState, url: string): string =>
  `"${hash('sha256', `${companyId} ${version} ${day} ${rendering} ${url}`, 'base64url').slice(0, 27)}"`;

export interface PageCache {
  /** Returns whether the response to this URL is kept for some state of the company. */
  has(companyId: CompanyId, url: string): boolean;
  find(state: PageState, url: string): KeptPage | undefined;
  /**
   * Keeps a response and returns it, unless it is the first one to its URL: a client that reads all pages once requests
   * none of them again.
   */
  keep(state: PageState, url: string, createPage: () => KeptPage): KeptPage | undefined;
  bytes(): number;
  stop(): void;
}

const off: PageCache = {
  has: () => false,
  find: () => undefined,
  keep: () => undefined,
  bytes: () => 0,
  stop: () => {},
};

/**
 * Keeps the bodies of responses, least recently used ones last, up to a number of bytes. All pages of a company are
 * forgotten as soon as a newer state of it is seen.
 */
export function createPageCache(maxBytes: number): PageCache {
  if (maxBytes === 0) return off;
  const companies = new Map<CompanyId, CompanyPages>();
  const isRepeated = createRepetitionMemory();
  const pages = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    // One page never takes more than an eighth, so that a few long ones do not displace all others.
    maxEntrySize: Math.ceil(maxBytes / 8),
    sizeCalculation: ({ page, url }) => (page.body?.length ?? 0) + 2 * url.length + overheadBytes,
    ttl: forgetMillis,
    updateAgeOnGet: true,
    dispose: ({ companyId, url }, _name, reason) => {
      if (reason === 'set') return;
      const company = companies.get(companyId);
      company?.urls.delete(url);
      if (company?.urls.size === 0) companies.delete(companyId);
    },
  });
  const nameOf = (companyId: CompanyId, url: string) => `${companyId} ${url}`;
  const timer = setInterval(() => pages.purgeStale(), forgetMillis / 5).unref();

  /** Returns the pages of a company in this state. Forgets those of an older state. */
  function findCompany(state: PageState): CompanyPages | undefined {
    const company = companies.get(state.companyId);
    if (company === undefined || isSameState(company.state, state)) return company;
    if (company.state.version > state.version) return undefined;
    companies.delete(state.companyId);
    for (const url of company.urls) pages.delete(nameOf(state.companyId, url));
    return undefined;
  }

  function openCompany(state: PageState): CompanyPages | undefined {
    const known = findCompany(state);
    if (known !== undefined || companies.has(state.companyId)) return known;
    const company = { state, urls: new Set<string>() };
    companies.set(state.companyId, company);
    return company;
  }

  return {
    has: (companyId, url) => companies.get(companyId)?.urls.has(url) === true,
    find: (state, url) =>
      findCompany(state)?.urls.has(url) ? pages.get(nameOf(state.companyId, url))?.page : undefined,
    keep: (state, url, createPage) => {
      if (!isRepeated(state.companyId, url)) return undefined;
      // A request that began before a change may end after one that began later.
      const company = openCompany(state);
      if (company === undefined) return undefined;
      const name = nameOf(state.companyId, url);
      const page = createPage();
      pages.set(name, { companyId: state.companyId, url, page });
      if (pages.has(name)) company.urls.add(url);
      return page;
    },
    bytes: () => pages.calculatedSize,
    stop: () => clearInterval(timer),
  };
}
