import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import fc from 'fast-check';
import { type Day, firstOfMonth, firstOfNextMonth, isBefore } from '../../../src/domain/calendar.ts';
import { derivePlan, type EmployeeState, emptyEmployee, listPossibleDecisions } from '../../../src/domain/employee.ts';
import { de } from '../../../src/domain/messages/de.ts';
import { formatMessage, type Message, type MessageKey } from '../../../src/domain/messages/message.ts';
import { advance } from '../../../src/domain/subscription/advance.ts';
import type { Change } from '../../../src/domain/subscription/changes.ts';
import {
  type Facts,
  isRunning,
  type Settings,
  type Subscription,
} from '../../../src/domain/subscription/subscription.ts';
import { type Answer, composeAnswer, nextSteps } from '../../../src/features/employees/rules/answer.ts';
import { runsOf } from '../../support/domain/runs.ts';
import { contractPlan, day, runScenario, type Scenario, steps } from '../../support/domain/scenario.ts';
import { runTimeline, timeline } from '../../support/domain/timeline.ts';

const profile = { ...emptyEmployee(contractPlan).profile, firstName: 'Sabine', lastName: 'Weber' };
const prices = [
  { validFrom: day('2020-01-01'), listCents: 6300, taxPercent: 7, discountPercent: 5, discountSharePercent: 25 },
];
const link = { createdOn: day('2026-11-16'), expiresOn: day('2026-12-16') };

const employeeOf = (subscription: Subscription, facts: Facts, today: Day): EmployeeState =>
  derivePlan(emptyEmployee(subscription), { profile, facts, setByHand: [] }, { subscription, changes: [] }, today)
    .employee;

interface Known {
  tickets: readonly Day[];
  settings: Settings;
  changes?: readonly Change[];
  isLinked?: boolean;
  isInvited?: boolean;
}

const answerTo = (
  { subscription, facts, today }: { subscription: Subscription; facts: Facts; today: Day },
  { tickets, settings, changes = [], isLinked = false, isInvited = false }: Known,
): Answer => {
  const employee = employeeOf(subscription, facts, today);
  const lastIssued = tickets.at(-1) ?? null;
  return composeAnswer(employee, {
    today,
    decisions: listPossibleDecisions(employee, today, settings),
    joining: settings.joining,
    invitedOn: isInvited ? day('2026-11-14') : null,
    lastIssued,
    lastDeducted: settings.planType === 'fully-subsidized-plan' ? null : lastIssued,
    changes: changes.map(({ cause, rule, effectiveOn }) => ({
      cause,
      rule: rule.id,
      effectiveOn: effectiveOn.toString(),
    })),
    prices,
    link: isLinked ? link : null,
  });
};

const longDate = new Intl.DateTimeFormat('de-DE', { dateStyle: 'long', timeZone: 'UTC' });
const inGerman = ({ key, values }: Message): string =>
  de[key].replaceAll(/\{(\w+)(?::(\w+))?\}/g, (all, name: string, kind?: string) => {
    const value = String(values[name] ?? all);
    if (kind === 'text') return inGerman({ key: value as MessageKey, values });
    if (kind !== 'date' && kind !== 'lastDay') return value;
    const shown = kind === 'date' ? day(value) : day(value).subtract({ days: 1 });
    return longDate.format(Date.parse(shown.toString()));
  });

const lines = ({ sentence, reasons, lastTicket, lastDeduction, nextStep }: Answer) => [
  inGerman(sentence),
  ...reasons.map(inGerman),
  ...(lastTicket ? [`Letztes Ticket ${lastTicket.toPlainYearMonth()}.`] : []),
  ...(lastDeduction ? [`Letzter Abzug ${lastDeduction.toPlainYearMonth()}.`] : []),
  ...(nextStep ? [`[${nextStep}]`] : []),
];

const usual: Settings = {
  cutOffDay: 10,
  planType: 'fully-subsidized-plan',
  contributionCents: null,
  joining: 'roster',
};

/** Returns the firsts of months after one day, up to another. */
function monthsBetween(after: Day, last: Day): Day[] {
  const months: Day[] = [];
  for (let month = firstOfNextMonth(after); !isBefore(last, month); month = firstOfNextMonth(month)) months.push(month);
  return months;
}

/** Runs a scenario, and returns the answer after each step. Tickets are issued on the firsts of the months between. */
function answersIn({ settings, steps: given }: Scenario, about: Pick<Known, 'isLinked' | 'isInvited'>): string[] {
  const company = { ...usual, ...settings };
  const tickets: Day[] = [];
  const changes: Change[] = [];
  let known: { subscription: Subscription; facts: Facts; today: Day } | undefined;
  return runScenario({ settings: company, steps: given }).map((result) => {
    const { subscription, facts, today } = known ?? result;
    for (const month of monthsBetween(today, result.today)) {
      if (isRunning(advance(subscription, facts, month).subscription.status)) tickets.push(month);
    }
    known = result;
    changes.push(...result.changes);
    return lines(answerTo(result, { tickets, settings: company, changes, ...about })).join(' ');
  });
}

/** The beginning of most cases: subscribed in January 2026, with tickets since February. */
const active = steps`
  2026-01-20 | autoSubscribe=true | Sabine Weber bekommt das Ticket ab 1. Februar 2026. Das Abo beginnt mit dem nächsten vollen Monat.
  2026-02-01 | | Sabine Weber hat das Ticket, nächstes zum 1. März 2026. Im Abo seit 1. Februar 2026.
`;
const pending = 'Sabine Weber bekommt das Ticket, sobald die Vereinbarung unterschrieben ist, frühestens zum';
const unsent = 'Die Vereinbarung ist offen, und es gibt keinen gültigen Link zum Unterschreiben.';
const begun = steps`
  2026-01-20 | autoSubscribe=true | ${pending} 1. Februar 2026. ${unsent} [send-link]
  2026-01-21 | contract-accepted | Sabine Weber bekommt das Ticket ab 1. Februar 2026. Das Abo beginnt mit dem nächsten vollen Monat.
  2026-02-01 | | Sabine Weber hat das Ticket, nächstes zum 1. März 2026. Im Abo seit 1. Februar 2026.
`;

const cases: Record<string, Scenario & Pick<Known, 'isLinked' | 'isInvited'>> = {
  'never subscribed: can join, and is not invited': {
    settings: { joining: 'employee' },
    steps: steps`
      2026-11-14 | autoSubscribe=true | Sabine Weber hat kein Ticket. Kein Abo: Die Person ist noch nicht beigetreten, und es wurde keines manuell abgeschlossen. [invite]
    `,
  },
  'never subscribed: invited to join': {
    settings: { joining: 'both' },
    isInvited: true,
    steps: steps`
      2026-11-16 | autoSubscribe=null | Sabine Weber hat kein Ticket. Kein Abo: Die Person ist noch nicht beigetreten, und es wurde keines manuell abgeschlossen. Am 14. November 2026 zum Beitritt eingeladen, noch nicht entschieden. [subscribe]
    `,
  },
  'never subscribed: opted out, then not requested': {
    steps: steps`
      2026-11-14 | autoSubscribe=false | Sabine Weber hat kein Ticket. Kein Abo: Im HR-System ist die Person abgewählt. [fix-roster]
      2026-11-16 | autoSubscribe=null | Sabine Weber hat kein Ticket. Kein Abo: Das HR-System macht dazu keine Angabe, und es wurde keines manuell abgeschlossen. [subscribe]
    `,
  },
  'never subscribed: employment ends too soon, with and without a known start': {
    steps: steps`
      2026-11-14 | autoSubscribe=true terminationDate=2026-11-30 | Sabine Weber hat kein Ticket. Kein Abo, denn die Beschäftigung endet am 30. November 2026, vor dem ersten möglichen Ticket am 1. Dezember 2026.
      2026-11-16 | terminationDate=2027-06-30 absences=2026-11-01/ | Sabine Weber hat kein Ticket. Kein Abo: Die Person ist ohne bekanntes Ende abwesend, und die Beschäftigung endet am 30. Juni 2027.
    `,
  },
  'starts later: next month, with the first day of work, after an absence, after one without an end': {
    steps: steps`
      2026-11-14 | autoSubscribe=true | Sabine Weber bekommt das Ticket ab 1. Dezember 2026. Das Abo beginnt mit dem nächsten vollen Monat.
      2026-11-15 | employedFrom=2027-01-15 | Sabine Weber bekommt das Ticket ab 1. Februar 2027. Erster Arbeitstag ist der 15. Januar 2027.
      2026-11-16 | employedFrom=null absences=2026-11-01/2026-12-31 | Sabine Weber bekommt das Ticket ab 1. Januar 2027. Abwesend vom 1. November 2026 bis 31. Dezember 2026.
      2026-11-17 | absences=2026-11-01/ | Sabine Weber bekommt das Ticket nach der Abwesenheit. Abwesend ab 1. November 2026, Ende offen.
      2026-12-01 | | Sabine Weber bekommt das Ticket nach der Abwesenheit. Abwesend ab 1. November 2026, Ende offen.
      2026-12-02 | absences= terminationDate=2027-03-15 | Sabine Weber bekommt das Ticket ab 1. Januar 2027. Das Abo beginnt mit dem nächsten vollen Monat. Das Abo endet am 31. März 2027. Grund: Die Beschäftigung endet am 15. März 2027. Letztes Ticket 2027-03.
    `,
  },
  'without consent: no link, postponed on the first, absent as well, with an end, then accepted': {
    settings: contractPlan,
    steps: steps`
      2026-11-14 | autoSubscribe=true | ${pending} 1. Dezember 2026. ${unsent} [send-link]
      2026-12-01 | | ${pending} 1. Januar 2027. ${unsent} [send-link]
      2026-12-02 | absences=2026-12-01/ | ${pending} 1. Januar 2027. ${unsent} Abwesend ab 1. Dezember 2026, Ende offen. [send-link]
      2026-12-03 | absences= terminationDate=2027-03-15 | ${pending} 1. Januar 2027. ${unsent} Das Abo endet am 31. März 2027. Grund: Die Beschäftigung endet am 15. März 2027. [send-link]
      2026-12-04 | contract-accepted | Sabine Weber bekommt das Ticket ab 1. Januar 2027. Das Abo beginnt mit dem nächsten vollen Monat. Das Abo endet am 31. März 2027. Grund: Die Beschäftigung endet am 15. März 2027. Letztes Ticket 2027-03. Letzter Abzug 2027-03.
    `,
  },
  'without consent: the link is out': {
    settings: contractPlan,
    isLinked: true,
    steps: steps`
      2026-11-20 | autoSubscribe=true employedFrom=2027-02-01 | ${pending} 1. Februar 2027. Die Vereinbarung ist offen. Der Link zum Unterschreiben ist vom 16. November 2026 und gilt bis 16. Dezember 2026. Erster Arbeitstag ist der 1. Februar 2027. [record-consent]
    `,
  },
  'rejected: before the start, and while tickets run': {
    settings: contractPlan,
    steps: steps`
      2026-01-20 | autoSubscribe=true | ${pending} 1. Februar 2026. ${unsent} [send-link]
      2026-01-21 | contract-rejected | Sabine Weber hat kein Ticket: Das Abo endete vor dem ersten. Grund für das Ende: Die Vereinbarung ist abgelehnt. [subscribe]
      2026-01-22 | subscribe | ${pending} 1. Februar 2026. ${unsent} [send-link]
      2026-01-23 | contract-accepted | Sabine Weber bekommt das Ticket ab 1. Februar 2026. Das Abo beginnt mit dem nächsten vollen Monat.
      2026-02-05 | contract-rejected | Sabine Weber hat das Ticket noch bis 28. Februar 2026. Grund für das Ende: Die Vereinbarung ist abgelehnt. Letztes Ticket 2026-02. Letzter Abzug 2026-02.
      2026-03-01 | | Sabine Weber hat seit 1. März 2026 kein Ticket mehr. Grund für das Ende: Die Vereinbarung ist abgelehnt. Letztes Ticket 2026-02. Letzter Abzug 2026-02. [subscribe]
    `,
  },
  'paused by an absence: planned, begun, continued, over': {
    steps: steps`
      ${active}
      2026-03-05 | absences=2026-04-01/2026-05-31 | Sabine Weber hat das Ticket noch bis 31. März 2026, danach pausiert das Abo bis zum nächsten Ticket am 1. Juni 2026. Abwesend vom 1. April 2026 bis 31. Mai 2026.
      2026-03-12 | absences=2026-04-01/ | Sabine Weber hat das Ticket noch bis 31. März 2026, danach pausiert das Abo bis auf Weiteres. Abwesend ab 1. April 2026, Ende offen.
      2026-04-01 | | Das Abo von Sabine Weber pausiert bis auf Weiteres. Abwesend ab 1. April 2026, Ende offen.
      2026-04-20 | absences=2026-04-01/2026-06-10,2026-06-11/2026-06-30 | Das Abo von Sabine Weber pausiert bis zum nächsten Ticket am 1. Juli 2026. Abwesend vom 1. April 2026 bis 30. Juni 2026.
      2026-04-21 | absences= | Das Abo von Sabine Weber pausiert bis zum nächsten Ticket am 1. Mai 2026. Für die Pause gibt es keinen Grund mehr.
      2026-05-01 | | Sabine Weber hat das Ticket, nächstes zum 1. Juni 2026. Im Abo seit 1. Februar 2026.
    `,
  },
  'paused by hand, until it is resumed': {
    steps: steps`
      ${active}
      2026-03-05 | pause | Sabine Weber hat das Ticket noch bis 31. März 2026, danach pausiert das Abo bis auf Weiteres. Das Unternehmen hat das Abo pausiert.
      2026-04-01 | | Das Abo von Sabine Weber pausiert bis auf Weiteres. Das Unternehmen hat das Abo pausiert. [resume]
      2026-04-02 | resume | Das Abo von Sabine Weber pausiert bis zum nächsten Ticket am 1. Mai 2026. Das Unternehmen hat das Abo pausiert.
    `,
  },
  'paused until the first day of work': {
    steps: steps`
      ${active}
      2026-03-05 | employedFrom=2026-06-15 | Sabine Weber hat das Ticket noch bis 31. März 2026, danach pausiert das Abo bis zum nächsten Ticket am 1. Juli 2026. Erster Arbeitstag ist der 15. Juni 2026.
      2026-04-01 | | Das Abo von Sabine Weber pausiert bis zum nächsten Ticket am 1. Juli 2026. Erster Arbeitstag ist der 15. Juni 2026.
    `,
  },
  'ends with employment: in time, too late, and ended': {
    settings: contractPlan,
    steps: steps`
      ${begun}
      2026-03-05 | terminationDate=2026-05-15 | Sabine Weber hat das Ticket noch bis 31. Mai 2026. Grund für das Ende: Die Beschäftigung endet am 15. Mai 2026. Letztes Ticket 2026-05. Letzter Abzug 2026-05.
      2026-05-01 | | Sabine Weber hat das Ticket noch bis 31. Mai 2026. Grund für das Ende: Die Beschäftigung endet am 15. Mai 2026. Letztes Ticket 2026-05. Letzter Abzug 2026-05.
      2026-05-12 | terminationDate=2026-04-30 | Sabine Weber hat das Ticket noch bis 31. Mai 2026. Die Beschäftigung endete am 30. April 2026. Das wurde nach dem Stichtag gemeldet, deshalb endet das Abo erst am 31. Mai 2026. Letztes Ticket 2026-05. Letzter Abzug 2026-05.
      2026-05-13 | terminationDate=2026-05-31 | Sabine Weber hat das Ticket noch bis 31. Mai 2026. Grund für das Ende: Die Beschäftigung endet am 31. Mai 2026. Letztes Ticket 2026-05. Letzter Abzug 2026-05.
      2026-06-01 | | Sabine Weber hat seit 1. Juni 2026 kein Ticket mehr. Grund für das Ende: Die Beschäftigung endete am 31. Mai 2026. Letztes Ticket 2026-05. Letzter Abzug 2026-05.
      2026-06-02 | terminationDate=null | ${pending} 1. Juli 2026. ${unsent} [send-link]
    `,
  },
  'ends with employment, reported after the cut-off': {
    steps: steps`
      ${active}
      2026-03-12 | terminationDate=2026-03-20 | Sabine Weber hat das Ticket noch bis 30. April 2026. Die Beschäftigung endet am 20. März 2026. Das wurde nach dem Stichtag gemeldet, deshalb endet das Abo erst am 30. April 2026. Letztes Ticket 2026-04.
      2026-03-25 | | Sabine Weber hat das Ticket noch bis 30. April 2026. Die Beschäftigung endete am 20. März 2026. Das wurde nach dem Stichtag gemeldet, deshalb endet das Abo erst am 30. April 2026. Letztes Ticket 2026-04.
      2026-05-01 | | Sabine Weber hat seit 1. Mai 2026 kein Ticket mehr. Grund für das Ende: Die Beschäftigung endete am 20. März 2026. Letztes Ticket 2026-04.
    `,
  },
  'paused by themselves, and restarted while the pause holds': {
    steps: steps`
      ${active}
      2026-03-05 | employee pause | Sabine Weber hat das Ticket noch bis 31. März 2026, danach pausiert das Abo bis auf Weiteres. Die Person hat das Abo pausiert.
      2026-03-06 | cancel | Sabine Weber hat das Ticket noch bis 31. März 2026. Die Person hat das Abo pausiert. Grund für das Ende: Vom Unternehmen beendet. Letztes Ticket 2026-03.
      2026-04-05 | subscribe | Sabine Weber bekommt das Ticket nach dem Ende der Pause. Die Person hat das Abo pausiert.
    `,
  },
  'starts in the month that was asked for': {
    settings: { joining: 'both' },
    steps: steps`
      2026-01-20 | employee subscribe from=2026-04-01 | Sabine Weber bekommt das Ticket ab 1. April 2026. Der Beginn ist so gewünscht.
    `,
  },
  'ends on request, although employment ends later': {
    settings: contractPlan,
    steps: steps`
      ${begun}
      2026-03-05 | terminationDate=2026-12-31 | Sabine Weber hat das Ticket noch bis 31. Dezember 2026. Grund für das Ende: Die Beschäftigung endet am 31. Dezember 2026. Letztes Ticket 2026-12. Letzter Abzug 2026-12.
      2026-03-06 | cancel | Sabine Weber hat das Ticket noch bis 31. März 2026. Grund für das Ende: Vom Unternehmen beendet. Letztes Ticket 2026-03. Letzter Abzug 2026-03.
      2026-04-01 | | Sabine Weber hat seit 1. April 2026 kein Ticket mehr. Grund für das Ende: Vom Unternehmen beendet. Letztes Ticket 2026-03. Letzter Abzug 2026-03. [subscribe]
      2026-04-02 | subscribe | ${pending} 1. Mai 2026. ${unsent} Das Abo endet am 31. Dezember 2026. Grund: Die Beschäftigung endet am 31. Dezember 2026. [send-link]
    `,
  },
  'ends because the roster says so': {
    steps: steps`
      ${active}
      2026-03-05 | autoSubscribe=false | Sabine Weber hat das Ticket noch bis 31. März 2026. Grund für das Ende: Im HR-System abgewählt. Letztes Ticket 2026-03.
      2026-04-01 | | Sabine Weber hat seit 1. April 2026 kein Ticket mehr. Grund für das Ende: Im HR-System abgewählt. Letztes Ticket 2026-03. [fix-roster]
    `,
  },
  'ends with a pause before: without another ticket, and with some': {
    settings: contractPlan,
    steps: steps`
      ${begun}
      2026-03-05 | terminationDate=2026-08-31 absences=2026-05-01/ | Sabine Weber hat das Ticket noch bis 30. April 2026. Abwesend ab 1. Mai 2026, Ende offen. Das Abo endet am 31. August 2026. Grund: Die Beschäftigung endet am 31. August 2026. Letztes Ticket 2026-04. Letzter Abzug 2026-04.
      2026-05-01 | | Das Abo von Sabine Weber pausiert und endet am 31. August 2026, ohne weiteres Ticket. Abwesend ab 1. Mai 2026, Ende offen. Grund für das Ende: Die Beschäftigung endet am 31. August 2026. Letztes Ticket 2026-04. Letzter Abzug 2026-04.
      2026-05-02 | absences=2026-05-01/2026-06-30 | Das Abo von Sabine Weber pausiert bis zum nächsten Ticket am 1. Juli 2026. Abwesend vom 1. Mai 2026 bis 30. Juni 2026. Das Abo endet am 31. August 2026. Grund: Die Beschäftigung endet am 31. August 2026. Letztes Ticket 2026-08. Letzter Abzug 2026-08.
      2026-07-01 | | Sabine Weber hat das Ticket noch bis 31. August 2026. Grund für das Ende: Die Beschäftigung endet am 31. August 2026. Letztes Ticket 2026-08. Letzter Abzug 2026-08.
    `,
  },
  'ends with two absences before, of which the second is planned when the first is over': {
    steps: steps`
      ${active}
      2026-03-05 | terminationDate=2026-08-31 absences=2026-04-01/2026-05-31,2026-07-01/2026-08-31 | Sabine Weber hat das Ticket noch bis 31. März 2026, danach pausiert das Abo bis zum nächsten Ticket am 1. Juni 2026. Abwesend vom 1. April 2026 bis 31. Mai 2026. Das Abo endet am 31. August 2026. Grund: Die Beschäftigung endet am 31. August 2026. Letztes Ticket 2026-06.
      2026-04-01 | | Das Abo von Sabine Weber pausiert bis zum nächsten Ticket am 1. Juni 2026. Abwesend vom 1. April 2026 bis 31. Mai 2026. Das Abo endet am 31. August 2026. Grund: Die Beschäftigung endet am 31. August 2026. Letztes Ticket 2026-06.
    `,
  },
  'leaves the roster: with a ticket, with a last day, without a ticket': {
    settings: contractPlan,
    steps: steps`
      ${begun}
      2026-03-05 | offboarded=true | Sabine Weber hat das Ticket noch bis 31. März 2026. Grund für das Ende: Nicht mehr auf der Personalliste. Wird am 1. April 2026 aus der Liste der Beschäftigten entfernt. Letztes Ticket 2026-03. Letzter Abzug 2026-03. [fix-roster]
      2026-03-06 | terminationDate=2026-03-31 | Sabine Weber hat das Ticket noch bis 31. März 2026. Grund für das Ende: Die Beschäftigung endet am 31. März 2026. Wird am 1. April 2026 aus der Liste der Beschäftigten entfernt. Letztes Ticket 2026-03. Letzter Abzug 2026-03.
      2026-04-01 | | Sabine Weber steht nicht mehr auf der Personalliste und wird heute entfernt. Letztes Ticket 2026-03. Letzter Abzug 2026-03.
      2026-04-05 | offboarded=false terminationDate=null autoSubscribe=null | Sabine Weber hat seit 1. April 2026 kein Ticket mehr. Grund für das Ende: Nicht mehr auf der Personalliste. Letztes Ticket 2026-03. Letzter Abzug 2026-03. [subscribe]
    `,
  },
  'leaves the roster after the cut-off': {
    steps: steps`
      ${active}
      2026-03-12 | offboarded=true | Sabine Weber hat das Ticket noch bis 30. April 2026. Nicht mehr auf der Personalliste. Das wurde nach dem Stichtag gemeldet, deshalb endet das Abo erst am 30. April 2026. Wird am 1. Mai 2026 aus der Liste der Beschäftigten entfernt. Letztes Ticket 2026-04. [fix-roster]
      2026-03-13 | terminationDate=2026-04-15 | Sabine Weber hat das Ticket noch bis 30. April 2026. Grund für das Ende: Die Beschäftigung endet am 15. April 2026. Wird am 1. Mai 2026 aus der Liste der Beschäftigten entfernt. Letztes Ticket 2026-04.
    `,
  },
  'is removed at once if no ticket is running': {
    steps: steps`
      2026-01-20 | autoSubscribe=true | Sabine Weber bekommt das Ticket ab 1. Februar 2026. Das Abo beginnt mit dem nächsten vollen Monat.
      2026-01-21 | offboarded=true | Sabine Weber steht nicht mehr auf der Personalliste und wird heute entfernt.
      2026-01-22 | offboarded=false terminationDate=2026-01-31 | Sabine Weber hat kein Ticket: Das Abo endete vor dem ersten. Grund für das Ende: Nicht mehr auf der Personalliste. Kein Abo, denn die Beschäftigung endet am 31. Januar 2026, vor dem ersten möglichen Ticket am 1. Februar 2026.
    `,
  },
  'has a new subscription after an end, which ends before it starts': {
    steps: steps`
      ${active}
      2026-03-05 | cancel | Sabine Weber hat das Ticket noch bis 31. März 2026. Grund für das Ende: Vom Unternehmen beendet. Letztes Ticket 2026-03.
      2026-04-05 | subscribe | Sabine Weber bekommt das Ticket ab 1. Mai 2026. Das Abo beginnt mit dem nächsten vollen Monat.
      2026-04-06 | cancel | Sabine Weber hat seit 1. April 2026 kein Ticket mehr. Grund für das Ende: Vom Unternehmen beendet. Letztes Ticket 2026-03. [subscribe]
    `,
  },
};

describe('the answer about an employee', () => {
  for (const [name, { isLinked = false, isInvited = false, ...scenario }] of Object.entries(cases)) {
    it(name, () => {
      assert.deepEqual(
        answersIn(scenario, { isLinked, isInvited }),
        scenario.steps.map(([, , expected]) => expected),
      );
    });
  }

  it('says on the first of a month, before the daily run, that the ticket is still to be issued', () => {
    const { subscription, facts } =
      runScenario({ steps: begun.slice(0, 2), settings: contractPlan })[1] ?? assert.fail();
    const today = day('2026-02-01');
    const answer = answerTo({ subscription, facts, today }, { tickets: [], settings: { ...usual, ...contractPlan } });
    const expected = ['Das Ticket von Sabine Weber für diesen Monat steht noch aus.', 'Im Abo seit 1. Februar 2026.'];
    assert.deepEqual(lines(answer), expected);
  });

  it('has a case for each of its sentences, reasons and steps', () => {
    const all = Object.values(cases)
      .flatMap(({ steps: given }) => given.map(([, , expected]) => expected))
      .join(' ');
    const missing = Object.entries(de).filter(([key, text]) => {
      const pattern = RegExp.escape(text).replaceAll(/\\\{\w+(:|\\x3a)?\w*\\\}/g, '.+');
      return key.startsWith('answer-') && !new RegExp(pattern).test(all);
    });
    assert.deepEqual(missing, [['answer-due', de['answer-due']]]);
    for (const step of nextSteps) assert.ok(all.includes(`[${step}]`), step);
  });
});

/** Returns the months of the next two years that get a ticket if nothing else becomes known. */
const comingMonths = (subscription: Subscription, facts: Facts, today: Day): Day[] =>
  monthsBetween(today, today.add({ years: 2 })).filter((month) =>
    isRunning(advance(subscription, facts, month).subscription.status),
  );

const sentencesWithTicket: readonly MessageKey[] = ['answer-active', 'answer-pausing', 'answer-ends'];

test('the answer is the truth on any day of any life', () => {
  const life = (settings: Settings) => {
    const tickets: Day[] = [];
    let company = settings;
    return {
      settings: (changed: Settings) => {
        company = changed;
      },
      morning: (_before: Subscription, { subscription }: { subscription: Subscription }, _facts: Facts, today: Day) => {
        if (today.day === 1 && isRunning(subscription.status)) tickets.push(today);
      },
      evening: (subscription: Subscription, facts: Facts, today: Day) => {
        if (today.day % 9 !== 1) return;
        const answer = answerTo({ subscription, facts, today }, { tickets, settings: company });
        const { sentence, reasons, nextTicketAt, lastTicket, lastDeduction } = answer;
        const [next = null] = comingMonths(subscription, facts, today);
        const isEnding = subscription.cancelledOn !== null && subscription.status !== 'scheduled';
        const last = comingMonths(subscription, facts, today).at(-1) ?? (isEnding ? tickets.at(-1) : undefined);
        const context = `${today} ${JSON.stringify({ subscription, facts, answer })}`;
        for (const message of [sentence, ...reasons]) {
          assert.doesNotMatch(`${inGerman(message)} ${formatMessage(message)}`, /\{|undefined|null|NaN| {2}/, context);
        }
        if (sentence.key === 'answer-removed') return;
        const hasTicket = tickets.at(-1)?.equals(firstOfMonth(today)) ?? false;
        assert.equal(sentencesWithTicket.includes(sentence.key), hasTicket, context);
        assert.equal(String(nextTicketAt), String(next), context);
        assert.notEqual(reasons.length, 0, context);
        if (subscription.cancelledOn === null) assert.equal(lastTicket, null, context);
        else assert.equal(String(lastTicket), String(last ?? null), context);
        if (sentence.key === 'answer-ends') assert.equal(sentence.values.on, String(last && firstOfNextMonth(last)));
        if (lastTicket !== null && subscription.planType !== 'fully-subsidized-plan' && company === settings) {
          assert.equal(String(lastDeduction), String(lastTicket), context);
        }
      },
    };
  };
  fc.assert(
    fc.property(timeline, (scenario) => runTimeline(scenario, life(scenario.settings))),
    { numRuns: runsOf(150) },
  );
});
