import { moneyFormat } from '../domain/money.ts';
import { priceTicket } from './charges.ts';
import { type Member, ticketIdOf } from './members.ts';
import type { Letter } from './pdf.ts';

type Day = Temporal.PlainDate;

export const companyName = 'Musterwerk GmbH';

const money = moneyFormat('de-DE', 'EUR');
const dayFormat = new Intl.DateTimeFormat('de-DE', { dateStyle: 'long' });
const monthFormat = new Intl.DateTimeFormat('de-DE', { month: 'long', year: 'numeric' });
const day = (date: Day) => dayFormat.format(date);
const monthName = (date: Day) => monthFormat.format(date);

const planNames = {
  'fully-subsidized-plan': 'Volle Übernahme durch den Arbeitgeber',
  'deferred-plan': 'Zahlung über die Entgeltabrechnung',
  'split-pay-plan': 'Geteilte Kosten',
} as const;

type Body = Pick<Letter, 'title' | 'intro' | 'facts' | 'closing'> & Partial<Pick<Letter, 'amounts'>>;

const letter = (date: Day, number: string, recipient: string[], body: Body): Letter => ({
  ...body,
  number,
  recipient,
  date: day(date),
  createdAt: new Date(`${date}T09:00:00Z`),
  sender: {
    name: companyName,
    lines: ['Personalabteilung · Jobticket', 'Werftstraße 12, 24143 Kiel', 'jobticket@musterwerk.example'],
  },
  signature: `Freundliche Grüße\nIhr Jobticket-Team der ${companyName}`,
  footer: `${companyName} · Kiel · Beispieldokument der Demo-Umgebung, ohne rechtliche Wirkung`,
});

const toMember = ({ person }: Member) => [`${person.firstName} ${person.lastName}`, person.email];

const factsOf = ({ person, links }: Member): Letter['facts'] => [
  ['Name', `${person.firstName} ${person.lastName}`],
  ['Personalnummer', links[0]?.hr_id ?? '–'],
];

function amountsOf({ person }: Member, month: Day): NonNullable<Letter['amounts']> {
  const { grossCents, companyCents, employeeCents } = priceTicket(month, person.planType, person.contributionCents);
  return {
    rows: [
      [`Anteil ${companyName}`, money(companyCents)],
      ['Ihr Anteil', money(employeeCents)],
    ],
    total: ['Ticketpreis im Monat (inkl. 7 % MwSt.)', money(grossCents)],
  };
}

/** The number of a person's letter tells its kind and whom it is about. */
const numberOf = (kind: string, { id }: Member) => `${kind}-${String(id).padStart(6, '0')}`;

export const subscriptionConfirmation = (member: Member, date: Day, startOn: Day): Letter =>
  letter(date, numberOf('AB', member), toMember(member), {
    title: 'Abo-Bestätigung',
    intro:
      'Willkommen an Bord! Wir bestätigen Ihr Jobticket. Es gilt im gesamten Nahverkehr in Deutschland, zweite Klasse.',
    facts: [
      ...factsOf(member),
      ['Ticket', 'Deutschlandticket Job'],
      ['Gültig ab', day(startOn)],
      ['Abrechnung', planNames[member.person.planType]],
    ],
    amounts: amountsOf(member, startOn),
    closing:
      'Ihr Ticket finden Sie zum Ersten jedes Monats in Ihrer Wallet. Das Abo verlängert sich von Monat zu Monat; eine ' +
      'Pause oder Kündigung, die uns bis zum 10. eines Monats erreicht, gilt ab dem folgenden Ersten.',
  });

export const contributionAgreement = (member: Member, date: Day, startOn: Day): Letter =>
  letter(date, numberOf('BV', member), toMember(member), {
    title: 'Beitragsvereinbarung',
    intro: `Zwischen der ${companyName} und der unten genannten Person wird für das Jobticket Folgendes vereinbart.`,
    facts: [
      ...factsOf(member),
      ['Modell', planNames[member.person.planType]],
      ['Erster Monat', monthName(startOn)],
      ['Vereinbart am', day(date)],
    ],
    amounts: amountsOf(member, startOn),
    closing:
      'Der Anteil der Mitarbeiterin oder des Mitarbeiters wird monatlich mit der Entgeltabrechnung einbehalten. Ändert ' +
      'sich der Ticketpreis, ändert sich zuerst der Anteil des Arbeitgebers. Die Vereinbarung endet mit dem Abo.',
  });

export const ticketConfirmationName = (month: Day) => `Ticket-Bestätigung ${monthName(month)}`;

export const ticketConfirmation = (member: Member, month: Day): Letter =>
  letter(month, ticketIdOf(member.id, month), toMember(member), {
    title: ticketConfirmationName(month),
    intro: 'Wir bestätigen, dass für den genannten Monat ein Ticket auf Ihren Namen ausgestellt wurde.',
    facts: [
      ...factsOf(member),
      ['Ticketnummer', ticketIdOf(member.id, month)],
      ['Gültig', `${day(month)} bis ${day(month.add({ months: 1 }).subtract({ days: 1 }))}`],
    ],
    amounts: amountsOf(member, month),
    closing: 'Dieses Schreiben ist kein Fahrausweis. Bitte zeigen Sie bei Kontrollen das Ticket in Ihrer Wallet vor.',
  });

export const cancellationConfirmation = (member: Member, date: Day, cancelledOn: Day): Letter =>
  letter(date, numberOf('KB', member), toMember(member), {
    title: 'Kündigungsbestätigung',
    intro: 'Wir bestätigen das Ende Ihres Jobtickets. Bis dahin können Sie es wie gewohnt nutzen.',
    facts: [
      ...factsOf(member),
      ['Abo beendet zum', day(cancelledOn.subtract({ days: 1 }))],
      ['Bestätigt am', day(date)],
    ],
    closing:
      'Sie können jederzeit wieder einsteigen: Ein neues Abo beginnt am nächsten Monatsersten. Danke fürs Mitfahren!',
  });

export const frameworkAgreement = (date: Day): Letter =>
  letter(date, `RV-${date.year}-01`, [companyName, 'Geschäftsführung'], {
    title: 'Rahmenvereinbarung Jobticket',
    intro: 'Diese Vereinbarung regelt, zu welchen Bedingungen alle Mitarbeitenden ein Jobticket erhalten.',
    facts: [
      ['Unternehmen', companyName],
      ['Ticket', 'Deutschlandticket Job'],
      ['Standardmodell', `${planNames['split-pay-plan']}, Eigenanteil ${money(2000)}`],
      ['Stichtag für Änderungen', '10. des Monats'],
      ['In Kraft seit', day(date)],
    ],
    closing: 'Die Vereinbarung gilt unbefristet. Preise folgen dem jeweils gültigen Preisblatt.',
  });

export const priceSheet = (date: Day): Letter =>
  letter(date, `PB-${date.year}`, [companyName, 'Personalabteilung'], {
    title: `Preisblatt ${date.year}`,
    intro: `Diese Preise gelten ab ${day(date)}. Ticketpreise enthalten 7 % MwSt., Gebühren verstehen sich zuzüglich 19 %.`,
    facts: [
      ['Ticket, Listenpreis', money(priceTicket(date, 'deferred-plan', null).grossCents)],
      [
        'Ticket mit Jobrabatt',
        `${money(priceTicket(date, 'fully-subsidized-plan', null).grossCents)} (ab 25 % Anteil des Arbeitgebers)`,
      ],
      ['Service', `${money(150)} je Ticket und Monat`],
      ['HR-Anbindung', `${money(100)} je verknüpfter Person und Monat`],
    ],
    closing: 'Abgerechnet wird am Ersten jedes Monats für den laufenden Monat.',
  });
