import type { Clock } from '../../clock.ts';
import type { Company } from '../../companies.ts';
import type { Db } from '../../db/database.ts';
import type { FailureCode } from '../../domain/connectors/failure.ts';
import type { Provider, PullKind } from '../../domain/enums.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import type { Notices } from '../../mail/notices.ts';
import type { SyncTarget } from '../sync/target.ts';
import type { ConnectorDeps } from './open-connection.ts';
import type { ConnectorRow, PullRow } from './queries.ts';

export interface FinishedPull {
  target: SyncTarget;
  syncId: string;
  kind: PullKind;
  provider: Provider;
  pages: number;
  people: number;
  millis: number;
}

/** Learns of every pull that has ended, after its transaction. */
export interface PullReport {
  read(pull: FinishedPull): void;
  /** `isInvalid`: the integration has become invalid, and the schedule has stopped. */
  failed(
    pull: FinishedPull,
    failure: { code: FailureCode; error: Error; isInvalid: boolean; willRetry: boolean },
  ): void;
}

export interface PullDeps extends ConnectorDeps {
  db: Db;
  clock: Clock;
  queue: Pick<Enqueue, 'enqueueSync'>;
  notices: Notices;
  maxEntries: number;
  /** Requests a stop: the pull in progress is given up, and the next worker starts it again. */
  signal: AbortSignal;
  report: PullReport;
}

export interface PullContext {
  deps: PullDeps;
  target: SyncTarget;
  pull: PullRow;
  row: ConnectorRow;
  company: Company;
  startedAt: Temporal.Instant;
}
