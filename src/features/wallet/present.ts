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
  /** The content of the QR code. It is signed, so that it cannot be forged (src/features/wallet/ticket-code.ts). */
  code: string;
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
  /** First and last second of the validity, with the offset of the company's time zone. */
  startsAt: string;
  endsAt: string;
}

const product = 'Deutschlandticket Job';

const languages = {
  de: {
    locale: 'de-DE',
    month: 'Monat',
    holder: 'Name',
    validity: 'Gültig',
    employer: 'Arbeitgeber',
    ticket: 'Ticketnummer',
  },
  en: {
    locale: 'en-GB',
    month: 'Month',
    holder: 'Name',
    validity: 'Valid',
    employer: 'Employer',
    ticket: 'Ticket number',
  },
} as const;

const languageOf = (locale: string): Pass['language'] => (/^de(?![a-z])/i.test(locale) ? 'de' : 'en');

const toText = (moment: Temporal.ZonedDateTime) =>
  moment.toString({ timeZoneName: 'never', fractionalSecondDigits: 0, calendarName: 'never' });

/** Presents the ticket in the language of the company, unless another one is given. */
export function presentPass(
  row: TicketRow,
  signer: Pick<TicketSigner, 'sign'>,
  language: Pass['language'] = languageOf(row.locale),
): Pass {
  const { locale, ...labels } = languages[language];
  const from = Temporal.PlainDate.from(row.valid_from);
  const until = Temporal.PlainDate.from(row.valid_until);
  const day = (date: Temporal.PlainDate) => date.toLocaleString(locale, { dateStyle: 'medium' });
  return {
    companyId: row.company_id,
    ticketId: row.ticket_id,
    code: signer.sign({ companyId: row.company_id, ticketId: row.ticket_id }),
    language,
    product,
    period: row.month.slice(0, 7),
    monthName: Temporal.PlainDate.from(row.month).toLocaleString(locale, { month: 'long', year: 'numeric' }),
    month: { label: labels.month, value: `${row.month.slice(5, 7)}/${row.month.slice(0, 4)}` },
    holder: { label: labels.holder, value: `${row.first_name} ${row.last_name}` },
    validity: { label: labels.validity, value: `${day(from)} – ${day(until)}` },
    employer: { label: labels.employer, value: row.company_name },
    ticket: { label: labels.ticket, value: row.ticket_id },
    startsAt: toText(from.toZonedDateTime(row.time_zone)),
    endsAt: toText(until.add({ days: 1 }).toZonedDateTime(row.time_zone).subtract({ seconds: 1 })),
  };
}
