import { sql } from 'kysely';
import { ofCompany } from '../../platform/db/company-scope.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import type { AppContext, CompanyContext } from '../context.ts';
import type { KeptMails } from './contract.ts';
import { composeStoredMail } from './send.ts';
import { type ClaimedEmployeeMail, findRecipient } from './store.ts';

/** More than anybody reads. */
const listed = 50;

type Row = Pick<ClaimedEmployeeMail, 'employeeId' | 'kind' | 'occasion' | 'language' | 'encryptedValues'> & {
  at: string;
  reason: KeptMails['mails'][number]['reason'];
  total: number;
};

/** Returns the newest mails that staging has not sent, as they would have been sent. */
export async function listKeptMails(
  { db, companyId, config }: CompanyContext,
  encryption: AppContext['encryption'],
  { employeeId }: { employeeId?: number },
): Promise<KeptMails> {
  const ofOne = employeeId === undefined ? sql`` : sql`and m.employee_id = ${employeeId}`;
  const { rows } = await sql<Row>`
    select m.employee_id as "employeeId", m.kind, m.occasion, m.language, m.encrypted_values as "encryptedValues",
      m.finished_at as at, m.last_error as reason, count(*) over () as total
    from employee_mails m
    where ${ofCompany(companyId, 'm')} and m.state = 'not-sent' and m.finished_at is not null ${ofOne}
    order by m.finished_at desc, m.employee_id limit ${listed}`.execute(db);
  const mails: KeptMails['mails'] = [];
  for (const { employeeId: id, at, reason, total: _, ...mail } of rows) {
    const recipient = await findRecipient(db, companyId, id);
    if (recipient === undefined) continue;
    const { subject, text, url } = composeStoredMail(
      { encryption, config },
      companyId,
      { employeeId: id, ...mail },
      recipient,
    );
    mails.push({
      employee: { id, name: recipient.parties.name, email: recipient.email },
      ...{ kind: mail.kind, occasion: mail.occasion, language: mail.language, at: presentTimestamp(at), reason },
      ...{ subject, text, url },
    });
  }
  return { total: rows[0]?.total ?? 0, mails };
}
