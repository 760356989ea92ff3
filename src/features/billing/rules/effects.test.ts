import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ticketPrice } from '../../../../test/support/domain/prices.ts';
import { absence, day } from '../../../../test/support/domain/scenario.ts';
import { derivePlan, emptyEmployee } from '../../../domain/employee.ts';
import type { FeeType } from '../../../domain/enums.ts';
import { planSubscription } from '../../../domain/subscription/plan.ts';
import { type Facts, noSubscription, type Plan, type Subscription } from '../../../domain/subscription/subscription.ts';
import type { FeePrice } from './charges.ts';
import { addEffects, type EffectPrices, type PlannedEffect, sumEffects } from './effects.ts';
import { findLateCharges } from './late-charges.ts';

const fee = (chargeType: FeeType, netCents: number, taxPercent = 19): FeePrice => ({
  ...{ chargeType, validFrom: day('2023-05-01') },
  ...{ netCents, taxPercent },
});
const withFees: EffectPrices = {
  ticket: ticketPrice('2026-01-01', 6300),
  perTicket: fee('service-charge', 150),
  perLink: fee('hr-integration-charge', 100),
};
const withoutFees: EffectPrices = { ...withFees, perTicket: undefined, perLink: undefined };

const full: Plan = { planType: 'fully-subsidized-plan', contributionCents: null };
const split: Plan = { planType: 'split-pay-plan', contributionCents: 2000 };
const deferred: Plan = { planType: 'deferred-plan', contributionCents: null };

const may = day('2026-05-01');
const december = day('2026-12-01');
const january = day('2027-01-01');
const april = day('2027-04-01');
const of = (status: Subscription['status'], given: Partial<Subscription> = {}, plan = full): Subscription => ({
  ...noSubscription(plan),
  status,
  startOn: may,
  ...given,
});
const none = noSubscription(full);
const scheduled = (plan = full, contractStatus: Subscription['contractStatus'] = null) =>
  of('scheduled', { startOn: december, contractStatus }, plan);
const active = of('active');
const ended = of('cancelled', { cancelledOn: may });
const ending = of('scheduled-cancellation', { cancelledOn: january });
const pausing = of('scheduled-pause', { pausedOn: december, resumesOn: april });
const paused = (resumesOn: Subscription['resumesOn'] = null) => of('paused', { pausedOn: may, resumesOn });

const change = (before: Subscription, after: Subscription, linked: PlannedEffect['linked'] = 0): PlannedEffect => ({
  plan: { before, employee: { subscription: after } },
  linked,
});
const times = (count: number, one: PlannedEffect) => Array.from({ length: count }, () => one);

/** Writes effects as `begin 57, +341145`: the counts that are not 0, and the cents per month. */
function describeEffects(planned: PlannedEffect[], prices: EffectPrices): string {
  const { monthlyCents, ...counts } = sumEffects(planned, prices);
  const named = Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : [`${name} ${count}`]));
  return [...named, `${monthlyCents > 0 ? '+' : ''}${monthlyCents}`].join(', ');
}

test('each change of a subscription has one effect, or none', () => {
  const table: [string, Subscription, Subscription, string][] = [
    ['a first start', none, scheduled(), 'begin 1, +5985'],
    ['a start at once', none, active, 'begin 1, +5985'],
    ['a start after an end', ended, scheduled(), 'begin 1, +5985'],
    ['a start that already has its end', none, of('scheduled', { cancelledOn: april }), 'begin 1, +5985'],
    ['a start that needs consent', none, scheduled(split, 'pending'), 'begin 1, awaitingConsent 1, +5985'],
    ['a start without a discount', none, scheduled(deferred, 'pending'), 'begin 1, awaitingConsent 1, +6300'],
    ['consent', scheduled(split, 'pending'), scheduled(split, 'accepted'), 'begin 1, +5985'],
    ['rejection', scheduled(split, 'pending'), { ...ended, ...split }, 'end 1, -5985'],
    ['a start that moves', scheduled(), of('scheduled', { startOn: january }), '0'],
    ['nothing at all', none, none, '0'],
    ['an opt-out of somebody without a subscription', none, { ...none, notSubscribedBecause: 'opted-out' }, '0'],
    ['a planned end', active, ending, 'end 1, -5985'],
    ['an end before the start', scheduled(), ended, 'end 1, -5985'],
    ['an end that moves', ending, of('scheduled-cancellation', { cancelledOn: april }), '0'],
    ['an end that is reached', ending, ended, '0'],
    ['an end instead of a pause', pausing, of('scheduled-cancellation', { cancelledOn: december }), 'end 1, -5985'],
    ['an end of a pause with a known end', paused(april), ended, 'end 1, -5985'],
    ['an end of a pause without one', paused(), ended, 'end 1, 0'],
    ['an end that is withdrawn', ending, active, 'resume 1, +5985'],
    [
      'an end that is withdrawn in a pause',
      of('paused', { pausedOn: may, cancelledOn: april }),
      paused(),
      'resume 1, 0',
    ],
    ['a planned pause', active, pausing, 'pause 1, -5985'],
    ['a pause that moves', pausing, of('scheduled-pause', { pausedOn: january, resumesOn: april }), '0'],
    ['a pause that is withdrawn', pausing, active, 'resume 1, +5985'],
    ['a pause with a resumption at last', paused(), paused(december), 'resume 1, +5985'],
    ['an earlier resumption', paused(april), paused(december), 'resume 1, +5985'],
    ['a later resumption', paused(december), paused(april), 'pause 1, -5985'],
    ['no resumption any more', paused(december), paused(), 'pause 1, -5985'],
    ['the same pause', paused(april), paused(april), '0'],
  ];
  for (const [what, before, after, expected] of table) {
    assert.equal(describeEffects([change(before, after)], withoutFees), expected, what);
  }
});

test('effects add up to the cent, with fees', () => {
  const table: [string, PlannedEffect[], EffectPrices, string][] = [
    [
      'a first roster with two leavers and two who return, without fees',
      [
        ...times(57, change(none, scheduled())),
        ...times(2, change(active, ending)),
        ...times(2, change(ending, active)),
      ],
      withoutFees,
      'begin 57, end 2, resume 2, +341145',
    ],
    // 57 × 59.85 + 57 × 1.50 + 16.25 tax + 57 × 1.00 + 10.83 tax.
    ['the same with fees', times(57, change(none, scheduled(), 1)), withFees, 'begin 57, +358103'],
    // 59.85 + 1.50 + 0.29 tax, and 1.00 + 0.19 tax.
    ['one employee', [change(none, scheduled(), 1)], withFees, 'begin 1, +6283'],
    ['the same employee leaves', [change(active, ending, -1)], withFees, 'end 1, -6283'],
    // Tax on 4.50 is 0.855. Three times a rounded 0.29 would be 0.87.
    ['tax is rounded once', times(3, change(none, active)), withFees, 'begin 3, +18491'],
    ['and in the same way for less', times(3, change(active, ended)), withFees, 'end 3, -18491'],
    ['links without subscriptions', times(3, { plan: null, linked: 1 }), withFees, '+357'],
    ['links that end', times(3, change(none, none, -1)), withFees, '-357'],
    ['as many begin as end', [change(none, active, 1), change(active, ended, -1)], withFees, 'begin 1, end 1, 0'],
    [
      'plans with other prices',
      [change(none, scheduled(deferred)), change({ ...active, ...split }, ended)],
      withoutFees,
      'begin 1, end 1, +315',
    ],
    [
      'fees without tax (reverse charge)',
      [change(none, active, 1)],
      { ...withFees, perTicket: fee('service-charge', 150, 0), perLink: fee('hr-integration-charge', 100, 0) },
      'begin 1, +6235',
    ],
    ['fees of 0', [change(none, active, 1)], { ...withFees, perTicket: fee('service-charge', 0) }, 'begin 1, +6104'],
    ['before the first price', [change(none, active)], { ...withoutFees, ticket: undefined }, 'begin 1, 0'],
    ['nobody', [], withFees, '0'],
  ];
  for (const [what, planned, prices, expected] of table) assert.equal(describeEffects(planned, prices), expected, what);
});

test('charges that a late termination would correct are one-off, and no part of the monthly amount', () => {
  const settings = { ...full, cutOffDay: 10, joining: 'roster' } as const;
  const today = day('2026-11-15');
  const known = { ...emptyEmployee(full), subscription: active };
  const items = ['2026-10-01', '2026-11-01'].map((period, index) => ({ id: 1 + index, period, grossCents: 5985 }));
  const plan = (facts: Partial<Facts>) => {
    const all = { ...known.facts, ...facts };
    const late = findLateCharges(all, items, String);
    return { late, plan: derivePlan(known, known, planSubscription(active, all, today, settings), today) };
  };
  const termination = plan({ terminationDate: day('2026-09-30') });
  assert.equal(termination.late[0]?.message.values?.amount, '11970');
  assert.equal(describeEffects([termination], withFees), 'end 1, -6164');
  const leave = plan({ absences: [absence('2026-10-01/2027-03-31')] });
  assert.equal(leave.late[0]?.message.values?.amount, '11970');
  assert.equal(describeEffects([leave], withFees), 'pause 1, -6164');
});

test('the effects of two steps add up', () => {
  const [one, other] = [[change(none, scheduled(), 1)], times(2, change(active, ending, -1))] as const;
  const sum = addEffects(sumEffects(one, withFees), sumEffects(other, withFees));
  assert.deepEqual(sum, { begin: 1, awaitingConsent: 0, end: 2, resume: 0, pause: 0, monthlyCents: 6283 - 12565 });
});
