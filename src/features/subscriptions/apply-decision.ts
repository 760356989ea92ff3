import type { Static } from 'typebox';
import type { Actor } from '../../domain/actor.ts';
import { type Day, isBefore } from '../../domain/calendar.ts';
import { type EmployeePlan, planDecisionFor } from '../../domain/employee.ts';
import { createMessage } from '../../domain/messages/message.ts';
import type { Refusal } from '../../domain/subscription/decisions.ts';
import type { Consent } from '../../domain/subscription/subscription.ts';
import type { Decision } from '../../domain/subscription/transitions.ts';
import { type Clock, todayIn } from '../../platform/clock/clock.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { invalidValue, notFound } from '../../platform/http/errors.ts';
import { insertAudit } from '../activity/record.ts';
import { loadEffectPrices, loadPrices } from '../billing/prices.ts';
import { sumEffects } from '../billing/rules/effects.ts';
import { getCompany } from '../companies/companies.ts';
import { type DailyRunDeps, lockAndCatchUp } from '../daily-run/run.ts';
import type { ConsentSchema, DecisionPreview } from '../employees/contract.ts';
import { refreshEmployeeCounts } from '../employees/counts.ts';
import { loadEmployees } from '../employees/load.ts';
import { updateSubscriptions, writeHistoryAndDocuments } from '../employees/write.ts';

export type DecisionOutcome =
  | { kind: 'unknown-employee' }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'decided'; plan: EmployeePlan };

interface DecisionRequest {
  decision: Decision;
  actor: Actor;
  /** How the employee agreed. Absent: only that their decision was recorded is known. */
  consent?: Consent | undefined;
  recordedBy?: string | undefined;
  documentId?: number | undefined;
}

/** Returns what has become of each subscription. Repeating the same decision changes nothing. */
export async function applyDecisions(
  tx: Tx,
  deps: DailyRunDeps,
  companyId: CompanyId,
  request: DecisionRequest & { employeeIds: readonly number[] },
): Promise<Map<number, DecisionOutcome>> {
  const { employeeIds, decision, actor, consent, recordedBy, documentId } = request;
  const { company, today } = await lockAndCatchUp(tx, deps, companyId);
  const employees = await loadEmployees(tx, companyId, [...employeeIds], today);
  const outcomes = new Map<number, DecisionOutcome>();
  const planned: { id: number; plan: EmployeePlan }[] = [];
  for (const id of employeeIds) {
    const employee = employees.get(id);
    if (employee === undefined || employee.isRemoved) {
      outcomes.set(id, { kind: 'unknown-employee' });
      continue;
    }
    const { refusal, ...plan } = planDecisionFor(employee, decision, today, { ...company, consent });
    outcomes.set(id, refusal === null ? { kind: 'decided', plan } : { kind: 'refused', refusal });
    if (refusal === null) planned.push({ id, plan });
  }
  if (planned.length === 0) return outcomes;
  const now = deps.clock.now();
  const agreement = {
    ticketPrices: decision === 'contract-accepted' ? (await loadPrices(tx)).tickets : [],
    given: consent?.given ?? null,
    agreedOn: (consent?.on ?? today).toString(),
    isOwn: actor.type === 'employee',
    recordedBy: recordedBy ?? null,
  };
  const changeContext = { actor, syncKey: null, hrIntegrationId: null, now, removedAt: now, agreement };
  await updateSubscriptions(tx, companyId, planned, changeContext);
  const documents = await writeHistoryAndDocuments(tx, company, planned, changeContext);
  if (documents > 0) await deps.queue.enqueueDocuments(tx, companyId, null);
  await refreshEmployeeCounts(tx, companyId);
  for (const { id, plan } of planned) {
    await insertAudit(tx, companyId, {
      actor,
      action: `subscription.${decision}`,
      target: String(id),
      detail: {
        status: plan.employee.subscription.status,
        changes: plan.subscriptionChanges.length,
        ...(consent ? { given: consent.given, givenOn: consent.on.toString() } : {}),
        ...(documentId === undefined ? {} : { documentId }),
      },
      at: now,
    });
  }
  return outcomes;
}

export async function applyDecision(
  tx: Tx,
  deps: DailyRunDeps,
  companyId: CompanyId,
  { employeeId, ...request }: DecisionRequest & { employeeId: number },
): Promise<DecisionOutcome> {
  const outcomes = await applyDecisions(tx, deps, companyId, { employeeIds: [employeeId], ...request });
  return outcomes.get(employeeId) ?? { kind: 'unknown-employee' };
}

/** Returns how an employee agreed. Throws if that is still to come. */
export function readConsent(consent: Static<typeof ConsentSchema> | undefined, today: Day): Consent | undefined {
  if (consent === undefined) return undefined;
  const on = Temporal.PlainDate.from(consent.on);
  if (!isBefore(today, on)) return { given: consent.given, on };
  throw invalidValue('/consent/on', 'not-future', createMessage('value-not-future'));
}

/** Returns what a decision does to an employee. `refusal`: why it is not possible. */
export async function presentDecided(
  db: Db,
  companyId: CompanyId,
  { plan, today, refusal = null }: { plan: EmployeePlan; today: Day; refusal?: Refusal | null },
): Promise<DecisionPreview> {
  const { employee, subscriptionChanges } = plan;
  const changes = subscriptionChanges.map(({ effectiveOn, rule, from, to }) => ({
    effectiveOn: effectiveOn.toString(),
    message: rule.message,
    from,
    to,
  }));
  return {
    refusal: refusal?.message ?? null,
    status: employee.subscription.status,
    contractStatus: employee.subscription.contractStatus,
    changes,
    nextTicketAt: employee.nextTicketOn?.toString() ?? null,
    effects: sumEffects([{ plan }], await loadEffectPrices(db, companyId, today)),
  };
}

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
  return presentDecided(tx, companyId, { plan, today, refusal });
}
