import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { RateLimits } from '../config/config.ts';
import type { Db } from '../db/database.ts';
import { ApiError } from './errors.ts';
import { headersOf } from './reply-headers.ts';

/** The limits per minute of public routes, which count per client network. */
export type LimitName = 'wallet' | 'signing' | 'invitation' | 'access' | 'unsubscribe' | 'hint';

declare module 'fastify' {
  interface FastifyContextConfig {
    limit?: LimitName;
  }
}

interface KeyName {
  companyId: number;
  keyId: string;
}

export interface RateLimiter {
  countKey(key: KeyName, reply: FastifyReply): void;
  /** Counts a request against the portal user, whichever session it belongs to. */
  countUser(user: { companyId: number; id: string }, reply: FastifyReply): void;
  /** Counts a request against the employee, whichever session it belongs to. */
  countEmployee(employee: { companyId: number; employeeId: number }, reply: FastifyReply): void;
  /** Counts a request of an identity provider against its integration. */
  countScim(integration: { companyId: number; hrIntegrationId: number }, reply: FastifyReply): void;
  /** Counts failed credentials against their network, so that nobody uses up the limit of another's key. */
  countFailure(request: FastifyRequest, reply: FastifyReply): void;
  countPublic(limit: LimitName, request: FastifyRequest, reply: FastifyReply): void;
}

/** Matches an IPv4 address, also as `::ffff:192.0.2.1` (dual-stack sockets) or with a port (some proxies). */
const dottedAddress = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/i;
const addressInBrackets = /^\[([^\]]*)\](?::\d+)?$/;

/** Returns the network of an address: the first 64 bits of IPv6, since a client has all addresses in it. */
export function networkOf(given: string): string {
  const dotted = dottedAddress.exec(given)?.[1];
  if (dotted !== undefined) return dotted;
  const address = addressInBrackets.exec(given)?.[1] ?? given;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const first = head.split(':').filter(Boolean);
  const last = (tail ?? '').split(':').filter(Boolean);
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}

export const windowSeconds = 60;
const windowMillis = windowSeconds * 1000;
const flushMillis = 1000;

export interface Window {
  /** Known hits: of this process, and of the others at the last exchange. */
  count: number;
  endsAt: number;
  unsent: number;
}

export interface Counter {
  /** Counts one hit synchronously. Otherwise, hits that arrive together would all see the count of the last one. */
  hit(name: string, now: number): Window;
  undo(name: string): void;
  peek(name: string, now: number): Window;
  stop(): void;
}

interface SharedWindow {
  name_hash: Buffer;
  hits: number;
  ends_in_ms: number;
}

interface PendingHits {
  name: string;
  hash: Buffer;
  window: Window;
  hits: number;
}

const hashOf = (name: string) => createHash('sha256').update(name).digest();

/** Adds hits to the shared windows and returns them. Locks rows in a fixed order to avoid deadlocks. */
async function addHits(db: Db, sent: readonly PendingHits[]): Promise<SharedWindow[]> {
  const hashes = sent.map(({ hash }) => hash);
  const hits = sent.map((one) => one.hits);
  const { rows } = await sql<SharedWindow>`
    insert into rate_limit_windows as w (name_hash, hits, ends_at)
    select n.name_hash, n.hits, now() + make_interval(secs => ${windowSeconds})
    from unnest(${hashes}::bytea[], ${hits}::integer[]) as n (name_hash, hits)
    order by n.name_hash
    on conflict (name_hash) do update set
      hits = case when w.ends_at <= now() then excluded.hits else w.hits + excluded.hits end,
      ends_at = case when w.ends_at <= now() then excluded.ends_at else w.ends_at end
    returning w.name_hash, w.hits, (extract(epoch from w.ends_at - now()) * 1000)::float8 as ends_in_ms`.execute(db);
  return rows;
}

async function deleteExpired(db: Db): Promise<void> {
  await sql`
    delete from rate_limit_windows where name_hash in (
      select name_hash from rate_limit_windows where ends_at <= now() for update skip locked)`.execute(db);
}

/** Counts here and exchanges counts by at most one statement per second. Without database, counts alone. */
export function createCounter(db: Db, log: Pick<FastifyBaseLogger, 'warn'>): Counter {
  const windows = new Map<string, Window>();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isFlushing = false;
  let flushAt = 0;
  let sweepAt = 0;
  let isAlone = false;
  let isStopped = false;

  function peek(name: string, now: number): Window {
    const known = windows.get(name);
    if (known !== undefined && known.endsAt > now) return known;
    const window = { count: 0, endsAt: now + windowMillis, unsent: 0 };
    windows.set(name, window);
    return window;
  }

  async function send(sent: PendingHits[]): Promise<SharedWindow[]> {
    changed.clear();
    for (const { window } of sent) window.unsent = 0;
    try {
      return await addHits(db, sent);
    } catch (error) {
      for (const { name, window, hits } of sent) {
        window.unsent += hits;
        changed.add(name);
      }
      throw error;
    }
  }

  async function exchange(): Promise<void> {
    const sent = [...changed].flatMap((name) => {
      const window = windows.get(name);
      return window === undefined ? [] : [{ name, hash: hashOf(name), window, hits: window.unsent }];
    });
    const rows = await send(sent);
    const now = performance.now();
    const shared = new Map(rows.map((row) => [row.name_hash.toString('hex'), row]));
    for (const { hash, window } of sent) {
      const row = shared.get(hash.toString('hex'));
      if (row === undefined) continue;
      window.count = Math.max(0, row.hits + window.unsent);
      // The window must not end later than clients were promised.
      window.endsAt = Math.min(window.endsAt, now + row.ends_in_ms);
    }
  }

  async function sweep(): Promise<void> {
    const now = performance.now();
    if (now < sweepAt || isStopped) return;
    sweepAt = now + windowMillis;
    for (const [name, window] of windows) if (window.endsAt <= now) windows.delete(name);
    await deleteExpired(db);
  }

  async function flush(): Promise<void> {
    flushAt = performance.now() + flushMillis;
    try {
      await exchange();
      await sweep();
      isAlone = false;
    } catch (error) {
      if (!isAlone && !isStopped) log.warn({ err: error }, 'rate limits are not shared: database unreachable');
      isAlone = true;
    }
  }

  function schedule(now: number): void {
    if (isStopped || timer !== undefined || isFlushing) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        isFlushing = true;
        void flush().finally(() => {
          isFlushing = false;
          if (changed.size > 0) schedule(performance.now());
        });
      },
      Math.max(0, flushAt - now),
    ).unref();
  }

  function add(name: string, hits: 1 | -1, now: number): Window {
    const window = peek(name, now);
    window.count = Math.max(0, window.count + hits);
    window.unsent += hits;
    changed.add(name);
    schedule(now);
    return window;
  }

  return {
    peek,
    hit: (name, now) => add(name, 1, now),
    undo: (name) => add(name, -1, performance.now()),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

function applyLimit(
  reply: FastifyReply,
  perMinute: number,
  { count, endsAt }: Pick<Window, 'count' | 'endsAt'>,
  now: number,
): void {
  const remaining = Math.max(0, perMinute - count);
  // Rounding up fractions of the clock must not yield more than the window.
  const reset = Math.min(windowSeconds, Math.max(1, Math.ceil((endsAt - now) / 1000)));
  const headers = headersOf(reply);
  headers.ratelimit = `"default";r=${remaining};t=${reset}`;
  headers['ratelimit-policy'] = `"default";q=${perMinute};w=${windowSeconds}`;
  // Header names of earlier drafts, which most client libraries still read.
  headers['ratelimit-limit'] = perMinute;
  headers['ratelimit-remaining'] = remaining;
  headers['ratelimit-reset'] = reset;
  if (count <= perMinute) return;
  const detail = `More than ${perMinute} requests within one minute. Retry in ${reset} seconds.`;
  throw new ApiError('rate-limited', detail, {}, { 'retry-after': String(reset) });
}

/**
 * Uses a fixed window per key, user or network. @fastify/rate-limit was tried first: it reads its counter after it has
 * waited, so that it could refuse a whole burst that exceeds the limit. Refused requests are not counted, so that
 * clients that continue to send them cause no exchange with other processes.
 */
export function createRateLimiter(limits: RateLimits, counter: Counter): RateLimiter {
  const count = (name: string, perMinute: number, reply: FastifyReply) => {
    if (perMinute === 0) return;
    const now = performance.now();
    const known = counter.peek(name, now);
    const isOver = known.count >= perMinute;
    const { endsAt } = isOver ? known : counter.hit(name, now);
    applyLimit(reply, perMinute, { count: isOver ? perMinute + 1 : known.count, endsAt }, now);
  };
  return {
    countKey: ({ companyId, keyId }, reply) => count(`key ${companyId} ${keyId}`, limits.key, reply),
    countUser: ({ companyId, id }, reply) => count(`user ${companyId} ${id}`, limits.portal, reply),
    countEmployee: ({ companyId, employeeId }, reply) =>
      count(`employee ${companyId} ${employeeId}`, limits.portal, reply),
    countScim: ({ companyId, hrIntegrationId }, reply) =>
      count(`scim ${companyId} ${hrIntegrationId}`, limits.scim, reply),
    countFailure: ({ ip }, reply) => count(`address ${networkOf(ip)}`, limits.key, reply),
    countPublic: (limit, { ip }, reply) => count(`${limit} ${networkOf(ip)}`, limits[limit], reply),
  };
}
