import fc from 'fast-check';
import { type Day, firstOfMonth } from '../calendar.ts';
import { advance } from '../subscription/advance.ts';
import type { Planned } from '../subscription/changes.ts';
import { planDecision } from '../subscription/decisions.ts';
import { planSubscription } from '../subscription/plan.ts';
import {
  type Facts,
  noSubscription,
  type Plan,
  type Settings,
  type Subscription,
} from '../subscription/subscription.ts';
import { type Decision, decisions } from '../subscription/transitions.ts';
import { nothingKnown } from './scenario.ts';

/** Random lives: something becomes known or is decided, some days pass, and so on, over leap years and month ends. */
type News = { facts: (today: Day) => Partial<Facts> } | { decision: Decision };

export interface Timeline {
  settings: Settings;
  begin: Day;
  /** What the first roster says besides that it subscribes. */
  first?: (today: Day) => Partial<Facts>;
  /** With `plan` the company first changes what it pays for, which holds for whoever subscribes from then on. */
  events: { news: News; daysAfter: number; plan?: Plan }[];
}

/** A day not far from today, often at an end of a month. */
const nearDay = fc
  .record({ days: fc.integer({ min: -70, max: 150 }), snap: fc.constantFrom('none', 'first', 'last') })
  .map(({ days, snap }) => (today: Day): Day => {
    const day = today.add({ days });
    if (snap === 'none') return day;
    return snap === 'first' ? firstOfMonth(day) : day.with({ day: day.daysInMonth });
  });

const nearDayOrNull = fc.option(nearDay).map((at) => (today: Day) => (at === null ? null : at(today)));

const absence = fc
  .record({
    from: nearDay,
    length: fc.option(fc.integer({ min: 0, max: 130 }), { freq: 6 }),
    approved: fc.constantFrom(true, true, true, false),
  })
  .map(({ from, length, approved }) => (today: Day) => {
    const startsOn = from(today);
    return { startsOn, endsOn: length === null ? null : startsOn.add({ days: length }), approved };
  });

const absences = fc
  .array(absence, { maxLength: 3 })
  .map((some) => (today: Day) => ({ absences: some.map((make) => make(today)) }));
const terminatedOn = nearDayOrNull.map((at) => (today: Day) => ({ terminatedOn: at(today) }));
const employedFrom = nearDayOrNull.map((at) => (today: Day) => ({ employedFrom: at(today) }));
const offboarded = fc.boolean().map((isAbsent) => () => ({ offboarded: isAbsent }));
const autoSubscribe = (...values: (boolean | null)[]) =>
  fc.constantFrom(...values).map((value) => () => ({ autoSubscribe: value }));

/** Without a signature nothing begins, so signatures are frequent. */
const signatures = ['contract-accepted', 'contract-accepted', 'contract-accepted'] as const;
const decision = fc.constantFrom(...decisions, ...signatures).map((decided) => ({ decision: decided }));

const cutOffDay = fc.oneof(fc.constant(10), fc.integer({ min: 1, max: 31 }));
const planType = fc.constantFrom(
  ...(['fully-subsidized-plan', 'fully-subsidized-plan', 'split-pay-plan', 'deferred-plan'] as const),
);

function someTimeline(settings: fc.Arbitrary<Settings>, news: fc.Arbitrary<News>, minDays: number) {
  const daysAfter = fc.oneof(fc.integer({ min: minDays, max: 9 }), fc.integer({ min: minDays, max: 45 }));
  return fc.record({
    settings,
    begin: fc.integer({ min: 0, max: 1700 }).map((days) => Temporal.PlainDate.from('2023-10-01').add({ days })),
    events: fc.array(fc.record({ news, daysAfter }), { minLength: 3, maxLength: 16, size: 'max' }),
  });
}

const asNews = (facts: fc.Arbitrary<(today: Day) => Partial<Facts>>) => facts.map((make) => ({ facts: make }));

/** The same news over years instead of months, so that tickets are many. */
export const overYears = (lives: fc.Arbitrary<Timeline>): fc.Arbitrary<Timeline> =>
  lives.map((scenario) => ({
    ...scenario,
    events: scenario.events.map((event) => ({ ...event, daysAfter: 4 * event.daysAfter })),
  }));

/** Most are subscribed by the first roster; some are not, and some leave too soon. */
const firstFacts = fc.oneof(
  { weight: 8, arbitrary: fc.constant(() => ({})) },
  { weight: 1, arbitrary: autoSubscribe(false, null) },
  { weight: 1, arbitrary: terminatedOn },
);

const anything = someTimeline(
  fc
    .record({ cutOffDay, planType })
    .map((some) => ({ ...some, contributionCents: some.planType === 'split-pay-plan' ? 2000 : null })),
  fc.oneof(
    {
      weight: 3,
      arbitrary: asNews(
        fc.oneof(autoSubscribe(true, true, false, null), absences, terminatedOn, employedFrom, offboarded),
      ),
    },
    { weight: 2, arbitrary: decision },
  ),
  0,
);

/** Everything that can happen. */
export const timeline: fc.Arbitrary<Timeline> = fc
  .record({ scenario: anything, first: firstFacts })
  .map(({ scenario, first }) => ({ ...scenario, first }));

/** Only what a roster says of one who is employed already, once a day at most, so that a plain model can follow. */
export const rosterTimeline: fc.Arbitrary<Timeline> = someTimeline(
  cutOffDay.map((day) => ({ cutOffDay: day, planType: 'fully-subsidized-plan', contributionCents: null })),
  asNews(fc.oneof(autoSubscribe(true, false), absences, absences, terminatedOn, offboarded)),
  1,
);

/** Over years, in a company that now and then chooses another of these plans. */
export const timelineOfPlans = (...plans: [Plan, ...Plan[]]): fc.Arbitrary<Timeline> =>
  overYears(timeline).chain((scenario) =>
    fc
      .array(fc.option(fc.constantFrom(...plans)), {
        minLength: scenario.events.length,
        maxLength: scenario.events.length,
      })
      .map((chosen) => ({
        ...scenario,
        events: scenario.events.map((event, index) => ({ ...event, ...(chosen[index] && { plan: chosen[index] }) })),
      })),
  );

interface Witness {
  /** After what became known or was decided on a day. */
  planned?(before: Subscription, planned: Planned, facts: Facts, today: Day, company: Settings): void;
  /** After the calendar has moved, at the beginning of a day. */
  morning?(before: Subscription, result: Planned, facts: Facts, today: Day): void;
  /** After all that happened on a day; also between two pieces of news of the same day when no day passes. */
  evening?(subscription: Subscription, facts: Facts, today: Day): void;
}

/** Lives through a timeline day by day, as the service does: first the calendar, then the news. */
export function runTimeline({ settings, begin, first: firstFacts, events }: Timeline, witness: Witness): void {
  let facts: Facts = { ...nothingKnown, autoSubscribe: true, ...firstFacts?.(begin) };
  let today = begin;
  let company = settings;
  let subscription = noSubscription(settings);
  const first = planSubscription(subscription, facts, today, company);
  witness.planned?.(subscription, first, facts, today, company);
  subscription = first.subscription;
  for (const { news, daysAfter, plan } of events) {
    company = { ...company, ...plan };
    const before = subscription;
    if ('facts' in news) facts = { ...facts, ...news.facts(today) };
    const planned =
      'facts' in news
        ? planSubscription(before, facts, today, company)
        : planDecision(before, news.decision, facts, today, company);
    witness.planned?.(before, planned, facts, today, company);
    subscription = planned.subscription;
    witness.evening?.(subscription, facts, today);
    for (let days = 0; days < daysAfter; days++) {
      today = today.add({ days: 1 });
      const result = advance(subscription, facts, today);
      witness.morning?.(subscription, result, facts, today);
      subscription = result.subscription;
      if (days < daysAfter - 1) witness.evening?.(subscription, facts, today);
    }
  }
  witness.evening?.(subscription, facts, today);
}
