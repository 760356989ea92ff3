import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Day } from '../../../src/domain/calendar.ts';
import type { SubscriptionSnapshot } from '../../../src/domain/documents.ts';
import type { Absence } from '../../../src/domain/subscription/absences.ts';
import { advance } from '../../../src/domain/subscription/advance.ts';
import type { Change } from '../../../src/domain/subscription/changes.ts';
import { planSubscription } from '../../../src/domain/subscription/plan.ts';
import { type Facts, noSubscription, type Settings } from '../../../src/domain/subscription/subscription.ts';
import { nextTicketOn } from '../../../src/domain/subscription/tickets.ts';
import { isTransition } from '../../../src/domain/subscription/transitions.ts';
import { type Asked, isRequest, planDecision } from './decide.ts';

/**
 * A golden case, computed by hand from the contract. Each step has a day, the facts or the decision of that day (null
 * for the calendar alone), and the expected result: the subscription with every date that is set, unless a suite checks
 * something else.
 */
type Step = [day: string, what: Partial<Facts> | Asked | null, expected: string];

export interface Scenario {
  settings?: Partial<Settings>;
  steps: Step[];
}

type Inserted = readonly Step[] | Partial<Facts> | string;

/**
 * Reads steps from lines such as `2026-11-10 | terminationDate=2026-11-30 | cancelled start=2026-02-01`. Between the bars
 * are facts, a decision or request (`decide.ts`), or nothing for the calendar alone. A line with `#` is a comment. `${}` inserts steps on a line
 * of their own, facts, or a part of the expected result.
 */
export function steps(texts: TemplateStringsArray, ...inserted: Inserted[]): Step[] {
  const text = String.raw({ raw: texts }, ...inserted.map((one, at) => (typeof one === 'string' ? one : `@${at}`)));
  const isWritten = (line: string) => line !== '' && !line.startsWith('#');
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter(isWritten).flatMap((line): Step[] => {
    if (line.startsWith('@')) return inserted[Number(line.slice(1))] as Step[];
    const [date = '', what = '', expected, ...more] = line.split('|').map((part) => part.trim());
    assert.ok(expected !== undefined && more.length === 0, line);
    if (what.startsWith('@')) return [[date, inserted[Number(what.slice(1))] as Partial<Facts>, expected]];
    if (what === '' || what === '{}') return [[date, what === '' ? null : {}, expected]];
    return [[date, what.includes('=') && !isRequest(what) ? readFacts(what) : (what as Asked), expected]];
  });
}

function readFacts(text: string): Partial<Facts> {
  const readDate = (value: string) => (value === 'null' ? null : day(value));
  const flags: Record<string, boolean | null> = { true: true, false: false, null: null };
  const readers: Record<string, (value: string) => unknown> = {
    autoSubscribe: (value) => flags[value],
    offboarded: (value) => flags[value],
    employedFrom: readDate,
    terminationDate: readDate,
    absences: (value) => (value === '' ? [] : value.split(',').map(absence)),
  };
  const entries = text.split(' ').map((fact) => {
    const [name = '', value = ''] = fact.split('=');
    const known = readers[name]?.(value);
    assert.ok(known !== undefined, `Unknown fact: ${fact}`);
    return [name, known];
  });
  return Object.fromEntries(entries);
}

/**
 * The result of one step. The calendar is applied first with the facts known before, then the new facts or the
 * decision.
 */
interface StepResult extends SubscriptionSnapshot {
  before: SubscriptionSnapshot;
  changes: readonly Change[];
  facts: Facts;
  today: Day;
}

export const day = (text: string): Day => Temporal.PlainDate.from(text);

/**
 * Reads a span such as `2026-11-15/2027-02-14`. `?` marks an absence that is not approved. Without a date after the
 * slash it has no end.
 */
export function absence(text: string): Absence {
  const [startDate = '', endDate = ''] = text.replace('?', '').split('/');
  return { startDate: day(startDate), endDate: endDate === '' ? null : day(endDate), approved: !text.endsWith('?') };
}

export const nothingKnown: Facts = {
  autoSubscribe: null,
  employedFrom: null,
  terminationDate: null,
  absences: [],
  offboarded: false,
};

/** The default settings of a scenario: the cut-off is on the 10th, and the plan needs no contract. */
const usual: Settings = {
  cutOffDay: 10,
  planType: 'fully-subsidized-plan',
  contributionCents: null,
  joining: 'roster',
};
export const contractPlan = { planType: 'split-pay-plan', contributionCents: 2000 } as const;

/** The beginning of most scenarios: subscribed in January 2026, running since February. */
export const active: Step[] = [
  ['2026-01-20', { autoSubscribe: true }, 'scheduled start=2026-02-01 next=2026-02-01'],
  ['2026-02-01', null, 'active start=2026-02-01 next=2026-03-01'],
];

function describe({ subscription, nextTicketOn: next }: StepResult): string {
  const dates = {
    start: subscription.startOn,
    pause: subscription.pausedOn,
    resume: subscription.resumesOn,
    end: subscription.cancelledOn,
    again: subscription.reactivatedOn,
    next,
    contract: subscription.contractStatus,
  };
  const parts = Object.entries(dates).flatMap(([name, value]) => (value === null ? [] : `${name}=${value}`));
  return [subscription.status, ...parts].join(' ');
}

/** Runs the steps and returns their results. The caller compares them with the expected ones. */
export function runScenario({ settings, steps }: Scenario): StepResult[] {
  const company = { ...usual, ...settings };
  let facts = nothingKnown;
  let snapshot: SubscriptionSnapshot = { subscription: noSubscription(company), nextTicketOn: null };
  return steps.map(([date, what]) => {
    const today = day(date);
    const before = snapshot;
    const result = advance(before.subscription, facts, today);
    if (typeof what === 'object') facts = { ...facts, ...what };
    const planned =
      typeof what === 'string'
        ? planDecision(result.subscription, what, { facts, today, settings: company })
        : planSubscription(result.subscription, facts, today, company);
    const changes = [...result.changes, ...planned.changes];
    for (const { cause, from, to } of changes) {
      assert.ok(isTransition(cause, from, to), `${cause}: ${from} to ${to}`);
    }
    if (what === null) assert.deepEqual(planned.changes, [], 'without news the calendar alone moves');
    const { subscription } = planned;
    snapshot = { subscription, nextTicketOn: nextTicketOn(subscription, facts, today) };
    return { ...snapshot, before, changes, facts, today };
  });
}

export function runScenarios(
  scenarios: Record<string, Scenario | Step[]>,
  describeResult: (result: StepResult) => string = describe,
): void {
  for (const [name, given] of Object.entries(scenarios)) {
    const scenario = Array.isArray(given) ? { steps: given } : given;
    test(name, () => {
      assert.deepEqual(
        runScenario(scenario).map(describeResult),
        scenario.steps.map(([, , expected]) => expected),
      );
    });
  }
}
