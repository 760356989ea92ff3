import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { EmployeeSelection } from './contract.ts';
import { type EmployeesFilter, listEmployeeIds, listEmployees } from './store.ts';

/** HR ids and ticket numbers are at most this long. */
const maxLength = 255;
const maxIds = 100;

/** Returns the spellings in which a number may be stored: HR systems distinguish what people do not. */
const spellingsOf = (code: string) => [...new Set([code, code.toUpperCase(), code.toLowerCase()])];

/** Returns the employees whose HR id or ticket number is the text. Undefined: there are none. */
export async function listIdsByCode(db: Db, companyId: CompanyId, text: string): Promise<number[] | undefined> {
  const code = text.trim();
  if (code === '' || code.length > maxLength) return undefined;
  const codes = spellingsOf(code);
  const { rows } = await sql<{ id: number }>`
    select k.employee_id as id from hr_links k where ${ofCompany(companyId, 'k')} and k.hr_id = any(${codes})
    union
    select t.employee_id from tickets t where ${ofCompany(companyId, 't')} and t.ticket_id = any(${codes})
      and t.employee_id is not null
    union
    select p.employee_id from ticket_replacements p where ${ofCompany(companyId, 'p')} and p.ticket_id = any(${codes})
    limit ${maxIds}`.execute(db);
  return rows.length === 0 ? undefined : rows.map(({ id }) => id);
}

export async function searchEmployees(
  db: Db,
  companyId: CompanyId,
  { search, perPage }: { search: string; perPage: number },
  today: Temporal.PlainDate,
) {
  const foundIds = await listIdsByCode(db, companyId, search);
  const query = { page: 1, perPage, sortField: 'id', sortOrder: 'asc', search, foundIds } as const;
  return (await listEmployees(db, companyId, query, today)).rows;
}

export async function selectEmployeeIds(
  db: Db,
  companyId: CompanyId,
  filter: Omit<EmployeesFilter, 'foundIds'>,
): Promise<number[]> {
  const foundIds = await listIdsByCode(db, companyId, filter.search ?? '');
  return listEmployeeIds(db, companyId, { ...filter, foundIds });
}

/** Returns the selected employees: these, or all that the list shows with the filter. */
export const selectEmployees = async (
  db: Db,
  companyId: CompanyId,
  { employeeIds, filter = {} }: EmployeeSelection,
): Promise<number[]> => (employeeIds ? [...new Set(employeeIds)] : selectEmployeeIds(db, companyId, filter));

/** Throws if the company has no such employee, or if they are removed. */
export async function assertEmployee(db: Db, companyId: CompanyId, id: number): Promise<void> {
  const { rows } = await sql`select from employees e
    where ${ofCompany(companyId, 'e')} and e.id = ${id} and e.removed_at is null`.execute(db);
  if (rows.length === 0) throw notFound('employee');
}
