import { type Actor, insertAudit } from '../audit.ts';
import type { CompanyId } from '../db/company-scope.ts';
import type { Tx } from '../db/database.ts';
import { type EmployeePlan, planDecisionFor } from '../domain/employee.ts';
import type { Refusal } from '../domain/subscription/decisions.ts';
import type { Decision } from '../domain/subscription/transitions.ts';
import { refreshEmployeeCounts } from '../employees/counts.ts';
import { loadEmployees } from '../employees/load.ts';
import { updateSubscriptions, writeHistoryAndDocuments } from '../employees/write.ts';
import { type DailyRunDeps, lockAndCatchUp } from './run.ts';

export type DecisionOutcome =
  | { kind: 'unknown-employee' }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'decided'; plan: EmployeePlan };

/** Applies a decision of a user or the operator about one subscription. Repeating the same decision changes nothing. */
export async function applyDecision(
  tx: Tx,
  deps: DailyRunDeps,
  companyId: CompanyId,
  { employeeId, decision, actor }: { employeeId: number; decision: Decision; actor: Actor },
): Promise<DecisionOutcome> {
  const { company, today } = await lockAndCatchUp(tx, deps, companyId);
  const employee = (await loadEmployees(tx, companyId, [employeeId], today)).get(employeeId);
  if (employee === undefined || employee.isRemoved) return { kind: 'unknown-employee' };
  const { refusal, ...plan } = planDecisionFor(employee, decision, today, company);
  if (refusal !== null) return { kind: 'refused', refusal };
  const now = deps.clock.now();
  const planned = [{ id: employeeId, plan }];
  const changeContext = { actor, syncKey: null, hrIntegrationId: null, now, removedAt: now };
  await updateSubscriptions(tx, companyId, planned, changeContext);
  const documents = await writeHistoryAndDocuments(tx, company, planned, changeContext);
  if (documents > 0) await deps.queue.enqueueDocuments(tx, companyId, null);
  await refreshEmployeeCounts(tx, companyId);
  await insertAudit(tx, companyId, {
    actor,
    action: `subscription.${decision}`,
    target: String(employeeId),
    detail: { status: plan.employee.subscription.status, changes: plan.subscriptionChanges.length },
    at: now,
  });
  return { kind: 'decided', plan };
}
