import { sql } from 'kysely';
import { insertAudit } from '../audit.ts';
import { ofCompany } from '../db/company-scope.ts';
import type { Day } from '../domain/calendar.ts';
import type { SyncOutcome } from '../domain/enums.ts';
import { createMessage, formatMessage, type Message } from '../domain/messages/message.ts';
import { type ConnectionChange, insertHrIntegration, updateHrIntegration } from '../hr-integrations/queries.ts';
import { emptyCounts } from '../hr-integrations/sync/counts.ts';
import { appendSyncFinished } from '../hr-integrations/sync/outcome.ts';
import type { Calendar } from './calendar.ts';
import { type ConnectionName, connectedOn, connections } from './connections.ts';
import { type Action, type DemoContext, integrationId } from './context.ts';
import { updateCompany } from './plans.ts';
import { syncIdOf } from './pushes.ts';

async function connect(context: DemoContext, name: ConnectionName): Promise<void> {
  const { tx, companyId, integrationIds, deps } = context;
  integrationIds.set(name, await insertHrIntegration(tx, companyId, connections[name], { at: deps.clock.now() }));
}

async function set(context: DemoContext, name: ConnectionName, change: ConnectionChange): Promise<void> {
  await updateHrIntegration(
    context.tx,
    context.companyId,
    { id: integrationId(context, name), ...change },
    {
      at: context.deps.clock.now(),
    },
  );
}

interface Failure {
  state: Extract<SyncOutcome, 'failed' | 'authentication-failed'>;
  message: Message;
}

/**
 * Inserts a failed sync directly. Such a failure depends on the HR system, so the service cannot be made to produce it.
 */
async function fail(context: DemoContext, name: ConnectionName, on: Day, { state, message }: Failure): Promise<void> {
  const { tx, companyId, deps, username } = context;
  const [id, syncId] = [integrationId(context, name), syncIdOf(on)];
  const reason = formatMessage(message);
  const moment = () => deps.clock.now().toString();
  await tx
    .insertInto('syncs')
    .values({
      company_id: companyId,
      hr_integration_id: id,
      sync_id: syncId,
      state,
      reason,
      message: JSON.stringify(message),
      pushed_by: username,
      accepted_at: moment(),
      started_at: moment(),
      finished_at: moment(),
    })
    .execute();
  await sql`update hr_integrations i set last_sync_id = ${syncId}, last_sync_status = ${state},
    updated_at = ${moment()}::timestamptz where ${ofCompany(companyId, 'i')} and i.id = ${id}`.execute(tx);
  const actor = { type: 'service', name: null } as const;
  const entry = { actor, action: 'sync.fail', target: `${id}/${syncId}`, detail: { reason, message } };
  const now = deps.clock.now();
  await insertAudit(tx, companyId, { ...entry, at: now });
  const target = { companyId, hrIntegrationId: id };
  appendSyncFinished(tx, target, { syncId, status: state, counts: emptyCounts(), now });
}

const refused: Failure = {
  state: 'authentication-failed',
  message: createMessage('pull-invalid'),
};
const broken: Failure = {
  state: 'failed',
  message: createMessage('connector-timeout'),
};

/** Lowers the limit of the removal guard, so that it also applies to a small branch. */
const lowerGuard = ({ tx, companyId, deps }: DemoContext) =>
  updateCompany(tx, companyId, { guard_minimum_linked: 20 }, deps.clock.now());

/** Returns the actions that bring each integration into its state. */
export function setUps(calendar: Calendar): Action[] {
  const action = (on: Day, time: string, run: Action['run']): Action => ({ on, time, run });
  const names = Object.keys(connections) as ConnectionName[];
  const { ago } = calendar;
  return [
    ...names.map((name) => action(connectedOn(calendar, name), '09:10', (context) => connect(context, name))),
    ...(['south', 'branch'] as const).map((name) =>
      action(connectedOn(calendar, name), '09:40', (context) =>
        set(context, name, { onboarding: 'final-sync-pending' }),
      ),
    ),
    action(connectedOn(calendar, 'branch'), '09:50', lowerGuard),
    action(ago(71), '19:00', (context) => fail(context, 'old', ago(71), broken)),
    action(ago(70), '10:05', (context) => set(context, 'old', { status: 'inactive' })),
    ...[2, 1].map((days) => action(ago(days), '20:00', (context) => fail(context, 'south', ago(days), refused))),
    action(ago(1), '20:05', (context) => set(context, 'south', { status: 'invalid' })),
  ];
}
