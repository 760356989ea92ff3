import { sql } from 'kysely';
import { differenceKinds } from '../../domain/enums.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { getCompany } from '../companies/companies.ts';
import { listComparedInvoices } from './compare-invoice.ts';
import type {
  IssuerPage,
  OpenOrder,
  OrderFile,
  OrderGroup,
  StoredInvoice,
  StoredReconciliation,
  TicketDifference,
  UnreadFile,
} from './contract.ts';
import { listOpenRows, listReturnedFiles } from './returned-files.ts';
import { describeGroup } from './rules/summarize.ts';
import { showIssuer } from './settings.ts';

const maxOrders = 200;
const maxGroups = 50;
const maxListed = 200;
const months = 3;

const isOpen = (companyId: CompanyId) => sql`${ofCompany(companyId, 'o')}
  and o.state = any(${['required', 'ordered', 'failed']}) and o.reason_code is distinct from 'month-over'`;

/** Counts all orders that failed or that wait by their reasons, those that somebody must act on first. */
export async function listOpenGroups(db: Db, companyId: CompanyId): Promise<OrderGroup[]> {
  const { rows } = await sql<Omit<OrderGroup, 'message'> & { code: string | null }>`
    select to_char(o.month, 'YYYY-MM') as month, o.state, o.reason_code as code, o.responsible, count(*) as orders
    from ticket_orders o
    join employees e on ${ofCompany(companyId, 'e')} and e.id = o.employee_id and e.removed_at is null
    where ${isOpen(companyId)}
    group by o.month, o.state, o.reason_code, o.responsible
    order by o.state = 'failed' desc, count(*) desc, o.month, o.reason_code limit ${maxGroups}`.execute(db);
  return rows.map(({ code, ...group }) => ({ ...group, message: describeGroup({ state: group.state, code }) }));
}

/** Lists orders that failed or that wait, failed ones first. */
async function listOpenOrders(db: Db, companyId: CompanyId): Promise<OpenOrder[]> {
  const { rows } = await sql<OpenOrder>`
    select o.employee_id as "employeeId", e.first_name || ' ' || e.last_name as name, to_char(o.month, 'YYYY-MM') as month,
      o.order_id as "orderId", o.state, o.responsible, o.reason, o.next_attempt_at as "nextAttemptAt"
    from ticket_orders o
    join employees e on ${ofCompany(companyId, 'e')} and e.id = o.employee_id and e.removed_at is null
    where ${isOpen(companyId)}
    order by o.state = 'failed' desc, o.month, o.employee_id limit ${maxOrders}`.execute(db);
  return rows;
}

/** Returns the names of the employees that differences are about. */
async function loadNames(db: Db, companyId: CompanyId, listed: readonly { employeeId: number | null }[]) {
  const ids = [...new Set(listed.flatMap(({ employeeId }) => employeeId ?? []))];
  const { rows } = await sql<{ id: number; name: string }>`
    select e.id, e.first_name || ' ' || e.last_name as name from employees e
    where ${ofCompany(companyId, 'e')} and e.id = any(${ids}::bigint[])`.execute(db);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (id: number | null) => (id === null ? undefined : names.get(id)) ?? null;
}

async function listInvoices(db: Db, companyId: CompanyId): Promise<StoredInvoice[]> {
  const invoices = await listComparedInvoices(db, companyId, months);
  const listed = invoices.map(({ differences }) => differences.slice(0, maxListed));
  const nameOf = await loadNames(db, companyId, listed.flat());
  return invoices.map((invoice, index) => ({
    ...invoice,
    differences: (listed[index] ?? []).map((one) => ({ ...one, name: nameOf(one.employeeId) })),
  }));
}

type Stored = Omit<StoredReconciliation, 'listed'> & { found: Partial<Record<string, TicketDifference[]>> };

async function listReconciliations(db: Db, companyId: CompanyId): Promise<StoredReconciliation[]> {
  const { rows } = await sql<Stored>`
    select distinct on (r.month) to_char(r.month, 'YYYY-MM') as month, r.reconciled_at as "reconciledAt", r.required,
      r.issued, r.difference_count as differences, r.differences as found
    from issuer_reconciliations r where ${ofCompany(companyId, 'r')}
    order by r.month desc, r.id desc limit ${months}`.execute(db);
  const listed = rows.map(({ found }) =>
    differenceKinds.flatMap((kind) => (found[kind] ?? []).map((one) => ({ kind, ...one }))).slice(0, maxListed),
  );
  const nameOf = await loadNames(db, companyId, listed.flat());
  return rows.map(({ found: _, ...row }, index) => ({
    ...row,
    listed: (listed[index] ?? []).map(({ kind, employeeId, message }) => ({
      ...{ kind, employeeId, message },
      name: nameOf(employeeId),
    })),
  }));
}

async function listOrderFiles(db: Db, companyId: CompanyId): Promise<OrderFile[]> {
  const { rows } = await sql<OrderFile>`
    select to_char(f.month, 'YYYY-MM') as month, f.number, f.created_at as "createdAt", f.delivered_at as "deliveredAt",
      f.delivered_to as "deliveredTo", f.due_at is not null and f.delivered_at is null as "isDue", f.problem,
      jsonb_build_object('new', count(*) filter (where l.section = 'new'),
        'continuing', count(*) filter (where l.section = 'continuing'),
        'changed', count(*) filter (where l.section = 'changed'),
        'ended', count(*) filter (where l.section = 'ended')) as sections
    from order_files f
    left join order_file_entries l on ${ofCompany(companyId, 'l')} and l.file_month = f.month and l.file_number = f.number
    where ${ofCompany(companyId, 'f')}
    group by f.month, f.number, f.created_at, f.delivered_at, f.delivered_to, f.due_at, f.problem
    order by f.month desc, f.number desc limit 20`.execute(db);
  return rows;
}

/** Lists files on the issuer's server that could not be applied, newest first. */
async function listUnread(db: Db, companyId: CompanyId): Promise<UnreadFile[]> {
  const { rows } = await sql<UnreadFile>`
    select f.path, to_char(f.month, 'YYYY-MM') as month, f.fetched_at as "fetchedAt", f.problem from fetched_files f
    where ${ofCompany(companyId, 'f')} and f.problem is not null order by f.fetched_at desc limit 20`.execute(db);
  return rows;
}

/** Lists who waits for a ticket, to choose from. */
async function listWaiting(db: Db, companyId: CompanyId) {
  const { rows } = await sql<{ employeeId: number; name: string; month: string }>`
    select o.employee_id as "employeeId", e.first_name || ' ' || e.last_name as name, to_char(o.month, 'YYYY-MM') as month
    from ticket_orders o
    join employees e on ${ofCompany(companyId, 'e')} and e.id = o.employee_id
    where ${ofCompany(companyId, 'o')} and o.ordered_at is not null and o.state = any(${['ordered', 'failed']})
      and o.reason_code is distinct from 'month-over'
    order by e.last_name, e.first_name, e.id limit 2000`.execute(db);
  return rows;
}

async function loadLists(db: Db, companyId: CompanyId): Promise<IssuerPage['lists']> {
  const { issuer } = await getCompany(db, companyId);
  if (issuer !== 'order-list') return null;
  const open = await listOpenRows(db, companyId);
  return {
    files: await listOrderFiles(db, companyId),
    returned: await listReturnedFiles(db, companyId),
    unread: await listUnread(db, companyId),
    open,
    waiting: open.length === 0 ? [] : await listWaiting(db, companyId),
  };
}

/** Returns what the page about the issuer shows. */
export async function loadIssuerPage(db: Db, companyId: CompanyId): Promise<IssuerPage> {
  return {
    settings: await showIssuer({ db, companyId }),
    lists: await loadLists(db, companyId),
    openGroups: await listOpenGroups(db, companyId),
    openOrders: await listOpenOrders(db, companyId),
    reconciliations: await listReconciliations(db, companyId),
    invoices: await listInvoices(db, companyId),
  };
}
