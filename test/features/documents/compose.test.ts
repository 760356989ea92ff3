import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { composeDocument, documentName } from '../../../src/features/documents/pdf/compose.ts';
import { printable } from '../../../src/platform/pdf/printable.ts';
import { aContent, allKinds } from '../../support/document-contents.ts';

describe('the number of a document', () => {
  it('differs between two documents of one kind, employee and day', () => {
    const kinds = allKinds().map((content) => [content, { ...content, documentId: content.documentId + 1 }] as const);
    const numbers = kinds.flatMap((pair) => pair.map((content) => composeDocument(content).number));
    assert.equal(new Set(numbers).size, numbers.length);
  });
});

describe('names of documents', () => {
  it('name the kind, and the month if there is one', () => {
    assert.equal(documentName('subscription-confirmation', 'de-DE', null), 'Abo-Bestätigung');
    assert.equal(documentName('contribution-agreement', 'de-AT', null), 'Beitragsvereinbarung');
    assert.equal(documentName('ticket-confirmation', 'de-DE', '2026-11-01'), 'Ticket-Bestätigung November 2026');
    assert.equal(documentName('cancellation-confirmation', 'de-DE', null), 'Bestätigung: Ende des Jobtickets');
    assert.equal(documentName('ticket-confirmation', 'en-GB', '2026-03-01'), 'Ticket confirmation March 2026');
    assert.equal(documentName('cancellation-confirmation', 'en-US', null), 'Cancellation confirmation');
  });
});

describe('names in documents', () => {
  it('show □ for every character that the font lacks, and nothing for invisible characters', () => {
    assert.equal(printable('東京 Anna'), '□□ Anna');
    assert.equal(printable('👩‍👩‍👧 Anna 🇩🇪'), '□ Anna □');
    assert.equal(printable('محمد'), '□□□□');
    assert.equal(printable('Anna\u200b\u202e-\ufeffMaria'), 'Anna-Maria');
    assert.equal(printable(' Anna\t\n Maria\u3000'), 'Anna Maria');
    assert.equal(printable('A\ud800B'), 'A□B');
    assert.equal(printable('Adébáyọ\u0300'), 'Adébáyọ\u0300');
  });
});

describe('letters to employees', () => {
  const texts = (locale: string) =>
    allKinds().map((content) => {
      const { intro, facts, terms, closing } = composeDocument({ ...content, locale });
      return [intro, ...facts.flat(), ...terms, ...closing].join('\n');
    });

  it('address them, and speak of nobody in the third person', () => {
    for (const text of texts('de-DE')) assert.doesNotMatch(text, /beschäftigte[rn]? Person|der Arbeitgeber/i);
    for (const text of texts('en-GB')) assert.doesNotMatch(text, /the employee\b|the employer\b(?!’)/i);
  });

  it('begin with name and address of the company, if it has entered one', () => {
    const content = { ...aContent('ticket-confirmation'), companyAddress: ['Hauptstr. 1', '10115 Berlin'] };
    assert.deepEqual(composeDocument(content).senderAddress, ['Hauptstr. 1', '10115 Berlin']);
    assert.deepEqual(composeDocument(aContent('ticket-confirmation')).senderAddress, []);
  });

  it('name the cut-off day, if it was known when they were made', () => {
    const base = aContent('subscription-confirmation');
    const closing = (cutOffDay?: number) =>
      composeDocument({ ...base, ...(cutOffDay && { cutOffDay }) }).closing.join();
    assert.match(closing(10), /bis zum 10\. des Monats/);
    assert.match(closing(), /Bis wann Sie sich melden müssen, erfahren Sie von Ihrer Personalabteilung/);
  });
});

describe('a contribution agreement', () => {
  const base = aContent('contribution-agreement');
  const compose = (fields: object) => composeDocument({ ...base, ...fields } as typeof base);
  const rowsOf = (fields: object) => Object.fromEntries(compose(fields).facts);

  it('says how the employee agreed, and no more than is known', () => {
    const closing = (consent: object | undefined) => compose({ agreedOn: '2026-10-12', consent }).closing;
    assert.deepEqual(closing({ given: 'electronically', isOwn: true, recordedBy: null }), [
      'Sie haben der Vereinbarung am 12. Oktober 2026 elektronisch zugestimmt.',
    ]);
    assert.deepEqual(closing({ given: 'on-paper', isOwn: false, recordedBy: 'Dana Demo' }), [
      'Sie haben der Vereinbarung am 12. Oktober 2026 auf Papier zugestimmt.',
      'Ihre Zustimmung wurde am 14. Oktober 2026 von Dana Demo erfasst.',
    ]);
    assert.deepEqual(closing({ given: null, isOwn: false, recordedBy: null }), [
      'Ihre Zustimmung wurde am 14. Oktober 2026 von Ihrem Arbeitgeber erfasst.',
    ]);
    assert.deepEqual(closing(undefined), ['Ihr Arbeitgeber hat Ihre Zustimmung erfasst.']);
  });

  it('names the price, the first month and the last day for changes', () => {
    const known = rowsOf({ ticketCents: 5985, cutOffDay: 10 });
    assert.deepEqual(
      [known.Ticketpreis, known['Erster Monat'], known['Änderungen möglich bis']],
      ['59,85\u00a0€', 'November 2026', '10. eines Monats, für den Folgemonat'],
    );
    const offered = rowsOf({ startsOn: null, agreedOn: null, earliestStart: '2026-12-01' });
    assert.equal(offered['Erster Monat'], 'Der Monat nach Ihrer Zustimmung, frühestens Dezember 2026');
  });
});
