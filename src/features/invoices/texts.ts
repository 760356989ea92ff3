import type { ChargeType } from '../../domain/enums.ts';
import type { CorrectionReason } from '../billing/rules/correction-reasons.ts';
import { pickTexts } from '../documents/pdf/wording.ts';

const lines = {
  'ticket-charge': ['Tickets für den öffentlichen Nahverkehr', 'Public transport tickets'],
  'service-charge': ['Servicegebühr', 'Service fee'],
  'hr-integration-charge': ['HR-Integration', 'HR integration'],
  'hr-payroll-integration-charge': ['Lohnabrechnungs-Integration', 'Payroll integration'],
  'api-charge': ['API-Zugang', 'API access'],
  rounding: ['Rundungsausgleich', 'Rounding adjustment'],
} as const;

const labels = {
  number: ['Rechnungsnummer', 'Invoice number'],
  date: ['Rechnungsdatum', 'Invoice date'],
  customer: ['Kundennummer', 'Customer number'],
  reference: ['Ihre Referenz', 'Your reference'],
  vatId: ['USt-IdNr.', 'VAT ID'],
  taxNumber: ['Steuernummer', 'Tax number'],
  period: ['Leistungszeitraum', 'Service period'],
  dueOn: ['Fällig am', 'Due on'],
  item: ['Leistung', 'Item'],
  quantity: ['Menge', 'Quantity'],
  unitPrice: ['Einzelpreis netto', 'Unit price, net'],
  rate: ['USt.', 'VAT'],
  amount: ['Netto', 'Net'],
  net: ['Summe netto', 'Net total'],
  total: ['Rechnungsbetrag', 'Amount due'],
  totalCredit: ['Erstattungsbetrag', 'Amount credited'],
  bank: ['Bankverbindung', 'Bank account'],
  contact: ['Kontakt', 'Contact'],
  managingDirectors: ['Geschäftsführung', 'Managing directors'],
} as const;

const reasons = {
  refunded: ['Das Ticket war nicht nutzbar und wurde erstattet.', 'The ticket could not be used and was refunded.'],
  'charged-twice': ['Das Ticket wurde doppelt berechnet.', 'The ticket was charged twice.'],
  left: ['Die Person war vor Beginn des Tickets ausgeschieden.', 'The employee had left before the ticket began.'],
  absent: ['Die Person war den ganzen Monat abwesend.', 'The employee was absent for the whole month.'],
  'wrong-plan': [
    'Das Ticket wurde nach dem falschen Kostenmodell berechnet.',
    'The ticket was charged with the wrong plan.',
  ],
} as const satisfies Record<CorrectionReason, readonly [string, string]>;

/** The texts of invoices. Dates and amounts are passed in already formatted. */
const german = {
  language: 'de' as 'de' | 'en',
  titles: { invoice: 'Rechnung', 'credit-note': 'Rechnungskorrektur' },
  lines: pickTexts(lines, 'de'),
  lineDetails: {
    'ticket-charge': 'Monatstickets der Beschäftigten',
    'service-charge': 'Je ausgegebenem Ticket',
    'hr-integration-charge': 'Je verknüpfter Person',
    'hr-payroll-integration-charge': 'Lohnexport im Vormonat',
    'api-charge': 'Nutzung im Vormonat',
    rounding: 'Die Steuer wird je Ticket gerundet. Der Bruttobetrag bleibt unverändert.',
  } as Partial<Record<ChargeType | 'rounding', string>>,
  ticketDetail: (grossPrice: string) => `Monatstickets der Beschäftigten zu ${grossPrice} brutto`,
  labels: pickTexts(labels, 'de'),
  intro: {
    invoice: (period: string) => `Für den Leistungszeitraum ${period} berechnen wir Ihnen:`,
    'credit-note': (period: string) => `Für Korrekturen bis ${period} schreiben wir Ihnen gut:`,
  },
  corrected: (number: string) => `Anlage zu ${number}: korrigierte Posten mit HR-ID`,
  reasons: pickTexts(reasons, 'de'),
  otherReason: 'Grund: siehe Portal',
  moreCorrected: (count: number) =>
    `${count > 0 ? `Weitere korrigierte Posten: ${count}. ` : ''}Namen und alle Gründe stehen im Portal unter „Kosten“. Diese Datei nennt keine Namen, weil Rechnungen länger aufbewahrt werden als Personaldaten.`,
  corrects: (numbers: string) => `Diese Rechnungskorrektur berichtigt ${numbers}.`,
  tax: (rate: string, net: string) => `zzgl. ${rate} USt. auf ${net}`,
  untaxed: (net: string) => `ohne USt. auf ${net}`,
  exemptions: {
    'reverse-charge': 'Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge), § 13b UStG.',
    'not-taxable': 'Nicht in Deutschland steuerbare Leistung (service not taxable in Germany), § 3a Abs. 2 UStG.',
  },
  terms: {
    invoice: (dueOn: string, number: string) =>
      `Bitte überweisen Sie den Rechnungsbetrag bis zum ${dueOn} ohne Abzug und geben Sie als Verwendungszweck ${number} an.`,
    'credit-note': (_dueOn: string, _number: string) =>
      'Der Betrag wird mit Ihrer nächsten Rechnung verrechnet oder auf Wunsch erstattet.',
  },
  rounding:
    'Die Umsatzsteuer wird je Steuersatz aus der Bruttosumme berechnet und einmal gerundet. Die Posten der Abrechnung sind einzeln gerundet, ihre Steuerbeträge können daher in der Summe um Cent abweichen.',
  embedded: 'E-Rechnung nach EN 16931: Die XML-Datei factur-x.xml ist in diese PDF-Datei eingebettet.',
};

export type InvoiceTexts = typeof german;

const english: InvoiceTexts = {
  language: 'en',
  titles: { invoice: 'Invoice', 'credit-note': 'Credit note' },
  lines: pickTexts(lines, 'en'),
  lineDetails: {
    'ticket-charge': 'Monthly tickets of employees',
    'service-charge': 'Per issued ticket',
    'hr-integration-charge': 'Per linked employee',
    'hr-payroll-integration-charge': 'Payroll export in the month before',
    'api-charge': 'Use in the month before',
    rounding: 'Tax is rounded per ticket. The gross amount stays the same.',
  },
  ticketDetail: (grossPrice) => `Monthly tickets of employees at ${grossPrice} including VAT`,
  labels: pickTexts(labels, 'en'),
  intro: {
    invoice: (period) => `For the service period ${period} we charge:`,
    'credit-note': (period) => `For corrections up to ${period} we credit:`,
  },
  corrected: (number) => `Annex to ${number}: corrected charges with HR ID`,
  reasons: pickTexts(reasons, 'en'),
  otherReason: 'See the portal for the reason',
  moreCorrected: (count) =>
    `${count > 0 ? `${count} more corrected charges. ` : ''}Names and all reasons are in the portal under “Costs”. This file has no names, because invoices are kept longer than personal data.`,
  corrects: (numbers) => `This credit note corrects ${numbers}.`,
  tax: (rate, net) => `plus ${rate} VAT on ${net}`,
  untaxed: (net) => `without VAT on ${net}`,
  exemptions: {
    'reverse-charge':
      'Reverse charge: the recipient owes the VAT (Steuerschuldnerschaft des Leistungsempfängers), section 13b UStG.',
    'not-taxable': 'Service not taxable in Germany (nicht in Deutschland steuerbare Leistung), section 3a (2) UStG.',
  },
  terms: {
    invoice: (dueOn, number) =>
      `Please transfer the amount by ${dueOn} without deduction, with the reference ${number}.`,
    'credit-note': () => 'The amount is offset against your next invoice, or refunded on request.',
  },
  rounding:
    'VAT is calculated from the gross total of each rate and rounded once. Billing items are rounded one by one, so the sum of their tax amounts may differ by cents.',
  embedded: 'E-invoice according to EN 16931: the XML file factur-x.xml is embedded in this PDF file.',
};

/** Returns German texts for companies whose language is German, and English texts for all others. */
export const invoiceTextsFor = (locale: string): InvoiceTexts =>
  new Intl.Locale(locale).language === 'de' ? german : english;
