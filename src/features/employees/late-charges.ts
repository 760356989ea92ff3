import type { EmployeePlan } from '../../domain/employee.ts';
import { moneyFormat } from '../../domain/money.ts';
import type { Db } from '../../platform/db/database.ts';
import { findLateCharges, type LateCharges } from '../billing/rules/late-charges.ts';
import type { Company } from '../companies/companies.ts';
import { listTicketItems } from './load.ts';

/**
 * Returns the charges for which a termination or an absence became known too late, of the charged employees for whom a
 * plan changes one.
 */
export async function findLateChargesOf(
  db: Db,
  company: Company,
  planned: readonly { id: number; plan: EmployeePlan }[],
): Promise<Map<number, LateCharges[]>> {
  const changed = planned.filter(({ plan }) =>
    plan.changes.some(({ field }) => field === 'terminationDate' || field === 'absences'),
  );
  const ids = changed.map(({ id }) => id);
  const items = Map.groupBy(await listTicketItems(db, company.id, ids), ({ employeeId }) => employeeId);
  const money = moneyFormat(company.locale, company.currency);
  return new Map(
    changed.flatMap(({ id, plan }) => {
      const charged = items.get(id);
      return charged ? [[id, findLateCharges(plan.employee.facts, charged, money)] as const] : [];
    }),
  );
}
