import type { DocumentKind } from '../../../domain/enums.ts';
import { moneyFormat } from '../../../domain/money.ts';
import type { ContributionAgreement, PrintedContent } from './content.ts';
import { type Wording, wordingFor } from './wording.ts';

type Row = [label: string, value: string];

/** One page as it is printed. Null or empty values are left out. */
export interface DocumentLayout {
  isTest: boolean;
  language: string;
  title: string;
  number: string;
  /** YYYY-MM-DD. Also dates the file, so that the same document always produces the same bytes. */
  madeOn: string;
  sender: string;
  /** Printed above the name of the sender, as PNG. */
  logo: Uint8Array | null;
  /** Lines below the name of the sender. */
  senderAddress: readonly string[];
  recipient: { name: string; email: string };
  /** Printed beside the recipient. */
  reference: Row[];
  salutation: string | null;
  intro: string;
  facts: Row[];
  amounts: { parts: Row[]; total: Row; shares: Row[] } | null;
  /** The code of a ticket, printed beside the amounts, and what is said about it. */
  code: { rows: boolean[][]; caption: string } | null;
  /** Printed as a numbered list. */
  terms: string[];
  /** Printed below the terms. */
  paragraph: string | null;
  closing: string[];
  regards: string | null;
  footer: { issuer: string; note: string; page: string };
}

/** Returns the name of the document in the API. The name of a monthly document includes the month. */
export function documentName(kind: DocumentKind, locale: string, month: string | null): string {
  const wording = wordingFor(locale);
  const name = wording.texts.names[kind];
  return month === null ? name : `${name} ${wording.month(month)}`;
}

const kindCodes: Record<DocumentKind, string> = {
  'subscription-confirmation': 'SUB',
  'contribution-agreement': 'AGR',
  'ticket-confirmation': 'TKT',
  'cancellation-confirmation': 'END',
};

/** Returns the number of the document. The id distinguishes documents of the same kind and day. */
function numberOf(content: PrintedContent): string {
  const time = content.kind === 'ticket-confirmation' ? content.month.slice(0, 7) : content.madeOn;
  return `TB-${content.employeeId}-${kindCodes[content.kind]}-${time.replaceAll('-', '')}-${content.documentId}`;
}

/** The content stores the first day without a subscription, but readers expect the last day with one. */
const dayBefore = (date: string) => Temporal.PlainDate.from(date).subtract({ days: 1 }).toString();

type Body = Pick<DocumentLayout, 'intro' | 'facts' | 'closing'> &
  Partial<Pick<DocumentLayout, 'salutation' | 'amounts' | 'code' | 'terms' | 'paragraph' | 'regards'>>;

function firstMonthOf(
  { startsOn, agreedOn, earliestStart }: ContributionAgreement,
  { texts, month }: Pick<Wording, 'texts' | 'month'>,
): string {
  if (startsOn !== null) return month(startsOn);
  if (agreedOn !== null) return texts.agreement.startUnknown;
  return texts.agreement.startAfterConsent(earliestStart ? month(earliestStart) : null);
}

/** Says how the agreement was accepted, and no more than is known about it. */
function closingOf(
  { agreedOn, consent, madeOn }: ContributionAgreement,
  { texts: { agreement }, day }: Pick<Wording, 'texts' | 'day'>,
): string[] {
  if (agreedOn === null) return [agreement.offer.closing];
  if (!consent) return [agreement.recorded];
  const { given, isOwn, recordedBy } = consent;
  return [
    ...(given === null ? [] : [agreement.closing[given](day(agreedOn))]),
    ...(isOwn ? [] : [agreement.recordedBy(day(madeOn), recordedBy)]),
  ];
}

function bodyOf(content: PrintedContent, name: string, { texts, day, month, days }: Wording): Body {
  const { labels } = texts;
  const { planType, contributionCents } = content;
  const money = moneyFormat(content.locale, content.currency);
  const plan: Row = [labels.plan, texts.plans[planType]];
  const contribution = texts.contributions[planType](money(contributionCents ?? 0));
  switch (content.kind) {
    case 'subscription-confirmation':
      return {
        intro: texts.subscription.intro(day(content.startsOn)),
        facts: [
          [labels.startsOn, day(content.startsOn)],
          [
            labels.term,
            content.endsOn ? texts.subscription.fixedTerm(day(dayBefore(content.endsOn))) : texts.subscription.openTerm,
          ],
          plan,
          [labels.contribution, contribution],
        ],
        closing: [
          ...texts.subscription.closing,
          content.cutOffDay === undefined
            ? texts.subscription.askForCutOff
            : texts.subscription.cutOff(content.cutOffDay),
        ],
      };
    case 'contribution-agreement':
      return {
        salutation: null,
        intro: content.agreedOn === null ? texts.agreement.offer.intro : texts.agreement.intro,
        facts: [
          [labels.employer, content.companyName],
          [labels.employee, name],
          plan,
          [labels.contribution, contribution],
          ...(content.ticketCents == null ? [] : [[labels.gross, money(content.ticketCents)] as Row]),
          [labels.firstMonth, firstMonthOf(content, { texts, month })],
          ...(content.cutOffDay === undefined
            ? []
            : [[labels.lastDayToChange, texts.agreement.lastDayToChange(content.cutOffDay)] as Row]),
          ...(content.agreedOn === null ? [] : [[labels.agreedOn, day(content.agreedOn)] as Row]),
        ],
        terms: texts.agreement.terms[planType],
        paragraph: content.paragraph ?? null,
        closing: closingOf(content, { texts, day }),
        regards: null,
      };
    case 'ticket-confirmation':
      return {
        intro: texts.ticket.intro(month(content.month)),
        facts: [
          [labels.ticketId, content.ticketId],
          [labels.validity, days(content.validFrom, content.validUntil)],
          plan,
        ],
        amounts: {
          parts: [
            [labels.net, money(content.netCents)],
            [labels.tax, money(content.taxCents)],
          ],
          total: [labels.gross, money(content.grossCents)],
          shares: [
            [labels.companyShare, money(content.companyShareCents)],
            [labels.employeeShare, money(content.employeeShareCents)],
          ],
        },
        code: content.squares ? { rows: content.squares, caption: texts.ticket.code(day(content.madeOn)) } : null,
        closing: [
          texts.ticket.payment[content.employeeShareCents === 0 ? 'fully-subsidized-plan' : planType],
          texts.ticket.closing,
        ],
      };
    case 'cancellation-confirmation':
      return content.neverStarted
        ? {
            intro: texts.cancellation.neverStarted.intro,
            facts: [[labels.confirmedOn, day(content.madeOn)]],
            closing: texts.cancellation.neverStarted.closing,
          }
        : {
            intro: texts.cancellation.intro,
            facts: [
              [labels.lastDay, day(dayBefore(content.endsOn))],
              ...(content.lastDeduction ? [[labels.lastDeduction, month(content.lastDeduction)] as Row] : []),
              [labels.confirmedOn, day(content.madeOn)],
            ],
            closing: texts.cancellation.closing,
          };
  }
}

export function composeDocument(content: PrintedContent): DocumentLayout {
  const wording = wordingFor(content.locale);
  const { texts } = wording;
  const name = `${content.firstName} ${content.lastName}`;
  const number = numberOf(content);
  return {
    isTest: content.isTest ?? false,
    language: texts.language,
    title: documentName(content.kind, content.locale, content.kind === 'ticket-confirmation' ? content.month : null),
    number,
    madeOn: content.madeOn,
    sender: content.companyName,
    logo: content.logo ?? null,
    senderAddress: content.companyAddress ?? [],
    recipient: { name, email: content.email },
    reference: [
      [texts.labels.date, wording.day(content.madeOn)],
      [texts.labels.number, number],
    ],
    salutation: texts.salutation(name),
    amounts: null,
    code: null,
    terms: [],
    paragraph: null,
    regards: texts.regards,
    footer: { ...texts.footer, issuer: texts.footer.issuer(content.companyName) },
    ...bodyOf(content, name, wording),
  };
}
