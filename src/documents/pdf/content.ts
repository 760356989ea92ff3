import type { PlanType } from '../../domain/enums.ts';

/**
 * What a document says, kept with it in the database until it is rendered: the file can be written later, and again, and
 * tells of the day it was made for. Dates are YYYY-MM-DD, money is an integer number of cents.
 */
interface Common {
  /** Of the company, such as de-DE or en-GB. */
  locale: string;
  currency: string;
  companyName: string;
  firstName: string;
  lastName: string;
  email: string;
  employeeId: number;
  planType: PlanType;
  contributionCents: number | null;
  /** The day it tells of being made. */
  madeOn: string;
}

interface SubscriptionConfirmation extends Common {
  kind: 'subscription-confirmation';
  startsOn: string;
  /** The first day without a subscription, if the end is known; a document that an older version ordered lacks it. */
  endsOn?: string | null;
}

interface ContributionAgreement extends Common {
  kind: 'contribution-agreement';
  /** Null while an absence without an end holds up the start. */
  startsOn: string | null;
  agreedOn: string;
}

interface TicketConfirmation extends Common {
  kind: 'ticket-confirmation';
  /** Its first day. */
  month: string;
  ticketId: string;
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
  /** The first day without a subscription; the last day is the one before. */
  endsOn: string;
  /** It was cancelled before its first day; a document that an older version ordered does not say so. */
  neverStarted?: boolean;
}

export type DocumentContent =
  | SubscriptionConfirmation
  | ContributionAgreement
  | TicketConfirmation
  | CancellationConfirmation;

/** A document as it is printed: its id sets it apart from others of its kind and day. */
export type PrintedContent = DocumentContent & { documentId: number };
