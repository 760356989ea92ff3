import { active, runScenarios, steps } from '../../../test/support/domain/scenario.ts';

runScenarios({
  'parental leave from the middle of a month to the middle of another, known on the 10th': steps`
    ${active}
    2026-11-10 | absences=2026-11-15/2027-03-14 | scheduled-pause start=2026-02-01 pause=2026-12-01 resume=2027-03-01 next=2027-03-01
    2026-11-30 | | scheduled-pause start=2026-02-01 pause=2026-12-01 resume=2027-03-01 next=2027-03-01
    2026-12-01 | | paused start=2026-02-01 pause=2026-12-01 resume=2027-03-01 next=2027-03-01
    2027-02-28 | | paused start=2026-02-01 pause=2026-12-01 resume=2027-03-01 next=2027-03-01
    2027-03-01 | | active start=2026-02-01 pause=2026-12-01 again=2027-03-01 next=2027-04-01
  `,
  'the same, known on the 11th': steps`
    ${active}
    2026-11-11 | absences=2026-11-15/2027-03-14 | scheduled-pause start=2026-02-01 pause=2027-01-01 resume=2027-03-01 next=2026-12-01
    2026-12-15 | | scheduled-pause start=2026-02-01 pause=2027-01-01 resume=2027-03-01 next=2027-03-01
    2027-01-01 | | paused start=2026-02-01 pause=2027-01-01 resume=2027-03-01 next=2027-03-01
  `,
  'a single month, known too late, is not paused': steps`
    ${active}
    2026-11-11 | absences=2026-12-01/2026-12-31 | active start=2026-02-01 next=2026-12-01
  `,
  'a single month, known in time, stays paused when the cut-off has passed': steps`
    ${active}
    2026-11-10 | absences=2026-12-01/2026-12-31 | scheduled-pause start=2026-02-01 pause=2026-12-01 resume=2027-01-01 next=2027-01-01
    2026-11-30 | autoSubscribe=true | scheduled-pause start=2026-02-01 pause=2026-12-01 resume=2027-01-01 next=2027-01-01
  `,
  'adjacent absences form one pause; absences that are not approved do not count': steps`
    ${active}
    2026-03-02 | absences=2026-04-01/2026-04-15,2026-04-16/2026-05-31? | active start=2026-02-01 next=2026-04-01
    2026-03-03 | absences=2026-04-01/2026-04-15,2026-04-16/2026-05-31 | scheduled-pause start=2026-02-01 pause=2026-04-01 resume=2026-06-01 next=2026-06-01
  `,
  'open end: paused until an end is known': steps`
    ${active}
    2026-03-02 | absences=2026-03-15/ | scheduled-pause start=2026-02-01 pause=2026-04-01
    2026-08-20 | | paused start=2026-02-01 pause=2026-04-01
    2026-08-21 | absences=2026-03-15/2026-09-15 | paused start=2026-02-01 pause=2026-04-01 resume=2026-09-01 next=2026-09-01
    2026-09-01 | | active start=2026-02-01 pause=2026-04-01 again=2026-09-01 next=2026-10-01
  `,
  'two absences: the second pause is planned when the first ends': steps`
    ${active}
    2026-03-02 | absences=2026-04-01/2026-04-30,2026-06-01/2026-06-30 | scheduled-pause start=2026-02-01 pause=2026-04-01 resume=2026-05-01 next=2026-05-01
    2026-05-01 | | scheduled-pause start=2026-02-01 pause=2026-06-01 resume=2026-07-01 again=2026-05-01 next=2026-07-01
    2026-06-01 | | paused start=2026-02-01 pause=2026-06-01 resume=2026-07-01 again=2026-05-01 next=2026-07-01
    2026-07-01 | | active start=2026-02-01 pause=2026-06-01 again=2026-07-01 next=2026-08-01
  `,
  'February of a leap year counts with its 29th': steps`
    ${active}
    2028-01-03 | absences=2028-02-01/2028-02-28 | active start=2026-02-01 next=2028-02-01
    2028-01-04 | absences=2028-02-01/2028-02-29 | scheduled-pause start=2026-02-01 pause=2028-02-01 resume=2028-03-01 next=2028-03-01
  `,
  'absence withdrawn before the pause': steps`
    ${active}
    2026-11-10 | absences=2026-12-01/2026-12-31 | scheduled-pause start=2026-02-01 pause=2026-12-01 resume=2027-01-01 next=2027-01-01
    2026-11-30 | absences=2026-12-01/2026-12-31? | active start=2026-02-01 next=2026-12-01
  `,
  'absence withdrawn during the pause: resumes with the next month, without cut-off': steps`
    ${active}
    2026-11-10 | absences=2026-12-01/2027-05-31 | scheduled-pause start=2026-02-01 pause=2026-12-01 resume=2027-06-01 next=2027-06-01
    2026-12-31 | absences= | paused start=2026-02-01 pause=2026-12-01 resume=2027-01-01 next=2027-01-01
    2027-01-01 | | active start=2026-02-01 pause=2026-12-01 again=2027-01-01 next=2027-02-01
  `,
  'a pause is extended without cut-off': steps`
    ${active}
    2026-11-10 | absences=2026-12-01/2026-12-31 | scheduled-pause start=2026-02-01 pause=2026-12-01 resume=2027-01-01 next=2027-01-01
    2026-12-31 | absences=2026-12-01/2027-01-31 | paused start=2026-02-01 pause=2026-12-01 resume=2027-02-01 next=2027-02-01
  `,
});
