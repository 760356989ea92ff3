import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { notFound } from '../../platform/http/errors.ts';
import { employeeExists } from './store.ts';

/** Throws if the company has no such employee, or if they are removed. */
export async function assertEmployee(db: Db, companyId: CompanyId, id: number): Promise<void> {
  if (!(await employeeExists(db, companyId, id))) throw notFound('employee');
}
