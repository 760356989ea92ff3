import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { timeLiteral } from '../../platform/db/shards.ts';
import { max, readAggregate, sum } from './shards.ts';

/** What waits in the environment, for metrics and `doctor`: short statements, each on an index of what waits. */

export interface QueueBacklog {
  queue: string;
  waiting: number;
  /** Jobs that wait for their time, such as the next attempt after a failure. */
  delayed: number;
  active: number;
  /** Jobs that ended their process twice, and wait until an operator releases them (src/platform/jobs/set-aside.ts). */
  setAside: number;
  /** The age of the oldest unfinished job that is not set aside, since it first could have been started. 0 if there is none. */
  oldestSeconds: number;
}

/** Returns the backlog of every queue. The queue is on the coordinator, so no other node of a cluster is asked. */
export async function listQueueBacklogs(db: Db): Promise<QueueBacklog[]> {
  const { rows } = await sql<QueueBacklog>`
    select q.name as queue,
      count(*) filter (where j.state < 'active' and j.start_after <= now()) as waiting,
      count(*) filter (where j.state < 'active' and j.start_after > now() and j.start_after < 'infinity') as delayed,
      count(*) filter (where j.state < 'active' and j.start_after = 'infinity') as "setAside",
      count(*) filter (where j.state = 'active') as active,
      coalesce(extract(epoch from now() - min(case when j.retry_count > 0 then j.created_on else j.start_after end)
        filter (where (j.retry_count > 0 or j.start_after <= now()) and j.start_after < 'infinity')), 0)::float8 as "oldestSeconds"
    from queue.queue q left join queue.job j on j.name = q.name and j.state <= 'active'
    where q.name not like '\\_\\_%'
    group by q.name order by q.name`.execute(db);
  return rows;
}

export interface WorkerActivity {
  /** Seconds since a worker last supervised the queue, which each does every few seconds. Null: never. */
  seenSecondsAgo: number | null;
  /** Jobs that have failed several times and will be tried again. */
  retrying: number;
  /** Jobs that were given up. They are deleted after an hour. */
  failed: number;
}

/** Returns whether workers are running, and what they fail at. */
export async function findWorkerActivity(db: Db): Promise<WorkerActivity> {
  const { rows } = await sql<WorkerActivity>`
    select
      (select extract(epoch from now() - max(greatest(q.monitor_on, q.monitor_claim_on)))::float8
        from queue.queue q) as "seenSecondsAgo",
      count(*) filter (where j.state < 'active' and j.retry_count >= 5 and j.start_after < 'infinity') as retrying,
      count(*) filter (where j.state = 'failed') as failed
    from queue.job j`.execute(db);
  return rows[0] ?? { seenSecondsAgo: null, retrying: 0, failed: 0 };
}

/**
 * Returns how many companies the daily run is behind for, and by how many days at most. `now` is the time of the
 * environment's clock. Nearly all companies share a few time zones and days, so the local date is calculated once per
 * group, which halves the time for 100,000 companies. Without `offset 0`, PostgreSQL would calculate it for every company
 * before grouping.
 */
export function findDailyRunBacklog(db: Db, now: Temporal.Instant) {
  const today = `(${timeLiteral(now)} at time zone t.time_zone)::date`;
  return readAggregate(db, {
    table: 'companies',
    source: (table) =>
      `(select time_zone, processed_through, count(*) as companies from ${table} group by 1, 2 offset 0)`,
    columns: { companies: sum('sum(t.companies)'), days: max(`max(${today} - t.processed_through)`) },
    where: `t.processed_through < ${today}`,
  });
}

const countDocuments = (db: Db, where: string) =>
  readAggregate(db, { table: 'documents', columns: { documents: sum('count(*)') }, where });

export const countWaitingDocuments = (db: Db) => countDocuments(db, 't.content is not null');

/** Counts documents that should have been written long ago. `now` is the time of the environment's clock. */
export const countOverdueDocuments = (db: Db, now: Temporal.Instant) =>
  countDocuments(db, `t.content is not null and t.created_at < ${timeLiteral(now)} - interval '1 hour'`);

export async function countPopulation(db: Db) {
  const [companies, employees] = await Promise.all([
    readAggregate(db, { table: 'companies', columns: { companies: sum('count(*)') } }),
    readAggregate(db, { table: 'employee_counts', columns: { employees: sum('coalesce(sum(t.employees), 0)') } }),
  ]);
  return { ...companies, ...employees, isComplete: companies.isComplete && employees.isComplete };
}

/** Returns how many syncs have no outcome yet, and the age of the oldest. `now` is the time of the environment's clock. */
export const findSyncBacklog = (db: Db, now: Temporal.Instant) =>
  readAggregate(db, {
    table: 'syncs',
    columns: {
      syncs: sum('count(*)'),
      oldestSeconds: max(`extract(epoch from ${timeLiteral(now)} - min(t.accepted_at))`),
    },
    where: "t.state in ('accepted', 'processing')",
  });

/** Returns how many integrations failed to pull, and how many are half an hour late by the environment's clock. */
export const findPullBacklog = (db: Db, now: Temporal.Instant) =>
  readAggregate(db, {
    table: 'hr_connectors',
    columns: {
      failing: sum('count(*) filter (where t.failure_code is not null)'),
      overdue: sum(`count(*) filter (where t.next_pull_at < ${timeLiteral(now)} - interval '30 minutes')`),
    },
  });

/** Returns how many webhooks wait, and how late the most overdue is, in real time. */
export const findWebhookBacklog = (db: Db) =>
  readAggregate(db, {
    table: 'webhook_deliveries',
    columns: {
      deliveries: sum('count(*)'),
      overdueSeconds: max('greatest(0, extract(epoch from now() - min(t.next_attempt_at)))'),
    },
    where: "t.state = 'pending'",
  });

const ofUrgency = (urgency: number) => ({
  count: sum(`count(*) filter (where t.urgency = ${urgency})`),
  oldest: max(`extract(epoch from now() - min(t.created_at) filter (where t.urgency = ${urgency}))`),
});

/** Returns how many mails to employees wait, and the age of the oldest, by how urgent they are. */
export async function findEmployeeMailBacklog(db: Db) {
  const [access, confirmations, bulk] = [ofUrgency(0), ofUrgency(1), ofUrgency(2)];
  const found = await readAggregate(db, {
    table: 'employee_mails',
    columns: {
      ...{ access: access.count, oldestAccess: access.oldest },
      ...{ confirmations: confirmations.count, oldestConfirmation: confirmations.oldest },
      ...{ bulk: bulk.count, oldestBulk: bulk.oldest },
    },
    where: "t.state = 'pending'",
  });
  return {
    isComplete: found.isComplete,
    urgencies: [
      { urgency: 'access', mails: found.access, oldestSeconds: found.oldestAccess },
      { urgency: 'confirmation', mails: found.confirmations, oldestSeconds: found.oldestConfirmation },
      { urgency: 'bulk', mails: found.bulk, oldestSeconds: found.oldestBulk },
    ],
  };
}

/** Returns how many mails wait, and the age of the oldest. Mails are sent by real time too. */
export const findMailBacklog = (db: Db) =>
  readAggregate(db, {
    table: 'mails',
    columns: { mails: sum('count(*)'), oldestSeconds: max('extract(epoch from now() - min(t.created_at))') },
    where: "t.state = 'pending'",
  });

/** Returns how many issuers of tickets cannot be worked with, and for how long the first of them, by the environment's clock. */
export const findIssuerBacklog = (db: Db, now: Temporal.Instant) =>
  readAggregate(db, {
    table: 'issuer_settings',
    columns: {
      issuers: sum('count(*)'),
      oldestSeconds: max(`greatest(0, extract(epoch from ${timeLiteral(now)} - min(t.failing_since)))`),
    },
    where: 't.failing_since is not null',
  });
