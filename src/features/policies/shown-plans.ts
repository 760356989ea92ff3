import { type Day, firstOfMonth } from '../../domain/calendar.ts';
import { appliedPlanOn } from '../../domain/policies.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Company } from '../companies/companies.ts';
import { refreshEmployeeCounts } from '../employees/counts.ts';
import { listShownPlans, updateCompanyPlan, updateShownPlans } from './store.ts';

/**
 * Shows every employee without a subscription the plan that would apply today, and the default one in the settings. A company
 * without further policies or versions has nothing to show.
 */
export async function refreshShownPlans(tx: Tx, { id, policies: book }: Company, day: Day): Promise<void> {
  if (book === undefined) return;
  const month = firstOfMonth(day);
  const wrong = (await listShownPlans(tx, id)).flatMap((shown) => {
    const plan = appliedPlanOn(book, shown, month)?.plan;
    const isRight = plan?.planType === shown.planType && plan.contributionCents === shown.contributionCents;
    return plan === undefined || isRight ? [] : [{ policyId: shown.policyId, group: shown.group, ...plan }];
  });
  const distinct = new Map(wrong.map((plan) => [JSON.stringify([plan.policyId, plan.group]), plan]));
  const fallback = appliedPlanOn(book, { policyId: null, group: null }, month);
  if (fallback) await updateCompanyPlan(tx, id, fallback.plan);
  if (distinct.size === 0) return;
  await updateShownPlans(tx, id, [...distinct.values()]);
  await refreshEmployeeCounts(tx, id);
}
