import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type EmployeeMailKind, employeeMailKinds, type Language, languages } from '../../../src/domain/enums.ts';
import { composeEmployeeMail } from '../../../src/features/employee-mails/compose.ts';
import { isOptional, switchableMailKinds } from '../../../src/features/employee-mails/rules/kinds.ts';
import { changeMakerOf, type EmployeeMailValues } from '../../../src/features/employee-mails/texts.ts';

const parties = {
  ...{ name: 'Erika Beispiel', company: 'Müller & Söhne', locale: 'de-DE', currency: 'EUR' },
  ...{ timeZone: 'Europe/Berlin', replyTo: 'hr@example.com' },
};
const offer = {
  ...{ token: 'T', expiresAt: '2026-12-01T11:00:00Z' },
  ...{ employeeCents: 2_000, companyCents: 3_800 },
};
const by = 'employee';
const higher = {
  ...{ from: '2027-01', oldCents: 2_000, employeeCents: 2_500, acceptUntil: '2026-12-09' },
  ...{ noAnswer: 'pause' as const, noAnswerFrom: '2027-01' },
};
const last = { lastTicket: '2026-12', lastDeduction: '2026-12', undoUntil: '2026-12-10' };

const examples: { [K in EmployeeMailKind]: EmployeeMailValues[K] } = {
  'access-link': { url: 'https://benefits.example/my/enter#T', expiresAt: '2026-12-01T11:00:00Z' },
  invitation: offer,
  'invitation-reminder': offer,
  welcome: { by, firstTicket: '2027-01', firstDeduction: '2027-01', undoUntil: '2026-12-10' },
  ticket: { month: '2026-12' },
  agreement: higher,
  'agreement-reminder': higher,
  'plan-changed': { from: '2027-01', oldCents: 2_000, employeeCents: 1_500 },
  'price-changed': { from: '2027-01', oldCents: 6_300, employeeCents: 6_600 },
  'pause-confirmed': { by, from: '2027-01', nextTicket: '2027-03', ...last },
  'resumption-confirmed': { by, nextTicket: '2027-01', nextDeduction: null, undoUntil: null },
  'cancellation-confirmed': { by, ...last },
  'undo-confirmed': { by, action: 'cancel', nextTicket: '2027-01' },
  'ticket-replaced': { by, month: '2026-12', reason: 'unreadable' },
};

const compose = <K extends EmployeeMailKind>(kind: K, language: Language, values = examples[kind]) =>
  composeEmployeeMail({
    kind,
    language,
    values,
    parties,
    pageUrl: 'https://benefits.example/my',
    unsubscribeUrl: isOptional(kind) ? 'https://benefits.example/unsubscribe/T' : undefined,
  });

describe('Mails to employees', () => {
  it('say what happens on which date', () => {
    const { subject, text } = compose('pause-confirmed', 'de');
    assert.equal(subject, 'Ihr Jobticket pausiert ab Januar 2027');
    assert.equal(
      text,
      [
        'Guten Tag Erika Beispiel,',
        'Sie haben das Jobticket von Müller & Söhne ab Januar 2027 pausiert.',
        'Letztes Ticket: Dezember 2026. Letzter Abzug vom Gehalt: Dezember 2026.',
        'Das nächste Ticket gilt für März 2027.',
        'Sie können das bis zum 10. Dezember 2026 auf Ihrer Seite rückgängig machen.',
        'Meine Seite öffnen:\nhttps://benefits.example/my',
        'Fragen? Antworten Sie auf diese E-Mail. Ihre Antwort geht an Müller & Söhne.\n',
      ].join('\n\n'),
    );
    assert.match(compose('cancellation-confirmed', 'en').text, /Last ticket: December 2026\. Last deduction .* 2026\./);
  });

  it('name who made the change, and offer undo only to those who can', () => {
    const texts = (['user', 'key', 'service', 'operator', 'employee'] as const).map(
      (type) =>
        compose('cancellation-confirmed', 'de', { ...last, by: changeMakerOf({ type }) }).text.split('\n\n')[1] ?? '',
    );
    assert.deepEqual(texts, [
      'Ihre Personalabteilung hat das Jobticket von Müller & Söhne gekündigt.',
      'Das Personalsystem Ihres Unternehmens hat das Jobticket von Müller & Söhne gekündigt.',
      'Das Personalsystem Ihres Unternehmens hat das Jobticket von Müller & Söhne gekündigt.',
      'Der Betreiber hat für Ihr Unternehmen das Jobticket von Müller & Söhne gekündigt.',
      'Sie haben das Jobticket von Müller & Söhne gekündigt.',
    ]);
    assert.doesNotMatch(compose('cancellation-confirmed', 'de', { ...last, by: 'hr' }).text, /rückgängig/);
  });

  it('ask for an agreement with both amounts, the deadline, and what happens without an answer', () => {
    const effect = (noAnswer: 'keep' | 'pause' | 'cancel', language: Language) =>
      compose('agreement', language, { ...higher, noAnswer })
        .text.split('\n\n')[3]
        ?.replaceAll('\u00a0', ' ');
    assert.match(
      compose('agreement', 'de').text,
      /Müller & Söhne soll sich ändern: Ab Januar 2027 zahlen Sie 25,00\s€ statt 20,00\s€ im Monat\./,
    );
    assert.deepEqual(
      (['keep', 'pause', 'cancel'] as const).map((rule) => effect(rule, 'de')),
      [
        'Ohne Ihre Zustimmung bis zum 9. Dezember 2026 zahlen Sie weiterhin 20,00 € im Monat.',
        'Ohne Ihre Zustimmung bis zum 9. Dezember 2026 pausiert Ihr Jobticket ab Januar 2027.',
        'Ohne Ihre Zustimmung bis zum 9. Dezember 2026 gibt es kein Jobticket mehr ab Januar 2027.',
      ],
    );
    assert.match(
      effect('cancel', 'en') ?? '',
      /^Without your consent by .*2026, you have no transit ticket from January/,
    );
    assert.match(
      compose('agreement-reminder', 'de').subject,
      /^Erinnerung: Ihre Zustimmung bis zum 9\. Dezember 2026$/,
    );
  });

  it('announce what needs no agreement', () => {
    assert.match(
      compose('plan-changed', 'de').text,
      /zahlen Sie 15,00\s€ statt 20,00\s€ im Monat\.\n\nSie müssen nichts tun\./,
    );
    const same = { from: '2027-01', oldCents: 2_000, employeeCents: 2_000 };
    assert.match(compose('plan-changed', 'de', same).text, /zahlen Sie weiterhin 20,00\s€/);
    assert.match(
      compose('price-changed', 'de').text,
      /zahlen Sie den ganzen Preis: Ab Januar 2027 zahlen Sie 66,00\s€/,
    );
  });

  it('state amounts and months as their reader writes them', () => {
    assert.match(compose('invitation', 'de').text, /Sie zahlen 20,00\s€ im Monat, Müller & Söhne zahlt 38,00\s€\./);
    assert.match(compose('invitation', 'en').text, /You pay €20\.00 per month|You pay 20,00\s€ per month/);
    assert.match(compose('invitation', 'en', { ...offer, employeeCents: 0 }).text, /You pay nothing\./);
    assert.equal(compose('ticket', 'de').subject, 'Ihr Ticket für Dezember');
    assert.equal(compose('ticket', 'en').subject, 'Your ticket for December');
  });

  it('have a text and HTML in both languages, with the same content, and escape names', () => {
    for (const kind of employeeMailKinds) {
      for (const language of languages) {
        const { subject, text, html } = compose(kind, language);
        assert(subject.length > 0 && subject.length < 80, `${kind} ${language}: ${subject}`);
        assert.match(html, /^<!doctype html>/);
        assert.match(html, /Müller &amp; Söhne/);
        assert.doesNotMatch(html, /<(img|script|link|style)\b/);
        for (const word of text.match(/\p{L}{5,}/gu) ?? []) assert(html.includes(word), `${kind}: ${word}`);
        assert.doesNotMatch(text, /undefined|null|NaN|Invalid/, `${kind} ${language}`);
      }
    }
  });

  it('can be unsubscribed where they are not needed, and a company cannot switch off access links', () => {
    const optional = employeeMailKinds.filter((kind) => compose(kind, 'en').text.includes('/unsubscribe/'));
    assert.deepEqual(optional, ['invitation', 'invitation-reminder', 'ticket']);
    assert(!switchableMailKinds.includes('access-link'));
    assert.equal(switchableMailKinds.length, employeeMailKinds.length - 1);
  });
});
