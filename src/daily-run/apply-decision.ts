import { type Actor, insertAudit } from '../audit.ts';
import type { CompanyId } from '../db/company-scope.ts';
import type { Tx } from '../db/database.ts';
import { type PersonPlan, planDecided } from '../domain/employee.ts';
import type { Refusal } from '../domain/subscription/decisions.ts';
import type { Decision } from '../domain/subscription/transitions.ts';
import { refreshEmployeeCounts } from '../employees/counts.ts';
import { loadPersons } from '../employees/load.ts';
import { updateSubscriptions, writeConsequences } from '../employees/write.ts';
import { enterToday, type Life } from './run.ts';

export type DecisionOutcome =
  | { kind: 'unknown-employee' }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'decided'; plan: PersonPlan };

/** Carries out what a person or the operator decides about one subscription. Deciding the same again changes nothing. */
export async function decide(
  tx: Tx,
  life: Life,
  companyId: CompanyId,
  employeeId: number,
  decision: Decision,
  actor: Actor,
): Promise<DecisionOutcome> {
  const { company, today } = await enterToday(tx, life, companyId);
  const person = (await loadPersons(tx, companyId, [employeeId], today)).get(employeeId);
  if (person === undefined || person.isRemoved) return { kind: 'unknown-employee' };
  const { refusal, ...plan } = planDecided(person, decision, today, company);
  if (refusal !== null) return { kind: 'refused', refusal };
  const now = life.clock.now();
  const planned = [{ id: employeeId, plan }];
  const occasion = { actor, syncKey: null, now, goneAt: now };
  await updateSubscriptions(tx, companyId, planned, occasion);
  const papers = await writeConsequences(tx, company, planned, occasion);
  if (papers > 0) await life.queue.enqueueDocuments(tx, companyId, null);
  await refreshEmployeeCounts(tx, companyId);
  await insertAudit(tx, companyId, {
    actor,
    action: `subscription.${decision}`,
    target: String(employeeId),
    detail: { status: plan.person.subscription.status, changes: plan.subscriptionChanges.length },
    at: now,
  });
  return { kind: 'decided', plan };
}
