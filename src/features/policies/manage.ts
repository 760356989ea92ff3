import { createMessage } from '../../domain/messages/message.ts';
import type { Terms } from '../../domain/policies.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { ApiError, invalidValue, notFound } from '../../platform/http/errors.ts';
import { insertAudit } from '../activity/record.ts';
import { getCompany, lockCompany } from '../companies/companies.ts';
import { loadPolicyBook } from '../companies/policy-book.ts';
import type { CompanyContext } from '../context.ts';
import type { EditPolicyBody, NewPolicyBody } from './contract.ts';
import { findTermsProblem, normalizeGroups } from './rules/terms.ts';
import { refreshShownPlans } from './shown-plans.ts';
import { assignPolicy, insertDefaultPolicy, insertPolicy, insertVersion, updateOrder, updatePolicy } from './store.ts';

export type PolicyContext = Pick<CompanyContext, 'db' | 'companyId' | 'by' | 'write'>;

/** Throws if terms contradict each other. */
export function assertTerms(terms: Terms): Terms {
  const problem = findTermsProblem(terms);
  if (problem !== undefined) throw invalidValue('/terms', problem, createMessage(`policy-${problem}`));
  return terms;
}

/** Locks a company whose policies change. Afterwards its employees show what applies now. */
const changeInOrder = <T>({ companyId, write }: PolicyContext, change: (tx: Tx) => Promise<T>): Promise<T> =>
  write(async (tx) => {
    await lockCompany(tx, companyId);
    await insertDefaultPolicy(tx, companyId);
    const result = await change(tx);
    const company = await getCompany(tx as Db, companyId);
    await refreshShownPlans(tx, company, company.processedThrough);
    return result;
  });

const nameTaken = (name: string) => invalidValue('/name', 'taken', createMessage('policy-name-taken', { name }));

/** Creates a policy with its first version. */
export function createPolicy(
  context: PolicyContext,
  { name: given, groups: listed, from: first, terms }: Omit<NewPolicyBody, 'terms'> & { terms: Terms },
): Promise<{ id: number }> {
  const { companyId, by } = context;
  assertTerms(terms);
  const name = given.trim();
  if (name === '') throw invalidValue('/name', 'empty', createMessage('value-empty'));
  const groups = normalizeGroups(listed);
  const from = Temporal.PlainDate.from(first);
  return changeInOrder(context, async (tx) => {
    const policyId = await insertPolicy(tx, companyId, { name, groups, at: by.at });
    if (policyId === undefined) throw nameTaken(name);
    await insertVersion(tx, companyId, { policyId, from, terms });
    const detail = { name, groups, from: first, ...terms };
    await insertAudit(tx, companyId, { action: 'policy.create', target: String(policyId), detail, ...by });
    return { id: policyId };
  });
}

/** Changes the name and the groups of a policy. Running subscriptions keep their plans until a change of the policy. */
export function editPolicy(context: PolicyContext, policyId: number, body: EditPolicyBody): Promise<void> {
  const { companyId, by } = context;
  return changeInOrder(context, async (tx) => {
    const { policies } = await loadPolicyBook(tx, await getCompany(tx as Db, companyId));
    const policy = policies.find(({ id }) => id === policyId);
    if (policy === undefined) throw notFound('policy');
    const name = (body.name ?? policy.name).trim();
    const groups = body.groups === undefined ? policy.groups : normalizeGroups(body.groups);
    if (name === '') throw invalidValue('/name', 'empty', createMessage('value-empty'));
    if (name === policy.name && groups.join('\n') === policy.groups.join('\n')) return;
    if (!(await updatePolicy(tx, companyId, { policyId, name, groups }))) throw nameTaken(name);
    const detail = { name, groups: [...groups] };
    await insertAudit(tx, companyId, { action: 'policy.edit', target: String(policyId), detail, ...by });
  });
}

/** Sets the order in which policies are compared with the group of an employee. */
export function orderPolicies(context: PolicyContext, ids: readonly number[]): Promise<void> {
  const { companyId, by } = context;
  return changeInOrder(context, async (tx) => {
    const { policies } = await loadPolicyBook(tx, await getCompany(tx as Db, companyId));
    const known = policies.filter(({ isDefault }) => !isDefault).map(({ id }) => id);
    if (known.toSorted((a, b) => a - b).join() !== ids.toSorted((a, b) => a - b).join())
      throw new ApiError('confirmation-mismatch', createMessage('policy-order-mismatch'));
    if (known.join() === ids.join()) return;
    await updateOrder(tx, companyId, ids);
    await insertAudit(tx, companyId, { action: 'policy.order', detail: { order: [...ids] }, ...by });
  });
}

/** Assigns a policy to an employee by hand. Their running subscription keeps its plan until the policy is changed. */
export function assignByHand(
  context: PolicyContext,
  { employeeId, policyId }: { employeeId: number; policyId: number | null },
): Promise<void> {
  const { companyId, by } = context;
  return changeInOrder(context, async (tx) => {
    const { policies } = await loadPolicyBook(tx, await getCompany(tx as Db, companyId));
    if (policyId !== null && !policies.some(({ id }) => id === policyId)) throw notFound('policy');
    if (!(await assignPolicy(tx, companyId, { employeeId, policyId, at: by.at }))) throw notFound('employee');
    const detail = { employeeId, policyId };
    await insertAudit(tx, companyId, { action: 'policy.assign', target: String(employeeId), detail, ...by });
  });
}
