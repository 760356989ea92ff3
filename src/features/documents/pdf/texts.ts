import type { ConsentWay, DocumentKind, PlanType } from '../../../domain/enums.ts';

/** All texts of documents in one language. Amounts and dates are passed in already formatted. */
export interface Texts {
  language: 'de' | 'en';
  names: Record<DocumentKind, string>;
  plans: Record<PlanType, string>;
  contributions: Record<PlanType, (amount: string) => string>;
  labels: {
    date: string;
    number: string;
    employer: string;
    employee: string;
    plan: string;
    contribution: string;
    /** The same label, for texts that are not addressed to the employee alone. */
    agreedContribution: string;
    startsOn: string;
    term: string;
    firstMonth: string;
    agreedOn: string;
    lastDayToChange: string;
    ticketId: string;
    validity: string;
    lastDay: string;
    lastDeduction: string;
    confirmedOn: string;
    net: string;
    tax: string;
    gross: string;
    companyShare: string;
    employeeShare: string;
  };
  salutation: (name: string) => string;
  regards: string;
  subscription: {
    intro: (startsOn: string) => string;
    openTerm: string;
    fixedTerm: (lastDay: string) => string;
    closing: string[];
  };
  agreement: {
    intro: string;
    /** Printed instead of the first month. */
    startUnknown: string;
    terms: Record<PlanType, string[]>;
    /** Printed instead of the first month of an agreement that is offered. */
    startAfterConsent: (earliest: string | null) => string;
    lastDayToChange: (day: number) => string;
    closing: Record<ConsentWay, (agreedOn: string) => string>;
    /** If it is not known how the employee accepted it. */
    recorded: string;
    recordedBy: (on: string, name: string | null) => string;
    /** Of an agreement that the employee has not accepted yet. */
    offer: { intro: string; closing: string };
  };
  ticket: { intro: (month: string) => string; payment: Record<PlanType, string>; closing: string };
  cancellation: { intro: string; closing: string[]; neverStarted: { intro: string; closing: string[] } };
  footer: { issuer: (company: string) => string; note: string; page: string };
}
