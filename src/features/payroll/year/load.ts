import { sql } from 'kysely';
import type { PlanType } from '../../../domain/enums.ts';
import { type CompanyId, ofCompany } from '../../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { linkOrder } from '../../billing/run.ts';
import type { YearItem } from '../rules/year.ts';

/** An employee with what was billed for tickets of a year. */
export interface YearRow {
  /** Null: somebody who was erased, known by their HR id alone. */
  id: number | null;
  firstName: string;
  lastName: string;
  email: string;
  isRemoved: boolean;
  personnelNumber: string | null;
  policyId: number | null;
  group: string | null;
  hrIds: string[];
  billedHrId: string | null;
  planType: PlanType;
  items: YearItem[];
}

/** Which employees to load. */
interface YearPage {
  companyId: CompanyId;
  year: number;
  /** The employees after this one, or some of them. */
  afterId: number;
  among?: readonly number[] | undefined;
}

const employeesPerStep = 500;

const itemColumns = sql`b.id, b.gross_cents, b.employee_share_cents, b.corrects_id, b.hr_id, b.plan_type, m.month,
  x.booked`;

/** Adds to item `b` the month of its ticket, and what an export contains of it. Looks up one item after the other. */
const withMonthAndBooking = (companyId: CompanyId) => sql`
  left join lateral (
    select coalesce(o.ticket_month, o.period) as month from billing_items o
    where ${ofCompany(companyId, 'o')} and o.id = coalesce(b.corrects_id, b.id) limit 1
  ) m on true
  left join lateral (
    select f.period, json_build_object('taxTreatment', x.tax_treatment, 'benefitCents', x.benefit_cents,
      'deductionCents', x.deduction_cents, 'period', f.period) as booked
    from payroll_file_items x join payroll_files f on ${ofCompany(companyId, 'f')} and f.id = x.file_id
    where ${ofCompany(companyId, 'x')} and x.item_id = b.id limit 1
  ) x on true`;

const ofYear = (year: number) => {
  const [first, last] = [`${year}-01-01`, `${year}-12-31`];
  return sql`b.charge_type = 'ticket-charge'
    and (m.month between ${first}::date and ${last}::date or x.period between ${first}::date and ${last}::date)`;
};

const itemsOf = sql`json_agg(json_build_object('id', b.id, 'month', b.month, 'grossCents', b.gross_cents,
  'employeeShareCents', b.employee_share_cents, 'correctsId', b.corrects_id, 'booked', b.booked) order by b.id) as items,
  (array_agg(b.hr_id order by b.id desc))[1] as "billedHrId", (array_agg(b.plan_type order by b.id desc))[1] as "planType"`;

/** Returns the next employees, and the id after which to continue. Undefined: there are no more. */
export async function loadYear(
  db: Db | Tx,
  { companyId, year, afterId, among }: YearPage,
): Promise<{ rows: YearRow[]; lastId: number | undefined }> {
  const some = among === undefined ? sql`` : sql`and e.id = any(${among}::bigint[])`;
  const { rows } = await sql<Omit<YearRow, 'id' | 'items'> & { id: number; items: YearItem[] | null }>`
    select e.id, e.first_name as "firstName", e.last_name as "lastName", e.email, e.removed_at is not null as "isRemoved",
      e.personnel_number as "personnelNumber", e.policy_id as "policyId", e.roster_group as "group", i.items,
      i."billedHrId", i."planType", case when i.items is null then '{}' else array(
        select l.hr_id from hr_links l
        left join hr_integrations i on ${ofCompany(companyId, 'i')} and i.id = l.hr_integration_id
        where ${ofCompany(companyId, 'l')} and l.employee_id = e.id order by ${linkOrder}
      ) end as "hrIds"
    from (
      select e.id, e.first_name, e.last_name, e.email, e.removed_at, e.personnel_number, e.policy_id, e.roster_group
      from employees e where ${ofCompany(companyId, 'e')} and e.id > ${afterId} ${some}
      order by e.id limit ${employeesPerStep}
    ) e
    cross join lateral (
      select ${itemsOf} from (
        select ${itemColumns} from billing_items b ${withMonthAndBooking(companyId)}
        where ${ofCompany(companyId, 'b')} and b.employee_id = e.id and ${ofYear(year)}
      ) b
    ) i
    order by e.id`.execute(db);
  return {
    rows: rows.flatMap((row) => (row.items === null ? [] : [{ ...row, items: row.items }])),
    lastId: rows.at(-1)?.id,
  };
}

/** Returns those who were erased, by the HR id of their charges. */
export async function loadErasedOfYear(db: Db | Tx, companyId: CompanyId, year: number): Promise<YearRow[]> {
  const { rows } = await sql<Pick<YearRow, 'billedHrId' | 'planType' | 'items'>>`
    select ${itemsOf} from (
      select ${itemColumns} from billing_items b ${withMonthAndBooking(companyId)}
      where ${ofCompany(companyId, 'b')} and b.employee_id is null and b.period >= ${`${year}-01-01`}::date
        and ${ofYear(year)}
    ) b group by b.hr_id order by b.hr_id`.execute(db);
  const nobody = { id: null, firstName: '', lastName: '', email: '', isRemoved: true };
  const unknown = { personnelNumber: null, policyId: null, group: null, hrIds: [] };
  return rows.map((row) => ({ ...nobody, ...unknown, ...row }));
}
