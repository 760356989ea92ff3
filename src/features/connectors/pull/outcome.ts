import { service } from '../../../domain/actor.ts';
import type { Provider, PullKind } from '../../../domain/enums.ts';
import { type Clock, todayIn } from '../../../platform/clock/clock.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { writeCompany } from '../../../platform/db/write.ts';
import type { Enqueue } from '../../../platform/jobs/queue.ts';
import { type Company, type Integration, lockIntegration } from '../../companies/companies.ts';
import { updateHrIntegration } from '../../integrations/change-integration.ts';
import type { Notices } from '../../notices/notices.ts';
import { acceptSync, nameConnector } from '../../roster/accept.ts';
import { explainRecord, packExplanations } from '../../roster/explanations.ts';
import { recordUnreadSync } from '../../roster/outcome.ts';
import type { PlannedRecord } from '../../roster/plan.ts';
import { summarizeSync } from '../../roster/preview.ts';
import type { ConnectorError } from '../providers/connector.ts';
import { type FailureCode, type FailurePlan, planAfterFailure } from '../rules/failure.ts';
import { hintedPullTime, nextPullTime } from '../rules/schedule.ts';
import type { ConnectorDeps } from './open-connection.ts';
import type { PulledRoster } from './read-roster.ts';
import {
  type ConnectorRow,
  findConnectorRow,
  type PullRow,
  updateConnector,
  updatePull,
  withoutFailure,
} from './store.ts';

const previewRecords = 20;

const scheduleOf = ({ row, company }: PullContext) => ({
  nightlyTime: row.nightly_time,
  every: row.pull_every,
  timeZone: company.timeZone,
});

const noFailure = { reason: null, message: null };

interface ReadCounts {
  pages_read: number;
  people_read: number;
}

/** Returns when to pull after a complete one: sooner than scheduled if a hint came after it had begun. */
async function planAfterRead(tx: Tx, context: PullContext, now: Temporal.Instant): Promise<Temporal.Instant> {
  const scheduled = nextPullTime(now, scheduleOf(context));
  const { hinted_at: hintedAt } = (await findConnectorRow(tx, context.target, { lock: true })) ?? context.row;
  if (hintedAt === null || Temporal.Instant.compare(hintedAt, context.startedAt) <= 0) return scheduled;
  const hinted = hintedPullTime(now, context.startedAt);
  return Temporal.Instant.compare(hinted, scheduled) < 0 ? hinted : scheduled;
}

/** Hands the complete roster over to the sync, in one transaction with the state of the schedule. */
export async function recordPulledRoster(
  context: PullContext,
  pulled: PulledRoster,
  counts: ReadCounts,
): Promise<void> {
  const { deps, target, pull, row } = context;
  const explanations = await packExplanations(pulled.explanations);
  const now = deps.clock.now();
  await writeCompany(deps.db, target.companyId, async (tx) => {
    const push = { pushedBy: nameConnector(row.provider), now };
    const roster = { ...pulled.roster, syncId: pull.sync_id };
    await acceptSync(tx, deps.queue, { target, roster, push });
    const finished = { state: 'read', finished_at: now.toString() } as const;
    await updatePull(tx, target, pull.id, { ...counts, ...finished, ...noFailure, explanations });
    await updateConnector(tx, target, {
      next_pull_at: (await planAfterRead(tx, context, now)).toString(),
      ...withoutFailure,
      last_people: pulled.people,
      memory: pulled.memory === undefined ? null : JSON.stringify(pulled.memory),
      updated_at: now.toString(),
    });
  });
}

export async function previewRoster(
  { deps: { db, clock }, target, company }: Pick<PullContext, 'deps' | 'target' | 'company'>,
  { roster, explanations }: PulledRoster,
  syncId: string,
) {
  const today = todayIn(clock, company.timeZone);
  const explain = (record: PlannedRecord) => explainRecord(record, explanations, today);
  const summary = await summarizeSync({ db, clock, target }, { ...roster, syncId }, previewRecords, explain);
  return { syncId, ...summary };
}

export async function recordPreview(context: PullContext, pulled: PulledRoster, counts: ReadCounts): Promise<void> {
  const { deps, target, pull } = context;
  const preview = JSON.stringify(await previewRoster(context, pulled, pull.sync_id));
  const finished = { state: 'read', finished_at: deps.clock.now().toString() } as const;
  await writeCompany(deps.db, target.companyId, (tx) =>
    updatePull(tx, target, pull.id, { ...counts, ...finished, ...noFailure, preview }),
  );
}

/** Plans what follows. A pull on request changes the schedule only if the credentials were refused. */
async function planSchedule(tx: Tx, context: PullContext, { code, retryAfterMillis }: ConnectorError) {
  const { deps, target, pull, row } = context;
  const now = deps.clock.now();
  const { attempts, refused_at, next_pull_at } = (await findConnectorRow(tx, target, { lock: true })) ?? row;
  const plan = planAfterFailure({
    code,
    now,
    attempts: pull.kind === 'nightly' && pull.attempt === 0 ? 0 : attempts,
    refusedAt: refused_at === null ? null : Temporal.Instant.from(refused_at),
    retryAfterMillis,
    nextScheduled: nextPullTime(now, scheduleOf(context)),
  });
  if (pull.kind === 'nightly' || code === 'credentials-refused') return plan;
  const nextPullAt = next_pull_at === null ? null : Temporal.Instant.from(next_pull_at);
  return { ...plan, attempts, nextPullAt };
}

/** Records why the roster could not be read, and when it is tried again. Nothing of the roster was applied. */
export function recordFailedPull(
  context: PullContext,
  failure: ConnectorError,
): Promise<{ isInvalid: boolean; willRetry: boolean }> {
  const { deps, target, pull, row } = context;
  const { companyId, hrIntegrationId } = target;
  return writeCompany(deps.db, companyId, async (tx) => {
    const now = deps.clock.now();
    const { message: reason, explanation } = failure;
    const message = JSON.stringify(explanation);
    const status = failure.code === 'credentials-refused' ? 'authentication-failed' : 'failed';
    await lockIntegration(tx, target);
    await updatePull(tx, target, pull.id, { state: status, reason, message, finished_at: now.toString() });
    if (pull.kind === 'preview') return { isInvalid: false, willRetry: false };
    const plan: FailurePlan = await planSchedule(tx, context, failure);
    await updateConnector(tx, target, {
      next_pull_at: plan.nextPullAt?.toString() ?? null,
      attempts: plan.attempts,
      refused_at: plan.refusedAt?.toString() ?? null,
      failure_code: failure.code,
      failure_reason: reason,
      failure_message: message,
      updated_at: now.toString(),
    });
    const sync = { pushedBy: nameConnector(row.provider), startedAt: context.startedAt, now };
    const unread = { target, syncId: pull.sync_id, explanation, ...sync };
    await recordUnreadSync(tx, { notices: deps.notices, status, ...unread });
    if (plan.isInvalid) {
      const by = { actor: service, at: now, reason: 'credentials-refused' } as const;
      await updateHrIntegration(tx, companyId, { id: hrIntegrationId, status: 'invalid' }, by);
    }
    return { isInvalid: plan.isInvalid, willRetry: plan.nextPullAt !== null && pull.kind === 'nightly' };
  });
}

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
