import type { EnvironmentClock } from './clock.ts';
import type { Config } from './config.ts';
import type { Db, RowSource } from './db/database.ts';
import type { Listen } from './db/listen.ts';
import type { Encryption } from './encryption.ts';
import type { App } from './http/app.ts';
import type { Links } from './http/links.ts';
import type { Slots } from './http/slot-limits.ts';
import type { Enqueue } from './jobs/queue.ts';
import type { Notices } from './mail/notices.ts';
import type { Mail } from './mail/queue.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Tracing } from './tracing/tracing.ts';

/** Dependencies of all routes. Everything external is passed in here. Nothing is imported as a global. */
export interface AppContext {
  config: Config;
  db: Db;
  /** Returns how many statements wait for a connection of `db`. */
  waiting: () => number;
  /** Connections on which a statement may take minutes. Take a slot of `slots.longRunning` before using one. */
  streaming: RowSource;
  slots: Slots;
  /** Receives the notifications of the database. */
  listen: Listen;
  clock: EnvironmentClock;
  links: Links;
  metrics: Metrics;
  queue: Enqueue;
  mail: Mail;
  notices: Notices;
  tracing?: Tracing | undefined;
  /** The folder of the portal's built pages. Undefined: there are none, and `/` redirects to the reference. */
  pages: string | undefined;
  /** Signs the session cookies of the portal. */
  sessionSecret: string;
  /** Encrypts secrets of companies that are stored. */
  encryption: Encryption;
}

/** Registers routes. `Extra` names dependencies that only these routes have. */
export type Routes<Extra = unknown> = (app: App, context: AppContext & Extra) => void;
