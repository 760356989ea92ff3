import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { syncOutcomes, type WebhookDisabledReason } from '../../domain/enums.ts';

/** What a process has done. Every label has few values: never a company, an address, a path or an id. */

export interface ResponseMetrics {
  method: string;
  /** The route pattern, not the path, so that the number of series stays small. */
  route: string;
  status: number;
}

const overloadReasons = ['database', 'event-loop'] as const;
export type OverloadReason = (typeof overloadReasons)[number];

/** How a list or record was answered: from memory, with 304, or from the database. */
export const pageSources = ['kept', 'not-modified', 'rendered'] as const;
export type PageSource = (typeof pageSources)[number];

/** The outcomes of a sync, and an attempt that failed and will be repeated. */
const syncResults = [...syncOutcomes, 'retried'] as const;
export type SyncResult = (typeof syncResults)[number];

/** The outcomes of reading a roster from an HR system. */
const pullResults = ['read', 'failed', 'authentication-failed'] as const;
export type PullResult = (typeof pullResults)[number];

/** The outcomes of an attempt to send a mail. */
const mailOutcomes = ['sent', 'retried', 'failed', 'expired'] as const;
export type MailOutcome = (typeof mailOutcomes)[number];

export interface DayMetrics {
  tickets: number;
  charges: number;
}

export interface Metrics {
  recordResponse(response: ResponseMetrics, milliseconds: number): void;
  /** Records a request that was refused because the process had too much to do. */
  recordOverload(reason: OverloadReason): void;
  recordPage(source: PageSource): void;
  /** Records requests that are missing from the request log. */
  recordUnlogged(requests: number): void;
  recordSyncAccepted(): void;
  recordSync(result: SyncResult, entries: number, milliseconds: number): void;
  recordPull(result: PullResult, people: number, milliseconds: number): void;
  recordJob(queue: string, isCompleted: boolean, milliseconds: number): void;
  /** Records one day of one company. */
  recordDay(day: DayMetrics, milliseconds: number): void;
  recordDocuments(documents: { written: number; failed: number }): void;
  recordMail(outcome: MailOutcome): void;
  recordWebhookAttempt(isSuccess: boolean, milliseconds: number): void;
  recordWebhookDisabled(reason: WebhookDisabledReason): void;
}

/** For a process that serves no metrics. */
export const noMetrics: Metrics = {
  recordResponse() {},
  recordOverload() {},
  recordPage() {},
  recordUnlogged() {},
  recordSyncAccepted() {},
  recordSync() {},
  recordPull() {},
  recordJob() {},
  recordDay() {},
  recordDocuments() {},
  recordMail() {},
  recordWebhookAttempt() {},
  recordWebhookDisabled() {},
};

const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const jobBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900];

function createHttpMetrics(registers: Registry[]) {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to response, by route pattern.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: requestBuckets,
    registers,
  });
  const rateLimited = new Counter({
    name: 'transit_http_rate_limited_total',
    help: 'Requests refused with 429 because a limit was exceeded.',
    registers,
  });
  const overload = new Counter({
    name: 'transit_http_overload_refused_total',
    help: 'Requests refused with 503 because too many waited for the database, or the event loop was late.',
    labelNames: ['reason'] as const,
    registers,
  });
  const pages = new Counter({
    name: 'transit_http_pages_total',
    help: 'Lists and records by where the answer came from: kept in memory, not modified (304), or rendered.',
    labelNames: ['source'] as const,
    registers,
  });
  const unlogged = new Counter({
    name: 'transit_http_requests_unlogged_total',
    help: 'Requests that are missing from the request log, because the database was away or too slow.',
    registers,
  });
  for (const reason of overloadReasons) overload.inc({ reason }, 0);
  for (const source of pageSources) pages.inc({ source }, 0);
  return {
    recordResponse({ method, route, status }: ResponseMetrics, milliseconds: number) {
      durations.observe({ method, route, status }, milliseconds / 1000);
      if (status === 429) rateLimited.inc();
    },
    recordOverload: (reason: OverloadReason) => overload.inc({ reason }),
    recordPage: (source: PageSource) => pages.inc({ source }),
    recordUnlogged: (requests: number) => unlogged.inc(requests),
  };
}

function createSyncMetrics(registers: Registry[]) {
  const accepted = new Counter({
    name: 'transit_syncs_accepted_total',
    help: 'Rosters that were accepted, without repeated ones.',
    registers,
  });
  const durations = new Histogram({
    name: 'transit_sync_duration_seconds',
    help: 'Time to apply a roster, by outcome. "retried" is an attempt that failed and will be repeated.',
    labelNames: ['outcome'] as const,
    buckets: jobBuckets,
    registers,
  });
  const entries = new Counter({
    name: 'transit_sync_entries_total',
    help: 'Roster entries of syncs that were applied.',
    registers,
  });
  for (const outcome of syncResults) durations.zero({ outcome });
  return {
    recordSyncAccepted: () => accepted.inc(),
    recordSync(outcome: SyncResult, count: number, milliseconds: number) {
      durations.observe({ outcome }, milliseconds / 1000);
      entries.inc(count);
    },
  };
}

function createPullMetrics(registers: Registry[]) {
  const durations = new Histogram({
    name: 'transit_pull_duration_seconds',
    help: 'Time to read a roster from an HR system, by outcome.',
    labelNames: ['outcome'] as const,
    buckets: jobBuckets,
    registers,
  });
  const people = new Counter({
    name: 'transit_pull_people_total',
    help: 'Records of employees in complete pulls.',
    registers,
  });
  for (const outcome of pullResults) durations.zero({ outcome });
  return {
    recordPull(outcome: PullResult, count: number, milliseconds: number) {
      durations.observe({ outcome }, milliseconds / 1000);
      people.inc(count);
    },
  };
}

function createWorkMetrics(registers: Registry[]) {
  const jobs = new Histogram({
    name: 'transit_job_duration_seconds',
    help: 'Time to process a job, by queue. A failed job is repeated.',
    labelNames: ['queue', 'outcome'] as const,
    buckets: jobBuckets,
    registers,
  });
  const runs = new Histogram({
    name: 'transit_daily_run_duration_seconds',
    help: 'Time to process one day of one company.',
    buckets: jobBuckets,
    registers,
  });
  const counter = (name: string, help: string) => new Counter({ name, help, registers });
  const tickets = counter('transit_tickets_issued_total', 'Tickets that daily runs have issued.');
  const charges = counter('transit_charges_billed_total', 'Billing items that daily runs have created.');
  const documents = new Counter({
    name: 'transit_documents_total',
    help: 'Documents that were written, or could not be written and will be retried.',
    labelNames: ['outcome'] as const,
    registers,
  });
  for (const outcome of ['written', 'failed']) documents.inc({ outcome }, 0);
  const mails = new Counter({
    name: 'transit_mails_total',
    help: 'Attempts to send a mail, by outcome: sent, retried, failed (refused for good) or expired.',
    labelNames: ['outcome'] as const,
    registers,
  });
  for (const outcome of mailOutcomes) mails.inc({ outcome }, 0);
  return {
    recordJob: (queue: string, isCompleted: boolean, milliseconds: number) =>
      jobs.observe({ queue, outcome: isCompleted ? 'completed' : 'failed' }, milliseconds / 1000),
    recordDay(day: DayMetrics, milliseconds: number) {
      runs.observe(milliseconds / 1000);
      tickets.inc(day.tickets);
      charges.inc(day.charges);
    },
    recordMail: (outcome: MailOutcome) => mails.inc({ outcome }),
    recordDocuments({ written, failed }: { written: number; failed: number }) {
      documents.inc({ outcome: 'written' }, written);
      documents.inc({ outcome: 'failed' }, failed);
    },
  };
}

/** Why endpoints are disabled without a person. */
const disabledReasons = ['gone', 'failing'] as const;

function createWebhookMetrics(registers: Registry[]) {
  const attempts = new Histogram({
    name: 'transit_webhook_attempt_duration_seconds',
    help: 'Time of an attempt to deliver a webhook, by outcome: succeeded or failed.',
    labelNames: ['outcome'] as const,
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15],
    registers,
  });
  const disabled = new Counter({
    name: 'transit_webhook_endpoints_disabled_total',
    help: 'Endpoints that were disabled because they are gone or have failed for five days.',
    labelNames: ['reason'] as const,
    registers,
  });
  for (const outcome of ['succeeded', 'failed']) attempts.zero({ outcome });
  for (const reason of disabledReasons) disabled.inc({ reason }, 0);
  return {
    recordWebhookAttempt: (isSuccess: boolean, milliseconds: number) =>
      attempts.observe({ outcome: isSuccess ? 'succeeded' : 'failed' }, milliseconds / 1000),
    recordWebhookDisabled: (reason: WebhookDisabledReason) => disabled.inc({ reason }),
  };
}

/** Creates the registry of a process and the metrics of its work in it. */
export function createMetrics(): { metrics: Metrics; registry: Registry } {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    metrics: {
      ...createHttpMetrics(registers),
      ...createSyncMetrics(registers),
      ...createPullMetrics(registers),
      ...createWorkMetrics(registers),
      ...createWebhookMetrics(registers),
    },
  };
}
