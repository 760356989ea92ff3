import type { PlanType } from '../../domain/vocabulary.ts';

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
}

interface ContributionAgreement extends Common {
  kind: 'contribution-agreement';
  startsOn: string;
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
}

export type DocumentContent =
  | SubscriptionConfirmation
  | ContributionAgreement
  | TicketConfirmation
  | CancellationConfirmation;
