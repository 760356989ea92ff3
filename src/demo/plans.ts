import { insertAudit } from '../audit.ts';
import type { CompanyId } from '../db/company-scope.ts';
import type { Tx } from '../db/database.ts';
import { type Day, isBefore } from '../domain/calendar.ts';
import type { PlanType } from '../domain/enums.ts';
import type { Calendar } from './calendar.ts';

/** The plan that the company offers to employees who subscribe from a day on. */
export interface Offer {
  since: Day;
  planType: PlanType;
  contributionCents: number;
}

/**
 * Returns the offers over the year. The company changes its offer several times, so that its employees have every plan
 * type: employees keep the plan with which they subscribed.
 */
export const offersOf = ({ joined, day }: Calendar): Offer[] => [
  { since: joined, planType: 'deferred-plan', contributionCents: 0 },
  { since: day(-9, 2), planType: 'split-pay-plan', contributionCents: 2000 },
  { since: day(-5, 2), planType: 'fully-subsidized-plan', contributionCents: 0 },
  { since: day(-3, 2), planType: 'split-pay-plan', contributionCents: 2000 },
];

export function offerOn(calendar: Calendar, on: Day): Offer {
  const offer = offersOf(calendar).findLast(({ since }) => !isBefore(on, since));
  if (offer === undefined) throw new Error(`The demo company has not joined on ${on}.`);
  return offer;
}

/** Changes settings of the company, recorded as changes by the operator. */
export async function updateCompany(
  tx: Tx,
  companyId: CompanyId,
  settings: { plan_type?: PlanType; contribution_cents?: number; guard_minimum_linked?: number },
  now: Temporal.Instant,
): Promise<void> {
  await tx
    .updateTable('companies')
    .set({ ...settings, updated_at: now.toString() })
    .where('id', '=', companyId)
    .execute();
  await insertAudit(tx, companyId, { action: 'company.set', target: String(companyId), detail: settings, at: now });
}
