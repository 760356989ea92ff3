import type { ConsentWay, PlanType } from '../../../domain/enums.ts';

/**
 * The content of a document. It is stored with the document in the database until it is rendered, so that the file can
 * be written later, or again, and still reflects the day it was made for. Dates are YYYY-MM-DD. Money is an integer
 * number of cents.
 */
interface Common {
  /** The locale of the company, such as de-DE or en-GB. */
  locale: string;
  currency: string;
  companyName: string;
  /** Street and city. Absent from documents that an older version created, empty if the company has entered none. */
  companyAddress?: readonly string[];
  firstName: string;
  lastName: string;
  email: string;
  employeeId: number;
  planType: PlanType;
  contributionCents: number | null;
  /** The date printed on the document. */
  madeOn: string;
}

interface SubscriptionConfirmation extends Common {
  kind: 'subscription-confirmation';
  startsOn: string;
  /** The fields below are absent from documents that an older version created. */
  /** The first day without a subscription, if the end is known. */
  endsOn?: string | null;
  cutOffDay?: number;
}

export interface ContributionAgreement extends Common {
  kind: 'contribution-agreement';
  /** Null while an absence without a known end delays the start. */
  startsOn: string | null;
  /** Null as long as the employee has not accepted it. */
  agreedOn: string | null;
  /** The fields below are absent from documents that an older version created. */
  /** The first month that is possible if the employee accepts at once. */
  earliestStart?: string | null;
  ticketCents?: number | null;
  cutOffDay?: number;
  /** What the company adds. Absent: nothing. */
  paragraph?: string;
  /** How it was accepted. `given` is null if only that somebody recorded it is known. `isOwn`: by the employee's link. */
  consent?: { given: ConsentWay | null; isOwn: boolean; recordedBy: string | null } | null;
}

interface TicketConfirmation extends Common {
  kind: 'ticket-confirmation';
  /** The first day of the month. */
  month: string;
  ticketId: string;
  /** What inspectors read, as Base64: of a ticket that an issuer has issued with one. Absent from older documents. */
  barcode?: string | null;
  validFrom: string;
  validUntil: string;
  netCents: number;
  taxCents: number;
  grossCents: number;
  companyShareCents: number;
  employeeShareCents: number;
}

interface CancellationConfirmation extends Common {
  kind: 'cancellation-confirmation';
  /** The first day without a subscription. The last day is the one before. */
  endsOn: string;
  /** True if it was cancelled before its first day. Absent from documents that an older version created. */
  neverStarted?: boolean;
  /** The last month for which something is deducted. Null: nothing is, or it is not certain. */
  lastDeduction?: string | null;
}

/** One month of a statement, after corrections. */
export interface StatementMonth {
  /** The first day of the month. */
  month: string;
  grossCents: number;
  companyShareCents: number;
  employeeShareCents: number;
  taxFreeCents: number;
  flatTaxCents: number;
}

export interface YearlyStatement extends Common {
  kind: 'yearly-statement';
  year: number;
  /** The months with a ticket. */
  months: StatementMonth[];
  /** The percentage of the price at which the benefit is valued. */
  benefitValuation: number;
  /** The statement that this one replaces, because charges were corrected since. */
  replaces: { documentId: number; madeOn: string } | null;
}

export type DocumentContent =
  | SubscriptionConfirmation
  | ContributionAgreement
  | TicketConfirmation
  | CancellationConfirmation
  | YearlyStatement;

/**
 * A document as it is printed. Its id distinguishes it from others of the same kind and day. The logo is a PNG file.
 * `isTest`: it is marked as valid nowhere. `squares`: those of the barcode, by rows.
 */
export type PrintedContent = DocumentContent & {
  documentId: number;
  logo?: Uint8Array | null;
  isTest?: boolean;
  squares?: boolean[][];
};
