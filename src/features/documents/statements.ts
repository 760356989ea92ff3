import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { todayIn } from '../../platform/clock/clock.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Company } from '../companies/companies.ts';
import { insertRows } from './insert.ts';
import { documentName } from './pdf/compose.ts';
import type { YearlyStatement } from './pdf/content.ts';

/** What a statement says of an employee and a year. */
export interface NewStatement
  extends Pick<YearlyStatement, 'employeeId' | 'firstName' | 'lastName' | 'email' | 'planType' | 'months'> {
  isRemoved: boolean;
  benefitValuation: number;
  /** The newest charge or correction that it includes. */
  lastItemId: number;
}

interface Latest {
  employeeId: number;
  documentId: number;
  edition: string;
  createdAt: string;
}

const kind = 'yearly-statement' as const;
const aboutOf = (year: number) => `${year}-01-01`;

/** Returns the latest statement of a year of each of these employees. Those who have none are missing. */
export async function findStatements(tx: Tx, companyId: CompanyId, year: number, ids: readonly number[]) {
  const { rows } = await sql<Latest>`
    select distinct on (d.employee_id) d.employee_id as "employeeId", d.id as "documentId", d.edition, d.created_at as "createdAt"
    from documents d where ${ofCompany(companyId, 'd')} and d.employee_id = any(${ids}::bigint[]) and d.kind = ${kind}
      and d.about = ${aboutOf(year)}::date
    order by d.employee_id, d.id desc`.execute(tx);
  return new Map(rows.map((row) => [row.employeeId, row]));
}

/** The same charges and amounts make the same edition: it is inserted once, by a unique key. */
const editionOf = ({ months, benefitValuation, lastItemId }: NewStatement) =>
  hash('sha256', JSON.stringify({ months, benefitValuation, lastItemId }), 'base64url').slice(0, 22);

/**
 * Inserts the statements of a year that do not exist yet. One with other amounts than the employee's latest names the one that
 * it replaces. Somebody without tickets gets one only to replace an earlier one. Requires the company lock. Returns how many are new.
 */
export async function insertStatements(
  tx: Tx,
  company: Company,
  { year, statements, now }: { year: number; statements: readonly NewStatement[]; now: Temporal.Instant },
): Promise<number> {
  const { id: companyId, locale, currency, timeZone } = company;
  const dayOf = (at: Temporal.Instant) => todayIn({ now: () => at }, timeZone).toString();
  const latest = await findStatements(
    tx,
    companyId,
    year,
    statements.map(({ employeeId }) => employeeId),
  );
  const rows = statements.flatMap((statement) => {
    const { isRemoved, lastItemId: _, ...said } = statement;
    const edition = editionOf(statement);
    const known = latest.get(statement.employeeId);
    if (known ? known.edition === edition : statement.months.length === 0) return [];
    const content: YearlyStatement = {
      ...said,
      ...{ kind, locale, currency, year, companyName: company.name, companyAddress: company.address },
      contributionCents: null,
      madeOn: dayOf(now),
      replaces: known ? { documentId: known.documentId, madeOn: dayOf(Temporal.Instant.from(known.createdAt)) } : null,
    };
    const name = documentName(kind, locale, aboutOf(year));
    return [{ id: statement.employeeId, kind, about: aboutOf(year), edition, name, content, isHidden: isRemoved }];
  });
  return insertRows(tx, companyId, rows, now);
}

/** Returns how many employees have a statement of the year. */
export async function countStatements(db: Db | Tx, companyId: CompanyId, year: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct d.employee_id) as count from documents d
    where ${ofCompany(companyId, 'd')} and d.removed_at is null and d.kind = ${kind} and d.about = ${aboutOf(year)}::date`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
