import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type CompanyId, ofCompany } from '../db/company-scope.ts';
import type { Db } from '../db/database.ts';
import { matchesWords, type Page, type PageRow, pageOf, toPage } from '../db/page.ts';
import type { EmployeesTable, HrLinksTable, TicketsTable } from '../db/types.gen.ts';
import { emailKey, searchWords } from '../domain/search.ts';
import type { EmployeesQuery } from './schema.ts';

type LinkRow = Pick<Selectable<HrLinksTable>, 'hr_id' | 'hr_integration_id' | 'last_sync_id' | 'last_synced_at'>;
type TicketRow = Pick<Selectable<TicketsTable>, 'ticket_id' | 'month' | 'valid_from' | 'valid_until' | 'wallet_token'>;
type NoTicket = { [Column in keyof TicketRow]: null };

export type EmployeeRow = Omit<
  Selectable<EmployeesTable>,
  'company_id' | 'email_key' | 'search_text' | 'removed_at'
> & {
  links: LinkRow[] | null;
} & (TicketRow | NoTicket);

const sortColumns = { id: 'id', createdAt: 'created_at', updatedAt: 'updated_at' } as const;

const columns = sql`
  e.id, e.first_name, e.last_name, e.email, e.date_of_birth, e.profile_image, e.subscription_status, e.start_on,
  e.next_ticket_on, e.paused_on, e.cancelled_on, e.reactivated_on, e.plan_type, e.contract_status, e.contribution_cents,
  t.ticket_id, t.month, t.valid_from, t.valid_until, t.wallet_token, l.links`;

/** The ticket valid today and all HR links of each employee `e`. */
const details = (companyId: CompanyId, today: Temporal.PlainDate) => sql`
  left join tickets t on ${ofCompany(companyId, 't')} and t.employee_id = e.id
    and t.month = ${today.with({ day: 1 }).toString()}::date
    and ${today.toString()}::date between t.valid_from and t.valid_until
  left join lateral (
    select json_agg(json_build_object('hr_id', l.hr_id, 'hr_integration_id', l.hr_integration_id,
      'last_sync_id', case when l.is_current then i.roster_sync_id else l.last_sync_id end,
      'last_synced_at', case when l.is_current then i.roster_synced_at else l.last_synced_at end) order by l.id) as links
    from hr_links l
    left join hr_integrations i on ${ofCompany(companyId, 'i')} and i.id = l.hr_integration_id and l.is_current
    where ${ofCompany(companyId, 'l')} and l.employee_id = e.id
  ) l on true`;

type Filters = Pick<EmployeesQuery, 'search' | 'ids' | 'emails' | 'subscriptionStatuses' | 'planTypes'>;

/** Conditions that kept counts know of; everything else has to be counted. */
const statusAndPlan = (table: string, { subscriptionStatuses, planTypes }: Filters) => [
  ...(subscriptionStatuses ? [sql`${sql.ref(`${table}.subscription_status`)} = any(${subscriptionStatuses})`] : []),
  ...(planTypes ? [sql`${sql.ref(`${table}.plan_type`)} = any(${planTypes})`] : []),
];

const persons = ({ search, ids, emails }: Filters) => [
  ...matchesWords('e', searchWords(search ?? '')),
  ...(ids ? [sql`e.id = any(${ids})`] : []),
  ...(emails ? [sql`e.email_key = any(${emails.map(emailKey)})`] : []),
];

const and = (conditions: RawBuilder<unknown>[]) => sql.join(conditions, sql` and `);

function keptTotal(companyId: CompanyId, filters: Filters): RawBuilder<unknown> {
  const kept = and([ofCompany(companyId, 'c'), ...statusAndPlan('c', filters)]);
  return sql`select coalesce(sum(c.employees), 0)::bigint as total from employee_counts c where ${kept}`;
}

export async function listEmployees(
  db: Db,
  companyId: CompanyId,
  query: EmployeesQuery,
  today: Temporal.PlainDate,
): Promise<Page<EmployeeRow>> {
  const named = persons(query);
  const matching = and([ofCompany(companyId, 'e'), sql`e.removed_at is null`, ...statusAndPlan('e', query), ...named]);
  const sorted = sql.ref(`e.${sortColumns[query.sortField]}`);
  const page = pageOf(
    {
      rows: sql`select e.id, ${sorted} as sorted from employees e where ${matching}`,
      keptTotal: named.length === 0 ? keptTotal(companyId, query) : undefined,
    },
    query.sortOrder,
    query,
  );
  const { rows } = await sql<EmployeeRow & PageRow>`
    ${page.found} select n.total, ${columns} from ${page.source}
    left join employees e on ${ofCompany(companyId, 'e')} and e.id = p.id
    ${details(companyId, today)} ${page.order}`.execute(db);
  return toPage(rows);
}

export async function findEmployee(
  db: Db,
  companyId: CompanyId,
  id: number,
  today: Temporal.PlainDate,
): Promise<EmployeeRow | undefined> {
  const { rows } = await sql<EmployeeRow>`
    select ${columns} from employees e ${details(companyId, today)}
    where ${ofCompany(companyId, 'e')} and e.id = ${id} and e.removed_at is null`.execute(db);
  return rows[0];
}

export async function employeeExists(db: Db, companyId: CompanyId, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('employees as e')
    .select('e.id')
    .where(ofCompany(companyId, 'e'))
    .where('e.id', '=', id)
    .where('e.removed_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}
