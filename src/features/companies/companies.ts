import { type Selectable, sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import type { IssuerKind, PlanType } from '../../domain/enums.ts';
import type { Settings } from '../../domain/subscription/subscription.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import { asCompanyId, type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { preparedStatement } from '../../platform/db/prepared-statement.ts';
import type { CompaniesTable } from '../../platform/db/types.gen.ts';
import { countChange } from '../../platform/db/write.ts';
import { insertAudit } from '../activity/record.ts';
import { policiesOf, type StoredPolicy, toPolicyBook } from './policy-book.ts';

export interface GuardSettings {
  /** The guard is inactive while fewer employees are linked. */
  guardMinimumLinked: number;
  /** The percentage of linked employees that may be absent without approval by a user. */
  guardMaximumAbsentPercent: number;
}

/** The data of a company that the rules and the documents need. */
export interface Company extends Settings, GuardSettings {
  id: CompanyId;
  name: string;
  /** Street and city as lines of an address. Empty unless both are entered. */
  address: string[];
  /** Printed in agreements, or null. */
  agreementParagraph: string | null;
  locale: string;
  currency: string;
  timeZone: string;
  joinedOn: Day;
  /** The last day that the daily run has processed. */
  processedThrough: Day;
  retentionDays: number;
  auditRetentionDays: number;
  /** Whether whoever is in a roster without a subscription is invited to join. */
  inviteAutomatically: boolean;
  /** Who issues its tickets. */
  issuer: IssuerKind;
}

type CompanyRow = Omit<Company, 'id' | 'address' | 'joinedOn' | 'processedThrough' | 'policies' | 'contributionCents'> &
  Pick<
    Selectable<CompaniesTable>,
    'created_at' | 'processed_through' | 'contribution_cents' | 'street' | 'post_code' | 'city'
  > & {
    stored: StoredPolicy[];
  };

const selectCompany = preparedStatement(
  (_shape: object, { companyId }: { companyId: CompanyId }) => sql<CompanyRow>`
    select c.name, c.locale, c.currency, c.time_zone as "timeZone", c.created_at, c.processed_through,
      c.cut_off_day as "cutOffDay", c.plan_type as "planType", c.contribution_cents,
      c.guard_minimum_linked as "guardMinimumLinked", c.retention_days as "retentionDays",
      c.guard_maximum_absent_percent as "guardMaximumAbsentPercent", c.agreement_paragraph as "agreementParagraph",
      c.joining, c.invite_automatically as "inviteAutomatically", ${policiesOf(companyId)} as stored,
      c.audit_retention_days as "auditRetentionDays", c.street, c.post_code, c.city, c.issuer
    from companies c where c.id = ${companyId}`,
);

export async function findCompany(db: Db, companyId: CompanyId): Promise<Company | undefined> {
  const [row] = await selectCompany(db, {}, { companyId });
  if (row === undefined) return undefined;
  const { created_at, processed_through, contribution_cents, street, post_code, city, stored, ...company } = row;
  const contributionCents = company.planType === 'split-pay-plan' ? contribution_cents : null;
  return {
    id: companyId,
    ...company,
    address: street === null || city === null ? [] : [street, [post_code, city].filter(Boolean).join(' ')],
    contributionCents,
    policies: await toPolicyBook(db, stored, { planType: company.planType, contributionCents }),
    joinedOn: Temporal.Instant.from(created_at).toZonedDateTimeISO(company.timeZone).toPlainDate(),
    processedThrough: Temporal.PlainDate.from(processed_through),
  };
}

export async function getCompany(db: Db, companyId: CompanyId): Promise<Company> {
  const company = await findCompany(db, companyId);
  if (company === undefined) throw new Error(`There is no company ${companyId}.`);
  return company;
}

/** Returns every company of the environment, for operations on all of them. */
export const listCompanies = (db: Db): Promise<{ id: number; name: string }[]> =>
  db.selectFrom('companies').select(['id', 'name']).orderBy('id').execute();

/**
 * Locks the employees of the company until the transaction ends. Meanwhile no sync, daily run or manual decision
 * changes them, so a plan is still valid when it is written.
 */
export async function lockCompany(tx: Tx, companyId: CompanyId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`company ${companyId}`}, 0))`.execute(tx);
}

/** One HR integration of a company. */
export interface Integration {
  companyId: CompanyId;
  hrIntegrationId: number;
}

/** Returns the condition that scopes a query to the syncs, pulls or links of an integration. */
export const ofIntegration = ({ companyId, hrIntegrationId }: Integration, table: string) =>
  sql<boolean>`${ofCompany(companyId, table)} and ${sql.ref(`${table}.hr_integration_id`)} = ${hrIntegrationId}`;

/** Locks the integration, so that rosters are accepted one after another and in the same order for every reader. */
export async function lockIntegration(tx: Tx, { companyId, hrIntegrationId }: Integration): Promise<void> {
  await sql`select i.id from hr_integrations i where ${ofCompany(companyId, 'i')} and i.id = ${hrIntegrationId}
    for no key update`.execute(tx);
}

export interface NewCompany {
  name: string;
  planType: PlanType;
  contributionCents: number;
}

const defaultTimeZone = 'Europe/Berlin';

/**
 * Inserts a company. Its first day counts as processed, because nothing can be due before it has employees.
 */
export async function insertCompany(tx: Tx, company: NewCompany, now: Temporal.Instant): Promise<CompanyId> {
  const { id } = await tx
    .insertInto('companies')
    .values({
      name: company.name,
      plan_type: company.planType,
      contribution_cents: company.contributionCents,
      time_zone: defaultTimeZone,
      processed_through: todayIn({ now: () => now }, defaultTimeZone).toString(),
      created_at: now.toString(),
      updated_at: now.toString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const companyId = asCompanyId(id);
  const policy = { company_id: companyId, name: 'Standard', is_default: true, created_at: now.toString() };
  await tx.insertInto('policies').values(policy).execute();
  await insertAudit(tx, companyId, { action: 'company.create', target: String(id), detail: { ...company }, at: now });
  await countChange(tx, companyId);
  return companyId;
}

/** The channel on which every process hears that the keys or the settings of a company have changed. */
export const accessChanges = 'access_changes';

/**
 * Announces a change of what a process remembers of a key: the key itself, or the settings of its company. Takes effect
 * with the transaction.
 */
export async function announceAccessChange(tx: Tx, companyId: CompanyId): Promise<void> {
  await sql`select pg_notify(${accessChanges}, ${String(companyId)})`.execute(tx);
}
