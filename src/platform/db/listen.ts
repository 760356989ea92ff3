import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** How often the server is asked whether a notification was missed. */
const pingMillis = 200;
/** A connection that does not answer for this long is replaced. */
const silenceMillis = 2_000;
const reconnectMillis = 500;

export interface ListenOptions {
  channel: string;
  onMessage: (payload: string) => void;
}

export interface Listener {
  /** Connects, and connects again after a loss. Further calls do nothing. */
  start(): void;
  /** Returns whether all notifications of commits since `start` have arrived, except those of the last `millis`. */
  hasHeardAllSince(start: number, millis: number): boolean;
  stop(): Promise<void>;
}

export type Listen = (options: ListenOptions) => Listener;

/** A lost connection is no failure: callers ask `hasHeardAllSince` before they rely on silence. */
export function listenOn(url: string): Listen {
  return ({ channel, onMessage }) => {
    const stopping = new AbortController();
    let listeningSince = Number.POSITIVE_INFINITY;
    /** Every notification of a transaction that committed before this time has arrived. */
    let heardUntil = Number.NEGATIVE_INFINITY;
    let running: Promise<void> | undefined;

    const pause = (millis: number) => delay(millis, undefined, { signal: stopping.signal, ref: false });

    async function follow(): Promise<void> {
      const client = new pg.Client({
        connectionString: url,
        application_name: 'transit listen',
        connectionTimeoutMillis: 5_000,
        query_timeout: silenceMillis,
        options: '-c idle_session_timeout=30s',
      });
      client.on('error', () => {});
      client.on('notification', ({ payload }) => onMessage(payload ?? ''));
      try {
        await client.connect();
        await client.query(`listen ${client.escapeIdentifier(channel)}`);
        listeningSince = performance.now();
        for (;;) {
          const asked = performance.now();
          // The server delivers waiting notifications before it answers.
          await client.query('select 1');
          heardUntil = asked;
          await pause(pingMillis);
        }
      } finally {
        listeningSince = Number.POSITIVE_INFINITY;
        client.end().catch(() => {});
        client.connection.stream.destroy();
      }
    }

    async function run(): Promise<void> {
      while (!stopping.signal.aborted) {
        await follow().catch(() => {});
        await pause(reconnectMillis).catch(() => {});
      }
    }

    return {
      start: () => {
        running ??= run();
      },
      hasHeardAllSince: (start, millis) => start >= listeningSince && performance.now() - heardUntil < millis,
      stop: async () => {
        stopping.abort();
        await running;
      },
    };
  };
}
