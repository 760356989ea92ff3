import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { ChargeType, LateCause } from '../../domain/enums.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, RowSource } from '../../platform/db/database.ts';
import {
  offsetOf,
  type PageRow,
  type PageShape,
  pageOf,
  toVersionedPage,
  type VersionedPage,
} from '../../platform/db/page.ts';
import { preparedStatement } from '../../platform/db/prepared-statement.ts';
import type { BillingItemsTable, BillingTotalsTable } from '../../platform/db/types.gen.ts';
import { versionColumn } from '../../platform/db/versions.ts';
import type { BillingItemsQuery, CorrectionFilter } from './contract.ts';
import { isOpen } from './proposals.ts';

export type BillingItemRow = Omit<Selectable<BillingItemsTable>, 'company_id' | 'corrects_period'> & {
  /** The period of the corrected item. Has no meaning for items that are not corrections. */
  corrects_period: string;
  employee_exists: boolean;
  /** The integration whose employees a fee is for. Null for other charges, and if it was deleted. */
  hr_integration_name: string | null;
};

const sortColumns = { id: 'id', billingPeriod: 'period', billedAt: 'billed_at' } as const;

const storedColumns = sql`b.id, b.period, b.charge_type, b.net_cents, b.tax_cents, b.gross_cents, b.employee_id, b.first_name,
  b.last_name, b.email, b.hr_id, b.plan_type, b.company_share_cents, b.employee_share_cents, b.billed_at, b.corrects_id,
  b.reason, b.hr_integration_id, b.quantity, b.used_period`;

const columns = (
  companyId: CompanyId,
) => sql`${storedColumns}, coalesce(b.corrects_period, b.period) as corrects_period,
  e.id is not null as employee_exists, case when b.hr_integration_id is not null then (
    select i.name from hr_integrations i where ${ofCompany(companyId, 'i')} and i.id = b.hr_integration_id
  ) end as hr_integration_name`;

/** A join would compare each item with all employees while the statistics do not include a new month. */
const visibleEmployee = (companyId: CompanyId) => sql`
  left join lateral (
    select case when e.removed_at is null then e.id end as id from employees e
    where ${ofCompany(companyId, 'e')} and e.id = b.employee_id limit 1
  ) e on true`;

type Filters = { chargeType?: ChargeType | undefined; period?: string | undefined };

const correctionConditions: Record<CorrectionFilter, RawBuilder<unknown>> = {
  include: sql``,
  exclude: sql`and b.corrects_id is null`,
  only: sql`and b.corrects_id is not null`,
};

/** Applies the same two filters to items and to their stored totals. */
const matching = (companyId: CompanyId, table: string, { chargeType, period }: Filters): RawBuilder<unknown> =>
  sql.join(
    [
      ofCompany(companyId, table),
      ...(chargeType ? [sql`${sql.ref(`${table}.charge_type`)} = ${chargeType}`] : []),
      ...(period ? [sql`${sql.ref(`${table}.period`)} = ${period}::date`] : []),
    ],
    sql` and `,
  );

interface ListShape extends PageShape {
  sortField: BillingItemsQuery['sortField'];
  corrections: CorrectionFilter;
}

interface ListValues extends Filters {
  companyId: CompanyId;
  offset: number | undefined;
}

/** Totals include corrections, which are few: they are counted by their own index. */
const totalOf = (companyId: CompanyId, corrections: CorrectionFilter, filters: Filters) => {
  if (corrections === 'only') return undefined;
  const corrected =
    corrections === 'include'
      ? sql``
      : sql`- (select count(*) from billing_items b where ${matching(companyId, 'b', filters)} ${correctionConditions.only})`;
  return sql`select coalesce(sum(t.items), 0)::bigint ${corrected} as total from billing_totals t
    where ${matching(companyId, 't', filters)}`;
};

/**
 * Looks up each item of the page by primary key, the only index with the items in the order of their ids. Right after a
 * month is billed, every index that contains the id somewhere would seem as good, and would be read as a whole.
 */
const itemOfEach = (companyId: CompanyId) => sql`
  left join lateral (
    select ${storedColumns}, b.corrects_period from billing_items b
    where ${ofCompany(companyId, 'b')} and b.id between p.id and p.id order by b.id limit 1
  ) b on true`;

const selectBillingItems = preparedStatement((shape: ListShape, { companyId, offset, ...filters }: ListValues) => {
  const sorted = sql.ref(`b.${sortColumns[shape.sortField]}`);
  const page = pageOf(
    {
      rows: sql`select b.id, ${sorted} as sorted from billing_items b
        where ${matching(companyId, 'b', filters)} ${correctionConditions[shape.corrections]}`,
      storedTotal: totalOf(companyId, shape.corrections, filters),
    },
    shape,
    offset,
  );
  return sql<BillingItemRow & PageRow & { version: number }>`
    ${page.found} select ${versionColumn(companyId)} as version, n.total, ${columns(companyId)} from ${page.source}
    ${itemOfEach(companyId)} ${visibleEmployee(companyId)} ${page.order}`;
});

export async function listBillingItems(
  db: Db,
  companyId: CompanyId,
  query: BillingItemsQuery,
): Promise<VersionedPage<BillingItemRow>> {
  const { sortField, sortOrder, perPage, chargeType, period, corrections } = query;
  const values = { companyId, chargeType, period, offset: offsetOf(query) };
  return toVersionedPage(await selectBillingItems(db, { sortField, sortOrder, perPage, corrections }, values));
}

const selectBillingItem = preparedStatement(
  (_shape: object, { companyId, id }: { companyId: CompanyId; id: number }) => sql<BillingItemRow>`
    select ${columns(companyId)} from billing_items b ${visibleEmployee(companyId)}
    where ${ofCompany(companyId, 'b')} and b.id = ${id}`,
);

export async function findBillingItem(db: Db, companyId: CompanyId, id: number): Promise<BillingItemRow | undefined> {
  const [row] = await selectBillingItem(db, {}, { companyId, id });
  return row;
}

/** Returns the newest charges of one employee. */
export async function listBillingItemsOf(
  db: Db,
  companyId: CompanyId,
  employeeId: number,
  limit: number,
): Promise<BillingItemRow[]> {
  const { rows } = await sql<BillingItemRow>`
    select ${columns(companyId)} from billing_items b ${visibleEmployee(companyId)}
    where ${ofCompany(companyId, 'b')} and b.employee_id = ${employeeId}
    order by b.period desc, b.id desc limit ${limit}`.execute(db);
  return rows;
}

/** With a limit that PostgreSQL does not know, it reads rows in order instead of sorting all of them first. */
const asTheyCome = sql`limit (select ${sql.lit(Number.MAX_SAFE_INTEGER)})`;

export function streamBillingItems(
  { db, stream }: RowSource,
  companyId: CompanyId,
  { corrections, ...filters }: Required<Filters> & { corrections: CorrectionFilter },
): AsyncGenerator<BillingItemRow[]> {
  const query = sql<BillingItemRow>`
    select ${columns(companyId)} from billing_items b ${visibleEmployee(companyId)}
    where ${matching(companyId, 'b', filters)} ${correctionConditions[corrections]} order by b.id ${asTheyCome}`;
  return stream(query.compile(db));
}

/** Returns the stored totals per period and charge type, newest period first. */
export async function listBillingTotals(
  db: Db,
  companyId: CompanyId,
): Promise<Omit<Selectable<BillingTotalsTable>, 'company_id'>[]> {
  return db
    .selectFrom('billing_totals as t')
    .select(['t.period', 't.charge_type', 't.items', 't.net_cents', 't.tax_cents', 't.gross_cents'])
    .where(ofCompany(companyId, 't'))
    .orderBy('t.period', 'desc')
    .execute();
}

/** Returns the charges that are proposed for a correction, newest proposals first. */
export async function listProposedItems(
  db: Db,
  companyId: CompanyId,
  limit: number,
): Promise<(BillingItemRow & { cause: LateCause; proposed_at: string })[]> {
  const { rows } = await sql<BillingItemRow & { cause: LateCause; proposed_at: string }>`
    select ${columns(companyId)}, p.cause, p.proposed_at from correction_proposals p
    join billing_items b on ${ofCompany(companyId, 'b')} and b.id = p.item_id ${visibleEmployee(companyId)}
    where ${isOpen(companyId)} order by p.proposed_at desc, p.employee_id, b.period, b.id limit ${limit}`.execute(db);
  return rows;
}
