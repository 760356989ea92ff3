import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { differenceKinds, type EndpointDisabledReason, syncOutcomes } from '../../domain/enums.ts';

/** What a process has done. Every label has few values: never a company, an address, a path or an id. */

const overloadReasons = ['database', 'event-loop'] as const;
/** How a list or record was answered: from memory, with 304, or from the database. */
export const pageSources = ['kept', 'not-modified', 'rendered'] as const;
export type PageSource = (typeof pageSources)[number];
const syncResults = [...syncOutcomes, 'retried'] as const;
const pullResults = ['read', 'failed', 'authentication-failed'] as const;
const mailOutcomes = ['sent', 'retried', 'failed', 'expired', 'cancelled', 'not-sent'] as const;
export type MailOutcome = (typeof mailOutcomes)[number];
/** Why endpoints are disabled without a person. */
const disabledReasons: readonly EndpointDisabledReason[] = ['gone', 'failing'];

const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const jobBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900];
const attemptBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 15];

/** Returns the functions that record in the registry. A label with known values is reported from the start, as 0. */
function createRecorders(registry: Registry) {
  const registers = [registry];
  const count = (name: string, help: string) => {
    const counter = new Counter({ name, help, registers });
    return (by = 1) => counter.inc(by);
  };
  const countBy = <Value extends string>(name: string, help: string, label: string, values: readonly Value[]) => {
    const counter = new Counter({ name, help, labelNames: [label], registers });
    for (const value of values) counter.inc({ [label]: value }, 0);
    return (value: Value, by = 1) => counter.inc({ [label]: value }, by);
  };
  const timeByOutcome = (name: string, help: string, outcomes: readonly string[], buckets = jobBuckets) => {
    const histogram = new Histogram({ name, help, labelNames: ['outcome'] as const, buckets, registers });
    for (const outcome of outcomes) histogram.zero({ outcome });
    return (outcome: string, milliseconds: number) => histogram.observe({ outcome }, milliseconds / 1000);
  };

  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to response, by route pattern.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: requestBuckets,
    registers,
  });
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
  const recordRateLimited = count(
    'transit_http_rate_limited_total',
    'Requests refused with 429 because a limit was exceeded.',
  );
  const timeSync = timeByOutcome(
    'transit_sync_duration_seconds',
    'Time to apply a roster, by outcome. "retried" is an attempt that failed and will be repeated.',
    syncResults,
  );
  const countEntries = count('transit_sync_entries_total', 'Roster entries of syncs that were applied.');
  const timePull = timeByOutcome(
    'transit_pull_duration_seconds',
    'Time to read a roster from an HR system, by outcome.',
    pullResults,
  );
  const countPeople = count('transit_pull_people_total', 'Records of employees in complete pulls.');
  const countTickets = count('transit_tickets_issued_total', 'Tickets that daily runs have issued.');
  const countCharges = count('transit_charges_billed_total', 'Billing items that daily runs have created.');
  const countDocuments = countBy(
    'transit_documents_total',
    'Documents that were written, or could not be written and will be retried.',
    'outcome',
    ['written', 'failed'],
  );
  const countOrders = countBy(
    'transit_ticket_orders_total',
    'Orders that issuers have answered: with a ticket, or with one that is not possible or wrong.',
    'outcome',
    ['issued', 'failed'],
  );
  const timeAttempt = timeByOutcome(
    'transit_webhook_attempt_duration_seconds',
    'Time of an attempt to deliver a webhook, by outcome: succeeded or failed.',
    ['succeeded', 'failed'],
    attemptBuckets,
  );

  return {
    /** `route` is the pattern, not the path, so that the number of series stays small. */
    recordResponse(response: { method: string; route: string; status: number }, milliseconds: number): void {
      requests.observe(response, milliseconds / 1000);
      if (response.status === 429) recordRateLimited();
    },
    recordOverload: countBy(
      'transit_http_overload_refused_total',
      'Requests refused with 503 because too many waited for the database, or the event loop was late.',
      'reason',
      overloadReasons,
    ),
    recordPage: countBy(
      'transit_http_pages_total',
      'Lists and records by where the answer came from: kept in memory, not modified (304), or rendered.',
      'source',
      pageSources,
    ),
    recordUnlogged: count(
      'transit_http_requests_unlogged_total',
      'Requests that are missing from the request log, because the database was away or too slow.',
    ),
    recordSyncAccepted: count('transit_syncs_accepted_total', 'Rosters that were accepted, without repeated ones.'),
    recordSync(result: (typeof syncResults)[number], entries: number, milliseconds: number): void {
      timeSync(result, milliseconds);
      countEntries(entries);
    },
    recordPull(result: (typeof pullResults)[number], people: number, milliseconds: number): void {
      timePull(result, milliseconds);
      countPeople(people);
    },
    recordJob: (queue: string, isCompleted: boolean, milliseconds: number) =>
      jobs.observe({ queue, outcome: isCompleted ? 'completed' : 'failed' }, milliseconds / 1000),
    recordDay({ tickets, charges }: { tickets: number; charges: number }, milliseconds: number): void {
      runs.observe(milliseconds / 1000);
      countTickets(tickets);
      countCharges(charges);
    },
    recordDocuments({ written, failed }: { written: number; failed: number }): void {
      countDocuments('written', written);
      countDocuments('failed', failed);
    },
    recordOrders({ issued, failed }: { issued: number; failed: number }): void {
      countOrders('issued', issued);
      countOrders('failed', failed);
    },
    recordReconciliation: countBy(
      'transit_ticket_differences_total',
      'Differences between the tickets of a month and those of its issuer, when the month was reconciled.',
      'kind',
      differenceKinds,
    ),
    recordIssuerOutage: count(
      'transit_issuer_outages_total',
      'Jobs that ended because an issuer failed, refused the token, or limited requests for long.',
    ),
    recordMail: countBy(
      'transit_mails_total',
      'Attempts to send a mail, by outcome: sent, retried, failed (refused for good), expired, cancelled or not-sent (staging).',
      'outcome',
      mailOutcomes,
    ),
    recordWebhookAttempt: (isSuccess: boolean, milliseconds: number) =>
      timeAttempt(isSuccess ? 'succeeded' : 'failed', milliseconds),
    recordEndpointDisabled: countBy(
      'transit_webhook_endpoints_disabled_total',
      'Endpoints that were disabled because they are gone or have failed for five days.',
      'reason',
      disabledReasons,
    ),
  };
}

export type Metrics = ReturnType<typeof createRecorders>;

export const noMetrics = Object.fromEntries(
  Object.keys(createRecorders(new Registry())).map((name) => [name, () => {}]),
) as unknown as Metrics;

export function createMetrics(): { metrics: Metrics; registry: Registry } {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { registry, metrics: createRecorders(registry) };
}
