import type { Actor } from '../../domain/actor.ts';
import { type Day, isBefore } from '../../domain/calendar.ts';
import { chunksOf } from '../../domain/chunks.ts';
import { derivePlan } from '../../domain/employee.ts';
import type { NoAnswerRule } from '../../domain/enums.ts';
import type { Policy, PolicyBook, Terms } from '../../domain/policies.ts';
import { proposePlan } from '../../domain/subscription/plan-change.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { type By, insertAudit } from '../activity/record.ts';
import { loadPrices } from '../billing/prices.ts';
import { priceOn } from '../billing/rules/charges.ts';
import { type Company, getCompany, lockCompany } from '../companies/companies.ts';
import { loadPolicyBook } from '../companies/policy-book.ts';
import type { EmployeeMails } from '../employee-mails/queue.ts';
import { refreshEmployeeCounts } from '../employees/counts.ts';
import { loadEmployees } from '../employees/load.ts';
import { updateSubscriptions, writeHistoryAndDocuments } from '../employees/write.ts';
import { type MailedChange, writeToAffected } from './mails.ts';
import { type PlannedItem, planItems, summarizeItems } from './rules/change.ts';
import { findChange, insertChange, insertVersion, listOpenChanges, listSubscribers } from './store.ts';
import { insertItems } from './store-items.ts';

const batchSize = 2_000;

export interface WantedChange {
  policyId: number;
  from: Day;
  /** Undefined: the same terms, at the price of that month. */
  terms: Terms | undefined;
  deadline: Day | null;
  noAnswer: NoAnswerRule;
}

/** Returns the policies as they are after the change. */
const withVersion = (book: PolicyBook, { policyId, from, terms }: WantedChange): PolicyBook => ({
  ...book,
  policies: book.policies.map((policy) =>
    policy.id === policyId && terms
      ? { ...policy, versions: [...policy.versions.filter((one) => !one.from.equals(from)), { from, ...terms }] }
      : policy,
  ),
});

/** Returns what a change would do, as a whole. Writes nothing. */
export async function planChange(
  db: Db | Tx,
  company: Company,
  wanted: WantedChange,
): Promise<{ items: PlannedItem[]; policy: Policy } | undefined> {
  const book = await loadPolicyBook(db, company);
  const policy = book.policies.find(({ id }) => id === wanted.policyId);
  const price = priceOn((await loadPrices(db as Db)).tickets, wanted.from);
  if (policy === undefined || price === undefined) return undefined;
  const subscribers = await listSubscribers(db, company.id);
  return { policy, items: planItems(withVersion(book, wanted), { ...wanted, price }, subscribers) };
}

interface Proposal {
  company: Company;
  change: MailedChange;
  employeeMails: EmployeeMails;
  /** The day by which the subscriptions are known. */
  day: Day;
  now: Temporal.Instant;
  actor: Actor;
}

/** Proposes the new plan to each employee of a change, once, and writes to them. Returns how many there were. */
export async function proposeItems(
  tx: Tx,
  { company, change, employeeMails, day, now, actor }: Proposal,
  items: readonly PlannedItem[],
): Promise<{ proposed: number; documents: number }> {
  const total = { proposed: 0, documents: 0 };
  const { id: changeId, from } = change;
  for (const some of chunksOf(items, batchSize)) {
    const added = await insertItems(tx, company.id, changeId, some);
    const employees = await loadEmployees(tx as Db, company.id, [...added], day);
    const planned = some.flatMap((item) => {
      const { employeeId: id, after, needsAgreement } = item;
      const known = employees.get(id);
      if (known === undefined) return [];
      const proposed = proposePlan(known.subscription, { plan: after, from, changeId, needsAgreement }, day);
      return [{ id, item, plan: derivePlan(known, known, proposed, day) }];
    });
    const context = { actor, syncKey: null, hrIntegrationId: null, now, removedAt: now };
    await updateSubscriptions(tx, company.id, planned, context);
    total.documents += await writeHistoryAndDocuments(tx, company, planned, context);
    const offered = planned.map(({ item, plan: { employee } }) => ({ ...item, employee }));
    await writeToAffected(tx, { company, employeeMails }, change, offered);
    total.proposed += planned.length;
  }
  if (total.proposed > 0) await refreshEmployeeCounts(tx, company.id);
  return total;
}

const sameTerms = (one: Terms | undefined, other: Terms | undefined) =>
  one !== undefined &&
  other !== undefined &&
  Object.entries(other).every(([name, value]) => one[name as keyof Terms] === value);

type ApplyOutcome =
  | { kind: 'unknown-policy' }
  /** The policy has a version or a change with other terms from that month. */
  | { kind: 'conflict' }
  /** Another change of the policy is not over. */
  | { kind: 'open' }
  | ({ kind: 'applied'; changeId: number; isNew: boolean } & ReturnType<typeof summarizeItems>);

/**
 * Begins a change: the new version, and what it means for every subscription. The key of policy and month lets it happen
 * once: the same again returns the first one.
 */
export async function applyChange(
  tx: Tx,
  companyId: Company['id'],
  wanted: WantedChange,
  { by, employeeMails }: { by: Required<By>; employeeMails: EmployeeMails },
): Promise<ApplyOutcome> {
  await lockCompany(tx, companyId);
  const company = await getCompany(tx as Db, companyId);
  const found = await planChange(tx, company, wanted);
  if (found === undefined) return { kind: 'unknown-policy' };
  const { policy, items } = found;
  const { policyId, from, terms, deadline, noAnswer } = wanted;
  const stored = policy.versions.find((version) => version.from.equals(from));
  if (stored !== undefined && terms !== undefined && !sameTerms(stored, terms)) return { kind: 'conflict' };
  const earlier = await findChange(tx, companyId, wanted);
  const summary = summarizeItems(items);
  if (earlier !== undefined) return { kind: 'applied', changeId: earlier.id, isNew: false, ...summary };
  const now = by.at;
  if ((await listOpenChanges(tx, companyId)).some((open) => open.policyId === policyId)) return { kind: 'open' };
  await keepFirstVersion(tx, companyId, policy);
  if (terms) await insertVersion(tx, companyId, { policyId, from, terms });
  const changeId = await insertChange(tx, companyId, { policyId, from, deadline, noAnswer, at: now });
  if (changeId === undefined) return { kind: 'conflict' };
  const day = company.processedThrough;
  const change = { id: changeId, from, deadline, noAnswer };
  await proposeItems(tx, { company, change, employeeMails, day, now, actor: by.actor }, items);
  await insertAudit(tx, companyId, {
    ...{ action: 'policy.change', target: String(policyId) },
    detail: {
      from: from.toString(),
      deadline: deadline?.toString() ?? null,
      noAnswer,
      ...terms,
      affected: items.length,
    },
    ...by,
  });
  return { kind: 'applied', changeId, isNew: true, ...summary };
}

/** Stores what the default policy has said so far, before it gets a version. */
async function keepFirstVersion(tx: Tx, companyId: Company['id'], { id: policyId, versions }: Policy): Promise<void> {
  const [first] = versions;
  if (first === undefined || !isBefore(first.from, Temporal.PlainDate.from('2000-01-02'))) return;
  const { from, ...terms } = first;
  await insertVersion(tx, companyId, { policyId, from, terms });
}
