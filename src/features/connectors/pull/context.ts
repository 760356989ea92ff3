import type { Provider, PullKind } from '../../../domain/enums.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Enqueue } from '../../../platform/jobs/queue.ts';
import type { Company, Integration } from '../../companies/companies.ts';
import type { Notices } from '../../notices/notices.ts';
import type { FailureCode } from '../rules/failure.ts';
import type { ConnectorDeps } from './open-connection.ts';
import type { ConnectorRow, PullRow } from './store.ts';

export interface FinishedPull {
  target: Integration;
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
  target: Integration;
  pull: PullRow;
  row: ConnectorRow;
  company: Company;
  startedAt: Temporal.Instant;
}
