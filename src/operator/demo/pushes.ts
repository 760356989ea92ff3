import { type Day, isBefore } from '../../domain/calendar.ts';
import { acceptSync } from '../../features/roster/accept.ts';
import { readRoster } from '../../features/roster/read-roster.ts';
import type { RosterEntry } from '../../features/roster/rules/entry.ts';
import { applyOldestSync } from '../../features/roster/run.ts';
import type { Calendar } from './calendar.ts';
import { connectedOn, isPulledPlace, type Place, rosterTimes } from './connections.ts';
import { type Action, type DemoContext, integrationId } from './context.ts';
import { type DemoEmployee, rosterOn } from './employees.ts';
import { pull } from './pulls.ts';

const syncIdOf = (date: Day) => `roster-${date}`;

/** Enqueues nothing: each roster is applied immediately, so no worker is needed. */
const applied = { enqueueSync: async () => {} };

/** The operator's limits are for external input. The demo must not fail because of them. */
const limits = { maxBytes: Infinity, maxEntries: Infinity };

async function push(context: DemoContext, place: Place, on: Day, employees: RosterEntry[]): Promise<void> {
  const { tx, deps, companyId, username } = context;
  const target = { companyId, hrIntegrationId: integrationId(context, place) };
  async function* body() {
    yield Buffer.from(JSON.stringify({ syncId: syncIdOf(on), employees }));
  }
  const roster = await readRoster(body(), { ...limits, today: on });
  await acceptSync(tx, applied, { target, roster, push: { pushedBy: username, now: deps.clock.now() } });
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

/**
 * Omits a third of the entries: a wrong filter in Kiel removes so many from the last roster that their removals need
 * approval.
 */
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

/** Returns the actions by which the rosters of a place arrive: pulled if it is connected, else pushed. */
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
