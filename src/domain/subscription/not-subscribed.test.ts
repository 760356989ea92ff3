import { contractPlan, runScenarios, steps } from '../../../test/support/domain/scenario.ts';

runScenarios(
  {
    'no subscription: autoSyncEmployee is false, then null': steps`
      2026-11-14 | autoSubscribe=false | not-subscribed-opted-out No subscription: the employee is opted out in the HR system.
      2026-11-15 | autoSubscribe=false |
      2026-11-16 | autoSubscribe=null | not-subscribed-not-requested No subscription: the HR system does not specify whether to subscribe this employee, and no user has subscribed them.
      2026-11-17 | |
      2026-11-18 | subscribe | start-next-month Starts on 1 December 2026, with the next whole month.
    `,
    'no subscription: employees join by themselves, and the roster subscribes nobody': {
      settings: { joining: 'employee' },
      steps: steps`
      2026-11-14 | autoSubscribe=true | not-subscribed-not-requested No subscription: the employee has not joined yet, and no user has subscribed them.
      2026-11-15 | autoSubscribe=true |
      2026-11-16 | subscribe | start-next-month Starts on 1 December 2026, with the next whole month.
      2026-11-17 | autoSubscribe=false | end-without-ticket Opted out in the HR system: no ticket is running or planned, so it ends today.
      2026-11-18 | autoSubscribe=true | not-subscribed-not-requested No subscription: the employee has not joined yet, and no user has subscribed them.
    `,
    },
    'employees join by themselves: the roster restarts nobody, and takes no end back': {
      settings: { joining: 'employee' },
      steps: steps`
      2026-01-20 | subscribe | start-next-month Starts on 1 February 2026, with the next whole month.
      2026-02-01 | | start-has-come The subscription starts as planned on 1 February 2026.
      2026-02-05 | cancel | end-at-earliest Cancelled by the company: ends after 28 February 2026, with the current month's ticket.
      2026-02-06 | autoSubscribe=true |
      2026-03-01 | | end-has-come The subscription has ended as planned after 28 February 2026.
      2026-03-02 | autoSubscribe=true |
    `,
    },
    'no subscription: the roster and employees ask': {
      settings: { joining: 'both' },
      steps: steps`
      2026-11-14 | autoSubscribe=null | not-subscribed-not-requested No subscription: the employee has not joined yet, and no user has subscribed them.
      2026-11-15 | autoSubscribe=true | start-next-month Starts on 1 December 2026, with the next whole month.
    `,
    },
    'no subscription: employment ends before the first possible month': steps`
      2026-11-14 | autoSubscribe=true terminationDate=2026-11-30 | not-subscribed-employment-ends No subscription: employment ends on 30 November 2026, before the first possible ticket on 1 December 2026.
      2026-12-20 | autoSubscribe=true |
    `,
    'no subscription: employment ends within an absence without an end': steps`
      2026-11-14 | autoSubscribe=true terminationDate=2027-06-30 absences=2026-11-01/ | not-subscribed-employment-ends No subscription: absent without a known end, and employment ends on 30 June 2027.
    `,
    'no new subscription: back in the roster, but employment ends too soon': steps`
      2026-01-20 | autoSubscribe=true | start-next-month Starts on 1 February 2026, with the next whole month.
      2026-01-21 | offboarded=true | end-without-ticket No longer in the roster: no ticket is running or planned, so it ends today.
      2026-01-22 | offboarded=false terminationDate=2026-01-31 | not-subscribed-employment-ends No subscription: employment ends on 31 January 2026, before the first possible ticket on 1 February 2026.
    `,
    'no new subscription: the end already explains it': {
      settings: contractPlan,
      steps: steps`
      2026-11-14 | autoSubscribe=true | start-next-month Starts on 1 December 2026, with the next whole month.
      2026-11-15 | contract-rejected | end-without-ticket The contract is rejected: no ticket is running or planned, so it ends today.
      2026-11-16 | autoSubscribe=true |
      2026-11-17 | terminationDate=2026-11-30 |
      2026-11-18 | autoSubscribe=false terminationDate=null |
      2026-11-19 | autoSubscribe=true | not-subscribed-ended-by-employee No new subscription: the employee ended it. Only they restart it, or the company with their consent.
      2026-11-20 | autoSubscribe=true |
    `,
    },
  },
  ({ changes }) => changes.map(({ rule }) => `${rule.id} ${rule.sentence}`).join('; '),
);
