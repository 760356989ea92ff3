import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runsOf } from '../../../test/support/domain/runs.ts';
import {
  type AskedChange,
  requestTimeline,
  runTimeline,
  type Timeline,
  timeline,
  timelineWithoutUndo,
} from '../../../test/support/domain/timeline.ts';
import { type Day, earliestEffect, firstOfNextMonth, isBefore, listDays } from '../calendar.ts';
import type { Side } from '../enums.ts';
import { advance } from './advance.ts';
import { planSubscription } from './plan.ts';
import { publicDates } from './public-dates.ts';
import type { RequestPlan } from './requests.ts';
import { type Facts, isRunning, isUnsubscribed, type Subscription } from './subscription.ts';
import { ticketDue } from './tickets.ts';
import { planUndo } from './undo.ts';
import { mayStart } from './who-wins.ts';

const json = (value: unknown) => JSON.stringify(value);
/** Everything that counts: while it runs, nothing shows the end of an earlier subscription. */
const seen = ({ past, ...subscription }: Subscription) =>
  json([subscription, publicDates({ ...subscription, past }, isBefore)]);

const always = (witness: (scenario: Timeline) => void, scenarios = timeline, runs = 1000) =>
  fc.assert(fc.property(scenarios, witness), { numRuns: runsOf(runs) });

const monthsAfter = (today: Day, count: number): Day[] =>
  Array.from({ length: count }, (_, index) => firstOfNextMonth(today).add({ months: index }));

test('undoing on any day until the last possible one restores exactly what was before', () => {
  let undone = 0;
  always((scenario) =>
    runTimeline(scenario, {
      asked: (before, { action }, { refusal, subscription: after, undoUntil }, { facts, today }) => {
        if (refusal !== null || undoUntil === null) return;
        assert.ok(!isBefore(undoUntil, today));
        const days = listDays(today, undoUntil);
        // The first days, the days around the first of a month, and the last.
        const some = days.filter((day, index) => index < 2 || day.day < 3 || index === days.length - 1).slice(0, 12);
        for (const day of some) {
          const undo = { action, before, after, undoUntil };
          const context = { facts, today: day, settings: scenario.settings };
          const { refusal: refused, subscription } = planUndo(after, undo, context);
          assert.equal(refused, null);
          assert.equal(seen(subscription), seen(advance(before, facts, day).subscription), `${action}, ${day}`);
          undone++;
        }
        const late = undoUntil.add({ days: 1 });
        const { refusal: refused } = planUndo(
          advance(after, facts, late).subscription,
          { action, before, after, undoUntil },
          { facts, today: late, settings: scenario.settings },
        );
        assert.equal(refused?.code, 'undo-too-late');
      },
    }),
  );
  assert.ok(undone > runsOf(1000));
});

test('a pause or an end of a running subscription takes no ticket of a month before the cut-off allows it', () => {
  always((scenario) =>
    runTimeline(scenario, {
      asked: (before, { action, from }, { refusal, subscription: after }, { facts, today }) => {
        if ((action !== 'pause' && action !== 'cancel') || !isRunning(before.status)) return;
        const earliest = earliestEffect(today, scenario.settings.cutOffDay);
        const isKnown = (subscription: typeof before, month: Day) =>
          ticketDue(advance(subscription, facts, month).subscription, month);
        if (refusal?.earliestFrom) assert.ok(from !== undefined && isBefore(from, refusal.earliestFrom));
        for (const month of monthsAfter(today, 3).filter((one) => isBefore(one, earliest))) {
          assert.ok(isKnown(after, month) || !isKnown(before, month), `${action} on ${today}, ${month}`);
        }
      },
    }),
  );
});

test('a refused request changes nothing, and asking for the earliest month instead is possible', () => {
  always((scenario) =>
    runTimeline(scenario, {
      asked: (before, _asked, { refusal, subscription, changes }, { facts, today }) => {
        if (refusal === null) return;
        const present = advance(before, facts, today);
        assert.equal(json({ subscription, changes }), json(present));
        assert.match(refusal.sentence, /^[A-Z].*\.$/);
      },
    }),
  );
});

test('whoever ended a subscription decides who restarts it', () => {
  const refusals = new Set<string>();
  always(
    (scenario) => {
      // By what was asked for, and not by what is stored: the ends that stand.
      const ended: Record<Side, boolean> = { employee: false, company: false };
      runTimeline(scenario, {
        asked: (_before, { action, side, consent }, { refusal }, { facts }) => {
          if (action === 'cancel' && refusal === null) ended[side] = true;
          if (action !== 'subscribe') return;
          if (refusal !== null) {
            refusals.add(refusal.code);
            return;
          }
          assert.ok(!facts.offboarded && facts.autoSubscribe !== false);
          assert.ok(side === 'company' || !ended.company, 'only the company takes back its end');
          assert.ok(side === 'employee' || consent || !ended.employee, 'the company needs consent');
          ended.employee = false;
          ended.company = false;
        },
      });
    },
    timelineWithoutUndo,
    3000,
  );
  for (const code of ['opted-out', 'not-in-roster', 'ended-by-company', 'consent-required', 'employment-ends']) {
    assert.ok(refusals.has(code), code);
  }
});

test('a roster never restarts what a person ended, nor takes back what a person asked for', () => {
  let blocked = 0;
  always((scenario) =>
    runTimeline(scenario, {
      evening: (subscription, facts, today) => {
        const { roster } = mayStart(subscription, { ...facts, offboarded: false, autoSubscribe: true }, today);
        const wanted: Facts = { ...facts, autoSubscribe: true, offboarded: false, terminationDate: null };
        const { subscription: after } = planSubscription(subscription, wanted, today, scenario.settings);
        const asked = (of: typeof subscription) =>
          json([of.employeePauseFrom, of.employeePauseUntil, of.companyPauseFrom, of.companyPauseUntil]);
        assert.equal(asked(after), asked(subscription));
        const isEnded = subscription.employeeEndOn !== null || subscription.companyEndOn !== null;
        if (!isEnded) return;
        assert.deepEqual(
          [after.employeeEndOn, after.companyEndOn].map(String),
          [subscription.employeeEndOn, subscription.companyEndOn].map(String),
        );
        if (!isUnsubscribed(subscription.status)) return;
        assert.ok(isUnsubscribed(after.status));
        assert.ok(roster !== null);
        blocked++;
      },
    }),
  );
  assert.ok(blocked > runsOf(1000));
});

/** What a side has asked for and not taken back, as the plain model knows it. Months as texts. */
interface Wish {
  pause: { from: string; until: string | null } | null;
  end: string | null;
}

/**
 * A plain model of section 12 that follows a timeline day by day. It is told which requests were accepted for which
 * month, and says whether a month has a ticket. It knows neither statuses nor dates of a subscription.
 */
class PlainModel {
  readonly tickets: string[] = [];
  private readonly wishes: Record<Side, Wish> = {
    employee: { pause: null, end: null },
    company: { pause: null, end: null },
  };
  /** Whether it is subscribed, has had a ticket since, and has one this month. */
  private isAlive = false;
  private hasBegun = false;
  private isRunning = false;
  private startsFrom: string | null = null;
  /** When the roster's `false` ends it. */
  private optOutOn: string | null = null;
  /** Whether a month was paused on each evening since the cut-off of the month before. */
  private isPausedInTime = true;

  private readonly cutOffDay: number;

  constructor(cutOffDay: number) {
    this.cutOffDay = cutOffDay;
  }

  private isPaused({ absences }: Facts, month: Day): boolean {
    const text = month.toString();
    const isWished = Object.values(this.wishes).some(
      ({ pause }) => pause !== null && pause.from <= text && (pause.until === null || text < pause.until),
    );
    return (
      isWished ||
      listDays(month, month.with({ day: month.daysInMonth })).every((day) =>
        absences.some(
          ({ startDate, endDate, approved }) =>
            approved && !isBefore(day, startDate) && (endDate === null || !isBefore(endDate, day)),
        ),
      )
    );
  }

  private ends = () => Object.values(this.wishes).flatMap(({ end }) => end ?? []);

  /** Whether some month before a day has a ticket, by what is known. */
  private hasTicketBefore(end: string, facts: Facts, today: Day): boolean {
    for (let month = firstOfNextMonth(today); month.toString() < end; month = firstOfNextMonth(month)) {
      const text = month.toString();
      const isTooEarly = !this.hasBegun && this.startsFrom !== null && text < this.startsFrom;
      if (!this.isPaused(facts, month) && !isTooEarly) return true;
    }
    return false;
  }

  private begin(from: string | null) {
    this.isAlive = true;
    this.hasBegun = false;
    this.startsFrom = from;
    this.optOutOn = null;
  }

  ask(
    { action, side, from: asked, consent }: AskedChange,
    { from, until }: RequestPlan,
    facts: Facts,
    today: Day,
  ): void {
    if (from === null) return;
    const wish = this.wishes[side];
    const month = from.toString();
    if (action === 'pause') wish.pause = { from: month, until: until?.toString() ?? null };
    if (action === 'resume' && wish.pause) {
      wish.pause = wish.pause.from < month ? { from: wish.pause.from, until: month } : null;
    }
    if (action === 'cancel') {
      wish.end = month;
      if (!this.isRunning && !this.hasTicketBefore(month, facts, today)) this.isAlive = false;
    }
    if (action !== 'subscribe') return;
    const others = consent === undefined ? [] : [this.wishes.employee];
    if (!this.isAlive) {
      wish.pause = null;
      for (const other of others) if (other.end !== null) other.pause = null;
      this.begin(asked?.toString() ?? null);
    }
    for (const one of [wish, ...others]) one.end = null;
  }

  /** Considers what is known on the evening of a day. */
  evening(facts: Facts, today: Day): void {
    if (facts.autoSubscribe === true) {
      this.optOutOn = null;
      if (!this.isAlive && this.ends().length === 0) this.begin(null);
    }
    if (facts.autoSubscribe === false && this.isAlive) {
      if (this.isRunning) this.optOutOn ??= earliestEffect(today, this.cutOffDay).toString();
      else if (this.optOutOn === null) this.isAlive = false;
    }
    // Before the first ticket, an end without a ticket before it ends at once.
    if (this.isAlive && !this.hasBegun && this.ends().some((end) => !this.hasTicketBefore(end, facts, today))) {
      this.isAlive = false;
    }
    const isLate = today.day >= Math.min(this.cutOffDay, today.daysInMonth);
    const isPaused = this.isPaused(facts, firstOfNextMonth(today));
    this.isPausedInTime = isLate ? this.isPausedInTime && isPaused : true;
  }

  /** Says whether the month that begins has a ticket. */
  morning(facts: Facts, month: Day): void {
    const text = month.toString();
    if (
      this.isAlive &&
      [...this.ends(), ...(this.optOutOn === null ? [] : [this.optOutOn])].some((end) => end <= text)
    ) {
      this.isAlive = false;
    }
    const isPaused = this.isRunning ? this.isPausedInTime : this.isPaused(facts, month);
    const isTooEarly = !this.hasBegun && this.startsFrom !== null && text < this.startsFrom;
    this.isRunning = this.isAlive && !isPaused && !isTooEarly;
    if (this.isRunning) this.hasBegun = true;
    if (this.isRunning) this.tickets.push(text);
    if (!this.isAlive) this.optOutOn = null;
    this.isPausedInTime = true;
  }
}

test('tickets are issued for exactly the months of a plain model', () => {
  let tickets = 0;
  always(
    (scenario) => {
      const model = new PlainModel(scenario.settings.cutOffDay);
      const issued: string[] = [];
      let isFirst = true;
      runTimeline(scenario, {
        planned: (_before, _planned, facts, today) => {
          if (isFirst) model.evening(facts, today);
          isFirst = false;
        },
        asked: (_before, asked, plan, { facts, today }) => model.ask(asked, plan, facts, today),
        morning: (_before, { subscription }, facts, today) => {
          if (today.day !== 1) return;
          model.morning(facts, today);
          if (ticketDue(subscription, today)) issued.push(today.toString());
        },
        evening: (_subscription, facts, today) => model.evening(facts, today),
      });
      assert.deepEqual(issued, model.tickets);
      tickets += issued.length;
    },
    requestTimeline,
    2000,
  );
  assert.ok(tickets > runsOf(2000));
});
