import type { HttpClient } from './http.ts';

/** One page of a list. */
export interface Page<T> {
  data: T[];
  page: number;
  perPage: number;
  totalPages: number;
  /** The number of records on all pages. */
  total: number;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

/** The highest number of records per page that the API allows, so that a list takes the fewest requests. */
const mostPerPage = 100;

/**
 * A list that is read page by page while it is iterated. Records that are removed meanwhile move later ones to an
 * earlier page: then the page before is read again, so that none is missed, and none is returned twice.
 */
export class List<T> implements AsyncIterable<T> {
  readonly #http: HttpClient;
  readonly #path: string;
  readonly #query: object;
  readonly #signal: AbortSignal | undefined;

  constructor(http: HttpClient, path: string, query: object, { signal }: CallOptions) {
    this.#http = http;
    this.#path = path;
    this.#query = query;
    this.#signal = signal;
  }

  /** Returns one page. Pages start at 1. */
  async page(page = 1, perPage = mostPerPage): Promise<Page<T>> {
    const query = { ...this.#query, page, perPage };
    const { data } = await this.#http.json<{ data: Page<T> }>('GET', this.#path, { query, signal: this.#signal });
    return data;
  }

  /** Returns how many records there are. */
  async count(): Promise<number> {
    return (await this.page(1, 0)).total;
  }

  /** Returns the records as an array, at most `limit`. */
  async toArray(limit = Number.POSITIVE_INFINITY): Promise<T[]> {
    const records: T[] = [];
    if (limit <= 0) return records;
    for await (const record of this) if (records.push(record) >= limit) break;
    return records;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let known = new Set<unknown>();
    let total = 0;
    for (let number = 1; ; ) {
      const page = await this.page(number);
      if (page.total < total && number > 1) {
        total = page.total;
        number -= 1;
        continue;
      }
      total = page.total;
      const identities = page.data.map(identityOf);
      for (const [index, record] of page.data.entries()) if (!known.has(identities[index])) yield record;
      if (number >= page.totalPages) return;
      known = new Set([...[...known].slice(-mostPerPage), ...identities]);
      number += 1;
    }
  }
}

/** Returns what identifies a record: its address. */
function identityOf(record: unknown): unknown {
  const { _links } = record as { _links?: { self?: { href?: string } } };
  return _links?.self?.href ?? record;
}
