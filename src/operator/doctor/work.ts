import type { Db } from '../../platform/db/database.ts';
import {
  countOverdueDocuments,
  countPopulation,
  findDailyRunBacklog,
  findEmployeeMailBacklog,
  findMailBacklog,
  findPullBacklog,
  findSyncBacklog,
  findWebhookBacklog,
  findWorkerActivity,
  listQueueBacklogs,
} from '../../processes/monitoring/backlog.ts';
import { fail, ok, type Result, warn } from './finding.ts';

/** A worker supervises the queue every two seconds, and jobs that wait start at once. */
const [missingWorkerSeconds, stuckSeconds] = [60, 600];
/** A mail server that is busy accepts a mail at one of the first attempts (retries in src/features/notices/send.ts). */
const lateMailSeconds = 1_800;
/** Tickets and invitations of a large company take hours at the operator's rate. */
const lateBulkSeconds = 12 * 3_600;

const minutes = (seconds: number) => `${Math.round(seconds / 60)} minutes`;

export async function checkQueue(db: Db): Promise<Result[]> {
  const { seenSecondsAgo, retrying, failed } = await findWorkerActivity(db);
  const backlogs = await listQueueBacklogs(db);
  const results: Result[] = [];
  if (seenSecondsAgo === null || seenSecondsAgo > missingWorkerSeconds) {
    const since =
      seenSecondsAgo === null ? 'No worker has ever run' : `no worker has run for ${minutes(seenSecondsAgo)}`;
    results.push(fail(since.toLowerCase(), 'start `worker`, or `serve` with WORKER=on'));
  }
  for (const { queue, oldestSeconds } of backlogs.filter((one) => one.oldestSeconds > stuckSeconds)) {
    const finding = `a job of ${queue} has been waiting for ${minutes(oldestSeconds)}`;
    results.push(fail(finding, 'look for "job failed" in the log of the workers, or start more workers'));
  }
  for (const { queue, setAside } of backlogs.filter((one) => one.setAside > 0)) {
    const finding = `${setAside} jobs of ${queue} were set aside: each has ended its process twice`;
    results.push(fail(finding, 'run `job list`, find out why with "job set aside" in the log, then `job release ID`'));
  }
  if (retrying > 0) {
    results.push(
      warn(`${retrying} jobs have failed five times or more`, 'look for "job failed" in the log of the workers'),
    );
  }
  if (failed > 0) {
    results.push(fail(`${failed} jobs were given up`, 'look for "job failed" in the log of the workers'));
  }
  const waiting = backlogs.reduce((sum, one) => sum + one.waiting + one.active, 0);
  return results.length > 0 ? results : [ok(`workers are running, ${waiting} jobs are waiting or active`)];
}

function judgeDailyRun({ companies, days }: { companies: number; days: number }): Result {
  if (companies === 0) return ok('the daily run is up to date');
  if (days > 1) {
    const finding = `the daily run of ${companies} companies is up to ${days} days behind`;
    return fail(finding, 'check that a worker is running, and look for "job failed" in its log');
  }
  const finding = `today's daily run has not finished for ${companies} companies`;
  return warn(finding, 'wait for ten minutes after midnight; then look for "job failed" in the log of the workers');
}

export async function checkWork(db: Db, now: Temporal.Instant): Promise<Result[]> {
  const population = await countPopulation(db);
  const dailyRun = await findDailyRunBacklog(db, now);
  const documents = await countOverdueDocuments(db, now);
  const syncs = await findSyncBacklog(db, now);
  const pulls = await findPullBacklog(db, now);
  const webhooks = await findWebhookBacklog(db);
  const mails = await findMailBacklog(db);
  const employeeMails = await findEmployeeMailBacklog(db);
  const results = [ok(`${population.companies} companies, ${population.employees} employees`), judgeDailyRun(dailyRun)];
  const workerHint = 'check that a worker is running, and look for';
  if (documents.documents > 0) {
    const finding = `${documents.documents} documents have been waiting for their file for an hour`;
    results.push(fail(finding, 'look for "document rendering failed" in the log of the workers'));
  }
  if (syncs.oldestSeconds > stuckSeconds) {
    const finding = `${syncs.syncs} syncs wait, the oldest for ${minutes(syncs.oldestSeconds)}`;
    results.push(fail(finding, `${workerHint} "sync failed" in its log`));
  }
  if (pulls.overdue > 0) {
    const finding = `${pulls.overdue} integrations should have pulled half an hour ago`;
    results.push(fail(finding, `${workerHint} "job failed" in its log`));
  }
  if (pulls.failing > 0) {
    const remedy = 'look for "pull failed" in the log of the workers; companies see the reason in the portal';
    results.push(warn(`the last pull of ${pulls.failing} integrations failed`, remedy));
  }
  if (webhooks.overdueSeconds > stuckSeconds) {
    const overdue = `the oldest is ${minutes(webhooks.overdueSeconds)} overdue`;
    const remedy = `${workerHint} "webhook delivery failed" in its log: a receiver may be slow`;
    results.push(warn(`${webhooks.deliveries} webhook deliveries wait, ${overdue}`, remedy));
  }
  if (mails.oldestSeconds > lateMailSeconds) {
    const finding = `${mails.mails} mails wait, the oldest for ${minutes(mails.oldestSeconds)}`;
    const remedy =
      'see the check "mail", check that a worker runs with SMTP_URL, and look for "mail not sent" in its log';
    results.push(warn(finding, remedy));
  }
  for (const { urgency, mails: count, oldestSeconds } of employeeMails.urgencies) {
    if (oldestSeconds <= (urgency === 'bulk' ? lateBulkSeconds : lateMailSeconds)) continue;
    const finding = `${count} mails to employees wait (${urgency}), the oldest for ${minutes(oldestSeconds)}`;
    const remedy =
      urgency === 'bulk'
        ? 'raise MAIL_RATE_PER_MINUTE if the mail server allows it, and see the check "mail"'
        : 'see the check "mail", and look for "mail not sent" in the log of the workers';
    results.push(warn(finding, remedy));
  }
  const readings = [population, dailyRun, documents, syncs, pulls, webhooks, mails, employeeMails];
  const isComplete = readings.every((one) => one.isComplete);
  if (!isComplete)
    results.push(warn('companies on nodes that do not respond are not included', 'see the check "citus"'));
  return results;
}
