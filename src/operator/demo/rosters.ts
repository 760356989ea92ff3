import { type Day, isBefore } from '../../domain/calendar.ts';
import { updateSettings } from '../../features/companies/change-settings.ts';
import { demoCredential } from '../../features/connectors/fake/demo-personio.ts';
import type { FakePerson } from '../../features/connectors/fake/fake-personio.ts';
import { personio } from '../../features/connectors/providers/personio.ts';
import { connectIntegration } from '../../features/connectors/pull/connect.ts';
import { runOpenPulls } from '../../features/connectors/pull/run.ts';
import { scheduleIfDue } from '../../features/connectors/pull/schedule.ts';
import {
  type ConnectionChange,
  insertHrIntegration,
  updateHrIntegration,
} from '../../features/integrations/change-integration.ts';
import { acceptSync } from '../../features/roster/accept.ts';
import { readRoster } from '../../features/roster/read-roster.ts';
import type { RosterEntry } from '../../features/roster/rules/entry.ts';
import { applyOldestSync } from '../../features/roster/run.ts';
import type { Calendar } from './calendar.ts';
import {
  type Action,
  type ConnectionName,
  connectedOn,
  connections,
  type DemoContext,
  demoUserId,
  formerSecret,
  integrationId,
  isPulledPlace,
  type Place,
  type PulledPlace,
  type PullFault,
  rosterTimes,
} from './context.ts';
import { type DemoEmployee, rosterOn } from './population.ts';

const [autoSubscribe, personnelNumber, group] = ['dynamic_1001', 'dynamic_1002', 'dynamic_1003'];

const mapping = {
  ...personio.defaultMapping,
  fields: { ...personio.defaultMapping.fields, dateOfBirth: 'date_of_birth', personnelNumber, group },
  autoSyncEmployee: { attribute: autoSubscribe, yes: ['Ja'], no: ['Nein'] },
  // Nobody in these systems is ever absent.
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
  [group]: entry.group ?? null,
});

async function connectPersonio(context: DemoContext, place: PulledPlace): Promise<void> {
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
async function pull(
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

const syncIdOf = (date: Day) => `roster-${date}`;

/** The operator's limits are for external input. The demo must not fail because of them. */
const limits = { maxBytes: Infinity, maxEntries: Infinity };

async function push(context: DemoContext, place: Place, on: Day, employees: RosterEntry[]): Promise<void> {
  const { tx, deps, companyId, username } = context;
  const target = { companyId, hrIntegrationId: integrationId(context, place) };
  async function* body() {
    yield Buffer.from(JSON.stringify({ syncId: syncIdOf(on), employees }));
  }
  const roster = await readRoster(body(), { ...limits, today: on });
  await acceptSync(tx, queue, { target, roster, push: { pushedBy: username, now: deps.clock.now() } });
  await applyOldestSync(tx, deps, target);
}

interface Schedule {
  first(calendar: Calendar): Day;
  last(calendar: Calendar): Day;
  /** Days of the month on which a roster is always sent. One is also sent whenever there is news. */
  days: number[];
}

/** Ensures at least one roster per week. */
const weekly = [2, 9, 16, 23, 30];

/** A roster every night would take most of the time. */
const schedules: Record<Place, Schedule> = {
  old: { first: ({ joined }) => joined.add({ days: 2 }), last: ({ ago }) => ago(72), days: [] },
  main: { first: ({ firstPush }) => firstPush, last: ({ yesterday }) => yesterday, days: weekly },
  south: { first: (calendar) => connectedOn(calendar, 'south'), last: ({ ago }) => ago(3), days: [16] },
  branch: {
    first: (calendar) => connectedOn(calendar, 'branch'),
    last: ({ yesterday }) => yesterday,
    days: weekly,
  },
};

/** A wrong filter in Kiel omits a third of the entries, so that their removals need approval. */
const omitThird = (entries: RosterEntry[]) => entries.filter((_, index) => index % 3 !== 0);

function pushDays(calendar: Calendar, employees: readonly DemoEmployee[], place: Place): Day[] {
  const { first, last, days } = schedules[place];
  const [begin, end] = [first(calendar), last(calendar)];
  const listed = employees.filter(({ hrIds }) => hrIds.has(place));
  const news = new Set(listed.flatMap(({ scenario }) => scenario.news.map(({ on }) => on.toString())));
  const between: Day[] = [];
  for (let day = begin.add({ days: 1 }); isBefore(day, end); day = day.add({ days: 1 })) {
    if (days.includes(day.day) || news.has(day.toString())) between.push(day);
  }
  return [begin, ...between, end];
}

export const rostersOf = (calendar: Calendar, employees: readonly DemoEmployee[], place: Place): Action[] =>
  pushDays(calendar, employees, place).map((on, index, days) => ({
    on,
    time: rosterTimes[place],
    run(context) {
      if (isPulledPlace(place)) return pull(context, place, { employees, on });
      const entries = rosterOn(employees, place, on);
      const isIncomplete = place === 'branch' && index === days.length - 1;
      return push(context, place, on, isIncomplete ? omitThird(entries) : entries);
    },
  }));

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
