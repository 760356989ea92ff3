import type { Insertable } from 'kysely';
import { emailKey, searchText } from '../../src/domain/search.ts';
import { refreshEmployeeCounts } from '../../src/features/employees/counts.ts';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import type { EmployeesTable } from '../../src/platform/db/types.gen.ts';

export type NewEmployee = Omit<Insertable<EmployeesTable>, 'company_id' | 'email_key' | 'search_text'>;

/** Inserts employees and returns their ids in the given order. */
export async function insertEmployees(tx: Tx, companyId: CompanyId, employees: NewEmployee[]): Promise<number[]> {
  const rows = await tx
    .insertInto('employees')
    .values(
      employees.map((employee) => ({
        ...employee,
        company_id: companyId,
        email_key: emailKey(employee.email),
        search_text: searchText(employee.first_name, employee.last_name, employee.email),
      })),
    )
    .returning('id')
    .execute();
  await refreshEmployeeCounts(tx, companyId);
  return rows.map((row) => row.id);
}
