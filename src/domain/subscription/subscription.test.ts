import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day } from '../../../test/support/domain/scenario.ts';
import type { SubscriptionStatus } from '../enums.ts';
import { type SubscriptionDates, statusOf } from './subscription.ts';
import { ticketDue } from './tickets.ts';

const nothing: SubscriptionDates = {
  startOn: null,
  pausedOn: null,
  resumesOn: null,
  cancelledOn: null,
  reactivatedOn: null,
};

const startOn = day('2026-02-01');
const paused = { startOn, pausedOn: day('2026-04-01') };
const resumed = { ...paused, reactivatedOn: day('2026-06-01') };

test('status is a function of the dates and today', () => {
  const table: [Partial<SubscriptionDates>, string, SubscriptionStatus][] = [
    [{}, '2026-02-01', 'no-subscription'],
    [{ startOn }, '2026-01-31', 'scheduled'],
    [{ startOn }, '2026-02-01', 'active'],
    [paused, '2026-03-31', 'scheduled-pause'],
    [paused, '2026-04-01', 'paused'],
    [{ ...paused, resumesOn: day('2026-06-01') }, '2026-05-31', 'paused'],
    [{ ...paused, resumesOn: day('2026-06-01') }, '2026-06-01', 'active'],
    // After a resumption the date of the pause stays. Before it, the pause was in effect.
    [resumed, '2026-06-01', 'active'],
    [resumed, '2026-05-31', 'paused'],
    [resumed, '2026-03-31', 'scheduled-pause'],
    // A pause after a reactivation is a new one.
    [{ ...resumed, pausedOn: day('2026-08-01') }, '2026-07-31', 'scheduled-pause'],
    [{ ...resumed, pausedOn: day('2026-08-01') }, '2026-08-01', 'paused'],
    // A known end takes precedence over a planned pause, but not over a pause that has begun or a start in the future.
    [{ ...paused, cancelledOn: day('2026-05-01') }, '2026-03-31', 'scheduled-cancellation'],
    [{ ...paused, cancelledOn: day('2026-05-01') }, '2026-04-30', 'paused'],
    [{ ...paused, cancelledOn: day('2026-05-01') }, '2026-05-01', 'cancelled'],
    [{ startOn, cancelledOn: day('2026-05-01') }, '2026-01-31', 'scheduled'],
    // Cancelled before it started, and subscribed again.
    [{ cancelledOn: day('2026-01-20') }, '2026-01-20', 'cancelled'],
    [{ startOn, reactivatedOn: startOn }, '2026-01-31', 'scheduled'],
    [{ startOn, reactivatedOn: startOn, pausedOn: day('2025-05-01') }, '2026-02-01', 'active'],
  ];
  for (const [dates, today, status] of table) {
    const named = `${today} ${Object.entries(dates).join(' ')}`;
    assert.equal(statusOf({ ...nothing, ...dates }, day(today)), status, named);
    const hasTicket = ['active', 'scheduled-pause', 'scheduled-cancellation'].includes(status);
    assert.equal(ticketDue({ ...nothing, ...dates }, day(today)), hasTicket, named);
  }
});
