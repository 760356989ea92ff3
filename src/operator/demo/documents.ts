import { sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import type { FeeType } from '../../domain/enums.ts';
import { moneyFormat } from '../../domain/money.ts';
import { loadPrices, type Prices } from '../../features/billing/prices.ts';
import { chargeTicket, feeOn, priceOn } from '../../features/billing/rules/charges.ts';
import { insertDocument } from '../../features/documents/add.ts';
import type { DocumentStore } from '../../features/documents/files.ts';
import { brandName } from '../../features/documents/pdf/brand.ts';
import type { DocumentLayout } from '../../features/documents/pdf/compose.ts';
import { renderDocument } from '../../features/documents/pdf/page.ts';
import { wordingFor } from '../../features/documents/pdf/wording.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import { type Calendar, type Offer, offerOn } from './calendar.ts';
import type { DemoContext } from './context.ts';

const locale = 'de-DE';
const money = moneyFormat(locale, 'EUR');

type Body = Pick<DocumentLayout, 'title' | 'number' | 'intro' | 'facts' | 'terms' | 'closing'>;

function toCompany(companyName: string, madeOn: Day, body: Body): DocumentLayout {
  const { texts, day } = wordingFor(locale);
  return {
    isTest: true,
    language: texts.language,
    madeOn: madeOn.toString(),
    sender: brandName,
    logo: null,
    code: null,
    paragraph: null,
    table: null,
    hasSmallClosing: false,
    senderAddress: [],
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

const frameworkAgreement = (companyName: string, madeOn: Day, offer: Offer): DocumentLayout => {
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

function priceSheet(companyName: string, madeOn: Day, prices: Prices): DocumentLayout {
  const ticket = priceOn(prices.tickets, madeOn);
  if (ticket === undefined) throw new Error(`No ticket price holds on ${madeOn}.`);
  const subsidized = chargeTicket(ticket, { planType: 'fully-subsidized-plan', contributionCents: null });
  const fee = (type: FeeType) => feeOn(prices.fees, type, madeOn)?.netCents ?? 0;
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

/** Valid but minimal files, never opened: only PDFs can be downloaded. */
const dotPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const emptyArchive = Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]);

/** Returns some employees that no roster can remove. */
async function listStayers({ tx, companyId }: DemoContext): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e where ${ofCompany(companyId, 'e')} and e.removed_at is null and not e.is_leaving
      and e.subscription_status = 'active' order by e.id limit 6`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Adds what HR uploaded yesterday: documents of the company, and files of some employees that are no PDFs. */
export async function addDocuments(
  context: DemoContext,
  calendar: Calendar,
  companyName: string,
  store: Pick<DocumentStore, 'put'>,
): Promise<void> {
  const { tx, companyId, deps } = context;
  const { joined, today, yesterday } = calendar;
  const add = async (employeeId: number | null, name: string, fileType: string, content: Buffer) => {
    const file = await store.put(companyId, fileType, content);
    await insertDocument(tx, companyId, { employeeId, name, fileType, file }, deps.clock.now());
  };
  deps.clock.moveTo(yesterday, '20:45');
  for (const [nth, employeeId] of (await listStayers(context)).entries()) {
    if (nth % 2 === 0) await add(employeeId, 'Antrag Fahrtkostenzuschuss', 'docx', emptyArchive);
    else await add(employeeId, 'Scan Unterschrift', 'png', dotPng);
  }
  const newYear = today.with({ month: 1, day: 1 });
  const prices = await loadPrices(tx);
  for (const document of [
    frameworkAgreement(companyName, joined, offerOn(calendar, joined)),
    priceSheet(companyName, newYear, prices),
  ]) {
    await add(null, document.title, 'pdf', await renderDocument(document));
  }
}
