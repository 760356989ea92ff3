import { type Day, isBefore, isDue } from '../calendar.ts';
import { ticketlessMonths } from '../ticketless-months.ts';
import { isCovered } from './absences.ts';
import { type Planned, record } from './changes.ts';
import { endedOn } from './end.ts';
import { planPause } from './pause.ts';
import {
  endBeforeStart,
  endIsDue,
  pauseIsDue,
  resumptionIsDue,
  startAwaitsContract,
  startIsDue,
  startRule,
} from './rules.ts';
import { firstStart, leavesMonth, startingOn } from './start.ts';
import { type Facts, openPause, type Subscription } from './subscription.ts';

interface PlannedEvent {
  kind: 'start' | 'pause' | 'resumption' | 'end';
  on: Day;
}

/** Returns the next event that changes the status. An end on the same day as a pause or resumption comes first. */
function nextEvent(subscription: Subscription): PlannedEvent | undefined {
  const event = (kind: PlannedEvent['kind'], on: Day | null): PlannedEvent[] => (on === null ? [] : [{ kind, on }]);
  const { status, startOn, resumesOn, cancelledOn } = subscription;
  if (status === 'scheduled') return event('start', startOn)[0];
  if (status === 'no-subscription' || status === 'cancelled') return undefined;
  const other = status === 'paused' ? event('resumption', resumesOn) : event('pause', openPause(subscription));
  return [...event('end', cancelledOn), ...other].reduce<PlannedEvent | undefined>(
    (first, next) => (first === undefined || isBefore(next.on, first.on) ? next : first),
    undefined,
  );
}

export const nextEventOn = (subscription: Subscription): Day | null => nextEvent(subscription)?.on ?? null;

/**
 * Plans the next pause of a subscription that is running now. Events fall on the first of a month, before any cut-off,
 * so every cut-off day gives the same dates.
 */
const planNextPause = (planned: Planned, facts: Facts, today: Day) =>
  planPause(planned, { facts, today, cutOffDay: 31, decision: null });

function start(planned: Planned, facts: Facts, today: Day): Planned {
  const { subscription } = planned;
  const isPending = subscription.contractStatus === 'pending';
  if (!isPending && !isCovered(ticketlessMonths(facts), today)) {
    const why = { knownOn: today, effectiveOn: today, cause: 'calendar', rule: startIsDue(today) } as const;
    return planNextPause(record(planned, why, {}), facts, today);
  }
  const next = firstStart(facts, today);
  if (!leavesMonth(facts, next)) {
    const why = { knownOn: today, effectiveOn: today, cause: 'calendar', rule: endBeforeStart(next.on) } as const;
    return record(planned, why, endedOn(subscription, today));
  }
  const rule = isPending ? startAwaitsContract(next.on) : startRule(next, facts, today);
  const why = { knownOn: today, effectiveOn: next.on, cause: 'calendar', rule } as const;
  return record(planned, why, startingOn(subscription, next.on));
}

function happen(planned: Planned, { kind, on }: PlannedEvent, facts: Facts): Planned {
  const { subscription } = planned;
  const why = { knownOn: on, effectiveOn: on, cause: 'calendar' } as const;
  switch (kind) {
    case 'start':
      return start(planned, facts, on);
    case 'pause':
      return record(planned, { ...why, rule: pauseIsDue(on, subscription.resumesOn) }, {});
    case 'resumption': {
      const resumed = { reactivatedOn: on, resumesOn: null };
      return planNextPause(record(planned, { ...why, rule: resumptionIsDue(on) }, resumed), facts, on);
    }
    case 'end':
      return record(planned, { ...why, rule: endIsDue(on) }, endedOn(subscription, on));
  }
}

/**
 * Applies the calendar events up to today. Missed events are applied in order, each on its own day, so the result
 * equals that of a run on every day.
 */
export function advance(current: Subscription, facts: Facts, today: Day): Planned {
  let planned: Planned = { subscription: current, changes: [] };
  for (let event = nextEvent(current); event !== undefined && isDue(event.on, today); ) {
    planned = happen(planned, event, facts);
    event = nextEvent(planned.subscription);
  }
  return planned;
}
