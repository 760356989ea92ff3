import { contractPlan, runScenarios, steps } from '../../../test/support/domain/scenario.ts';

runScenarios({
  'start: employed from the first of a month': steps`
    2026-11-14 | autoSubscribe=true employedFrom=2027-01-01 | scheduled start=2027-01-01 next=2027-01-01
  `,
  'start: employed from the second of a month': steps`
    2026-11-14 | autoSubscribe=true employedFrom=2027-01-02 | scheduled start=2027-02-01 next=2027-02-01
  `,
  'start: employed from the last day of a month': steps`
    2027-02-03 | autoSubscribe=true employedFrom=2028-02-29 | scheduled start=2028-03-01 next=2028-03-01
  `,
  'start: already employed, next month at the earliest, whatever the cut-off': steps`
    2026-12-31 | autoSubscribe=true employedFrom=2020-05-04 | scheduled start=2027-01-01 next=2027-01-01
    2027-01-01 | | active start=2027-01-01 next=2027-02-01
  `,
  'start: employed from today, the first': steps`
    2026-11-01 | autoSubscribe=true employedFrom=2026-11-01 | scheduled start=2026-12-01 next=2026-12-01
  `,
  'start: follows the first day of work when that changes': steps`
    2026-11-14 | autoSubscribe=true employedFrom=2027-01-01 | scheduled start=2027-01-01 next=2027-01-01
    2026-11-15 | employedFrom=2027-02-15 | scheduled start=2027-03-01 next=2027-03-01
    2026-11-16 | employedFrom=null | scheduled start=2026-12-01 next=2026-12-01
  `,
  'start: not requested': steps`
    2026-11-14 | employedFrom=2027-01-01 absences=2027-01-01/ | no-subscription
    2026-11-15 | autoSubscribe=false | no-subscription
  `,
  'first month completely covered: starts in the first that is not': steps`
    2026-11-14 | autoSubscribe=true absences=2026-11-20/2027-02-10 | scheduled start=2027-02-01 next=2027-02-01
    # The absence is withdrawn, so the start moves back.
    2026-11-20 | absences= | scheduled start=2026-12-01 next=2026-12-01
  `,
  'first month covered without an end: the start is postponed until an end is known': steps`
    2026-11-14 | autoSubscribe=true absences=2026-11-01/ | scheduled start=2026-12-01
    2026-12-01 | | scheduled start=2027-01-01
    2027-02-15 | | scheduled start=2027-03-01
    2027-02-16 | absences=2026-11-01/2027-04-30 | scheduled start=2027-05-01 next=2027-05-01
    2027-05-01 | | active start=2027-05-01 next=2027-06-01
  `,
  'contract pending over months, then accepted': {
    settings: contractPlan,
    steps: steps`
    2026-11-14 | autoSubscribe=true | scheduled start=2026-12-01 contract=pending
    2026-12-01 | | scheduled start=2027-01-01 contract=pending
    2027-01-31 | | scheduled start=2027-02-01 contract=pending
    2027-02-01 | | scheduled start=2027-03-01 contract=pending
    2027-02-28 | contract-accepted | scheduled start=2027-03-01 next=2027-03-01 contract=accepted
    2027-03-01 | | active start=2027-03-01 next=2027-04-01 contract=accepted
  `,
  },
  'contract rejected: cancelled today, and not subscribed again by a roster': {
    settings: contractPlan,
    steps: steps`
    2026-11-14 | autoSubscribe=true | scheduled start=2026-12-01 contract=pending
    2026-11-20 | contract-rejected | cancelled end=2026-11-20 contract=rejected
    2026-11-21 | autoSubscribe=true | cancelled end=2026-11-20 contract=rejected
    2026-11-22 | autoSubscribe=false | cancelled end=2026-11-20 contract=rejected
    2026-11-23 | autoSubscribe=true | cancelled end=2026-11-20 contract=rejected
  `,
  },
  'contract pending until no month is left before the termination': {
    settings: contractPlan,
    steps: steps`
    2026-11-14 | autoSubscribe=true terminationDate=2027-01-31 | scheduled start=2026-12-01 end=2027-02-01 contract=pending
    2026-12-01 | | scheduled start=2027-01-01 end=2027-02-01 contract=pending
    2027-01-01 | | cancelled end=2027-01-01 contract=pending
  `,
  },
});
