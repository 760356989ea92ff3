import type { Actor } from '../domain/actor.ts';
import type { Role } from '../domain/enums.ts';
import type { EnvironmentClock } from '../platform/clock/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { Encryption } from '../platform/crypto/encryption.ts';
import type { CompanyId } from '../platform/db/company-scope.ts';
import type { Db, RowSource, Tx } from '../platform/db/database.ts';
import type { Listen } from '../platform/db/listen.ts';
import type { App } from '../platform/http/app.ts';
import type { Links } from '../platform/http/links.ts';
import type { Slots } from '../platform/http/slot-limits.ts';
import type { Enqueue, Queue } from '../platform/jobs/queue.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import type { Tracing } from '../platform/telemetry/tracing/tracing.ts';
import type { EmployeeMails } from './employee-mails/queue.ts';
import type { Notices } from './notices/notices.ts';
import type { Mail } from './notices/queue.ts';

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
  employeeMails: EmployeeMails;
  tracing?: Tracing | undefined;
  /** The folders of built pages. Undefined: there are none, and `/` redirects to the reference. */
  pages: Readonly<Record<'portal' | 'my', string>> | undefined;
  /** Signs the session cookies of the portal. */
  sessionSecret: string;
  /** Encrypts secrets of companies that are stored. */
  encryption: Encryption;
}

/**
 * What a use case receives besides its input. The portal makes one per request (`contextOf` in caller.ts) and
 * the command line one per command (`withCompany` in command-context.ts). A use case that cannot do its work throws an
 * `ApiError`, which the portal sends and the command line prints.
 */
export interface CompanyContext {
  config: Config;
  db: Db;
  companyId: CompanyId;
  /** Who acts, and when. `name` is how pages show them. */
  by: { actor: Actor; name: string; at: Temporal.Instant };
  /** Changes records of the company in one transaction. Throws if the user may not. `roles` are those of the user. */
  write<T>(change: (tx: Tx, roles: readonly Role[]) => Promise<T>): Promise<T>;
  openEncryption(): Promise<Encryption>;
}

/** What a use case of one company receives that does the work of a job. */
export interface EngineContext {
  config: Config;
  companyId: CompanyId;
  db: Db;
  clock: EnvironmentClock;
  queue: Queue;
  notices: Notices;
  employeeMails: EmployeeMails;
  /** Shows how far a command is, at a terminal. */
  report?: (line: string) => void;
}

/** Registers routes. `Extra` names dependencies that only these routes have. */
export type Routes<Extra = unknown> = (app: App, context: AppContext & Extra) => void;
