import type { Company } from '../companies.ts';
import { knownStart, type PlannedDocument } from '../domain/documents.ts';
import type { EmployeeState } from '../domain/employee.ts';
import type { DocumentContent } from './pdf/content.ts';

interface Subject {
  company: Pick<Company, 'locale' | 'currency' | 'name'>;
  employeeId: number;
  employee: Pick<EmployeeState, 'profile' | 'subscription' | 'nextTicketOn'>;
  madeOn: string;
}

/** Returns the content of a document for an employee whose subscription has just changed. */
export function contentOf(
  { company, employeeId, employee, madeOn }: Subject,
  { kind, about }: PlannedDocument,
): DocumentContent {
  const { profile, subscription } = employee;
  const common = {
    locale: company.locale,
    currency: company.currency,
    companyName: company.name,
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
      return { ...common, kind, startsOn: about.toString(), endsOn };
    }
    case 'contribution-agreement':
      return { ...common, kind, startsOn: knownStart(employee)?.toString() ?? null, agreedOn: madeOn };
    case 'cancellation-confirmation':
      return { ...common, kind, endsOn: about.toString(), neverStarted: subscription.startOn === null };
  }
}
