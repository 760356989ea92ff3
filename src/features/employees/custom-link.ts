import { sql } from 'kysely';
import { createMessage } from '../../domain/messages/message.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ApiError, invalidValue, notFound } from '../../platform/http/errors.ts';
import { type By, insertAudit } from '../activity/record.ts';
import type { CompanyContext } from '../context.ts';
import { assertEmployee } from './find-employee.ts';

const maxLength = 255;

interface CustomLink {
  employeeId: number;
  hrId: string;
}

export async function findCustomLink(tx: Tx, companyId: CompanyId, hrId: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select l.employee_id as id from hr_links l
    where ${ofCompany(companyId, 'l')} and l.hr_integration_id is null and l.hr_id = ${hrId}`.execute(tx);
  return rows[0]?.id;
}

/** Links an employee who is in no roster. Returns who has the id: them, or another employee without any change. */
export async function insertCustomLink(
  tx: Tx,
  companyId: CompanyId,
  { employeeId, hrId }: CustomLink,
  by: By,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into hr_links (company_id, employee_id, hr_id) values (${companyId}, ${employeeId}, ${hrId})
    on conflict do nothing`.execute(tx);
  if (numAffectedRows !== 1n) return (await findCustomLink(tx, companyId, hrId)) ?? employeeId;
  await insertAudit(tx, companyId, { ...by, action: 'employee.link', target: String(employeeId), detail: { hrId } });
  return employeeId;
}

/** Links an employee to a custom HR id. Throws if another employee has it. */
export const linkEmployee = ({ companyId, by: { actor, at }, write }: CompanyContext, link: CustomLink) =>
  write(async (tx) => {
    if (link.hrId.length > maxLength) {
      throw invalidValue('/hrId', 'too-long', createMessage('value-too-long', { limit: maxLength }));
    }
    await assertEmployee(tx, companyId, link.employeeId);
    const holder = await insertCustomLink(tx, companyId, link, { actor, at });
    if (holder === link.employeeId) return link;
    throw new ApiError('decision-refused', createMessage('employee-hr-id-taken', { id: String(holder) }));
  });

/** Removes a custom HR id of an employee. Links of integrations stay. Throws if they do not have it. */
export const unlinkEmployee = (context: CompanyContext, { employeeId, hrId }: CustomLink) =>
  context.write(async (tx) => {
    const { actor, at } = context.by;
    const { numAffectedRows } = await sql`
      delete from hr_links l where ${ofCompany(context.companyId, 'l')} and l.employee_id = ${employeeId}
        and l.hr_integration_id is null and l.hr_id = ${hrId}`.execute(tx);
    if (numAffectedRows === 0n) throw notFound('custom HR id');
    const audit = { action: 'employee.unlink', target: String(employeeId), detail: { hrId }, actor, at };
    await insertAudit(tx, context.companyId, audit);
    return { employeeId, unlinked: hrId };
  });
