import { type Day, isBefore, isDue } from '../calendar.ts';
import { ticketlessMonths } from '../ticketless-months.ts';
import { isCovered } from './absences.ts';
import { type Planned, record } from './changes.ts';
import { endedOn } from './end.ts';
import { planPause } from './pause.ts';
import { nextChange, type Upcoming } from './public-dates.ts';
import { withoutPastPauses } from './requested.ts';
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
import { awaitsContract, type Facts, type Subscription } from './subscription.ts';

const nextEvent = (subscription: Subscription) => nextChange(subscription, isBefore);

export const nextEventOn = (subscription: Subscription): Day | null => nextEvent(subscription)?.at ?? null;

/** Plans the next pause of a running subscription. Events precede any cut-off, so every cut-off day fits. */
const planNextPause = (planned: Planned, facts: Facts, today: Day) =>
  planPause(planned, { facts, today, cutOffDay: 31 });

function start(planned: Planned, facts: Facts, today: Day): Planned {
  const { subscription } = planned;
  const isPending = awaitsContract(subscription);
  if (!isPending && !isCovered(ticketlessMonths(subscription, facts), today)) {
    const why = { knownOn: today, effectiveOn: today, cause: 'calendar', rule: startIsDue(today) } as const;
    return planNextPause(record(planned, why, withoutPastPauses(subscription, today)), facts, today);
  }
  const next = firstStart(subscription, facts, today);
  const { cancelledOn } = subscription;
  if (!leavesMonth(facts, next) || isDue(cancelledOn, next.on)) {
    const why = { knownOn: today, effectiveOn: today, cause: 'calendar', rule: endBeforeStart(next.on) } as const;
    return record(planned, why, endedOn(subscription, today));
  }
  const rule = isPending ? startAwaitsContract(next.on) : startRule(next, subscription, facts, today);
  const why = { knownOn: today, effectiveOn: next.on, cause: 'calendar', rule } as const;
  return record(planned, why, startingOn(subscription, next.on));
}

function happen(planned: Planned, { type, at: on }: Upcoming<Day>, facts: Facts): Planned {
  const { subscription } = planned;
  const why = { knownOn: on, effectiveOn: on, cause: 'calendar' } as const;
  switch (type) {
    case 'start':
      return start(planned, facts, on);
    case 'pause':
      return record(planned, { ...why, rule: pauseIsDue(on, subscription.resumesOn) }, {});
    case 'resumption': {
      const resumed = { reactivatedOn: on, resumesOn: null, ...withoutPastPauses(subscription, on) };
      return planNextPause(record(planned, { ...why, rule: resumptionIsDue(on) }, resumed), facts, on);
    }
    case 'cancellation':
      return record(planned, { ...why, rule: endIsDue(on) }, endedOn(subscription, on));
  }
}

/** Applies the calendar events up to today, each on its own day, as daily runs would have. */
export function advance(current: Subscription, facts: Facts, today: Day): Planned {
  let planned: Planned = { subscription: current, changes: [] };
  for (let event = nextEvent(current); event !== null && isDue(event.at, today); ) {
    planned = happen(planned, event, facts);
    event = nextEvent(planned.subscription);
  }
  return planned;
}
