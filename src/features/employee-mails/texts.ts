import type { Actor } from '../../domain/actor.ts';
import type { EmployeeMailKind, NoAnswerRule } from '../../domain/enums.ts';
import type { MailText } from '../notices/texts.ts';

/** Who made the change that a mail confirms. `system`: an API key or the service itself, such as by a roster. */
export type ChangeMaker = 'employee' | 'hr' | 'system' | 'operator';

export const changeMakerOf = ({ type }: Pick<Actor, 'type'>): ChangeMaker => {
  if (type === 'user') return 'hr';
  return type === 'key' || type === 'service' ? 'system' : type;
};

/** A day such as `2026-12-10`, a month such as `2026-12`, a time in ISO 8601. */
type DayText = string;
type MonthText = string;
type TimeText = string;

interface Offer {
  /** What follows # in the address of the offer. Browsers do not send it, so it gets into no log and no referrer. */
  token: string;
  expiresAt: TimeText;
  /** What a ticket costs each of them per month. */
  employeeCents: number;
  companyCents: number;
}

/** A higher share that needs an agreement. `noAnswerFrom`: the month in which a pause or an end takes effect. */
interface HigherShare {
  from: MonthText;
  oldCents: number;
  employeeCents: number;
  acceptUntil: DayText;
  noAnswer: NoAnswerRule;
  noAnswerFrom: MonthText;
}

/** What each mail needs besides the employee and the company, which are read when it is sent. */
export interface EmployeeMailValues {
  'access-link': { url: string; expiresAt: TimeText };
  invitation: Offer;
  'invitation-reminder': Offer;
  /** Null months: nothing is deducted. `undoUntil`: the last day on which the employee can undo it, null: they cannot. */
  welcome: { by: ChangeMaker; firstTicket: MonthText; firstDeduction: MonthText | null; undoUntil: DayText | null };
  ticket: { month: MonthText };
  agreement: HigherShare;
  'agreement-reminder': HigherShare;
  /** A change that needs no agreement: the share stays or falls. */
  'plan-changed': { from: MonthText; oldCents: number; employeeCents: number };
  /** A new ticket price, for those who pay all of it. */
  'price-changed': { from: MonthText; oldCents: number; employeeCents: number };
  /** `nextTicket`: the month in which the pause ends, null while that is open. */
  'pause-confirmed': {
    by: ChangeMaker;
    from: MonthText;
    nextTicket: MonthText | null;
    lastTicket: MonthText | null;
    lastDeduction: MonthText | null;
    undoUntil: DayText | null;
  };
  'resumption-confirmed': {
    by: ChangeMaker;
    nextTicket: MonthText;
    nextDeduction: MonthText | null;
    undoUntil: DayText | null;
  };
  'cancellation-confirmed': {
    by: ChangeMaker;
    lastTicket: MonthText | null;
    lastDeduction: MonthText | null;
    undoUntil: DayText | null;
  };
  /** `action`: what was undone. `nextTicket`: null if no ticket is to come. */
  'undo-confirmed': {
    by: ChangeMaker;
    action: 'subscribe' | 'pause' | 'resume' | 'cancel';
    nextTicket: MonthText | null;
  };
  'ticket-replaced': { by: ChangeMaker; month: MonthText; reason: 'unreadable' | 'new-phone' | 'other' };
}

/** What is read when a mail is sent. */
export interface EmployeeMailContext {
  company: string;
  /** The address of the employee's page. */
  pageUrl: string;
}

export interface EmployeeMailFormats {
  day(text: DayText): string;
  /** With the year. */
  month(text: MonthText): string;
  monthName(text: MonthText): string;
  time(text: TimeText): string;
  money(cents: number): string;
}

/** How the values of a mail become text in one language. */
export interface EmployeeMailTexts {
  kinds: {
    [K in EmployeeMailKind]: (
      values: EmployeeMailValues[K],
      context: EmployeeMailContext,
      formats: EmployeeMailFormats,
    ) => MailText;
  };
  greeting(name: string): string;
  /** Follows every mail, if the company has an address for answers. */
  answers(company: string): string;
  unsubscribe: { what: Record<'ticket' | 'invitation', string>; label: string };
}
