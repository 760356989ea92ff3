import type { FastifyBaseLogger } from 'fastify';
import type { EnvironmentClock } from '../../platform/clock/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/db/database.ts';
import { createMetrics, type Metrics, noMetrics } from '../../platform/telemetry/metrics.ts';
import { createReadiness, type ReadinessCheck } from '../../platform/telemetry/readiness.ts';
import { startMonitoringServer } from '../../platform/telemetry/server.ts';
import { addDatabaseGauges } from './database-gauges.ts';
import { checkClock, checkDatabase } from './database-ready.ts';
import { addProcessGauges, type ProcessSources } from './process-gauges.ts';

/** What can be reported once the process has started. */
interface MonitoredSources extends Omit<ProcessSources, 'readiness'> {
  /** Opens connections that nothing else uses, so that a busy process still reports its state. */
  connect(): Pick<Database, 'db' | 'close'>;
  clock: EnvironmentClock;
  /** Returns whether jobs are processed. Absent: this process has no worker. */
  isConsuming?: () => boolean;
}

export interface Monitoring {
  metrics: Metrics;
  /** Reports the process as ready. Returns a function that closes its connections, before the database stops. */
  begin(sources: MonitoredSources): Promise<() => Promise<void>>;
  /** Reports the process as not ready. The first step of a stop. */
  end(): void;
  stop(): Promise<void>;
}

const off: Monitoring = { metrics: noMetrics, begin: async () => async () => {}, end() {}, stop: async () => {} };

/** Starts to serve `/metrics`, `/live` and `/ready` before anything else of the process starts. */
export async function startMonitoring(
  { metricsHost: host }: Config,
  { port, setting }: { port: number | undefined; setting: string },
  log: FastifyBaseLogger,
): Promise<Monitoring> {
  if (port === undefined) return off;
  const { metrics, registry } = createMetrics();
  const readiness = createReadiness();
  const stopServer = await startMonitoringServer({ port, host, setting, registry, readiness, log });
  return {
    metrics,
    async begin({ connect, clock, isConsuming, ...sources }) {
      const database = connect();
      const checks: ReadinessCheck[] = [await checkDatabase(database.db), checkClock(database.db, clock)];
      if (isConsuming) checks.push(async () => (isConsuming() ? undefined : 'the worker does not process jobs'));
      addProcessGauges(registry, { ...sources, readiness });
      addDatabaseGauges({ registry, db: database.db, clock, isEnding: readiness.isEnding, log });
      readiness.begin(checks);
      return database.close;
    },
    end: readiness.end,
    stop: stopServer,
  };
}
