import type { Static } from 'typebox';
import { type Day, isBefore } from '../../domain/calendar.ts';
import { type EmployeePlan, planDecisionFor } from '../../domain/employee.ts';
import { createMessage } from '../../domain/messages/message.ts';
import type { Refusal } from '../../domain/subscription/decisions.ts';
import type { Consent } from '../../domain/subscription/subscription.ts';
import type { Decision } from '../../domain/subscription/transitions.ts';
import { type Clock, todayIn } from '../../platform/clock/clock.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { invalidValue, notFound } from '../../platform/http/errors.ts';
import { getCompany } from '../companies/companies.ts';
import type { ConsentSchema, DecisionPreview } from '../employees/contract.ts';
import { loadEmployees } from '../employees/load.ts';

/** Returns how an employee agreed. Throws if that is still to come. */
export function readConsent(consent: Static<typeof ConsentSchema> | undefined, today: Day): Consent | undefined {
  if (consent === undefined) return undefined;
  const on = Temporal.PlainDate.from(consent.on);
  if (!isBefore(today, on)) return { given: consent.given, on };
  throw invalidValue('/consent/on', 'not-future', createMessage('value-not-future'));
}

export const presentDecided = (
  { employee, subscriptionChanges }: EmployeePlan,
  refusal: Refusal | null = null,
): DecisionPreview => ({
  refusal: refusal?.message ?? null,
  status: employee.subscription.status,
  contractStatus: employee.subscription.contractStatus,
  changes: subscriptionChanges.map(({ effectiveOn, rule, from, to }) => ({
    effectiveOn: effectiveOn.toString(),
    message: rule.message,
    from,
    to,
  })),
  nextTicketAt: employee.nextTicketOn?.toString() ?? null,
});

/** Returns what a decision would do. Plans it exactly as when it is applied, but writes nothing. */
export async function previewDecision(
  tx: Tx,
  clock: Clock,
  companyId: CompanyId,
  { employeeId, decision }: { employeeId: number; decision: Decision },
): Promise<DecisionPreview> {
  const company = await getCompany(tx, companyId);
  const today = todayIn(clock, company.timeZone);
  const employee = (await loadEmployees(tx, companyId, [employeeId], today)).get(employeeId);
  if (employee === undefined || employee.isRemoved) throw notFound('employee');
  const { refusal, ...plan } = planDecisionFor(employee, decision, today, company);
  return presentDecided(plan, refusal);
}
