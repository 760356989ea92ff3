import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { cancelMailsWhere } from './queue.ts';

/** How long the address of a sent mail is kept, so that operators can answer whether it was sent. */
const addressDays = 30;
/** How long a mail that was sent is not sent again. */
const keyDays = 400;

/** Deletes the addresses of mails that were sent long ago. By real time, like everything about mails. */
export async function eraseMails(tx: Tx, companyId: CompanyId): Promise<void> {
  await sql`update mails m set recipient = null where ${ofCompany(companyId, 'm')} and m.recipient is not null
    and m.finished_at < now() - make_interval(days => ${addressDays})`.execute(tx);
  await sql`delete from mails m where ${ofCompany(companyId, 'm')}
    and m.finished_at < now() - make_interval(days => ${keyDays})`.execute(tx);
}

/** Forgets what was sent to employees, before they are erased. */
export const eraseMailsOfEmployees = (tx: Tx, companyId: CompanyId, employeeIds: number[]): Promise<void> =>
  cancelMailsWhere(
    tx,
    companyId,
    sql`m.recipient in (select e.email from employees e
      where ${ofCompany(companyId, 'e')} and e.id = any(${employeeIds}))`,
  );
