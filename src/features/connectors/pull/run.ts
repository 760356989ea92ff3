import { createMessage, formatMessage, type Message } from '../../../domain/messages/message.ts';
import { todayIn } from '../../../platform/clock/clock.ts';
import { isDatabaseUnavailable } from '../../../platform/db/unavailable.ts';
import { writeCompany } from '../../../platform/db/write.ts';
import { getCompany, type Integration, lockIntegration } from '../../companies/companies.ts';
import { findHrIntegration } from '../../integrations/change-integration.ts';
import { withIntegrationLock } from '../../roster/run.ts';
import { findRequestedCase, savePullCase } from '../cases/cases.ts';
import type { CaseOutcome } from '../cases/contract.ts';
import type { Recording } from '../cases/recorder.ts';
import { ConnectorError } from '../providers/connector.ts';
import { getConnector } from '../providers/index.ts';
import { openConnection } from './open-connection.ts';
import {
  type FinishedPull,
  type PullContext,
  type PullDeps,
  recordFailedPull,
  recordPreview,
  recordPulledRoster,
} from './outcome.ts';
import { type PulledRoster, type PullProgress, readPulledRoster } from './read-roster.ts';
import { findConnectorRow, findOpenPull, type PullRow, updatePull } from './store.ts';

const maxMillis = 30 * 60_000;
/** Progress is written this often. Each write counts as a change of the company. */
const progressMillis = 2_000;

/** Writes progress now and then, one write at a time. A failure to write it fails nothing else. */
function createProgressWriter({ deps: { db }, target, pull }: PullContext) {
  let last = performance.now();
  let writing = Promise.resolve();
  let latest: PullProgress = { pages: 0, people: 0, total: null };
  return {
    latest: () => latest,
    settled: () => writing,
    update(progress: PullProgress): void {
      latest = progress;
      if (progress.pages > 1 && performance.now() - last < progressMillis) return;
      last = performance.now();
      const change = { pages_read: progress.pages, people_read: progress.people, people_total: progress.total };
      writing = writing
        .then(() => writeCompany(db, target.companyId, (tx) => updatePull(tx, target, pull.id, change)))
        .catch(() => {});
    },
  };
}

/** Reads the complete roster with the stored credentials. `onRecording` receives what is to become a case. */
export async function readAll(
  { deps, target, row, company }: Pick<PullContext, 'deps' | 'target' | 'row' | 'company'>,
  onProgress: (progress: PullProgress) => void = () => {},
  onRecording?: (recording: Recording) => void,
): Promise<PulledRoster> {
  const signal = AbortSignal.any([deps.signal, AbortSignal.timeout(maxMillis)]);
  const recordedMapping = onRecording && row.mapping;
  const connection = await openConnection(deps, { target, row, company, signal, recordedMapping });
  const today = todayIn(deps.clock, company.timeZone);
  try {
    return await readPulledRoster(connection, {
      title: getConnector(row.provider).title,
      mapping: row.mapping,
      last: { people: row.last_people, memory: row.memory },
      today,
      timeZone: company.timeZone,
      maxEntries: deps.maxEntries,
      onProgress,
    });
  } finally {
    if (onRecording !== undefined) {
      // A thread that was ended has nothing left to say.
      const recording = await connection.takeRecording?.(today.toString()).catch(() => undefined);
      if (recording !== undefined) onRecording(recording);
    }
    await connection.close();
  }
}

/** Returns the failure that the company sees for an error. Errors inside the service have the details in its log. */
function toConnectorError(error: unknown): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const { name, code } = error as { name?: string; code?: string };
  if (name === 'TimeoutError') {
    return new ConnectorError('unreachable', createMessage('connector-too-long', { minutes: maxMillis / 60_000 }));
  }
  const message = createMessage('connector-internal', { error: code ?? name ?? 'unknown' });
  return Object.assign(new ConnectorError('internal', message), { cause: error });
}

/** Returns why an integration may not pull. A preview is possible before the set-up is finished. */
async function findObstacle({ deps: { db }, target, pull }: PullContext): Promise<Message | undefined> {
  const integration = await findHrIntegration(db, target.companyId, target.hrIntegrationId);
  if (integration?.status === 'inactive') return createMessage('pull-inactive');
  if (pull.kind === 'preview') return undefined;
  if (integration?.status === 'invalid') return createMessage('pull-invalid');
  if (integration?.initial_connection_status === 'incomplete') return createMessage('pull-incomplete');
  return undefined;
}

type EndDeps = Pick<PullDeps, 'db' | 'clock'>;

/** Ends a pull without reading it. */
const refusePull = ({ db, clock }: EndDeps, target: Integration, pull: PullRow, message: Message) =>
  writeCompany(db, target.companyId, async (tx) => {
    await lockIntegration(tx, target);
    await updatePull(tx, target, pull.id, {
      state: 'failed',
      reason: formatMessage(message),
      message: JSON.stringify(message),
      finished_at: clock.now().toString(),
    });
  });

/** Saves the pull as a case if somebody has requested that. A failure to save it fails nothing else. */
async function createCaseWriter({ deps: { db }, target, row, company }: PullContext) {
  const id = await findRequestedCase(db, target);
  if (id === undefined) return undefined;
  let recording: Recording | undefined;
  return {
    onRecording: (one: Recording) => {
      recording = one;
    },
    async save(outcome: CaseOutcome): Promise<void> {
      if (recording === undefined) return;
      const { provider, last_people: lastPeople } = row;
      const of = { provider, lastPeople, timeZone: company.timeZone, outcome } as const;
      const content = { format: 'transit-case', version: 1, kind: 'pull', ...of, ...recording } as const;
      await savePullCase(db, target, id, content).catch(() => {});
    },
  };
}

async function runPull(context: PullContext): Promise<void> {
  const { deps, target, pull, row } = context;
  const { companyId } = target;
  const start = performance.now();
  const progress = createProgressWriter(context);
  const describe = (): FinishedPull => ({
    target,
    syncId: pull.sync_id,
    kind: pull.kind,
    provider: row.provider,
    pages: progress.latest().pages,
    people: progress.latest().people,
    millis: performance.now() - start,
  });
  const begun = {
    state: 'reading',
    started_at: context.startedAt.toString(),
    mapping_version: row.mapping_version,
    pages_read: 0,
    people_read: 0,
  } as const;
  await writeCompany(deps.db, companyId, (tx) => updatePull(tx, target, pull.id, begun));
  const obstacle = await findObstacle(context);
  if (obstacle !== undefined) return refusePull(deps, target, pull, obstacle);
  const recorder = await createCaseWriter(context);
  try {
    const pulled = await readAll(context, progress.update, recorder?.onRecording);
    await recorder?.save({ code: null, reason: null, people: pulled.people });
    await progress.settled();
    const counts = { pages_read: progress.latest().pages, people_read: pulled.people };
    if (pull.kind === 'preview') await recordPreview(context, pulled, counts);
    else await recordPulledRoster(context, pulled, counts);
    deps.report.read(describe());
  } catch (error) {
    await progress.settled();
    if (isDatabaseUnavailable(error) || deps.signal.aborted) throw error;
    const failure = toConnectorError(error);
    await recorder?.save({ code: failure.code, reason: failure.explanation.key, people: progress.latest().people });
    const { isInvalid, willRetry } = await recordFailedPull(context, failure);
    const logged = error instanceof Error ? error : failure;
    deps.report.failed(describe(), { code: failure.code, error: logged, isInvalid, willRetry });
  }
}

/** Reads every open pull, one after another. The caller makes sure that nobody else does. */
export async function runOpenPulls(deps: PullDeps, target: Integration): Promise<void> {
  for (;;) {
    const pull = await findOpenPull(deps.db, target);
    if (pull === undefined) return;
    const row = await findConnectorRow(deps.db, target);
    const company = await getCompany(deps.db, target.companyId);
    const startedAt = deps.clock.now();
    if (row === undefined) await refusePull(deps, target, pull, createMessage('pull-not-connected'));
    else await runPull({ deps, target, pull, row, company, startedAt });
  }
}

/** Reads the open pulls. One that is marked as being read belonged to a process that died: this one has the lock. */
export const runPulls = (deps: PullDeps, target: Integration): Promise<void> =>
  withIntegrationLock(deps.db, 'pull', target, () => runOpenPulls(deps, target));

/** Ends every pull of an integration that has no outcome: reading them has ended one process after another. */
export async function refusePulls(deps: EndDeps, target: Integration): Promise<void> {
  for (;;) {
    const pull = await findOpenPull(deps.db, target);
    if (pull === undefined) return;
    await refusePull(deps, target, pull, createMessage('pull-set-aside'));
  }
}
