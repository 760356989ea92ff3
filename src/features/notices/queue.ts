import { type RawBuilder, sql } from 'kysely';
import type { Language } from '../../domain/enums.ts';
import { type MailAllowance, mayMailUser } from '../../platform/config/mail-allow.ts';
import { type Encryption, nameSecretOf } from '../../platform/crypto/encryption.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Enqueue } from '../../platform/jobs/queue.ts';
import type { MailTemplate, MailValues } from './texts.ts';

export interface NewMail<T extends MailTemplate> {
  companyId: CompanyId;
  /** Names the occasion, such as `invitation/17`, without personal data. A second mail of the same key is not sent. */
  key: string;
  to: string;
  language: Language;
  template: T;
  values: MailValues[T];
  /** When the mail is not worth sending any more. Absent: after three days. */
  expiresAt?: Temporal.Instant | undefined;
}

/** Writes mails that the worker sends. */
export interface Mail {
  /** Whether the operator has configured a mail server. If not, users do by link or command what mail would do. */
  isConfigured: boolean;
  /** Whether a mail would reach this address: not without a mail server, and on staging not if MAIL_ALLOW excludes it. */
  reaches(address: string): boolean;
  /**
   * Writes a mail in the transaction of the change that it is about: it is sent if and only if that commits. Returns
   * whether it was written: not if it would not reach the address, and not if the key exists.
   */
  queueMail<T extends MailTemplate>(tx: Tx, mail: NewMail<T>): Promise<boolean>;
}

const defaultLifetime = { hours: 72 };

interface MailDeps {
  isConfigured: boolean;
  /** Absent: mails go to every address. */
  allowance?: MailAllowance;
  encryption: Encryption;
  queue: Pick<Enqueue, 'enqueueMails'>;
}

export const nameMail = (companyId: CompanyId, key: string) => nameSecretOf('mails', companyId, key);

export function createMail({ isConfigured, allowance, encryption, queue }: MailDeps): Mail {
  const reaches = (address: string) => isConfigured && (allowance === undefined || mayMailUser(allowance, address));
  return {
    isConfigured,
    reaches,
    async queueMail(tx, { companyId, key, to, language, template, values, expiresAt }) {
      if (!reaches(to)) return false;
      const expires = (expiresAt ?? Temporal.Now.instant().add(defaultLifetime)).toString();
      const { numInsertedOrUpdatedRows = 0n } = await tx
        .insertInto('mails')
        .values({
          company_id: companyId,
          key,
          template,
          language,
          recipient: to,
          encrypted_values: encryption.encrypt(JSON.stringify(values), nameMail(companyId, key)),
          next_attempt_at: sql`now()`,
          expires_at: expires,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows === 0n) return false;
      await queue.enqueueMails(tx, companyId);
      return true;
    },
  };
}

/** Cancels what has not been sent and forgets the address, of the mails `m` that fulfil a condition. */
async function cancelMailsWhere(tx: Tx, companyId: CompanyId, condition: RawBuilder<unknown>): Promise<void> {
  const now = Temporal.Now.instant().toString();
  await sql`
    update mails m set recipient = null, encrypted_values = null, next_attempt_at = null,
      finished_at = coalesce(m.finished_at, ${now}::timestamptz),
      state = case when m.state = 'pending' then 'cancelled' else m.state end
    where ${ofCompany(companyId, 'm')} and ${condition}`.execute(tx);
}

/** Cancels what has not been sent and forgets the address. For invitations that are withdrawn and users who leave. */
export const cancelMails = (
  tx: Tx,
  companyId: CompanyId,
  { key, recipient }: { key: string; recipient?: never } | { key?: never; recipient: string },
): Promise<void> =>
  cancelMailsWhere(tx, companyId, key === undefined ? sql`m.recipient = ${recipient}` : sql`m.key = ${key}`);

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
