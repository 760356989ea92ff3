import { sql } from 'kysely';
import { createMessage } from '../../domain/messages/message.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ApiError, invalidValue, notFound } from '../../platform/http/errors.ts';
import { type Actor, insertAudit } from '../activity/record.ts';
import type { CompanyContext } from '../context.ts';
import { assertEmployee } from './find-employee.ts';

const maxLength = 255;

interface CustomLink {
  hrId: string;
  now: Temporal.Instant;
  /** Absent: the operator. */
  actor?: Actor;
}

const auditOf = (employeeId: number, { hrId, now, actor }: CustomLink) => ({
  target: String(employeeId),
  detail: { hrId },
  at: now,
  ...(actor ? { actor } : {}),
});

/** Returns the employee who has this custom id. */
export async function findCustomLink(tx: Tx, companyId: CompanyId, hrId: string): Promise<number | undefined> {
  const holder = await tx
    .selectFrom('hr_links as l')
    .select('l.employee_id')
    .where(ofCompany(companyId, 'l'))
    .where('l.hr_integration_id', 'is', null)
    .where('l.hr_id', '=', hrId)
    .executeTakeFirst();
  return holder?.employee_id;
}

/**
 * Links an employee to an id that was assigned manually, for employees who are in no roster. Returns the id of the
 * employee who has the link. This is the given employee, whether linked now or before, or another one, and then nothing
 * has changed.
 */
export async function insertCustomLink(
  tx: Tx,
  companyId: CompanyId,
  employeeId: number,
  link: CustomLink,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into hr_links (company_id, employee_id, hr_id) values (${companyId}, ${employeeId}, ${link.hrId})
    on conflict do nothing`.execute(tx);
  if (numAffectedRows === 1n) {
    await insertAudit(tx, companyId, { action: 'employee.link', ...auditOf(employeeId, link) });
    return employeeId;
  }
  return (await findCustomLink(tx, companyId, link.hrId)) ?? employeeId;
}

/** Removes the custom link of an employee. Links of integrations stay. Returns whether there was one. */
async function deleteCustomLink(tx: Tx, companyId: CompanyId, employeeId: number, link: CustomLink): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from hr_links l where ${ofCompany(companyId, 'l')} and l.employee_id = ${employeeId}
      and l.hr_integration_id is null and l.hr_id = ${link.hrId}`.execute(tx);
  if (numAffectedRows === 0n) return false;
  await insertAudit(tx, companyId, { action: 'employee.unlink', ...auditOf(employeeId, link) });
  return true;
}

interface Link {
  employeeId: number;
  hrId: string;
}

/** Links an employee to a custom HR id. Throws if another employee has it. */
export const linkEmployee = ({ companyId, by: { actor, at }, write }: CompanyContext, { employeeId, hrId }: Link) =>
  write(async (tx) => {
    if (hrId.length > maxLength) {
      throw invalidValue('/hrId', 'too-long', createMessage('value-too-long', { limit: maxLength }));
    }
    await assertEmployee(tx, companyId, employeeId);
    const holder = await insertCustomLink(tx, companyId, employeeId, { hrId, now: at, actor });
    if (holder === employeeId) return { employeeId, hrId };
    throw new ApiError('decision-refused', createMessage('employee-hr-id-taken', { id: String(holder) }));
  });

/** Removes a custom HR id of an employee. Throws if they do not have it. */
export const unlinkEmployee = ({ companyId, by: { actor, at }, write }: CompanyContext, { employeeId, hrId }: Link) =>
  write(async (tx) => {
    const isRemoved = await deleteCustomLink(tx, companyId, employeeId, { hrId, now: at, actor });
    if (!isRemoved) throw notFound('custom HR id');
    return { employeeId, unlinked: hrId };
  });
