import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { EnvironmentClock } from './clock.ts';
import type { Config } from './config.ts';
import type { Db, RowSource } from './db/database.ts';
import type { DocumentStore } from './documents/store.ts';
import type { Links } from './http/links.ts';
import type { Metrics } from './http/metrics.ts';
import type { Enqueue } from './jobs/queue.ts';
import type { Wallets } from './wallet/wallets.ts';

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression<RawServerDefault>,
  RawReplyDefaultExpression<RawServerDefault>,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Dependencies of routes and jobs. Everything external is passed in here. Nothing is imported as a global. */
export interface AppContext {
  config: Config;
  db: Db;
  /** Returns how many statements wait for a connection of `db`. */
  waiting: () => number;
  streaming: RowSource;
  clock: EnvironmentClock;
  links: Links;
  documents: DocumentStore;
  metrics: Metrics;
  queue: Enqueue;
  wallets: Wallets;
  /** The folder of the portal's built pages. Undefined: there are none, and `/` redirects to the reference. */
  pages: string | undefined;
  /** Signs the session cookies of the portal. */
  sessionSecret: string;
}

export type Routes = (app: App, parts: AppContext) => void;
