import { isTransient } from './errors.ts';
import type { HttpClient } from './http.ts';
import type { CallOptions } from './list.ts';
import { sleep } from './sleep.ts';
import type { Event, ListEventsQuery } from './types.gen.ts';

export interface EventPage {
  data: Event[];
  /** Where the next page begins. */
  nextAfter: number;
  hasMore: boolean;
  /** The sequence of the newest event, 0 if there is none. */
  newest: number;
}

export interface FollowOptions extends CallOptions {
  /** The sequence of the last event that you have processed. Absent: begins with the oldest event that is kept. */
  after?: number | undefined;
  types?: ListEventsQuery['types'];
  /** How long to wait before new events are looked for. Default 5 s. */
  pollMs?: number | undefined;
  /** Called after each page with the position to continue from, also if it has no events of these types. */
  onPosition?: ((after: number) => void) | undefined;
  /** Called when the service cannot be reached. Following continues. */
  onError?: ((error: unknown) => void) | undefined;
}

export class Events {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /** Returns up to 100 events after a sequence. */
  async page({ signal, ...query }: ListEventsQuery & CallOptions = {}): Promise<EventPage> {
    return (await this.#http.json<{ data: EventPage }>('GET', '/events', { query, signal })).data;
  }

  /** Returns the sequence of the newest event. Follow after it to receive only what happens from now on. */
  async newest({ signal }: CallOptions = {}): Promise<number> {
    return (await this.page({ limit: 1, signal })).newest;
  }

  /** Yields the events that exist, and then ends. */
  async *list({ after, types, signal }: FollowOptions = {}): AsyncGenerator<Event, void, undefined> {
    for (let from = after; ; ) {
      const page = await this.page({ after: from, types, signal });
      yield* page.data;
      if (!page.hasMore) return;
      from = page.nextAfter;
    }
  }

  /**
   * Yields every event once, in order, and waits for new ones. Ends when `signal` is aborted. Outages only delay it;
   * throws for everything else, such as `EventsExpiredError`.
   */
  async *follow(options: FollowOptions = {}): AsyncGenerator<Event, void, undefined> {
    const { after, types, signal, pollMs = 5000, onPosition, onError } = options;
    let from = after;
    while (!signal?.aborted) {
      let page: EventPage | undefined;
      try {
        page = await this.page({ after: from, types, signal });
      } catch (error) {
        if (signal?.aborted) return;
        if (!isTransient(error)) throw error;
        onError?.(error);
      }
      if (page !== undefined) {
        yield* page.data;
        from = page.nextAfter;
        onPosition?.(from);
      }
      if (page?.hasMore) continue;
      await sleep(pollMs, signal).catch(() => {});
    }
  }
}
