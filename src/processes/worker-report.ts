import type { FastifyBaseLogger } from 'fastify';
import { differenceKinds } from '../domain/enums.ts';
import type { Integration } from '../features/companies/companies.ts';
import type { PullReport } from '../features/connectors/pull/outcome.ts';
import { addResult, emptyResult, type ProcessedDay } from '../features/daily-run/run.ts';
import type { ProcessResult } from '../features/issuers/process.ts';
import type { MailReport } from '../features/notices/send.ts';
import type { SyncReport } from '../features/roster/run.ts';
import type { WebhookDeps } from '../features/webhooks/start.ts';
import type { CompanyId } from '../platform/db/company-scope.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';

/** A worker that runs thousands of companies after midnight summarises them this often. */
const summaryMillis = 60_000;

const round = (millis: number) => Math.round(millis);

/** Returns a function that calls `log` within a minute, however often it is called, and one that calls it now. */
function onceAMinute(log: () => void) {
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    log();
  };
  const schedule = () => {
    timer ??= setTimeout(flush, summaryMillis).unref();
  };
  return { schedule, flush };
}

const emptyRuns = () => ({ companies: 0, result: emptyResult(), ms: 0 });

/** Logs and counts what the worker has done, with ids and `ms`. Never a name, an address or a path. */
export function createWorkerReport(log: FastifyBaseLogger, metrics: Metrics) {
  let runs = emptyRuns();
  const summary = onceAMinute(() => {
    const { companies, result, ms } = runs;
    // The line of a single company already says the same.
    if (companies > 1) log.info({ companies, ...result, ms: round(ms) }, 'daily runs finished');
    runs = emptyRuns();
  });

  function reportDays(companyId: CompanyId, days: ProcessedDay[]): void {
    const last = days.at(-1);
    if (last === undefined) return;
    const total = emptyResult();
    let ms = 0;
    for (const { day, result, millis, billingMillis, invoices } of days) {
      metrics.recordDay(result, millis);
      addResult(total, result);
      ms += millis;
      if (billingMillis === undefined) continue;
      if (invoices.missing.length > 0) {
        log.warn({ companyId, period: day.toString(), missing: invoices.missing }, 'invoice not issued, data missing');
      }
      const billed = { companyId, period: day.toString(), tickets: result.tickets, charges: result.charges };
      log.info({ ...billed, ms: round(billingMillis) }, 'period billed');
    }
    log.info({ companyId, through: last.day.toString(), ...total, ms: round(ms) }, 'daily run finished');
    runs.companies += 1;
    runs.ms += ms;
    addResult(runs.result, total);
    summary.schedule();
  }

  const syncs: SyncReport = {
    applied({ target, sync, waitedMillis, millis }, { outcome, counts, missedDays }) {
      reportDays(target.companyId, missedDays);
      metrics.recordSync(outcome, sync.entries, millis);
      const { syncId, requestId, entries } = sync;
      const times = { waitedMs: waitedMillis, ms: round(millis) };
      log.info({ ...target, syncId, requestId, outcome, entries, ...counts, ...times }, 'sync applied');
    },
    failed({ target, sync, millis }, error, willRetry) {
      metrics.recordSync(willRetry ? 'retried' : 'failed', 0, millis);
      const { syncId, requestId, entries, attempts } = sync;
      const fields = { ...target, syncId, requestId, entries, attempt: attempts + 1, willRetry, ms: round(millis) };
      log.error({ err: error, ...fields }, 'sync failed');
    },
  };

  const pulls: PullReport = {
    read({ target, millis, ...pull }) {
      metrics.recordPull('read', pull.people, millis);
      log.info({ ...target, ...pull, ms: round(millis) }, 'roster pulled');
    },
    failed({ target, millis, ...pull }, { code, error, isInvalid, willRetry }) {
      metrics.recordPull(code === 'credentials-refused' ? 'authentication-failed' : 'failed', 0, millis);
      log.warn({ err: error, ...target, ...pull, code, willRetry, ms: round(millis) }, 'pull failed');
      if (isInvalid)
        log.warn({ ...target, provider: pull.provider }, 'integration invalid, credentials were refused twice');
    },
  };

  const mails: MailReport = {
    sent({ millis, ...mail }) {
      metrics.recordMail('sent');
      log.info({ ...mail, ms: round(millis) }, 'mail sent');
    },
    failed({ millis, ...mail }, { code, outcome }) {
      metrics.recordMail(outcome);
      const isIntended = outcome === 'cancelled' || outcome === 'not-sent';
      log[isIntended ? 'info' : 'warn'](
        { ...mail, code, willRetry: outcome === 'retried', ms: round(millis) },
        'mail not sent',
      );
    },
  };

  return {
    syncs,
    pulls,
    mails,
    scimCollected(
      target: Integration,
      result: { syncId: string; changes: number; entries: number; millis: number },
    ): void {
      const { millis, ...counts } = result;
      metrics.recordSyncAccepted();
      log.info({ ...target, ...counts, ms: round(millis) }, 'scim changes collected');
    },
    pullsScheduled(count: number, isComplete: boolean): void {
      if (!isComplete) log.warn({ pulls: count }, 'pulls scheduled except those of an unreachable node');
      else if (count > 0) log.info({ pulls: count }, 'pulls scheduled');
    },
    requestsExpired(requests: number): void {
      if (requests > 0) log.info({ requests }, 'request log expired');
    },
    rostersOverdue(count: number): void {
      if (count > 0) log.info({ integrations: count }, 'rosters overdue');
    },
    orders(companyId: CompanyId, { outage, reconciled, ...counts }: ProcessResult): void {
      metrics.recordOrders(counts);
      if (reconciled !== null) {
        for (const kind of differenceKinds) metrics.recordReconciliation(kind, reconciled.counts[kind]);
        const { month, required, issued, counts: differences } = reconciled;
        log.info({ companyId, month, required, issued, ...differences }, 'tickets reconciled');
      }
      if (outage !== null) {
        metrics.recordIssuerOutage();
        log.warn({ companyId, ...counts, outage }, 'issuer not available');
      } else if (counts.answered + counts.issued + counts.failed + counts.sent > 0) {
        log.info({ companyId, ...counts }, 'orders processed');
      }
    },
    reportDays,
    scheduled(companies: number, isComplete: boolean): void {
      if (!isComplete) log.warn({ companies }, 'daily runs scheduled except those of an unreachable node');
      else if (companies > 0) log.info({ companies }, 'daily runs scheduled');
    },
    restored(jobs: number): void {
      if (jobs > 0) log.warn({ jobs }, 'lost jobs restored');
    },
    documents(companyId: CompanyId, { written, failed, millis }: { written: number; failed: number; millis: number }) {
      metrics.recordDocuments({ written, failed });
      log.info({ companyId, written, failed, ms: round(millis) }, 'documents written');
    },
    documentFailed(error: unknown, document: { companyId: CompanyId; documentId: number }): void {
      log.error({ err: error, ...document }, 'document rendering failed');
    },
    invoices(companyId: CompanyId, { issued, written, millis }: { issued: number; written: number; millis: number }) {
      log.info({ companyId, issued, written, ms: round(millis) }, 'invoices written');
    },
    filesRemoved(companyId: CompanyId, files: number): void {
      log.info({ companyId, files }, 'files removed');
    },
    /** Logs what has not been summarised yet. */
    stop: summary.flush,
  };
}

/** Logs and counts webhooks: failed attempts singly, successes per minute. Never a URL or a response. */
export function createWebhookReport(
  log: FastifyBaseLogger,
  metrics: Metrics,
): WebhookDeps['report'] & { stop(): void } {
  let delivered = 0;
  const summary = onceAMinute(() => {
    if (delivered > 0) log.info({ deliveries: delivered }, 'webhooks delivered');
    delivered = 0;
  });
  return {
    attempted({ companyId, endpointId }, { eventId, attempts, status, error, durationMs, retryInMillis }) {
      metrics.recordWebhookAttempt(error === null, durationMs);
      if (error === null) {
        delivered++;
        summary.schedule();
        return;
      }
      const result = { attempt: attempts + 1, status, error, willRetry: retryInMillis !== undefined, ms: durationMs };
      log.warn({ companyId, endpointId, eventId, ...result }, 'webhook delivery failed');
    },
    disabled({ companyId, endpointId }, reason) {
      metrics.recordEndpointDisabled(reason);
      log.warn({ companyId, endpointId, reason }, 'webhook endpoint disabled');
    },
    failed(error) {
      log.warn({ err: error }, 'webhooks cannot be delivered, will be retried');
    },
    expired(attempts) {
      if (attempts > 0) log.info({ attempts }, 'webhook log expired');
    },
    stop: summary.flush,
  };
}
