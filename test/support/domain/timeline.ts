import fc from 'fast-check';
import { type Day, firstOfMonth } from '../../../src/domain/calendar.ts';
import {
  type ContractDecision,
  contractDecisions,
  type RequestAction,
  requestActions,
  type Side,
  sides,
} from '../../../src/domain/enums.ts';
import { advance } from '../../../src/domain/subscription/advance.ts';
import type { Planned } from '../../../src/domain/subscription/changes.ts';
import { planContractDecision } from '../../../src/domain/subscription/decisions.ts';
import { planSubscription } from '../../../src/domain/subscription/plan.ts';
import { applyNextPlan, dropNextPlan, proposePlan } from '../../../src/domain/subscription/plan-change.ts';
import { planRequest, type RequestedChange, type RequestPlan } from '../../../src/domain/subscription/requests.ts';
import {
  type Consent,
  type Facts,
  noSubscription,
  type Plan,
  type Settings,
  type Subscription,
} from '../../../src/domain/subscription/subscription.ts';
import { planUndo, type Undoable } from '../../../src/domain/subscription/undo.ts';
import { nothingKnown } from './scenario.ts';

/** Random timelines: facts or decisions, some days in between, and so on, over leap years and month ends. */
type News =
  | { facts: (today: Day) => Partial<Facts> }
  | { decision: ContractDecision }
  | { request: (today: Day) => AskedChange }
  /** The last request of the side that stands. */
  | { undo: Side }
  /** The company changes the plan of the running subscription from a later month on. */
  | { change: (today: Day) => { plan: Plan; from: Day } }
  /** The deadline of that change has passed. */
  | { deadline: true };

export interface AskedChange extends RequestedChange {
  consent?: Consent | undefined;
}

export interface Timeline {
  settings: Settings;
  begin: Day;
  /** The facts of the first roster besides the request to subscribe. */
  first?: (today: Day) => Partial<Facts>;
  /** With `plan` the company first changes its plan, which applies to employees who subscribe from then on. */
  events: { news: News; daysAfter: number; plan?: Plan }[];
}

/** A day near today, often at the beginning or end of a month. */
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
    const startDate = from(today);
    return { startDate, endDate: length === null ? null : startDate.add({ days: length }), approved };
  });

const absences = fc
  .array(absence, { maxLength: 3 })
  .map((some) => (today: Day) => ({ absences: some.map((make) => make(today)) }));
const terminationDate = nearDayOrNull.map((at) => (today: Day) => ({ terminationDate: at(today) }));
const employedFrom = nearDayOrNull.map((at) => (today: Day) => ({ employedFrom: at(today) }));
const offboarded = fc.boolean().map((isAbsent) => () => ({ offboarded: isAbsent }));
const autoSubscribe = (...values: (boolean | null)[]) =>
  fc.constantFrom(...values).map((value) => () => ({ autoSubscribe: value }));

/** No subscription starts without a signature, so signatures are frequent. */
const signatures = ['contract-accepted', 'contract-accepted', 'contract-accepted'] as const;
const decision = fc.constantFrom(...contractDecisions, ...signatures).map((decided) => ({ decision: decided }));

const someMonth = fc
  .option(fc.integer({ min: -1, max: 6 }), { nil: undefined, freq: 2 })
  .map((months) => (today: Day) => (months === undefined ? undefined : firstOfMonth(today).add({ months })));
const side = fc.constantFrom(...sides);

const requestOf = (actions: fc.Arbitrary<RequestAction>) =>
  fc
    .record({ action: actions, side, from: someMonth, until: someMonth, hasConsent: fc.boolean() })
    .map(({ from, until, hasConsent, ...asked }) => ({
      request: (today: Day): AskedChange => ({
        ...asked,
        from: from(today),
        until: asked.action === 'pause' ? until(today) : undefined,
        consent: hasConsent && asked.side === 'company' ? { given: 'on-paper', on: today } : undefined,
      }),
    }));

const request = requestOf(fc.constantFrom(...requestActions, 'subscribe', 'pause'));
const undo = side.map((one) => ({ undo: one }));

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

/** Spreads the same events over years instead of months, so that there are many tickets. */
export const overYears = (timelines: fc.Arbitrary<Timeline>): fc.Arbitrary<Timeline> =>
  timelines.map((scenario) => ({
    ...scenario,
    events: scenario.events.map((event) => ({ ...event, daysAfter: 4 * event.daysAfter })),
  }));

/** The first roster subscribes most employees. Some it does not, and some leave too soon. */
const firstFacts = fc.oneof(
  { weight: 8, arbitrary: fc.constant(() => ({})) },
  { weight: 1, arbitrary: autoSubscribe(false, null) },
  { weight: 1, arbitrary: terminationDate },
);

const anything = someTimeline(
  fc
    .record({
      cutOffDay,
      planType,
      joining: fc.constantFrom(...(['roster', 'roster', 'roster', 'employee', 'both'] as const)),
    })
    .map((some) => ({ ...some, contributionCents: some.planType === 'split-pay-plan' ? 2000 : null })),
  fc.oneof(
    {
      weight: 3,
      arbitrary: asNews(
        fc.oneof(autoSubscribe(true, true, false, null), absences, terminationDate, employedFrom, offboarded),
      ),
    },
    { weight: 2, arbitrary: decision },
    { weight: 3, arbitrary: request },
    { weight: 1, arbitrary: undo },
  ),
  0,
);

/** Every kind of event. */
export const timeline: fc.Arbitrary<Timeline> = fc
  .record({ scenario: anything, first: firstFacts })
  .map(({ scenario, first }) => ({ ...scenario, first }));

/** Every kind of event but undoing, which brings back dates that were reached before. */
export const timelineWithoutUndo: fc.Arbitrary<Timeline> = timeline.map((scenario) => ({
  ...scenario,
  events: scenario.events.filter(({ news }) => !('undo' in news)),
}));

/**
 * Only roster facts about an employee who is already employed, at most once per day, so that a plain model can follow.
 */
export const rosterTimeline: fc.Arbitrary<Timeline> = someTimeline(
  cutOffDay.map((day) => ({
    cutOffDay: day,
    planType: 'fully-subsidized-plan',
    contributionCents: null,
    joining: 'roster',
  })),
  asNews(fc.oneof(autoSubscribe(true, false), absences, absences, terminationDate, offboarded)),
  1,
);

/** Requests of both sides, absences and a roster that changes its mind, at most once per day, for a plain model. */
export const requestTimeline: fc.Arbitrary<Timeline> = someTimeline(
  cutOffDay.map((day) => ({
    cutOffDay: day,
    planType: 'fully-subsidized-plan',
    contributionCents: null,
    joining: 'roster',
  })),
  fc.oneof(
    { weight: 1, arbitrary: asNews(fc.oneof(autoSubscribe(true, false), absences)) },
    { weight: 3, arbitrary: request },
  ),
  1,
);

/** Timelines over years, in a company that sometimes changes to another of these plans. */
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

const coming = fc.record({
  plan: fc.constantFrom<Plan>(
    { planType: 'fully-subsidized-plan', contributionCents: null },
    { planType: 'split-pay-plan', contributionCents: 1000 },
    { planType: 'split-pay-plan', contributionCents: 4000 },
    { planType: 'deferred-plan', contributionCents: null },
  ),
  months: fc.integer({ min: 1, max: 3 }),
});
const planNews: fc.Arbitrary<News> = fc.oneof(
  {
    weight: 4,
    arbitrary: coming.map(({ plan, months }) => ({
      change: (today: Day) => ({ plan, from: firstOfMonth(today).add({ months }) }),
    })),
  },
  { weight: 1, arbitrary: fc.constant<News>({ deadline: true }) },
);

/** Timelines in a company whose policies ask for some months of employment, and change the plans of running subscriptions. */
export const timelineWithPolicies: fc.Arbitrary<Timeline> = fc
  .record({
    scenario: timeline,
    waitingMonths: fc.constantFrom(0, 0, 3, 6),
    hired: nearDayOrNull,
    news: fc.array(fc.option(planNews, { freq: 3 }), { minLength: 16, maxLength: 16 }),
  })
  .map(({ scenario, waitingMonths, hired, news }) => ({
    ...scenario,
    first: (today) => ({ employedFrom: hired(today), ...scenario.first?.(today), waitingMonths }),
    events: scenario.events.map((event, index) => ({ ...event, news: news[index] ?? event.news })),
  }));

interface Witness {
  /** Called with the settings of the company before each plan. */
  settings?(company: Settings): void;
  /** Called after the facts or the decision of a day. */
  planned?(before: Subscription, planned: Planned, facts: Facts, today: Day): void;
  /** Called after each request, also a refused one. */
  asked?(before: Subscription, asked: AskedChange, plan: RequestPlan, known: { facts: Facts; today: Day }): void;
  /** Called after the calendar has advanced, at the beginning of a day. */
  morning?(before: Subscription, result: Planned, facts: Facts, today: Day): void;
  /** Called after everything that happened on a day, and also between two events of the same day. */
  evening?(subscription: Subscription, facts: Facts, today: Day): void;
}

const nothingToUndo = (subscription: Subscription): Undoable => ({
  action: 'pause',
  before: subscription,
  after: subscription,
  undoUntil: null,
});

/** Returns what the employee pays of a ticket of 63 euros. */
const shareOf = ({ planType, contributionCents }: Plan) =>
  planType === 'deferred-plan' ? 6300 : (contributionCents ?? 0);

/** Plans a change of the plan as a campaign does: one at a time, with an agreement where the share rises. */
function planChange(before: Subscription, { plan, from }: { plan: Plan; from: Day }, today: Day): Planned {
  if (before.nextPlan !== null) return { subscription: before, changes: [] };
  const needsAgreement = shareOf(plan) > shareOf(before);
  return proposePlan(before, { plan, from, changeId: 1, needsAgreement }, today);
}

/** Drops a change to which the employee has not agreed. */
function planDeadline(before: Subscription, today: Day): Planned {
  const planned: Planned = { subscription: before, changes: [] };
  return before.contractStatus === 'pending' ? dropNextPlan(planned, 'no-answer', today) : planned;
}

/** Runs a timeline day by day, as the service does: first the calendar, then the facts or decisions. */
export function runTimeline({ settings, begin, first: firstFacts, events }: Timeline, witness: Witness): void {
  let facts: Facts = { ...nothingKnown, autoSubscribe: true, ...firstFacts?.(begin) };
  let today = begin;
  let company = settings;
  let subscription = noSubscription(settings);
  const requests: Record<Side, Undoable[]> = { employee: [], company: [] };
  const first = planSubscription(subscription, facts, today, company);
  witness.settings?.(company);
  witness.planned?.(subscription, first, facts, today);
  subscription = first.subscription;
  for (const { news, daysAfter, plan } of events) {
    company = { ...company, ...plan };
    const before = subscription;
    if ('facts' in news) facts = { ...facts, ...news.facts(today) };
    const context = { facts, today, settings: company };
    let planned: Planned;
    if ('facts' in news) planned = planSubscription(before, facts, today, company);
    else if ('decision' in news) planned = planContractDecision(before, news.decision, context);
    else if ('undo' in news) {
      const standing = requests[news.undo].at(-1);
      const { refusal, ...undone } = planUndo(before, standing ?? nothingToUndo(before), context);
      if (refusal === null) requests[news.undo].pop();
      planned = undone;
    } else if ('change' in news) planned = planChange(before, news.change(today), today);
    else if ('deadline' in news) planned = planDeadline(before, today);
    else {
      const { consent, ...asked } = news.request(today);
      const plan = planRequest(before, asked, { ...context, consent });
      if (plan.changes.length > 0) {
        const { subscription: after, undoUntil } = plan;
        requests[asked.side].push({ action: asked.action, before, after, undoUntil });
      }
      witness.asked?.(before, { ...asked, consent }, plan, { facts, today });
      planned = plan;
    }
    witness.settings?.(company);
    witness.planned?.(before, planned, facts, today);
    subscription = planned.subscription;
    witness.evening?.(subscription, facts, today);
    for (let days = 0; days < daysAfter; days++) {
      today = today.add({ days: 1 });
      const result = applyNextPlan(advance(subscription, facts, today), today);
      witness.morning?.(subscription, result, facts, today);
      subscription = result.subscription;
      if (days < daysAfter - 1) witness.evening?.(subscription, facts, today);
    }
  }
  witness.evening?.(subscription, facts, today);
}
