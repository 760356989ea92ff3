import { sql } from 'kysely';
import type { EmployeeMailKind, Language } from '../../domain/enums.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { type Attempted, leaseMinutes } from '../notices/send.ts';
import type { MailParties } from './compose.ts';
import type { SendingFacts } from './rules/obstacle.ts';

export interface EmployeeMailKey {
  employeeId: number;
  kind: EmployeeMailKind;
  occasion: string;
}

export interface ClaimedEmployeeMail extends EmployeeMailKey {
  language: Language;
  recipient: string | null;
  encryptedValues: string | null;
  /** Including this one. */
  attempts: number;
  createdAt: string;
  isExpired: boolean;
}

/** `at-once`: those that do not wait for the operator's rate. */
export type Speed = 'at-once' | 'paced';

const ofSpeed = (speed: Speed, table: string) =>
  speed === 'at-once' ? sql`${sql.ref(`${table}.urgency`)} = 0` : sql`${sql.ref(`${table}.urgency`)} > 0`;

const isDue = (companyId: CompanyId, speed: Speed) =>
  sql`${ofCompany(companyId, 'p')} and p.state = 'pending' and ${ofSpeed(speed, 'p')} and p.next_attempt_at <= now()`;

/** Returns the urgency of the next mail that is due, or undefined if none is. */
export async function findDueUrgency(db: Db | Tx, companyId: CompanyId, speed: Speed): Promise<number | undefined> {
  const { rows } = await sql<{ urgency: number }>`
    select p.urgency from employee_mails p where ${isDue(companyId, speed)}
    order by p.urgency, p.next_attempt_at limit 1`.execute(db);
  return rows[0]?.urgency;
}

/** Takes the most urgent mail, of those the one that has been due longest. Like `claimMail` of the other mails. */
export async function claimEmployeeMail(
  db: Db,
  companyId: CompanyId,
  speed: Speed,
): Promise<ClaimedEmployeeMail | undefined> {
  const { rows } = await sql<Omit<ClaimedEmployeeMail, 'isExpired'> & { expiresAt: string; leaseEndsAt: string }>`
    update employee_mails m
    set attempts = m.attempts + 1, next_attempt_at = now() + make_interval(mins => ${leaseMinutes})
    where ${ofCompany(companyId, 'm')} and (m.employee_id, m.kind, m.occasion) = (
      select p.employee_id, p.kind, p.occasion from employee_mails p where ${isDue(companyId, speed)}
      order by p.urgency, p.next_attempt_at limit 1 for update skip locked)
    returning m.employee_id as "employeeId", m.kind, m.occasion, m.language, m.recipient,
      m.encrypted_values as "encryptedValues", m.attempts, m.created_at as "createdAt", m.expires_at as "expiresAt",
      m.next_attempt_at as "leaseEndsAt"`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { expiresAt, leaseEndsAt, ...mail } = row;
  return { ...mail, isExpired: Date.parse(expiresAt) <= Date.parse(leaseEndsAt) - leaseMinutes * 60_000 };
}

const ofMail = (companyId: CompanyId, { employeeId, kind, occasion }: EmployeeMailKey) =>
  sql`${ofCompany(companyId, 'm')} and m.employee_id = ${employeeId} and m.kind = ${kind} and m.occasion = ${occasion}`;

/** Stores what became of an attempt. Deletes what the mail said, unless staging shows it. */
export async function finishEmployeeMail(
  db: Db,
  companyId: CompanyId,
  mail: EmployeeMailKey & { attempts: number; address: string | null },
  attempted: Attempted,
): Promise<void> {
  const values = 'state' in attempted && attempted.state === 'not-sent' ? sql`` : sql`, encrypted_values = null`;
  const change =
    'state' in attempted
      ? sql`state = ${attempted.state}, next_attempt_at = null, finished_at = now(), recipient = ${mail.address} ${values}`
      : sql`next_attempt_at = now() + make_interval(secs => ${attempted.retrySeconds})`;
  await sql`
    update employee_mails m set ${change}, last_error = ${attempted.error ?? null}
    where ${ofMail(companyId, mail)} and m.state = 'pending' and m.attempts = ${mail.attempts}`.execute(db);
}

export type Recipient = Omit<SendingFacts, 'kind' | 'recipient'> & { parties: MailParties };

/** Returns what a mail says about its employee and company, and whether they still want it. */
export async function findRecipient(db: Db, companyId: CompanyId, employeeId: number): Promise<Recipient | undefined> {
  const { rows } = await sql<Omit<Recipient, 'parties'> & MailParties>`
    select e.email, e.removed_at is not null as "isRemoved", e.switched_off_mails as "switchedOff",
      c.switched_off_mails as "switchedOffByCompany", e.first_name || ' ' || e.last_name as name, c.name as company,
      c.locale, c.currency, c.time_zone as "timeZone", c.mail_reply_to as "replyTo"
    from employees e join companies c on c.id = ${companyId}
    where ${ofCompany(companyId, 'e')} and e.id = ${employeeId}`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { email, isRemoved, switchedOff, switchedOffByCompany, ...parties } = row;
  return { email, isRemoved, switchedOff, switchedOffByCompany, parties };
}
