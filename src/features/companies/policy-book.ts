import { sql } from 'kysely';
import {
  dependsOnPrice,
  type Plan,
  type Policy,
  type PolicyBook,
  type SplitPrice,
  type Terms,
} from '../../domain/policies.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';

export type StoredPolicy = Omit<Policy, 'versions'> & { versions: (Terms & { from: string })[] };

/** The policies of a company in its order, as one JSON value of a query that reads the company. */
export const policiesOf = (companyId: CompanyId) => sql<StoredPolicy[]>`(
  select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'isDefault', p.is_default, 'groups', p.groups,
    'versions', (select coalesce(json_agg(json_build_object('from', v.from_on, 'planType', v.plan_type,
        'employeeCents', v.employee_cents, 'employerCents', v.employer_cents, 'employerPercent', v.employer_percent,
        'minimumCents', v.minimum_cents, 'maximumCents', v.maximum_cents, 'waitingMonths', v.waiting_months,
        'taxTreatment', v.tax_treatment) order by v.from_on), '[]'::json)
      from policy_versions v where v.company_id = ${companyId} and v.policy_id = p.id)) order by p.position, p.id), '[]'::json)
  from policies p where p.company_id = ${companyId})`;

const plainTerms = { employerCents: null, employerPercent: null, minimumCents: null, maximumCents: null };

/** The first month of a plan that applies from the beginning. */
const beginning = new Temporal.PlainDate(2000, 1, 1);

/** Returns a plan as the terms of a policy. */
const termsOf = ({ planType, contributionCents }: Plan): Terms => ({
  planType,
  ...plainTerms,
  employeeCents: planType === 'split-pay-plan' ? (contributionCents ?? 0) : null,
  waitingMonths: 0,
  taxTreatment: null,
});

async function loadSplitPrices(db: Db | Tx): Promise<SplitPrice[]> {
  const { rows } = await sql<Omit<SplitPrice, 'validFrom'> & { from: string }>`
    select p.valid_from as from, p.list_cents as "listCents", p.discount_percent as "discountPercent",
      p.discount_share_percent as "discountSharePercent" from ticket_prices p order by p.valid_from`.execute(db);
  return rows.map(({ from, ...price }) => ({ validFrom: Temporal.PlainDate.from(from), ...price }));
}

/** Returns stored policies for the rules. A default policy without versions says what the settings of the company say. */
const readPolicies = (stored: readonly StoredPolicy[], plan: Plan): Policy[] =>
  stored.map(({ versions, ...policy }) => ({
    ...policy,
    versions:
      policy.isDefault && versions.length === 0
        ? [{ from: beginning, ...termsOf(plan) }]
        : versions.map(({ from, ...terms }) => ({ from: Temporal.PlainDate.from(from), ...terms })),
  }));

/** Returns all policies of a company, and the ticket prices. */
export async function loadPolicyBook(db: Db | Tx, { id, ...plan }: Plan & { id: CompanyId }): Promise<PolicyBook> {
  const { rows } = await sql<{ stored: StoredPolicy[] }>`
    select ${policiesOf(id)} as stored from companies c where c.id = ${id}`.execute(db);
  return { policies: readPolicies(rows[0]?.stored ?? [], plan), prices: await loadSplitPrices(db) };
}

/** Returns what decides about the plans of a company. Undefined: it has only its default policy, which says what its settings say. */
export async function toPolicyBook(
  db: Db,
  stored: readonly StoredPolicy[],
  plan: Plan,
): Promise<PolicyBook | undefined> {
  if (stored.every(({ isDefault, versions }) => isDefault && versions.length === 0)) return undefined;
  const policies = readPolicies(stored, plan);
  const needsPrices = policies.some(({ versions }) => versions.some(dependsOnPrice));
  return { policies, prices: needsPrices ? await loadSplitPrices(db) : [] };
}

/** Returns the policies of a company, also if it has only its default one, which says what its settings say. */
export async function findPolicies(
  db: Db,
  { id, policies, ...plan }: Plan & { id: CompanyId; policies?: PolicyBook | undefined },
): Promise<PolicyBook> {
  if (policies) return policies;
  const { rows } = await sql<{ stored: StoredPolicy[] }>`select ${policiesOf(id)} as stored`.execute(db);
  return { policies: readPolicies(rows[0]?.stored ?? [], plan), prices: [] };
}
