import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type PlannedDocument, planDocuments, type SubscriptionSnapshot } from '../../../src/domain/documents.ts';
import { noSubscription } from '../../../src/domain/subscription/subscription.ts';
import { nextTicketOn } from '../../../src/domain/subscription/tickets.ts';
import { contentOf } from '../../../src/features/documents/content-of.ts';
import { composeDocument, type DocumentLayout } from '../../../src/features/documents/pdf/compose.ts';
import { runsOf } from '../../support/domain/runs.ts';
import { absence, contractPlan, day, runScenario, type Scenario } from '../../support/domain/scenario.ts';
import { runTimeline, timeline } from '../../support/domain/timeline.ts';

const profile = {
  firstName: 'Anna',
  lastName: 'Müller',
  email: 'a@example.com',
  dateOfBirth: null,
  profileImage: null,
  personnelNumber: null,
  group: null,
};

function write(
  snapshot: SubscriptionSnapshot,
  document: PlannedDocument,
  locale: string,
  today: string,
): DocumentLayout {
  const employer = { name: 'Musterwerk GmbH', address: [], cutOffDay: 10, agreementParagraph: null };
  const company = { locale, currency: 'EUR', ...employer };
  const content = contentOf({ company, employeeId: 1, employee: { profile, ...snapshot }, madeOn: today }, document);
  return composeDocument({ ...content, documentId: 7 });
}

/** Returns the status after each step and the rows of every document that results from it, in one language. */
function documentRows(story: Scenario, locale: string, labels: string[]): string[] {
  return runScenario(story).flatMap(({ before, changes, subscription, nextTicketOn: next, today }) => {
    const snapshot = { subscription, nextTicketOn: next };
    return planDocuments(before, snapshot, changes).map((document) => {
      const { title, facts } = write(snapshot, document, locale, today.toString());
      const rows = facts.filter(([label]) => labels.includes(label)).map(([label, value]) => `${label}: ${value}`);
      return [subscription.status, title, ...rows].join(' | ');
    });
  });
}

const german = (story: Scenario) =>
  documentRows(story, 'de-DE', ['Beginn', 'Laufzeit', 'Erster Monat', 'Letzter Tag des Abos']);
const english = (story: Scenario) =>
  documentRows(story, 'en-GB', ['Start', 'Term', 'First month', 'Last day of the subscription']);

const step = (date: string, what: Scenario['steps'][number][1]): Scenario['steps'][number] => [date, what, ''];
const subscribed = step('2026-01-20', { autoSubscribe: true });
const ending = { autoSubscribe: true, terminationDate: day('2026-06-15') };
const onLeave = { absences: [absence('2026-03-01/2026-04-30')] };

describe('every document in every status', () => {
  const cases: Record<string, { story: Scenario; de: string[]; en: string[] }> = {
    'scheduled, open-ended, then cancelled before it started': {
      story: { steps: [subscribed, step('2026-01-21', 'cancel')] },
      de: [
        'scheduled | Abo-Bestätigung | Beginn: 1. Februar 2026 | Laufzeit: Unbefristet, von Monat zu Monat',
        'cancelled | Bestätigung: Ende des Jobtickets',
      ],
      en: [
        'scheduled | Subscription confirmation | Start: 1 February 2026 | Term: Open-ended, month to month',
        'cancelled | Cancellation confirmation',
      ],
    },
    'scheduled with a known end, then with an earlier one': {
      story: { steps: [step('2026-01-20', ending), step('2026-01-21', { terminationDate: day('2026-03-31') })] },
      de: [
        'scheduled | Abo-Bestätigung | Beginn: 1. Februar 2026 | Laufzeit: Befristet bis zum 30. Juni 2026',
        'scheduled | Bestätigung: Ende des Jobtickets | Letzter Tag des Abos: 31. März 2026',
      ],
      en: [
        'scheduled | Subscription confirmation | Start: 1 February 2026 | Term: Fixed term until 30 June 2026',
        'scheduled | Cancellation confirmation | Last day of the subscription: 31 March 2026',
      ],
    },
    'running: the end is known': {
      story: { steps: [subscribed, step('2026-02-05', onLeave), step('2026-02-06', ending)] },
      de: [
        'scheduled | Abo-Bestätigung | Beginn: 1. Februar 2026 | Laufzeit: Unbefristet, von Monat zu Monat',
        'scheduled-cancellation | Bestätigung: Ende des Jobtickets | Letzter Tag des Abos: 30. Juni 2026',
      ],
      en: [
        'scheduled | Subscription confirmation | Start: 1 February 2026 | Term: Open-ended, month to month',
        'scheduled-cancellation | Cancellation confirmation | Last day of the subscription: 30 June 2026',
      ],
    },
    'paused: an end after the pause, then one at once': {
      story: {
        steps: [subscribed, step('2026-02-05', onLeave), step('2026-03-10', ending), step('2026-03-12', 'cancel')],
      },
      de: [
        'scheduled | Abo-Bestätigung | Beginn: 1. Februar 2026 | Laufzeit: Unbefristet, von Monat zu Monat',
        'paused | Bestätigung: Ende des Jobtickets | Letzter Tag des Abos: 30. Juni 2026',
        'cancelled | Bestätigung: Ende des Jobtickets | Letzter Tag des Abos: 11. März 2026',
      ],
      en: [
        'scheduled | Subscription confirmation | Start: 1 February 2026 | Term: Open-ended, month to month',
        'paused | Cancellation confirmation | Last day of the subscription: 30 June 2026',
        'cancelled | Cancellation confirmation | Last day of the subscription: 11 March 2026',
      ],
    },
    'the contract is accepted while an absence without an end holds up the start': {
      story: {
        settings: contractPlan,
        steps: [
          step('2026-01-20', { autoSubscribe: true, absences: [absence('2026-01-01/')] }),
          step('2026-01-21', 'contract-accepted'),
        ],
      },
      de: ['scheduled | Beitragsvereinbarung | Erster Monat: Steht noch nicht fest'],
      en: ['scheduled | Contribution agreement | First month: To be confirmed'],
    },
    'the contract is accepted before the start, and again while it runs': {
      story: {
        settings: contractPlan,
        steps: [
          step('2026-01-20', ending),
          step('2026-01-21', 'contract-accepted'),
          step('2026-02-03', 'contract-rejected'),
          step('2026-02-04', 'contract-accepted'),
        ],
      },
      de: [
        'scheduled | Abo-Bestätigung | Beginn: 1. Februar 2026 | Laufzeit: Befristet bis zum 30. Juni 2026',
        'scheduled | Beitragsvereinbarung | Erster Monat: Februar 2026',
        'scheduled-cancellation | Bestätigung: Ende des Jobtickets | Letzter Tag des Abos: 28. Februar 2026',
        'scheduled-cancellation | Beitragsvereinbarung | Erster Monat: Februar 2026',
        'scheduled-cancellation | Bestätigung: Ende des Jobtickets | Letzter Tag des Abos: 30. Juni 2026',
      ],
      en: [
        'scheduled | Subscription confirmation | Start: 1 February 2026 | Term: Fixed term until 30 June 2026',
        'scheduled | Contribution agreement | First month: February 2026',
        'scheduled-cancellation | Cancellation confirmation | Last day of the subscription: 28 February 2026',
        'scheduled-cancellation | Contribution agreement | First month: February 2026',
        'scheduled-cancellation | Cancellation confirmation | Last day of the subscription: 30 June 2026',
      ],
    },
  };
  for (const [name, { story, de, en }] of Object.entries(cases)) {
    it(name, () => {
      assert.deepEqual(german(story), de);
      assert.deepEqual(english(story), en);
    });
  }

  it('states only what the dates imply, in any timeline', () => {
    const seen = new Set<string>();
    const check = (deps: Parameters<typeof runTimeline>[0]) => {
      let before: SubscriptionSnapshot = { subscription: noSubscription(deps.settings), nextTicketOn: null };
      runTimeline(deps, {
        planned: (_before, { subscription, changes }, facts, today) => {
          const snapshot = { subscription, nextTicketOn: nextTicketOn(subscription, facts, today) };
          for (const document of planDocuments(before, snapshot, changes)) {
            seen.add(`${document.kind} ${subscription.status}`);
            const { cancelledOn, startOn } = subscription;
            const isOpen = document.kind === 'subscription-confirmation' && cancelledOn === null;
            const hasLastDay = document.kind === 'cancellation-confirmation' && startOn !== null;
            for (const [locale, openEnded, lastDay] of [
              ['de-DE', 'Unbefristet', 'Letzter Tag'],
              ['en-GB', 'Open-ended', 'Last day'],
            ] as const) {
              const text = write(snapshot, document, locale, today.toString()).facts.flat().join(' ');
              assert.equal(text.includes(openEnded), isOpen, text);
              assert.equal(text.includes(lastDay), hasLastDay, text);
            }
          }
          before = snapshot;
        },
        evening: (subscription, facts, today) => {
          before = { subscription, nextTicketOn: nextTicketOn(subscription, facts, today) };
        },
      });
    };
    fc.assert(fc.property(timeline, check), { numRuns: runsOf(500) });
    assert.ok(seen.has('cancellation-confirmation cancelled') && seen.has('subscription-confirmation scheduled'));
  });
});
