import type { Day } from '../../domain/calendar.ts';
import type { FeeType } from '../../domain/enums.ts';
import { moneyFormat } from '../../domain/money.ts';
import type { Prices } from '../../features/billing/prices.ts';
import { chargeTicket, priceOn } from '../../features/billing/rules/charges.ts';
import { brandName } from '../../features/documents/pdf/brand.ts';
import type { DocumentLayout } from '../../features/documents/pdf/compose.ts';
import { wordingFor } from '../../features/documents/pdf/wording.ts';
import type { Offer } from './plans.ts';

const locale = 'de-DE';
const money = moneyFormat(locale, 'EUR');

type Body = Pick<DocumentLayout, 'title' | 'number' | 'intro' | 'facts' | 'terms' | 'closing'>;

function toCompany(companyName: string, madeOn: Day, body: Body): DocumentLayout {
  const { texts, day } = wordingFor(locale);
  return {
    language: texts.language,
    madeOn: madeOn.toString(),
    sender: brandName,
    recipient: { name: companyName, email: 'jobticket@musterwerk.example' },
    reference: [
      [texts.labels.date, day(madeOn.toString())],
      [texts.labels.number, body.number],
    ],
    salutation: null,
    amounts: null,
    regards: null,
    footer: { ...texts.footer, issuer: brandName },
    ...body,
  };
}

export const frameworkAgreement = (companyName: string, madeOn: Day, offer: Offer): DocumentLayout => {
  const { texts, day } = wordingFor(locale);
  return toCompany(companyName, madeOn, {
    title: 'Rahmenvereinbarung Jobticket',
    number: `RV-${madeOn.year}-01`,
    intro: 'Diese Vereinbarung regelt, zu welchen Bedingungen alle Beschäftigten ein Jobticket erhalten.',
    facts: [
      [texts.labels.employer, companyName],
      ['Ticket', 'Deutschlandticket Job'],
      [texts.labels.plan, `${texts.plans[offer.planType]} (zu Beginn)`],
      ['Stichtag für Änderungen', '10. des Monats'],
      ['In Kraft seit', day(madeOn.toString())],
    ],
    terms: [
      'Ein Abo beginnt mit dem ersten Tag eines Monats und verlängert sich von Monat zu Monat.',
      'Wechselt das Unternehmen das Kostenmodell, gilt das neue für Abos, die danach beginnen.',
    ],
    closing: ['Die Vereinbarung gilt unbefristet. Preise folgen dem jeweils gültigen Preisblatt.'],
  });
};

export function priceSheet(companyName: string, madeOn: Day, prices: Prices): DocumentLayout {
  const ticket = priceOn(prices.tickets, madeOn);
  if (ticket === undefined) throw new Error(`No ticket price holds on ${madeOn}.`);
  const subsidized = chargeTicket(ticket, { planType: 'fully-subsidized-plan', contributionCents: null });
  const fee = (type: FeeType) =>
    priceOn(
      prices.fees.filter(({ chargeType }) => chargeType === type),
      madeOn,
    )?.netCents ?? 0;
  const { day } = wordingFor(locale);
  return toCompany(companyName, madeOn, {
    title: `Preisblatt ${madeOn.year}`,
    number: `PB-${madeOn.year}`,
    intro: `Diese Preise gelten ab ${day(madeOn.toString())}. Ticketpreise enthalten 7\u00a0% MwSt., Gebühren verstehen sich zuzüglich 19\u00a0%.`,
    facts: [
      ['Ticket, Listenpreis', money(ticket.listCents)],
      [
        'Ticket mit Jobrabatt',
        `${money(subsidized.grossCents)} (ab ${ticket.discountSharePercent}\u00a0% Anteil des Arbeitgebers)`,
      ],
      ['Service', `${money(fee('service-charge'))} je Ticket und Monat`],
      ['HR-Anbindung', `${money(fee('hr-integration-charge'))} je verknüpfter Person und Monat`],
    ],
    terms: [],
    closing: ['Abgerechnet wird am Ersten jedes Monats für den laufenden Monat.'],
  });
}
