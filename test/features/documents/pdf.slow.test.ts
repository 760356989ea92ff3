import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { extractText, getDocumentProxy } from 'unpdf';
import { agreementParagraphLimit } from '../../../src/domain/choices.ts';
import { planTypes } from '../../../src/domain/enums.ts';
import { composeDocument } from '../../../src/features/documents/pdf/compose.ts';
import type { PrintedContent } from '../../../src/features/documents/pdf/content.ts';
import { renderDocument } from '../../../src/features/documents/pdf/page.ts';
import { aContent, allKinds } from '../../support/document-contents.ts';
import { runsOf } from '../../support/domain/runs.ts';

const render = (content: PrintedContent) => renderDocument(composeDocument(content));
const open = (bytes: Buffer) => getDocumentProxy(new Uint8Array(bytes));

/** Returns the text of the only page, with whitespace normalized. */
async function read(content: PrintedContent): Promise<string> {
  const { totalPages, text } = await extractText(await open(await render(content)), { mergePages: true });
  assert.equal(totalPages, 1);
  return text.replace(/\s+/g, ' ');
}

function assertContains(text: string, parts: string[]): void {
  for (const part of parts) assert(text.includes(part), `${JSON.stringify(part)} is not in ${JSON.stringify(text)}`);
}

describe('documents in German', () => {
  const common = ['Musterwerk GmbH', 'Anna Müller-Lüdenscheidt', 'anna.mueller@musterwerk.example', '14. Oktober 2026'];

  it('confirm a subscription', async () => {
    assertContains(await read(aContent('subscription-confirmation')), [
      ...common,
      'Abo-Bestätigung',
      'TB-1042-SUB-20261014-57',
      'beginnt am 1. November 2026',
      'Geteilte Kosten',
      '20,00 € im Monat',
    ]);
  });

  it('state the contribution', async () => {
    assertContains(await read(aContent('contribution-agreement')), [
      ...common,
      'Beitragsvereinbarung',
      'TB-1042-AGR-20261014-57',
      'November 2026',
      '12. Oktober 2026',
      'Ihr Anteil 20,00 € im Monat',
    ]);
  });

  it('confirm a ticket and its price', async () => {
    assertContains(await read(aContent('ticket-confirmation')), [
      ...common,
      'Ticket-Bestätigung November 2026',
      'TB-1042-TKT-202611-57',
      'T-001042-2026-11',
      '1.–30. November 2026',
      'Nettopreis 55,93 €',
      'MwSt. 7 % 3,92 €',
      'Ticketpreis 59,85 €',
      'davon Anteil des Arbeitgebers 39,85 €',
      'davon Ihr Anteil 20,00 €',
    ]);
  });

  it('say of the code of a ticket until when it is to be trusted', async () => {
    const squares = Array.from({ length: 79 }, (_, y) => Array.from({ length: 79 }, (_, x) => (x * y) % 3 === 0));
    const ticket = aContent('ticket-confirmation');
    assertContains(await read({ ...ticket, squares }), [
      ...common,
      'Ticketcode, Stand 14. Oktober 2026. Wird das Ticket gesperrt oder ersetzt, gilt er nicht mehr',
      'davon Ihr Anteil 20,00 €',
      'kein Fahrausweis',
    ]);
    assert(!(await read(ticket)).includes('Ticketcode'));
  });

  it('name the last day of a subscription', async () => {
    assertContains(await read(aContent('cancellation-confirmation')), [
      ...common,
      'Bestätigung: Ende des Jobtickets',
      'Letzter Tag des Abos 30. November 2026',
    ]);
  });
});

it('documents made outside of production say so in both languages, and others do not', async () => {
  for (const content of allKinds()) {
    assertContains(await read({ ...content, isTest: true }), ['TEST – nicht gültig', 'TEST – not valid']);
    assert(!(await read(content)).includes('TEST'));
  }
});

describe('documents in English', () => {
  const english = { locale: 'en-GB' };

  it('confirm a subscription', async () => {
    assertContains(await read(aContent('subscription-confirmation', english)), [
      'Subscription confirmation',
      'Dear Anna Müller-Lüdenscheidt,',
      'starts on 1 November 2026',
      '€20.00 per month',
    ]);
  });

  it('state the contribution', async () => {
    assertContains(await read(aContent('contribution-agreement', english)), [
      'Contribution agreement',
      'Your share €20.00 per month',
      'on 12 October 2026',
    ]);
  });

  it('confirm a ticket and its price', async () => {
    assertContains(await read(aContent('ticket-confirmation', english)), [
      'Ticket confirmation November 2026',
      '1 – 30 November 2026',
      'Net price €55.93',
      'VAT 7% €3.92',
      'Ticket price €59.85',
      'Employer’s share €39.85',
      'Your share €20.00',
    ]);
  });

  it('name the last day of a subscription', async () => {
    assertContains(await read(aContent('cancellation-confirmation', english)), [
      'Cancellation confirmation',
      'Last day of the subscription 30 November 2026',
    ]);
  });

  it('are for every company whose language is not German, with dates in its locale', async () => {
    const text = await read(aContent('ticket-confirmation', { locale: 'fr-FR' }));
    assertContains(text, ['Ticket confirmation November 2026', 'Ticket price 59,85 €']);
    assert(!text.includes('novembre'));
  });
});

describe('the payment section of a document', () => {
  it('exists for every plan', async () => {
    for (const planType of planTypes) {
      for (const content of allKinds({ planType, contributionCents: planType === 'split-pay-plan' ? 2000 : null })) {
        assert.doesNotMatch(await read(content), /□|undefined|null|NaN/);
      }
    }
  });

  it('requests no payment from an employee whose share is 0', async () => {
    const content = aContent('ticket-confirmation', { contributionCents: 0 });
    const free = { ...content, companyShareCents: 5985, employeeShareCents: 0 } as PrintedContent;
    assertContains(await read(free), ['Für Sie fallen keine Kosten an.']);
  });
});

describe('names', () => {
  const names: [firstName: string, lastName: string][] = [
    ['Łukasz', 'Żuraw'],
    ['Ayşe', 'Yıldız'],
    ['Oğuz', 'İnönü'],
    ['Ελένη', 'Παπαδοπούλου'],
    ['Юлія', 'Шевченко'],
    ['Nguyễn', 'Thị Diệu Hiền'],
    ['Zsófia', 'Kőszegi-Țepeș'],
    ['Adébáyọ\u0300', 'Ọládélé'],
  ];
  for (const [firstName, lastName] of names) {
    it(`of ${firstName} ${lastName} are printed unchanged`, async () => {
      for (const content of allKinds({ firstName, lastName })) {
        assertContains(await read(content), [`${firstName} ${lastName}`]);
      }
    });
  }

  it('are composed before they are printed', async () => {
    const decomposed = { firstName: 'Ayşe'.normalize('NFD'), lastName: 'Müller'.normalize('NFD') };
    const bytes = await render(aContent('ticket-confirmation', decomposed));
    assert(bytes.equals(await render(aContent('ticket-confirmation', { firstName: 'Ayşe', lastName: 'Müller' }))));
  });

  it('in characters that the font lacks leave the rest of a document readable', async () => {
    const text = await read(aContent('ticket-confirmation', { firstName: '東京', lastName: 'محمد 👩‍👩‍👧' }));
    assertContains(text, ['□□ □□□□ □', 'Ticketpreis 59,85 €']);
  });
});

interface PlacedText {
  str: string;
  left: number;
  right: number;
  bottom: number;
  top: number;
}

async function placedTexts(content: PrintedContent): Promise<PlacedText[]> {
  const pdf = await open(await render(content));
  const { items } = await (await pdf.getPage(1)).getTextContent();
  return items.flatMap((item) => {
    if (!('str' in item) || item.str.trim() === '') return [];
    const [left, bottom] = [item.transform[4] as number, item.transform[5] as number];
    // Use the part of a line that most characters fill: from the baseline to the height of lower-case characters.
    return [{ str: item.str, left, right: left + item.width, bottom, top: bottom + item.height * 0.5 }];
  });
}

function assertApart(texts: PlacedText[]): void {
  for (const [index, one] of texts.entries()) {
    assert(one.left >= 60 && one.right <= 535 && one.bottom >= 30 && one.top <= 810, `${one.str} is in the margin`);
    for (const other of texts.slice(index + 1)) {
      const overlaps =
        Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
        Math.min(one.top, other.top) - Math.max(one.bottom, other.bottom) > 0;
      assert(!overlaps, `${one.str} overlaps ${other.str}`);
    }
  }
}

describe('long names', () => {
  const repeat = (text: string) => text.repeat(200).slice(0, 200).trim();
  const longNames = {
    words: repeat('Maximiliana Wilhelmine '),
    'one word': repeat('Donaudampfschifffahrtsgesellschaft'),
    'wide characters': repeat('W'),
    hyphens: repeat('Anna-'),
  };
  for (const [title, name] of Object.entries(longNames)) {
    it(`of ${title} stay on the page and do not overlap other text`, async () => {
      const email = `${name.replaceAll(' ', '.')}@${'example.'.repeat(6)}example`;
      const names = { firstName: name, lastName: name, companyName: name, email };
      const paragraph = `${name}. `.repeat(3).slice(0, agreementParagraphLimit).trim();
      for (const agreement of allKinds(names).filter(({ kind }) => kind === 'contribution-agreement')) {
        const offered = { agreedOn: null, earliestStart: '2026-11-01', ticketCents: 5985, cutOffDay: 10, paragraph };
        await read({ ...agreement, ...offered } as PrintedContent);
        assertApart(await placedTexts({ ...agreement, ...offered } as PrintedContent));
      }
      for (const content of [...allKinds(names), ...allKinds({ ...names, locale: 'en-GB' })]) {
        await read(content);
        assertApart(await placedTexts(content));
      }
    });
  }

  it('of 200 characters are printed in full', async () => {
    const lastName = repeat('Donaudampfschifffahrtsgesellschaft');
    for (const content of allKinds({ lastName })) {
      assertContains((await read(content)).replaceAll(' ', ''), [`Anna${lastName}`]);
    }
  });
});

describe('the file', () => {
  it('is the same at any time, whatever was rendered before', async () => {
    const [first, second, third, fourth] = allKinds();
    const before = await Promise.all(
      [first, second, third, fourth].map((content) => render(content as PrintedContent)),
    );
    // These share glyphs with other characters: U+00B5 and U+03BC, U+03A9 and U+2126, and the accents that are placed separately.
    for (const lastName of ['\u00b5\u03bc\u03a9\u2126', 'i\u0300ı\u0323', 'x\u00a0x\u202fx']) {
      for (const content of allKinds({ lastName, locale: 'en-GB' })) await render(content);
    }
    const after = await Promise.all([first, second, third, fourth].map((content) => render(content as PrintedContent)));
    assert.deepEqual(after, before);
  });

  it('differs for another employee, and so does its id', async () => {
    const idOf = (bytes: Buffer) => /\/ID \[<(\w+)>/.exec(bytes.toString('latin1'))?.[1];
    const [one, other] = [1, 2].map((employeeId) => render(aContent('ticket-confirmation', { employeeId })));
    assert.notEqual(idOf(await (one as Promise<Buffer>)), idOf(await (other as Promise<Buffer>)));
  });

  it('contains its title, sender, number, day and language', async () => {
    const pdf = await open(await render(aContent('ticket-confirmation')));
    const info = (await pdf.getMetadata()).info as Record<string, string>;
    assert.equal(info.Title, 'Ticket-Bestätigung November 2026');
    assert.equal(info.Author, 'Musterwerk GmbH');
    assert.equal(info.Subject, 'TB-1042-TKT-202611-57');
    assert.equal(info.CreationDate, 'D:20261014000000Z');
    assert.equal(info.Language, 'de');
  });

  it('is small', async () => {
    for (const content of allKinds({ firstName: 'Ελένη Юлія', companyName: 'Łódź Şirketi' })) {
      assert((await render(content)).length < 40_000);
    }
  });

  it('has one page for any name', async () => {
    const name = fc.string({ unit: 'grapheme', maxLength: 200 });
    const anyUnit = fc.string({ unit: 'binary', maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(name, name, fc.oneof(name, anyUnit), async (firstName, lastName, companyName) => {
        for (const content of allKinds({ firstName, lastName, companyName })) {
          assert.equal((await open(await render(content))).numPages, 1);
        }
      }),
      { numRuns: runsOf(40) },
    );
  });
});
