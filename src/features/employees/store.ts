import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { ContractStatus } from '../../domain/enums.ts';
import { emailKey, searchWords } from '../../domain/search.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { type Place, pageAt } from '../../platform/db/keyset.ts';
import {
  matchesWords,
  offsetOf,
  type Page,
  type PageRow,
  type PageShape,
  pageOf,
  pageWith,
  toPage,
  toVersionedPage,
  type VersionedPage,
  type WordForm,
  wordForms,
} from '../../platform/db/page.ts';
import { preparedStatement } from '../../platform/db/prepared-statement.ts';
import type { EmployeesTable, HrLinksTable, TicketsTable } from '../../platform/db/types.gen.ts';
import { versionColumn } from '../../platform/db/versions.ts';
import type { EmployeesQuery } from './contract.ts';

type LinkRow = Pick<Selectable<HrLinksTable>, 'hr_id' | 'hr_integration_id' | 'last_sync_id' | 'last_synced_at'>;
type NoLink = { [Column in keyof LinkRow]: null };
type TicketRow = Pick<Selectable<TicketsTable>, 'ticket_id' | 'month' | 'valid_from' | 'valid_until' | 'wallet_token'>;
type NoTicket = { [Column in keyof TicketRow]: null };

export type EmployeeRow = Omit<
  Selectable<EmployeesTable>,
  'company_id' | 'email_key' | 'search_text' | 'removed_at'
> & {
  links: LinkRow[];
} & (TicketRow | NoTicket);

/** One row per employee and link, or one without a link. */
type JoinedRow = Omit<EmployeeRow, 'links'> & (LinkRow | NoLink) & (TicketRow | NoTicket);

/** Collects the links of each employee. Aggregating them in the statement takes a third of its time. */
function collectLinks<Row extends JoinedRow>(rows: readonly Row[]): (Row & Pick<EmployeeRow, 'links'>)[] {
  const employees: (Row & Pick<EmployeeRow, 'links'>)[] = [];
  for (const row of rows) {
    const known = employees.at(-1);
    const employee = known?.id === row.id ? known : Object.assign(row, { links: [] as LinkRow[] });
    if (employee !== known) employees.push(employee);
    if (row.hr_id !== null) employee.links.push(row);
  }
  return employees;
}

/** The orders of a list. Each has an index that begins with the company. */
const sortExpressions = {
  id: sql.ref('e.id'),
  createdAt: sql.ref('e.created_at'),
  updatedAt: sql.ref('e.updated_at'),
  name: sql`((e.last_name || ', ' || e.first_name) collate "und-x-icu")`,
  status: sql.ref('e.subscription_status'),
  start: sql.ref('e.start_on'),
  nextTicket: sql.ref('e.next_ticket_on'),
} as const;

/** What to list. The API offers fewer orders, and searches in names and addresses only. */
export interface EmployeesRequest extends Omit<EmployeesQuery, 'sortField'> {
  sortField: keyof typeof sortExpressions;
  /** Employees that `search` finds too, whatever their names are. */
  foundIds?: number[] | undefined;
}

const employeeColumns = sql`
  e.id, e.first_name, e.last_name, e.email, e.date_of_birth, e.profile_image, e.subscription_status, e.start_on,
  e.next_ticket_on, e.paused_on, e.resumes_on, e.cancelled_on, e.reactivated_on, e.past_start_on, e.past_paused_on,
  e.past_cancelled_on, e.past_reactivated_on, e.plan_type, e.contract_status, e.contribution_cents`;
const columns = sql`${employeeColumns}, t.ticket_id, t.month, t.valid_from, t.valid_until, t.wallet_token,
  l.hr_id, l.hr_integration_id,
  case when l.is_current then i.roster_sync_id else l.last_sync_id end as last_sync_id,
  case when l.is_current then i.roster_synced_at else l.last_synced_at end as last_synced_at`;

interface Reader {
  companyId: CompanyId;
  today: string;
  month: string;
}

function readerOf(companyId: CompanyId, day: Temporal.PlainDate): Reader {
  const today = day.toString();
  return { companyId, today, month: `${today.slice(0, 7)}-01` };
}

const details = ({ companyId, today, month }: Reader) => sql`
  left join tickets t on ${ofCompany(companyId, 't')} and t.employee_id = e.id
    and t.month = ${month}::date and ${today}::date between t.valid_from and t.valid_until and t.blocked_at is null
  left join hr_links l on ${ofCompany(companyId, 'l')} and l.employee_id = e.id
  left join hr_integrations i on ${ofCompany(companyId, 'i')} and i.id = l.hr_integration_id and l.is_current`;

type StatusAndPlan = Pick<Filter, 'subscriptionStatuses' | 'planTypes'>;

/** Returns the conditions for which stored counts exist. With any other condition, rows have to be counted. */
const statusAndPlan = (table: string, { subscriptionStatuses, planTypes }: StatusAndPlan) => [
  ...(subscriptionStatuses ? [sql`${sql.ref(`${table}.subscription_status`)} = any(${subscriptionStatuses})`] : []),
  ...(planTypes ? [sql`${sql.ref(`${table}.plan_type`)} = any(${planTypes})`] : []),
];

const and = (conditions: RawBuilder<unknown>[]) => sql.join(conditions, sql` and `);

function selectStoredTotal(companyId: CompanyId, filters: StatusAndPlan): RawBuilder<unknown> {
  const matching = and([ofCompany(companyId, 'c'), ...statusAndPlan('c', filters)]);
  return sql`select coalesce(sum(c.employees), 0)::bigint as total from employee_counts c where ${matching}`;
}

interface ListShape extends PageShape {
  sortField: EmployeesRequest['sortField'];
}

/** A filter that only the portal offers. */
export interface ContractFilter {
  group?: string | undefined;
  contractStatuses?: readonly ContractStatus[] | undefined;
}

type Filtered = 'ids' | 'hrIds' | 'hrIntegrationId' | 'subscriptionStatuses' | 'planTypes' | 'foundIds';
type Filter = ContractFilter & { [Name in Filtered]?: EmployeesRequest[Name] | undefined } & {
  companyId: CompanyId;
  emailKeys?: string[] | undefined;
};

type ListValues = Filter & Reader & { offset: number | undefined };

/** Requires one link that has one of the ids and also belongs to the integration. */
function linkedAs({ companyId, hrIds, hrIntegrationId }: Filter): RawBuilder<unknown>[] {
  if (hrIds === undefined && hrIntegrationId === undefined) return [];
  const links = and([
    ofCompany(companyId, 'k'),
    ...(hrIds ? [sql`k.hr_id = any(${hrIds})`] : []),
    ...(hrIntegrationId === undefined ? [] : [sql`k.hr_integration_id = ${hrIntegrationId}`]),
  ]);
  return [sql`e.id in (select k.employee_id from hr_links k where ${links})`];
}

/** Returns the employees that match, with the value by which they are sorted, and their total if it is stored. */
function matchingOf(sortField: EmployeesRequest['sortField'], values: Filter, words: RawBuilder<unknown>[]) {
  const { companyId, ids, emailKeys, contractStatuses, group } = values;
  const uncounted = [
    ...words,
    ...(contractStatuses ? [sql`e.contract_status = any(${contractStatuses})`] : []),
    ...(group === undefined ? [] : [sql`e.roster_group = ${group}`]),
    ...(ids ? [sql`e.id = any(${ids})`] : []),
    ...(emailKeys ? [sql`e.email_key = any(${emailKeys})`] : []),
    ...linkedAs(values),
  ];
  const present = [ofCompany(companyId, 'e'), sql`e.removed_at is null`];
  const matching = and([...present, ...statusAndPlan('e', values), ...uncounted]);
  return {
    rows: sql`select e.id, ${sortExpressions[sortField]} as sorted from employees e where ${matching}`,
    storedTotal: uncounted.length === 0 ? selectStoredTotal(companyId, values) : undefined,
  };
}

function selectPage(shape: ListShape, values: ListValues, words: RawBuilder<unknown>[]) {
  const { companyId, offset } = values;
  const page = pageOf(matchingOf(shape.sortField, values, words), shape, offset);
  return sql<JoinedRow & PageRow & { version: number }>`
    ${page.found} select ${versionColumn(companyId)} as version, n.total, ${columns} from ${page.source}
    left join employees e on ${ofCompany(companyId, 'e')} and e.id = p.id
    ${details(values)} ${page.order}, l.id`;
}

/** Adds the employees who were found otherwise to those who match the words. */
const orFound = (words: RawBuilder<unknown>[], foundIds: number[] | undefined) =>
  foundIds && words.length > 0 ? [sql`(${and(words)} or e.id = any(${foundIds}))`] : words;

interface SearchShape extends ListShape {
  words: boolean[][];
}

/** The forms of all words, one after the other. */
type SearchValues = ListValues & { [form: `form${number}`]: string };

const selectEmployees = preparedStatement((shape: SearchShape, values: SearchValues) => {
  let index = 0;
  const formOf = (isIndexed: boolean): WordForm => ({ isIndexed, value: values[`form${index++}`] ?? '' });
  const words = shape.words.map((forms) => forms.map(formOf));
  return selectPage(shape, values, orFound(matchesWords('e', words), values.foundIds));
});

const valuesOf = (
  companyId: CompanyId,
  query: EmployeesRequest & ContractFilter,
  today: Temporal.PlainDate,
): ListValues => ({
  ...readerOf(companyId, today),
  subscriptionStatuses: query.subscriptionStatuses,
  planTypes: query.planTypes,
  ids: query.ids,
  emailKeys: query.emails?.map(emailKey),
  hrIds: query.hrIds,
  hrIntegrationId: query.hrIntegrationId,
  foundIds: query.foundIds,
  contractStatuses: query.contractStatuses,
  group: query.group,
  offset: offsetOf(query),
});

/** Returns the groups of the roster with the number of their employees, by name. */
export async function listGroups(db: Db, companyId: CompanyId): Promise<{ group: string; employees: number }[]> {
  const { rows } = await sql<{ group: string; employees: number }>`
    select e.roster_group as "group", count(*) as employees from employees e
    where ${ofCompany(companyId, 'e')} and e.removed_at is null and e.roster_group is not null
    group by e.roster_group order by e.roster_group limit 500`.execute(db);
  return rows;
}

export async function listEmployees(
  db: Db,
  companyId: CompanyId,
  query: EmployeesRequest & ContractFilter,
  today: Temporal.PlainDate,
): Promise<VersionedPage<EmployeeRow>> {
  const { sortField, sortOrder, perPage } = query;
  const found = wordForms(searchWords(query.search ?? ''));
  const words = found.map((forms) => forms.map(({ isIndexed }) => isIndexed));
  const forms = Object.fromEntries(found.flat().map(({ value }, index) => [`form${index}`, value]));
  const values = { ...valuesOf(companyId, query, today), ...forms };
  return toVersionedPage(collectLinks(await selectEmployees(db, { sortField, sortOrder, perPage, words }, values)));
}

/** The types of the sort values, which a place in a list states as text. */
const sortTypes = {
  id: sql`bigint`,
  createdAt: sql`timestamptz`,
  updatedAt: sql`timestamptz`,
  name: sql`text collate "und-x-icu"`,
  status: sql`text`,
  start: sql`date`,
  nextTicket: sql`date`,
} as const satisfies Record<keyof typeof sortExpressions, unknown>;

/** An employee with the value by which the list is sorted, as text. */
export type PlacedEmployee = EmployeeRow & { sorted: string | null };

/** Lists employees as `listEmployees` does, but from a place in the list on. Without a place, from the page on. */
export async function listEmployeesAt(
  db: Db,
  companyId: CompanyId,
  { place, ...query }: EmployeesRequest & ContractFilter & { place: Place | undefined },
  today: Temporal.PlainDate,
): Promise<Page<PlacedEmployee>> {
  const values = valuesOf(companyId, query, today);
  const words = matchesWords('e', wordForms(searchWords(query.search ?? '')));
  const matching = matchingOf(query.sortField, values, orFound(words, query.foundIds));
  const cast = (value: RawBuilder<unknown>) => sql`${value}::${sortTypes[query.sortField]}`;
  const page =
    place === undefined
      ? pageOf(matching, query, values.offset)
      : pageWith(matching, query.sortOrder, pageAt(place, query, cast));
  const { rows } = await sql<JoinedRow & PageRow & Pick<PlacedEmployee, 'sorted'>>`
    ${page.found} select n.total, p.sorted::text as sorted, ${columns} from ${page.source}
    left join employees e on ${ofCompany(companyId, 'e')} and e.id = p.id
    ${details(values)} ${page.order}, l.id`.execute(db);
  return toPage(collectLinks(rows));
}

export type EmployeesFilter = ContractFilter & Partial<StatusAndPlan> & Pick<EmployeesRequest, 'search' | 'foundIds'>;

export async function listEmployeeIds(
  db: Db,
  companyId: CompanyId,
  { search, ...filter }: EmployeesFilter,
): Promise<number[]> {
  const words = matchesWords('e', wordForms(searchWords(search ?? '')));
  const matching = matchingOf('id', { companyId, ...filter }, orFound(words, filter.foundIds));
  const { rows } = await sql<{ id: number }>`${matching.rows} order by e.id`.execute(db);
  return rows.map(({ id }) => id);
}

const selectEmployee = preparedStatement(
  (_shape: object, values: Reader & { id: number }) => sql<JoinedRow & { version: number; link_id: number | null }>`
    select ${versionColumn(values.companyId)} as version, l.id as link_id, ${columns}
    from employees e ${details(values)}
    where ${ofCompany(values.companyId, 'e')} and e.id = ${values.id} and e.removed_at is null`,
  { isShort: true },
);

export async function findEmployee(
  db: Db,
  companyId: CompanyId,
  id: number,
  today: Temporal.PlainDate,
): Promise<(EmployeeRow & { version: number }) | undefined> {
  const rows = await selectEmployee(db, {}, { ...readerOf(companyId, today), id });
  // Here, since PostgreSQL takes a tenth of its time to sort one row.
  if (rows.length > 1) rows.sort((a, b) => Number(a.link_id) - Number(b.link_id));
  return collectLinks(rows)[0];
}
