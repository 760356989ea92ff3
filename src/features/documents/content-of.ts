import { type Day, isBefore } from '../../domain/calendar.ts';
import { knownStart, type PlannedDocument } from '../../domain/documents.ts';
import type { EmployeeState } from '../../domain/employee.ts';
import type { ConsentWay } from '../../domain/enums.ts';
import { offeredPlan } from '../../domain/subscription/plan-change.ts';
import type { Subscription } from '../../domain/subscription/subscription.ts';
import { chargeTicket, priceOn, type TicketPrice } from '../billing/rules/charges.ts';
import type { Company } from '../companies/companies.ts';
import type { DocumentContent } from './pdf/content.ts';

interface Subject {
  company: Pick<Company, 'locale' | 'currency' | 'name' | 'address' | 'cutOffDay' | 'agreementParagraph'>;
  employeeId: number;
  employee: Pick<EmployeeState, 'profile' | 'subscription' | 'nextTicketOn'>;
  madeOn: string;
  /** Only contribution agreements need it. */
  agreement?: AgreementContext | undefined;
}

/** What an agreement says besides the subscription. */
export interface AgreementContext {
  ticketPrices: readonly TicketPrice[];
  given: ConsentWay | null;
  /** Null: it is offered. */
  agreedOn: string | null;
  isOwn: boolean;
  recordedBy: string | null;
}

/** Returns an employee as their agreement describes them: with the new plan from its month on, if they are asked about one. */
function withOfferedPlan<E extends Pick<EmployeeState, 'subscription' | 'nextTicketOn'>>(employee: E): E {
  const { nextPlan } = employee.subscription;
  if (nextPlan === null) return employee;
  const startOn = Temporal.PlainDate.from(nextPlan.from);
  return { ...employee, subscription: { ...employee.subscription, ...offeredPlan(employee.subscription), startOn } };
}

/** Returns the parts of an agreement that are known only when it is offered or accepted. */
function termsOf({ company, employee, madeOn, agreement }: Subject) {
  const { subscription } = employee;
  const startsOn = knownStart(employee);
  const day = startsOn ?? subscription.startOn ?? Temporal.PlainDate.from(madeOn);
  const price = priceOn(agreement?.ticketPrices ?? [], day);
  const agreedOn = agreement ? agreement.agreedOn : madeOn;
  return {
    startsOn: startsOn?.toString() ?? null,
    earliestStart: subscription.startOn?.toString() ?? null,
    ticketCents: price ? chargeTicket(price, subscription).grossCents : null,
    cutOffDay: company.cutOffDay,
    // Absent without one, so that agreements which were offered before it existed have the same terms.
    ...(company.agreementParagraph && { paragraph: company.agreementParagraph }),
    agreedOn,
    consent:
      agreedOn === null || agreement === undefined
        ? null
        : { given: agreement.given, isOwn: agreement.isOwn, recordedBy: agreement.recordedBy },
  };
}

/** Returns the first of the last month for which the employee pays, or null if nothing is deducted or a pause precedes the end. */
function lastDeductionOf({ planType, startOn, pausedOn, reactivatedOn }: Subscription, end: Day): string | null {
  const isPaused =
    pausedOn !== null && isBefore(pausedOn, end) && !(reactivatedOn && isBefore(pausedOn, reactivatedOn));
  if (planType === 'fully-subsidized-plan' || startOn === null || isPaused || end.day !== 1) return null;
  return isBefore(startOn, end) ? end.subtract({ months: 1 }).toString() : null;
}

/** Returns the content of a document for an employee whose subscription has just changed. */
export function contentOf(subject: Subject, { kind, about }: PlannedDocument): DocumentContent {
  const { company, employeeId, madeOn } = subject;
  const employee = kind === 'contribution-agreement' ? withOfferedPlan(subject.employee) : subject.employee;
  const { profile, subscription } = employee;
  const common = {
    locale: company.locale,
    currency: company.currency,
    companyName: company.name,
    companyAddress: company.address,
    firstName: profile.firstName,
    lastName: profile.lastName,
    email: profile.email,
    employeeId,
    planType: subscription.planType,
    contributionCents: subscription.contributionCents,
    madeOn,
  };
  switch (kind) {
    case 'subscription-confirmation': {
      const endsOn = subscription.cancelledOn?.toString() ?? null;
      return { ...common, kind, startsOn: about.toString(), endsOn, cutOffDay: company.cutOffDay };
    }
    case 'contribution-agreement':
      return { ...common, kind, ...termsOf({ ...subject, employee }) };
    case 'cancellation-confirmation':
      return {
        ...common,
        kind,
        endsOn: about.toString(),
        neverStarted: subscription.startOn === null,
        lastDeduction: lastDeductionOf(subscription, about),
      };
  }
}
