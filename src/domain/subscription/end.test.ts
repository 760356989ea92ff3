import { active, runScenarios, steps } from '../../../test/support/domain/scenario.ts';

runScenarios({
  'leaver known before the cut-off': steps`
    ${active}
    2026-11-10 | terminationDate=2026-11-30 | scheduled-cancellation start=2026-02-01 end=2026-12-01
    2026-11-25 | autoSubscribe=true | scheduled-cancellation start=2026-02-01 end=2026-12-01
    2026-12-01 | | cancelled start=2026-02-01 end=2026-12-01
    2026-12-15 | autoSubscribe=true | cancelled start=2026-02-01 end=2026-12-01
  `,
  'leaver known after the cut-off': steps`
    ${active}
    2026-11-11 | terminationDate=2026-11-30 | scheduled-cancellation start=2026-02-01 end=2027-01-01 next=2026-12-01
    # Known since November: another cut-off passes and changes nothing.
    2026-12-11 | | scheduled-cancellation start=2026-02-01 end=2027-01-01
    2027-01-01 | | cancelled start=2026-02-01 end=2027-01-01
  `,
  'leaver known long before: the first of the month after the last day': steps`
    ${active}
    2026-11-11 | terminationDate=2027-02-28 | scheduled-cancellation start=2026-02-01 end=2027-03-01 next=2026-12-01
    # Postponed, then brought forward too late for January.
    2026-11-12 | terminationDate=2027-03-01 | scheduled-cancellation start=2026-02-01 end=2027-04-01 next=2026-12-01
    2026-12-11 | terminationDate=2026-12-12 | scheduled-cancellation start=2026-02-01 end=2027-02-01 next=2027-01-01
  `,
  'termination withdrawn before and after it took effect': steps`
    ${active}
    2026-11-10 | terminationDate=2026-11-30 | scheduled-cancellation start=2026-02-01 end=2026-12-01
    2026-11-30 | terminationDate=null | active start=2026-02-01 next=2026-12-01
    2026-12-01 | terminationDate=2026-12-01 | scheduled-cancellation start=2026-02-01 end=2027-01-01
    2027-01-05 | terminationDate=null | scheduled start=2027-02-01 again=2027-02-01 next=2027-02-01
  `,
  'autoSyncEmployee null neither withdraws an end nor subscribes again': steps`
    ${active}
    2026-03-02 | autoSubscribe=null | active start=2026-02-01 next=2026-04-01
    2026-03-03 | terminationDate=2026-03-31 | scheduled-cancellation start=2026-02-01 end=2026-04-01
    2026-04-02 | terminationDate=null | cancelled start=2026-02-01 end=2026-04-01
  `,
  'termination takes precedence over autoSyncEmployee': steps`
    2026-11-14 | autoSubscribe=true terminationDate=2026-11-30 | no-subscription
    2026-11-15 | terminationDate=2026-12-01 | scheduled start=2026-12-01 end=2027-01-01 next=2026-12-01
    2026-11-16 | terminationDate=2026-11-30 | cancelled end=2026-11-16
    2026-11-17 | terminationDate=null | scheduled start=2026-12-01 again=2026-12-01 next=2026-12-01
  `,
  'fixed term: start and end known from the beginning': steps`
    2026-11-14 | autoSubscribe=true employedFrom=2027-03-01 terminationDate=2027-04-15 | scheduled start=2027-03-01 end=2027-05-01 next=2027-03-01
    2027-03-01 | | scheduled-cancellation start=2027-03-01 end=2027-05-01 next=2027-04-01
    2027-04-01 | | scheduled-cancellation start=2027-03-01 end=2027-05-01
    2027-05-01 | | cancelled start=2027-03-01 end=2027-05-01
  `,
  'opt-out of a scheduled subscription: today': steps`
    2026-11-14 | autoSubscribe=true | scheduled start=2026-12-01 next=2026-12-01
    2026-11-20 | autoSubscribe=false | cancelled end=2026-11-20
    2026-11-21 | autoSubscribe=true | scheduled start=2026-12-01 again=2026-12-01 next=2026-12-01
  `,
  'opt-out of a paused subscription: today': steps`
    ${active}
    2026-03-10 | absences=2026-04-01/2026-08-31 | scheduled-pause start=2026-02-01 pause=2026-04-01 resume=2026-09-01 next=2026-09-01
    2026-05-20 | autoSubscribe=false | cancelled start=2026-02-01 pause=2026-04-01 end=2026-05-20
    # A new subscription starts in the first month that the absence does not cover.
    2026-05-21 | autoSubscribe=true | scheduled start=2026-09-01 pause=2026-04-01 again=2026-09-01 next=2026-09-01
    2026-09-01 | | active start=2026-09-01 pause=2026-04-01 again=2026-09-01 next=2026-10-01
  `,
  'opt-out of a running subscription, on both sides of the cut-off, and back': steps`
    ${active}
    2026-11-10 | autoSubscribe=false | scheduled-cancellation start=2026-02-01 end=2026-12-01
    2026-11-11 | autoSubscribe=true | active start=2026-02-01 next=2026-12-01
    2026-11-12 | autoSubscribe=false | scheduled-cancellation start=2026-02-01 end=2027-01-01 next=2026-12-01
    # Null leaves the subscription unchanged, and so the planned end.
    2026-12-20 | autoSubscribe=null | scheduled-cancellation start=2026-02-01 end=2027-01-01
    2027-01-01 | | cancelled start=2026-02-01 end=2027-01-01
  `,
  'a known end takes precedence over a planned pause, and the pause still takes effect': steps`
    ${active}
    2026-03-02 | absences=2026-04-01/2026-04-30 terminationDate=2026-06-30 | scheduled-cancellation start=2026-02-01 pause=2026-04-01 resume=2026-05-01 end=2026-07-01 next=2026-05-01
    2026-04-01 | | paused start=2026-02-01 pause=2026-04-01 resume=2026-05-01 end=2026-07-01 next=2026-05-01
    2026-05-01 | | scheduled-cancellation start=2026-02-01 pause=2026-04-01 end=2026-07-01 again=2026-05-01 next=2026-06-01
    2026-07-01 | | cancelled start=2026-02-01 pause=2026-04-01 end=2026-07-01 again=2026-05-01
  `,
  'absence until the employment ends': steps`
    ${active}
    2026-03-02 | absences=2026-04-01/ terminationDate=2026-06-30 | scheduled-cancellation start=2026-02-01 pause=2026-04-01 end=2026-07-01
    2026-05-15 | | paused start=2026-02-01 pause=2026-04-01 end=2026-07-01
    2026-07-01 | | cancelled start=2026-02-01 pause=2026-04-01 end=2026-07-01
  `,
  'termination during a pause: today, unless tickets are due before it': steps`
    ${active}
    2026-03-02 | absences=2026-04-01/2026-05-31 | scheduled-pause start=2026-02-01 pause=2026-04-01 resume=2026-06-01 next=2026-06-01
    2026-04-15 | terminationDate=2026-07-15 | paused start=2026-02-01 pause=2026-04-01 resume=2026-06-01 end=2026-08-01 next=2026-06-01
    2026-04-16 | terminationDate=null | paused start=2026-02-01 pause=2026-04-01 resume=2026-06-01 next=2026-06-01
    2026-04-17 | terminationDate=2026-05-31 | cancelled start=2026-02-01 pause=2026-04-01 end=2026-04-17
  `,
  'absent from the roster, and back the next day': steps`
    ${active}
    2026-11-10 | offboarded=true | scheduled-cancellation start=2026-02-01 end=2026-12-01
    2026-11-11 | offboarded=false | active start=2026-02-01 next=2026-12-01
    2026-11-12 | offboarded=true | scheduled-cancellation start=2026-02-01 end=2027-01-01 next=2026-12-01
    2027-01-01 | | cancelled start=2026-02-01 end=2027-01-01
    2027-02-27 | offboarded=false | scheduled start=2027-03-01 again=2027-03-01 next=2027-03-01
  `,
});
