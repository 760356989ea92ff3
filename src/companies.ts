import { sql } from 'kysely';
import { insertAudit } from './audit.ts';
import { todayIn } from './clock.ts';
import { asCompanyId, type CompanyId } from './db/company-scope.ts';
import type { Db, Tx } from './db/database.ts';
import type { Day } from './domain/calendar.ts';
import type { PlanType } from './domain/enums.ts';
import type { GuardSettings } from './domain/roster/match.ts';
import type { Settings } from './domain/subscription/subscription.ts';

/** What the rules and the letters need of a company. */
export interface Company extends Settings, GuardSettings {
  id: CompanyId;
  name: string;
  locale: string;
  currency: string;
  timeZone: string;
  joinedOn: Day;
  /** The last day whose calendar has happened. */
  processedThrough: Day;
  retentionDays: number;
  auditRetentionDays: number;
}

const columns = [
  'name',
  'locale',
  'currency',
  'time_zone',
  'cut_off_day',
  'plan_type',
  'contribution_cents',
  'guard_minimum_linked',
  'guard_maximum_absent_percent',
  'created_at',
  'lived_through',
  'retention_days',
  'audit_retention_days',
] as const;

export async function findCompany(db: Db, companyId: CompanyId): Promise<Company | undefined> {
  const row = await db.selectFrom('companies').select(columns).where('id', '=', companyId).executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    id: companyId,
    name: row.name,
    locale: row.locale,
    currency: row.currency,
    timeZone: row.time_zone,
    cutOffDay: row.cut_off_day,
    planType: row.plan_type,
    contributionCents: row.plan_type === 'split-pay-plan' ? row.contribution_cents : null,
    guardMinimumLinked: row.guard_minimum_linked,
    guardMaximumAbsentPercent: row.guard_maximum_absent_percent,
    joinedOn: Temporal.Instant.from(row.created_at).toZonedDateTimeISO(row.time_zone).toPlainDate(),
    processedThrough: Temporal.PlainDate.from(row.lived_through),
    retentionDays: row.retention_days,
    auditRetentionDays: row.audit_retention_days,
  };
}

export async function getCompany(db: Db, companyId: CompanyId): Promise<Company> {
  const company = await findCompany(db, companyId);
  if (company === undefined) throw new Error(`There is no company ${companyId}.`);
  return company;
}

/** Every company of the environment, for what moves all of them at once. */
export const listCompanies = (db: Db): Promise<{ id: number; name: string }[]> =>
  db.selectFrom('companies').select(['id', 'name']).orderBy('id').execute();

/**
 * Until the transaction ends nobody else changes the company's people: neither a roster, nor the calendar, nor a person's
 * decision. What one plans by holds when it is written.
 */
export async function lockCompany(tx: Tx, companyId: CompanyId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`people ${companyId}`}, 0))`.execute(tx);
}

export interface NewCompany {
  name: string;
  planType: PlanType;
  contributionCents: number;
}

const defaultTimeZone = 'Europe/Berlin';

/** Its first day is over as far as the calendar goes: nobody is there yet to whom anything could happen. */
export async function insertCompany(tx: Tx, company: NewCompany, now: Temporal.Instant): Promise<CompanyId> {
  const { id } = await tx
    .insertInto('companies')
    .values({
      name: company.name,
      plan_type: company.planType,
      contribution_cents: company.contributionCents,
      time_zone: defaultTimeZone,
      lived_through: todayIn({ now: () => now }, defaultTimeZone).toString(),
      created_at: now.toString(),
      updated_at: now.toString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const companyId = asCompanyId(id);
  await insertAudit(tx, companyId, { action: 'company.create', target: String(id), detail: { ...company }, at: now });
  return companyId;
}
