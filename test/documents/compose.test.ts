import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { composeDocument, documentName } from '../../src/documents/pdf/compose.ts';
import { printable } from '../../src/documents/pdf/printable.ts';
import { allKinds } from '../support/document-contents.ts';

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
    assert.equal(documentName('cancellation-confirmation', 'de-DE', null), 'Kündigungsbestätigung');
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
