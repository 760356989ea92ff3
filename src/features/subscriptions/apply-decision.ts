import type { Static } from 'typebox';
import type { Actor } from '../../domain/actor.ts';
import { type Day, isBefore } from '../../domain/calendar.ts';
import { type EmployeePlan, planDecisionFor } from '../../domain/employee.ts';
import type { ContractDecision } from '../../domain/enums.ts';
import { createMessage } from '../../domain/messages/message.ts';
import type { Refusal } from '../../domain/subscription/refusals.ts';
import type { Consent } from '../../domain/subscription/subscription.ts';
import type { Decision } from '../../domain/subscription/transitions.ts';
import { type Clock, todayIn } from '../../platform/clock/clock.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { invalidValue, notFound } from '../../platform/http/errors.ts';
import { insertAudits } from '../activity/record.ts';
import { loadEffectPrices } from '../billing/prices.ts';
import { sumEffects } from '../billing/rules/effects.ts';
import { getCompany } from '../companies/companies.ts';
import { type DailyRunDeps, lockAndCatchUp } from '../daily-run/run.ts';
import type { ConsentSchema, DecisionPreview } from '../employees/contract.ts';
import { refreshEmployeeCounts } from '../employees/counts.ts';
import { loadEmployees } from '../employees/load.ts';
import { applyRequests, type RequestOutcome, writePlans } from './request.ts';

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

type Outcomes = Map<number, DecisionOutcome>;

/** Applies what employees have decided about their contracts. */
async function applyContractDecisions(
  tx: Tx,
  deps: DailyRunDeps,
  companyId: CompanyId,
  request: DecisionRequest & { decision: ContractDecision; employeeIds: readonly number[] },
): Promise<Outcomes> {
  const { employeeIds, decision, actor, consent, recordedBy, documentId } = request;
  const { company, today } = await lockAndCatchUp(tx, deps, companyId);
  const employees = await loadEmployees(tx, companyId, [...employeeIds], today);
  const outcomes: Outcomes = new Map();
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
  await writePlans(tx, deps, planned, { company, today, actor, consent, recordedBy });
  await refreshEmployeeCounts(tx, companyId);
  const at = deps.clock.now();
  await insertAudits(
    tx,
    companyId,
    planned.map(({ id, plan }) => ({
      actor,
      action: `subscription.${decision}`,
      target: String(id),
      detail: {
        status: plan.employee.subscription.status,
        changes: plan.subscriptionChanges.length,
        ...(consent ? { given: consent.given, givenOn: consent.on.toString() } : {}),
        ...(documentId === undefined ? {} : { documentId }),
      },
      at,
    })),
  );
  return outcomes;
}

function toDecisionOutcome(outcome: RequestOutcome | undefined): DecisionOutcome {
  if (outcome === undefined || outcome.status === 'unknown-employee') return { kind: 'unknown-employee' };
  if (outcome.status === 'applied') return { kind: 'decided', plan: outcome.plan };
  return { kind: 'refused', refusal: outcome };
}

/** Returns what has become of each subscription. Repeating the same decision changes nothing. */
export async function applyDecisions(
  tx: Tx,
  deps: DailyRunDeps,
  companyId: CompanyId,
  { decision, ...request }: DecisionRequest & { employeeIds: readonly number[] },
): Promise<Outcomes> {
  if (decision === 'contract-accepted' || decision === 'contract-rejected') {
    return applyContractDecisions(tx, deps, companyId, { decision, ...request });
  }
  const { employeeIds, actor, consent, recordedBy } = request;
  const requests = employeeIds.map((employeeId) => ({ employeeId, action: decision, consent }));
  const outcomes = await applyRequests(tx, deps, companyId, { requests, actor, recordedBy });
  return new Map(employeeIds.map((id, index) => [id, toDecisionOutcome(outcomes[index])]));
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
    effects: sumEffects([{ plan }], await loadEffectPrices(db, companyId, { today })),
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
