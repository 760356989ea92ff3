import { sql } from 'kysely';
import { insertAudit } from '../audit.ts';
import { ofCompany } from '../db/company-scope.ts';
import type { Day } from '../domain/calendar.ts';
import type { SyncOutcome } from '../domain/enums.ts';
import { type ConnectionChange, insertHrIntegration, updateHrIntegration } from '../hr-integrations/queries.ts';
import type { Calendar } from './calendar.ts';
import { type ConnectionName, connectedOn, connections } from './connections.ts';
import { type Action, type DemoContext, integrationId } from './context.ts';
import { updateCompany } from './plans.ts';
import { syncIdOf } from './pushes.ts';

async function connect(world: DemoContext, name: ConnectionName): Promise<void> {
  const { tx, companyId, integrationIds, deps } = world;
  integrationIds.set(name, await insertHrIntegration(tx, companyId, connections[name], { at: deps.clock.now() }));
}

async function set(world: DemoContext, name: ConnectionName, change: ConnectionChange): Promise<void> {
  await updateHrIntegration(
    world.tx,
    world.companyId,
    { id: integrationId(world, name), ...change },
    {
      at: world.deps.clock.now(),
    },
  );
}

interface Failure {
  state: Extract<SyncOutcome, 'failed' | 'authentication-failed'>;
  reason: string;
}

/**
 * Inserts a failed sync directly. Such a failure depends on the HR system, so the service cannot be made to produce it.
 */
async function fail(world: DemoContext, name: ConnectionName, on: Day, { state, reason }: Failure): Promise<void> {
  const { tx, companyId, deps, username } = world;
  const [id, syncId] = [integrationId(world, name), syncIdOf(on)];
  const moment = () => deps.clock.now().toString();
  await tx
    .insertInto('syncs')
    .values({
      company_id: companyId,
      hr_integration_id: id,
      sync_id: syncId,
      state,
      reason,
      pushed_by: username,
      accepted_at: moment(),
      started_at: moment(),
      finished_at: moment(),
    })
    .execute();
  await sql`update hr_integrations i set last_sync_id = ${syncId}, last_sync_status = ${state},
    updated_at = ${moment()}::timestamptz where ${ofCompany(companyId, 'i')} and i.id = ${id}`.execute(tx);
  const actor = { type: 'service', name: null } as const;
  const entry = { actor, action: 'sync.fail', target: `${id}/${syncId}`, detail: { reason } };
  await insertAudit(tx, companyId, { ...entry, at: deps.clock.now() });
}

const refused: Failure = {
  state: 'authentication-failed',
  reason: 'The HR system refused the credentials: they have expired.',
};
const broken: Failure = {
  state: 'failed',
  reason: 'Nothing was applied: the HR system ended the export before it was complete.',
};

/** Lowers the limit of the removal guard, so that it also applies to a small branch. */
const lowerGuard = ({ tx, companyId, deps }: DemoContext) =>
  updateCompany(tx, companyId, { guard_minimum_linked: 20 }, deps.clock.now());

/** Returns the actions that bring each integration into its state. */
export function setUps(calendar: Calendar): Action[] {
  const act = (on: Day, time: string, run: Action['run']): Action => ({ on, time, run });
  const names = Object.keys(connections) as ConnectionName[];
  const { ago } = calendar;
  return [
    ...names.map((name) => act(connectedOn(calendar, name), '09:10', (world) => connect(world, name))),
    ...(['south', 'branch'] as const).map((name) =>
      act(connectedOn(calendar, name), '09:40', (world) => set(world, name, { onboarding: 'final-sync-pending' })),
    ),
    act(connectedOn(calendar, 'branch'), '09:50', lowerGuard),
    act(ago(71), '19:00', (world) => fail(world, 'old', ago(71), broken)),
    act(ago(70), '10:05', (world) => set(world, 'old', { status: 'inactive' })),
    ...[2, 1].map((days) => act(ago(days), '20:00', (world) => fail(world, 'south', ago(days), refused))),
    act(ago(1), '20:05', (world) => set(world, 'south', { status: 'invalid' })),
  ];
}
