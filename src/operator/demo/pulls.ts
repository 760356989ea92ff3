import type { Day } from '../../domain/calendar.ts';
import { demoCredential } from '../../features/connectors/fake/demo-personio.ts';
import type { FakePerson } from '../../features/connectors/fake/fake-personio.ts';
import { personio } from '../../features/connectors/providers/personio.ts';
import { connectIntegration } from '../../features/connectors/pull/connect.ts';
import { runOpenPulls } from '../../features/connectors/pull/run.ts';
import { scheduleIfDue } from '../../features/connectors/pull/schedule.ts';
import type { RosterEntry } from '../../features/roster/rules/entry.ts';
import { applyOldestSync } from '../../features/roster/run.ts';
import { type PulledPlace, rosterTimes } from './connections.ts';
import { type DemoContext, demoUserId, integrationId } from './context.ts';
import { type DemoEmployee, rosterOn } from './employees.ts';
import { formerSecret, type PullFault } from './hr-system.ts';

const [autoSubscribe, personnelNumber] = ['dynamic_1001', 'dynamic_1002'];

const mapping = {
  ...personio.defaultMapping,
  fields: { ...personio.defaultMapping.fields, dateOfBirth: 'date_of_birth', personnelNumber },
  autoSyncEmployee: { attribute: autoSubscribe, yes: ['Ja'], no: ['Nein'] },
  // Nobody whom these systems list is ever absent.
  absences: null,
};

const toPerson = (entry: RosterEntry): FakePerson => ({
  id: Number(entry.hrId),
  first_name: entry.firstName,
  last_name: entry.lastName,
  email: entry.email,
  date_of_birth: entry.dateOfBirth ?? null,
  hire_date: entry.startDate ?? null,
  termination_date: entry.terminationDate ?? null,
  status: 'active',
  [autoSubscribe]: entry.autoSyncEmployee == null ? null : entry.autoSyncEmployee ? 'Ja' : 'Nein',
  [personnelNumber]: entry.personnelNumber ?? null,
});

/** Connects an integration to the HR system, as HR does in the portal. */
export async function connectPersonio(context: DemoContext, place: PulledPlace): Promise<void> {
  const { tx, companyId, deps, hrSystem } = context;
  const now = deps.clock.now();
  const target = { companyId, hrIntegrationId: integrationId(context, place) };
  const by = { actor: { type: 'user', name: demoUserId } as const, at: now };
  await connectIntegration(
    tx,
    { target, encryption: hrSystem.deps.encryption, now, by },
    {
      connector: personio,
      credentials: { clientId: demoCredential, clientSecret: formerSecret },
      mapping,
      nightlyTime: rosterTimes[place],
      isReady: true,
    },
  );
}

/** Nothing is enqueued: each pull and each roster is processed immediately, so no worker is needed. */
const queue = { enqueuePull: async () => {}, enqueueSync: async () => {} };

/** Pulls the roster of a day. The operator's limits are for external input. */
export async function pull(
  context: DemoContext,
  place: PulledPlace,
  { employees, on, fault }: { employees: readonly DemoEmployee[]; on: Day; fault?: PullFault },
): Promise<void> {
  const { tx, companyId, deps, hrSystem } = context;
  const target = { companyId, hrIntegrationId: integrationId(context, place) };
  hrSystem.answerWith(rosterOn(employees, place, on).map(toPerson), fault);
  await scheduleIfDue(tx, { clock: deps.clock, queue }, target);
  await runOpenPulls(
    {
      ...hrSystem.deps,
      db: tx,
      clock: deps.clock,
      queue,
      notices: deps.notices,
      maxEntries: Infinity,
      signal: new AbortController().signal,
      report: { read() {}, failed() {} },
      allowsPrivateHosts: true,
      hasDemo: false,
      retryDelayMillis: 1,
      isTrusted: true,
    },
    target,
  );
  if (fault === undefined) await applyOldestSync(tx, deps, target);
}
