import { insertAudit } from '../audit.ts';
import { eraseEmployees } from '../daily-run/erase.ts';
import { lockAndCatchUp } from '../daily-run/run.ts';
import type { CompanyId } from '../db/company-scope.ts';
import { writeCompany } from '../db/write.ts';
import { insertCustomLink } from '../employees/custom-link.ts';
import { listSubscriptionChanges } from '../employees/history.ts';
import { employeeExists, findRemoval } from '../employees/queries.ts';
import { OperatorError } from '../operator-error.ts';
import { assertCompany, changeCompany, createNoEmployeeError, inTransaction, withEngine } from './context.ts';
import type { CommandContext } from './define.ts';

interface EmployeeOptions {
  company: CompanyId;
  employee: number;
}

export async function linkEmployee(
  { company: companyId, employee: employeeId, hrId }: EmployeeOptions & { hrId: string },
  { config }: CommandContext,
) {
  if (hrId.length > 255) throw new OperatorError('--hr-id must have at most 255 characters: give a shorter one.');
  return changeCompany(config, companyId, async (tx, now) => {
    if (!(await employeeExists(tx, companyId, employeeId))) throw createNoEmployeeError(companyId, employeeId);
    const holder = await insertCustomLink(tx, companyId, employeeId, { hrId, now });
    if (holder !== employeeId) {
      throw new OperatorError(`The id "${hrId}" is already linked to employee ${holder}: give another one.`);
    }
    return { employeeId, hrId };
  });
}

export const listHistory = (
  { company: companyId, employee: employeeId }: EmployeeOptions,
  { config }: CommandContext,
) =>
  inTransaction(config, async (tx) => {
    if (!(await employeeExists(tx, companyId, employeeId))) throw createNoEmployeeError(companyId, employeeId);
    const changes = await listSubscriptionChanges(tx, companyId, employeeId);
    return changes.map(({ message: _, ...change }) => change);
  });

export const eraseEmployee = (
  { company: companyId, employee: employeeId }: EmployeeOptions,
  { config }: CommandContext,
) =>
  withEngine(config, ({ db, clock, queue, notices }) =>
    writeCompany(db, companyId, async (tx) => {
      await assertCompany(tx, companyId);
      await lockAndCatchUp(tx, { clock, queue, notices }, companyId);
      const employee = await findRemoval(tx, companyId, employeeId);
      if (employee === undefined) throw createNoEmployeeError(companyId, employeeId);
      if (!employee.isRemoved) {
        throw new OperatorError(
          `Employee ${employeeId} of company ${companyId} is not removed yet: remove them from the roster first.`,
        );
      }
      const documents = await eraseEmployees(tx, queue, companyId, [employeeId]);
      await insertAudit(tx, companyId, { action: 'employee.erase', target: String(employeeId), at: clock.now() });
      return { employeeId, documents };
    }),
  );
