import type { Language } from '../../domain/enums.ts';
import type { TicketRow } from './store.ts';
import type { TicketSigner } from './ticket-code.ts';

export interface PassField {
  label: string;
  value: string;
}

/** The content of a pass for any wallet. Contains only plain data, so that it can be sent to another thread. */
export interface Pass {
  companyId: number;
  ticketId: string;
  /**
   * The content of the code. In a QR code it is signed, so that it cannot be forged (src/features/wallet/ticket-code.ts).
   * In an Aztec code, which an issuer has made, each character is one byte. Empty: the ticket has only a number.
   */
  code: string;
  format: CodeFormat;
  /** Whether the ticket is valid nowhere, which every wallet then shows. */
  isTest: boolean;
  language: Language;
  product: string;
  /** For example `2026-11`. */
  period: string;
  /** For example November 2026, in the language of the pass. */
  monthName: string;
  month: PassField;
  holder: PassField;
  validity: PassField;
  employer: PassField;
  ticket: PassField;
  /** Where the service's own tickets are valid. Null: one of an issuer. */
  note: string | null;
  /** First and last second of the validity, with the offset of the company's time zone. */
  startsAt: string;
  endsAt: string;
}

export type CodeFormat = 'qr' | 'aztec' | 'none';

/** Returns what inspectors scan: the barcode of the issuer, or for the service's own tickets a signed code. */
export function codeOf(
  { issuer_number: number, barcode }: Pick<TicketRow, 'issuer_number' | 'barcode'>,
  sign: () => string,
): Pick<Pass, 'code' | 'format'> {
  if (barcode !== null) return { code: Buffer.from(barcode, 'base64').toString('latin1'), format: 'aztec' };
  return number === null ? { code: sign(), format: 'qr' } : { code: '', format: 'none' };
}

export const product = 'Deutschlandticket Job';

const languages = {
  de: {
    locale: 'de-DE',
    month: 'Monat',
    holder: 'Name',
    validity: 'Gültig',
    employer: 'Arbeitgeber',
    ticket: 'Ticketnummer',
    chipCard: 'Chipkarte',
    activationCode: 'Aktivierungscode',
    own: 'Gilt nur, wo der Arbeitgeber die Tickets selbst prüft. Nicht für andere Fahrten.',
  },
  en: {
    locale: 'en-GB',
    month: 'Month',
    holder: 'Name',
    validity: 'Valid',
    employer: 'Employer',
    ticket: 'Ticket number',
    chipCard: 'Chip card',
    activationCode: 'Activation code',
    own: 'Valid only where the employer verifies tickets itself. Not for travel elsewhere.',
  },
} as const;

const languageOf = (locale: string): Pass['language'] => (/^de(?![a-z])/i.test(locale) ? 'de' : 'en');

const toText = (moment: Temporal.ZonedDateTime) =>
  moment.toString({ timeZoneName: 'never', fractionalSecondDigits: 0, calendarName: 'never' });

/** Returns what identifies the ticket, named as what it is. */
function presentNumber(row: TicketRow, labels: Record<'ticket' | 'chipCard' | 'activationCode', string>): PassField {
  const { issuer_number: number, chip_card_number: card, activation_code: code } = row;
  if (code !== null) return { label: labels.activationCode, value: code };
  if (card !== null && card === number) return { label: labels.chipCard, value: card };
  return { label: labels.ticket, value: number ?? row.ticket_id };
}

/** Presents the ticket in the language of the company, unless another one is given. */
export function presentPass(
  row: TicketRow,
  { signer, isTest }: { signer: Pick<TicketSigner, 'sign'>; isTest: boolean },
  language: Pass['language'] = languageOf(row.locale),
): Pass {
  const { locale, ...labels } = languages[language];
  const from = Temporal.PlainDate.from(row.valid_from);
  const until = Temporal.PlainDate.from(row.valid_until);
  const day = (date: Temporal.PlainDate) => date.toLocaleString(locale, { dateStyle: 'medium' });
  return {
    companyId: row.company_id,
    ticketId: row.ticket_id,
    ...codeOf(row, () => signer.sign({ companyId: row.company_id, ticketId: row.ticket_id })),
    isTest,
    language,
    product,
    period: row.month.slice(0, 7),
    monthName: Temporal.PlainDate.from(row.month).toLocaleString(locale, { month: 'long', year: 'numeric' }),
    month: { label: labels.month, value: `${row.month.slice(5, 7)}/${row.month.slice(0, 4)}` },
    holder: { label: labels.holder, value: `${row.first_name} ${row.last_name}` },
    validity: { label: labels.validity, value: `${day(from)} – ${day(until)}` },
    employer: { label: labels.employer, value: row.company_name },
    ticket: presentNumber(row, labels),
    note: row.issuer_number === null && row.barcode === null ? labels.own : null,
    startsAt: toText(from.toZonedDateTime(row.time_zone)),
    endsAt: toText(until.add({ days: 1 }).toZonedDateTime(row.time_zone).subtract({ seconds: 1 })),
  };
}
