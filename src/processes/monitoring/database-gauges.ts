import type { FastifyBaseLogger } from 'fastify';
import { Gauge, type Registry } from 'prom-client';
import type { EnvironmentClock } from '../../platform/clock/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import {
  countWaitingDocuments,
  findDailyRunBacklog,
  findEmployeeMailBacklog,
  findIssuerBacklog,
  findMailBacklog,
  findSyncBacklog,
  findWebhookBacklog,
  listQueueBacklogs,
} from './backlog.ts';
import { shareReading } from './reading.ts';

interface Options {
  registry: Registry;
  db: Db;
  clock: EnvironmentClock;
  /** Returns whether the process stops. Its connections are then closed. */
  isEnding: () => boolean;
  log: FastifyBaseLogger;
}

/** A value, or a value per combination of labels. Undefined: the reading failed, so there is none. */
type Samples = { labels: Record<string, string>; value: number }[] | undefined;

/** Adds the gauges of the environment, read at scrape time. All processes report the same: take the maximum. */
export function addDatabaseGauges({ registry, db, clock, isEnding, log }: Options): void {
  const share = <T>(name: string, read: () => Promise<T>) =>
    shareReading(name, async () => (isEnding() ? undefined : read()), log);
  const readings = {
    clock: share('clock', async () => ({ seconds: await clock.readDifference(db), isComplete: true })),
    queue: share('queue', () => listQueueBacklogs(db)),
    syncs: share('syncs', () => findSyncBacklog(db, clock.now())),
    'daily-run': share('daily-run', () => findDailyRunBacklog(db, clock.now())),
    documents: share('documents', () => countWaitingDocuments(db)),
    webhooks: share('webhooks', () => findWebhookBacklog(db)),
    mails: share('mails', () => findMailBacklog(db)),
    issuers: share('issuers', () => findIssuerBacklog(db, clock.now())),
    'employee-mails': share('employee-mails', () => findEmployeeMailBacklog(db)),
  };

  const addGauge = (name: string, help: string, read: () => Promise<Samples>, labelNames: string[] = []) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const samples = await read();
        // Without this, a value from before an outage would look like a current one.
        this.reset();
        if (labelNames.length === 0) this.remove();
        for (const { labels, value } of samples ?? []) this.set(labels, value);
      },
    });
  const addValue = (name: string, help: string, read: () => Promise<number | undefined>) =>
    addGauge(name, help, async () => {
      const value = await read();
      return value === undefined ? undefined : [{ labels: {}, value }];
    });
  addGauge(
    'transit_queue_jobs',
    'Unfinished jobs by queue and state: waiting, delayed (until the next attempt), active or set-aside.',
    async () =>
      (await readings.queue())?.flatMap(({ queue, waiting, delayed, active, setAside }) =>
        Object.entries({ waiting, delayed, active, 'set-aside': setAside }).map(([state, value]) => ({
          labels: { queue, state },
          value,
        })),
      ),
    ['queue', 'state'],
  );
  addGauge(
    'transit_queue_oldest_job_seconds',
    'Age of the oldest unfinished job of a queue. 0 if there is none.',
    async () =>
      (await readings.queue())?.map(({ queue, oldestSeconds }) => ({ labels: { queue }, value: oldestSeconds })),
    ['queue'],
  );
  addValue(
    'transit_clock_difference_seconds',
    'By how much the clock of this process differs from that of the database server.',
    async () => (await readings.clock())?.seconds,
  );
  addValue(
    'transit_syncs_waiting',
    'Syncs that were accepted and have no outcome yet.',
    async () => (await readings.syncs())?.syncs,
  );
  addValue(
    'transit_syncs_waiting_oldest_seconds',
    'How long the oldest accepted sync has been waiting for its outcome. 0 if there is none.',
    async () => (await readings.syncs())?.oldestSeconds,
  );
  addValue(
    'transit_daily_run_lag_days',
    'How many days the company that is furthest behind has to catch up on. 0 if none is behind.',
    async () => (await readings['daily-run']())?.days,
  );
  addValue(
    'transit_daily_run_lag_companies',
    'Companies whose daily run of today is not finished.',
    async () => (await readings['daily-run']())?.companies,
  );
  addValue(
    'transit_documents_waiting',
    'Documents whose file is not written yet.',
    async () => (await readings.documents())?.documents,
  );
  addValue(
    'transit_webhook_deliveries_waiting',
    'Webhook deliveries that wait for an attempt.',
    async () => (await readings.webhooks())?.deliveries,
  );
  addValue(
    'transit_webhook_deliveries_overdue_seconds',
    'How long the attempt of a webhook that is most overdue should have been made. 0 if none is.',
    async () => (await readings.webhooks())?.overdueSeconds,
  );
  addValue(
    'transit_mails_waiting',
    'Mails that wait for their first or next attempt.',
    async () => (await readings.mails())?.mails,
  );
  addValue(
    'transit_mails_waiting_oldest_seconds',
    'How long the oldest mail that is not sent has been waiting. 0 if there is none.',
    async () => (await readings.mails())?.oldestSeconds,
  );
  addValue(
    'transit_issuers_failing_seconds',
    'For how long an issuer of tickets could not be worked with. 0 if none fails.',
    async () => (await readings.issuers())?.oldestSeconds,
  );
  const addOfEmployeeMails = (name: string, help: string, column: 'mails' | 'oldestSeconds') =>
    addGauge(
      name,
      help,
      async () =>
        (await readings['employee-mails']())?.urgencies.map(({ urgency, ...values }) => ({
          labels: { urgency },
          value: values[column],
        })),
      ['urgency'],
    );
  addOfEmployeeMails(
    'transit_employee_mails_waiting',
    'Mails to employees that wait: access (links), confirmation or bulk (tickets, invitations).',
    'mails',
  );
  addOfEmployeeMails(
    'transit_employee_mails_waiting_oldest_seconds',
    'How long the oldest mail to an employee has been waiting, by urgency. 0 if there is none.',
    'oldestSeconds',
  );
  addGauge(
    'transit_database_reading_complete',
    'Whether the metrics of a reading could be read, for all companies: 1, otherwise 0.',
    () =>
      Promise.all(
        Object.entries(readings).map(async ([reading, read]) => {
          const result = await read();
          const isComplete = result !== undefined && (Array.isArray(result) || result.isComplete);
          return { labels: { reading }, value: Number(isComplete) };
        }),
      ),
    ['reading'],
  );
}
