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

/** What the slices work with. Everything from outside comes in here; nothing is imported as a global. */
export interface AppContext {
  config: Config;
  db: Db;
  /** How many statements wait for one of the connections of `db`. */
  waiting: () => number;
  streaming: RowSource;
  clock: EnvironmentClock;
  links: Links;
  documents: DocumentStore;
  metrics: Metrics;
  queue: Enqueue;
  wallets: Wallets;
  /** Folder of the portal's built pages; undefined: there are none, and `/` leads to the reference. */
  pages: string | undefined;
  /** What the portal's session cookies are signed with. */
  sessionSecret: string;
}

export type Routes = (app: App, parts: AppContext) => void;
