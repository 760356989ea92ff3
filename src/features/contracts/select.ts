import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { selectEmployeeIds } from '../employees/find-employee.ts';
import { selectAgreementIds } from './agreements.ts';
import type { Selection } from './contract.ts';

/** Returns the selected employees: these, or all that the list of employees or of agreements shows with the filter. */
export async function selectIds(
  db: Db | Tx,
  companyId: CompanyId,
  { employeeIds, filter: { agreementStates: states, ...filter } = {} }: Selection,
): Promise<number[]> {
  if (employeeIds !== undefined) return [...new Set(employeeIds)];
  if (states !== undefined) return selectAgreementIds(db, companyId, { search: filter.search, states });
  return selectEmployeeIds(db, companyId, filter);
}
