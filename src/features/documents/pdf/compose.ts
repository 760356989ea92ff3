import type { DocumentKind } from '../../../domain/enums.ts';
import { moneyFormat } from '../../../domain/money.ts';
import type {
  ContributionAgreement,
  DocumentContent,
  PrintedContent,
  StatementMonth,
  YearlyStatement,
} from './content.ts';
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
  /** Months with their amounts. The last row has the sums. */
  table: { head: string[]; rows: string[][] } | null;
  amounts: { parts: Row[]; total: Row; shares: Row[] } | null;
  /** The code of a ticket, printed beside the amounts, and what is said about it. */
  code: { rows: boolean[][]; caption: string } | null;
  /** Printed as a numbered list. */
  terms: string[];
  /** Printed below the terms. */
  paragraph: string | null;
  closing: string[];
  /** Whether it is set smaller, below a table of twelve months. */
  hasSmallClosing: boolean;
  regards: string | null;
  footer: { issuer: string; note: string; page: string };
}

/** Returns the name of the document in the API. That of a monthly document includes the month, that of a yearly one the year. */
export function documentName(kind: DocumentKind, locale: string, month: string | null): string {
  const wording = wordingFor(locale);
  const name = wording.texts.names[kind];
  if (month === null) return name;
  return `${name} ${kind === 'yearly-statement' ? month.slice(0, 4) : wording.month(month)}`;
}

/** Returns the first day of the month or year that the name of a document includes. */
function periodOf(content: DocumentContent): string | null {
  if (content.kind === 'yearly-statement') return `${content.year}-01-01`;
  return content.kind === 'ticket-confirmation' ? content.month : null;
}

const kindCodes: Record<DocumentKind, string> = {
  'subscription-confirmation': 'SUB',
  'contribution-agreement': 'AGR',
  'ticket-confirmation': 'TKT',
  'cancellation-confirmation': 'END',
  'yearly-statement': 'YEAR',
};

/** Returns the number of the document. The id distinguishes documents of the same kind and day. */
function numberOf(content: PrintedContent): string {
  const period = periodOf(content);
  const time = period === null ? content.madeOn : period.slice(0, content.kind === 'yearly-statement' ? 4 : 7);
  return `TB-${content.employeeId}-${kindCodes[content.kind]}-${time.replaceAll('-', '')}-${content.documentId}`;
}

/** The content stores the first day without a subscription, but readers expect the last day with one. */
const dayBefore = (date: string) => Temporal.PlainDate.from(date).subtract({ days: 1 }).toString();

type Body = Pick<DocumentLayout, 'intro' | 'facts' | 'closing'> &
  Partial<
    Pick<
      DocumentLayout,
      'salutation' | 'table' | 'amounts' | 'code' | 'terms' | 'paragraph' | 'hasSmallClosing' | 'regards'
    >
  >;

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

/** Names the statement that this one replaces, with its day. */
function replacedBy(content: PrintedContent, { texts, day }: Wording): Row[] {
  if (content.kind !== 'yearly-statement' || content.replaces === null) return [];
  const { documentId, madeOn } = content.replaces;
  const number = numberOf({ ...content, documentId });
  return [[texts.labels.replaces, texts.statement.replaces(number, day(madeOn))]];
}

const sumOf = (months: readonly StatementMonth[], field: Exclude<keyof StatementMonth, 'month'>) =>
  months.reduce((sum, month) => sum + month[field], 0);

/** Shows a tax treatment only if it occurs. */
function statementOf(content: YearlyStatement, { texts, day, month }: Wording): Body {
  const { labels, statement } = texts;
  const { months } = content;
  const money = moneyFormat(content.locale, content.currency);
  const [taxFree, flatTax] = [sumOf(months, 'taxFreeCents'), sumOf(months, 'flatTaxCents')];
  const columns = [
    [labels.price, 'grossCents'],
    [labels.employer, 'companyShareCents'],
    [labels.own, 'employeeShareCents'],
    ...(taxFree === 0 ? [] : [[labels.taxFree, 'taxFreeCents'] as const]),
    ...(flatTax === 0 ? [] : [[labels.flatTax, 'flatTaxCents'] as const]),
  ] as const;
  return {
    intro: statement.intro(String(content.year), day(content.madeOn)),
    facts: content.benefitValuation === 100 ? [] : [[labels.valuation, statement.valuation(content.benefitValuation)]],
    table: {
      head: [labels.month, ...columns.map(([label]) => label)],
      rows: [
        ...months.map((one) => [month(one.month), ...columns.map(([, field]) => money(one[field]))]),
        [labels.sum, ...columns.map(([, field]) => money(sumOf(months, field)))],
      ],
    },
    amounts: {
      parts: [],
      total: [labels.line17, money(taxFree)],
      shares: flatTax === 0 ? [] : [[labels.flatTaxed, money(flatTax)]],
    },
    closing: [
      ...(taxFree === 0 ? [] : [statement.taxFree]),
      ...(flatTax === 0 ? [] : [statement.flatTax]),
      statement.closing,
    ],
    hasSmallClosing: true,
    regards: null,
  };
}

function bodyOf(content: PrintedContent, name: string, wording: Wording): Body {
  const { texts, day, month, days } = wording;
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
    case 'yearly-statement':
      return statementOf(content, wording);
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
    title: documentName(content.kind, content.locale, periodOf(content)),
    number,
    madeOn: content.madeOn,
    sender: content.companyName,
    logo: content.logo ?? null,
    senderAddress: content.companyAddress ?? [],
    recipient: { name, email: content.email },
    reference: [
      [texts.labels.date, wording.day(content.madeOn)],
      [texts.labels.number, number],
      ...replacedBy(content, wording),
    ],
    salutation: texts.salutation(name),
    table: null,
    amounts: null,
    code: null,
    terms: [],
    paragraph: null,
    hasSmallClosing: false,
    regards: texts.regards,
    footer: { ...texts.footer, issuer: texts.footer.issuer(content.companyName) },
    ...bodyOf(content, name, wording),
  };
}
