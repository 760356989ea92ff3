import { type CompanyId, ofCompany } from '../db/company-scope.ts';
import type { Tx } from '../db/database.ts';
import type { IntegrationStatus, IntegrationType, OnboardingStatus, SyncOutcome } from '../domain/vocabulary.ts';
import { insertHrIntegration } from '../hr-integrations/queries.ts';
import type { Calendar } from './calendar.ts';

interface Connection {
  name: string;
  type: IntegrationType;
  status: IntegrationStatus;
  onboarding: OnboardingStatus;
  /** Since the first day of which month, as an offset from the current one. */
  since: number;
  /** Daily syncs, oldest first; the last one ran this many days before today. */
  syncs: { daysAgo: number; outcomes: SyncOutcome[] };
}

const never = { daysAgo: 0, outcomes: [] };

/** One of each kind that an HR department meets. */
const connections = {
  main: {
    name: 'Musterwerk Personalexport',
    type: 'api-integration',
    status: 'active',
    onboarding: 'completed',
    since: -11,
    syncs: {
      daysAgo: 1,
      outcomes: [...Array<SyncOutcome>(9).fill('succeeded'), 'partially-failed', 'succeeded', 'succeeded'],
    },
  },
  planned: {
    name: 'Personalwolke',
    type: 'hr-integration',
    status: 'active',
    onboarding: 'incomplete',
    since: 0,
    syncs: never,
  },
  locked: {
    name: 'Zeitgeist HR (Werk Süd)',
    type: 'hr-integration',
    status: 'invalid',
    onboarding: 'completed',
    since: -7,
    syncs: { daysAgo: 1, outcomes: ['succeeded', 'succeeded', 'authentication-failed', 'authentication-failed'] },
  },
  retired: {
    name: 'Musterwerk Altsystem',
    type: 'api-integration',
    status: 'inactive',
    onboarding: 'completed',
    since: -11,
    syncs: { daysAgo: 70, outcomes: ['succeeded', 'failed'] },
  },
  ready: {
    name: 'Lohnbüro Nord',
    type: 'api-integration',
    status: 'active',
    onboarding: 'final-sync-pending',
    since: 0,
    syncs: never,
  },
  branch: {
    name: 'Nordlicht HR (Niederlassung Kiel)',
    type: 'hr-integration',
    status: 'active',
    onboarding: 'completed',
    since: -5,
    syncs: { daysAgo: 1, outcomes: ['succeeded', 'succeeded', 'succeeded', 'partially-failed'] },
  },
} satisfies Record<string, Connection>;

export type ConnectionName = keyof typeof connections;

export interface Integration {
  id: number;
  isActive: boolean;
  since: Temporal.PlainDate;
  /** The sync that last brought people in. */
  lastCompleted: { syncId: string; at: string } | null;
}

export const syncIdOf = (date: Temporal.PlainDate) => `roster-${date}`;

/** A sync takes six seconds. */
const syncTimes = { accepted: '18:30:00', started: '18:30:01', finished: '18:30:07' };
export const syncFinished = syncTimes.finished;

const isComplete = (outcome: SyncOutcome) => outcome === 'succeeded' || outcome === 'partially-failed';

async function insertConnection(
  tx: Tx,
  companyId: CompanyId,
  calendar: Calendar,
  connection: Connection,
  pushedBy: string,
) {
  const { name, type, status, onboarding, since, syncs } = connection;
  const id = await insertHrIntegration(tx, companyId, { name, type });
  const run = syncs.outcomes.map((outcome, index) => {
    const date = calendar.today.subtract({ days: syncs.daysAgo + syncs.outcomes.length - 1 - index });
    return { outcome, date, syncId: syncIdOf(date), at: calendar.at(date, syncTimes.finished) };
  });
  const [last, lastCompleted] = [run.at(-1), run.findLast(({ outcome }) => isComplete(outcome))];
  const created = since === 0 ? calendar.yesterday : calendar.month(since).subtract({ days: 12 });
  const createdAt = calendar.at(created, '10:15');
  await tx
    .updateTable('hr_integrations')
    .set({
      status,
      initial_connection_status: onboarding,
      last_sync_id: last?.syncId ?? null,
      last_sync_status: last?.outcome ?? null,
      last_synced_at: lastCompleted?.at ?? null,
      created_at: createdAt,
      updated_at: last?.at ?? createdAt,
    })
    .where(ofCompany(companyId, 'hr_integrations'))
    .where('id', '=', id)
    .execute();
  const syncRows = run.map(({ date, syncId, outcome }) => ({
    company_id: companyId,
    hr_integration_id: id,
    sync_id: syncId,
    state: outcome,
    pushed_by: pushedBy,
    accepted_at: calendar.at(date, syncTimes.accepted),
    started_at: calendar.at(date, syncTimes.started),
    finished_at: calendar.at(date, syncTimes.finished),
  }));
  const integration: Integration = {
    id,
    isActive: status === 'active',
    since: calendar.month(since),
    lastCompleted: lastCompleted ? { syncId: lastCompleted.syncId, at: lastCompleted.at } : null,
  };
  return { integration, syncRows };
}

export async function insertIntegrations(
  tx: Tx,
  companyId: CompanyId,
  calendar: Calendar,
  pushedBy: string,
): Promise<Record<ConnectionName, Integration>> {
  const made: Partial<Record<ConnectionName, Integration>> = {};
  const syncRows = [];
  for (const name of Object.keys(connections) as ConnectionName[]) {
    const result = await insertConnection(tx, companyId, calendar, connections[name], pushedBy);
    made[name] = result.integration;
    syncRows.push(...result.syncRows);
  }
  await tx
    .insertInto('syncs')
    .values(syncRows.sort((a, b) => a.accepted_at.localeCompare(b.accepted_at)))
    .execute();
  return made as Record<ConnectionName, Integration>;
}
