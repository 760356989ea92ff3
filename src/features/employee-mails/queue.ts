import { sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import type { EmployeeMailKind, Language } from '../../domain/enums.ts';
import type { Config } from '../../platform/config/config.ts';
import { type Encryption, nameSecretOf } from '../../platform/crypto/encryption.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import { countInserted } from '../../platform/db/count-inserted.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Enqueue } from '../../platform/jobs/queue.ts';
import { mailLanguageOf } from '../notices/texts.ts';
import { isOptional, urgencyOf } from './rules/kinds.ts';
import type { EmployeeMailValues } from './texts.ts';

export interface NewEmployeeMail<K extends EmployeeMailKind> {
  employeeId: number;
  kind: K;
  /** Unique per employee and kind, such as the id of a request, without personal data: a second mail is not written. */
  occasion: string;
  values: EmployeeMailValues[K];
  /** When the mail is not worth sending any more. Absent: after three days. */
  expiresAt?: Temporal.Instant | undefined;
}

type AnyMail = { [K in EmployeeMailKind]: NewEmployeeMail<K> }[EmployeeMailKind];

/** Writes mails to employees that workers send. */
export interface EmployeeMails {
  /**
   * Whether mails reach employees. Without a mail server they do not. On staging they count as if: what is not sent is
   * kept and shown in the portal.
   */
  isConfigured: boolean;
  /**
   * Writes mails in the transaction of the change that they are about, all in one statement. Returns how many were written:
   * not those that exist, nor those that the company or the employee has switched off.
   */
  queue<K extends EmployeeMailKind>(
    tx: Tx,
    companyId: CompanyId,
    mails: readonly NewEmployeeMail<K>[],
  ): Promise<number>;
  /** Adds a job that writes the mails about the tickets of a month, in the transaction that has issued them. */
  enqueueTickets(tx: Tx, companyId: CompanyId, month: Day): Promise<void>;
}

/** Whether mails to employees are written. Staging keeps those that it does not send, also without a mail server. */
export const canWriteToEmployees = ({ smtp, environment }: Pick<Config, 'smtp' | 'environment'>): boolean =>
  smtp !== undefined || environment === 'staging';

const defaultLifetime = { hours: 72 };

export interface EmployeeMailDeps {
  isConfigured: boolean;
  encryption: Encryption;
  queue: Pick<Enqueue, 'enqueueMails' | 'enqueueEmployeeMails' | 'enqueueTicketMails'>;
}

interface MailKey {
  employeeId: number;
  kind: EmployeeMailKind;
  occasion: string;
}

export const nameEmployeeMail = (companyId: CompanyId, { employeeId, kind, occasion }: MailKey) =>
  nameSecretOf('employee_mails', companyId, `${employeeId}/${kind}/${occasion}`);

interface CompanyMailRules {
  language: Language;
  timeZone: string;
  switchedOff: readonly string[];
}

export async function readMailRules(tx: Tx, companyId: CompanyId): Promise<CompanyMailRules> {
  const { locale, timeZone, switchedOff } = await tx
    .selectFrom('companies as c')
    .select(['c.locale', 'c.time_zone as timeZone', 'c.switched_off_mails as switchedOff'])
    .where('c.id', '=', companyId)
    .executeTakeFirstOrThrow();
  return { language: mailLanguageOf({ locale }), timeZone, switchedOff };
}

async function listRecipients(tx: Tx, companyId: CompanyId, ids: readonly number[]) {
  const rows = await tx
    .selectFrom('employees as e')
    .select(['e.id', 'e.email', 'e.language', 'e.switched_off_mails as switchedOff'])
    .select(sql<boolean>`e.removed_at is not null`.as('isRemoved'))
    .where(ofCompany(companyId, 'e'))
    .where('e.id', '=', sql<number>`any(${ids})`)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export const createEmployeeMails = ({ isConfigured, encryption, queue }: EmployeeMailDeps): EmployeeMails => ({
  isConfigured,
  async queue(tx, companyId, mails) {
    if (!isConfigured || mails.length === 0) return 0;
    const rules = await readMailRules(tx, companyId);
    const recipients = await listRecipients(tx, companyId, [...new Set(mails.map(({ employeeId }) => employeeId))]);
    const defaultExpiry = Temporal.Now.instant().add(defaultLifetime);
    const rows = (mails as readonly AnyMail[]).flatMap(({ values, expiresAt = defaultExpiry, ...key }) => {
      const recipient = recipients.get(key.employeeId);
      const { kind } = key;
      if (recipient === undefined || rules.switchedOff.includes(kind)) return [];
      if (isOptional(kind) && (recipient.isRemoved || recipient.switchedOff.includes(kind))) return [];
      return {
        ...key,
        urgency: urgencyOf(kind),
        language: recipient.language ?? rules.language,
        recipient: recipient.email,
        encryptedValues: encryption.encrypt(JSON.stringify(values), nameEmployeeMail(companyId, key)),
        expiresAt: expiresAt.toString(),
      };
    });
    if (rows.length === 0) return 0;
    const written = await countInserted(
      tx,
      sql`
      insert into employee_mails (company_id, employee_id, kind, occasion, urgency, language, recipient,
        encrypted_values, next_attempt_at, expires_at)
      select ${companyId}, r."employeeId", r.kind, r.occasion, r.urgency, r.language, r.recipient,
        r."encryptedValues", now(), r."expiresAt"
      from json_to_recordset(${JSON.stringify(rows)}::json) as r("employeeId" bigint, kind text, occasion text,
        urgency integer, language text, recipient text, "encryptedValues" text, "expiresAt" timestamptz)
      on conflict do nothing`,
    );
    if (written === 0) return 0;
    const urgencies = new Set(rows.map(({ urgency }) => urgency));
    if (urgencies.has(0)) await queue.enqueueMails(tx, companyId);
    if (urgencies.has(1)) await queue.enqueueEmployeeMails(tx, companyId, 'confirmations');
    if (urgencies.has(2)) await queue.enqueueEmployeeMails(tx, companyId, 'bulk');
    return written;
  },
  async enqueueTickets(tx, companyId, month) {
    if (isConfigured) await queue.enqueueTicketMails(tx, companyId, month.toString());
  },
});

/** How long a sent mail is not sent again, and how long its address, and what staging has not sent, are kept. */
const keptDays = 60;

/** Deletes mails that were sent, or given up, long ago. By real time, like everything about mails. */
export async function expireEmployeeMails(tx: Tx, companyId: CompanyId): Promise<void> {
  await sql`delete from employee_mails m where ${ofCompany(companyId, 'm')}
    and m.finished_at < now() - make_interval(days => ${keptDays})`.execute(tx);
}

/** For work that writes to nobody, such as the history of the demo. */
export const noEmployeeMails: EmployeeMails = {
  isConfigured: false,
  queue: async () => 0,
  enqueueTickets: async () => {},
};
