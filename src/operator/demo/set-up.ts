import type { Day } from '../../domain/calendar.ts';
import { updateSettings } from '../../features/companies/change-settings.ts';
import { type ConnectionChange, insertHrIntegration, updateHrIntegration } from '../../features/connectors/store.ts';
import type { Calendar } from './calendar.ts';
import { type ConnectionName, connectedOn, connections, isPulledPlace } from './connections.ts';
import { type Action, type DemoContext, integrationId } from './context.ts';
import type { DemoEmployee } from './employees.ts';
import { connectPersonio, pull } from './pulls.ts';

async function connect(context: DemoContext, name: ConnectionName): Promise<void> {
  const { tx, companyId, integrationIds, deps } = context;
  integrationIds.set(name, await insertHrIntegration(tx, companyId, connections[name], { at: deps.clock.now() }));
  if (isPulledPlace(name)) await connectPersonio(context, name);
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

/** Lowers the limit of the removal guard, so that it also applies to a small branch. */
const lowerGuard = ({ tx, companyId, deps }: DemoContext) =>
  updateSettings(tx, companyId, { guardMinimumLinked: 20 }, { at: deps.clock.now() });

/** Returns the actions that bring each integration into its state. */
export function setUps(calendar: Calendar, employees: readonly DemoEmployee[]): Action[] {
  const action = (on: Day, time: string, run: Action['run']): Action => ({ on, time, run });
  const names = Object.keys(connections) as ConnectionName[];
  const { ago } = calendar;
  return [
    ...names.map((name) => action(connectedOn(calendar, name), '09:10', (context) => connect(context, name))),
    action(connectedOn(calendar, 'branch'), '09:40', (context) =>
      set(context, 'branch', { onboarding: 'final-sync-pending' }),
    ),
    action(connectedOn(calendar, 'branch'), '09:50', lowerGuard),
    action(ago(71), '19:00', (context) => pull(context, 'old', { employees, on: ago(71), fault: 'down' })),
    action(ago(70), '10:05', (context) => set(context, 'old', { status: 'inactive' })),
    // Refused again after an hour: the integration becomes invalid.
    ...['20:00', '21:05'].map((time) =>
      action(ago(2), time, (context) => pull(context, 'south', { employees, on: ago(2), fault: 'refused' })),
    ),
  ];
}
