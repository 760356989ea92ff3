import type { Day } from '../../domain/calendar.ts';
import type { CommandContext } from '../../platform/cli/define.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { insertAudit, operator } from '../activity/record.ts';
import { assertCompany, changeCompany, createNoEmployeeError, inTransaction, withEngine } from '../command-context.ts';
import { lockAndCatchUp } from '../daily-run/run.ts';
import { checkEntry } from '../roster/rules/entry.ts';
import { addEmployee } from './add.ts';
import { deleteCustomLink, insertCustomLink } from './custom-link.ts';
import { eraseEmployees } from './erase.ts';
import { listSubscriptionChanges } from './history.ts';
import { employeeExists, findRemoval } from './store.ts';

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

export const unlinkEmployee = (
  { company: companyId, employee: employeeId, hrId }: EmployeeOptions & { hrId: string },
  { config }: CommandContext,
) =>
  changeCompany(config, companyId, async (tx, now) => {
    if (!(await deleteCustomLink(tx, companyId, employeeId, { hrId, now }))) {
      throw new OperatorError(`Employee ${employeeId} of company ${companyId} has no custom id "${hrId}".`);
    }
    return { employeeId, unlinked: hrId };
  });

interface AddOptions {
  company: CompanyId;
  firstName: string;
  lastName: string;
  email: string;
  hrId: string | undefined;
  dateOfBirth: Day | undefined;
  startDate: Day | undefined;
  subscribe: boolean | undefined;
}

export const addEmployeeByHand = (options: AddOptions, { config }: CommandContext) =>
  withEngine(config, ({ db, clock, queue, notices }) => {
    const { company: companyId, hrId = null, subscribe, dateOfBirth, startDate, ...names } = options;
    return writeCompany(db, companyId, async (tx) => {
      await assertCompany(tx, companyId);
      const dates = { dateOfBirth: dateOfBirth?.toString() ?? null, startDate: startDate?.toString() ?? null };
      const value = { ...names, ...dates, hrId: hrId ?? '-', autoSyncEmployee: subscribe ? true : null };
      const checked = checkEntry(value, 0, clock.now().toString().slice(0, 10));
      if (!checked.isValid) {
        const [problem] = checked.problems;
        throw new OperatorError(`${problem?.pointer.split('/').at(-1)} ${problem?.detail}.`);
      }
      const entry = { ...checked.entry, hrId };
      const added = await addEmployee(tx, { clock, queue, notices }, companyId, { entry, actor: operator });
      if (added.kind === 'added') return { employeeId: added.employeeId };
      const what = added.kind === 'email-taken' ? 'email address' : 'HR id';
      throw new OperatorError(`Employee ${added.employeeId} already has this ${what}: give another one.`);
    });
  });

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
