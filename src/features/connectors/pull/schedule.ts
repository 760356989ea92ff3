import type { Clock } from '../../../platform/clock/clock.ts';
import { asCompanyId } from '../../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { listRows, timeLiteral } from '../../../platform/db/shards.ts';
import { writeCompany } from '../../../platform/db/write.ts';
import type { Enqueue } from '../../../platform/jobs/queue.ts';
import { getCompany, type Integration } from '../../companies/companies.ts';
import { findHrIntegration } from '../../integrations/change-integration.ts';
import { canTriggerSync } from '../../integrations/rules/status.ts';
import { nameConnector } from '../../roster/accept.ts';
import { nextPullTime, nightOf } from '../rules/schedule.ts';
import { countAttempts, findConnectorRow, insertPull, type NewPull, updateConnector } from './store.ts';

export interface SchedulePullsDeps {
  db: Db;
  clock: Clock;
  queue: Pick<Enqueue, 'enqueuePull'>;
}

/**
 * Adds the pull of an integration if it is due. Moves the schedule to the next time at once, so that nobody else adds
 * it again; a failure or a hint brings it forward. An integration that may not pull waits for the next time.
 */
export async function scheduleIfDue(
  tx: Tx,
  { clock, queue }: Omit<SchedulePullsDeps, 'db'>,
  target: Integration,
): Promise<boolean> {
  const row = await findConnectorRow(tx, target, { lock: true });
  const now = clock.now();
  if (!row?.next_pull_at || Temporal.Instant.compare(row.next_pull_at, now) > 0) return false;
  const { timeZone } = await getCompany(tx, target.companyId);
  const schedule = { nightlyTime: row.nightly_time, every: row.pull_every, timeZone };
  await updateConnector(tx, target, { next_pull_at: nextPullTime(now, schedule).toString() });
  const integration = await findHrIntegration(tx, target.companyId, target.hrIntegrationId);
  if (!integration || !canTriggerSync({ ...integration, onboarding: integration.initial_connection_status }))
    return false;
  const night = nightOf(now, schedule);
  const attempt = await countAttempts(tx, target, night);
  const requestedBy = nameConnector(row.provider);
  const id = await insertPull(tx, target, { kind: 'nightly', night, attempt, requestedBy, now });
  if (id !== undefined) await queue.enqueuePull(tx, target.companyId, target.hrIntegrationId);
  return id !== undefined;
}

/** Adds one pull per integration that is due, also after days without a worker. Returns how many. */
export async function schedulePulls(deps: SchedulePullsDeps): Promise<{ pulls: number; isComplete: boolean }> {
  const { rows, isComplete } = await listRows<{ companyId: number; hrIntegrationId: number }>(deps.db, {
    table: 'hr_connectors',
    columns: 't.company_id as "companyId", t.hr_integration_id as "hrIntegrationId"',
    where: `t.next_pull_at <= ${timeLiteral(deps.clock.now())}`,
  });
  let pulls = 0;
  for (const { companyId: id, hrIntegrationId } of rows) {
    const companyId = asCompanyId(id);
    const isAdded = await writeCompany(deps.db, companyId, (tx) =>
      scheduleIfDue(tx, deps, { companyId, hrIntegrationId }),
    );
    if (isAdded) pulls += 1;
  }
  return { pulls, isComplete };
}

/** Adds a pull on request. Returns its id, or undefined if the integration is not connected. */
export async function requestPull(
  tx: Tx,
  queue: Pick<Enqueue, 'enqueuePull'> | undefined,
  target: Integration,
  pull: NewPull & { kind: 'manual' | 'preview' },
): Promise<number | undefined> {
  if ((await findConnectorRow(tx, target, { lock: true })) === undefined) return undefined;
  const id = await insertPull(tx, target, pull);
  await queue?.enqueuePull(tx, target.companyId, target.hrIntegrationId);
  return id;
}
