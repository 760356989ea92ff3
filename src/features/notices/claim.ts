import { sql } from 'kysely';
import type { Language, MailState } from '../../domain/enums.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import type { MailTemplate } from './texts.ts';

/** A worker that has recorded no result by then is taken to be dead, and another one sends the mail. */
const leaseMinutes = 5;

export interface ClaimedMail {
  key: string;
  template: MailTemplate;
  language: Language;
  recipient: string;
  encryptedValues: string;
  /** Including this one. */
  attempts: number;
  createdAt: string;
  isExpired: boolean;
}

/**
 * Takes the mail that has been due longest. No other worker takes it until the lease ends. The row is chosen in an
 * expression, which is evaluated once: a joined subquery may be evaluated once per row, and would take several.
 */
export async function claimMail(db: Db, companyId: CompanyId): Promise<ClaimedMail | undefined> {
  const { rows } = await sql<Omit<ClaimedMail, 'isExpired'> & { expiresAt: string; leaseEndsAt: string }>`
    update mails m set attempts = m.attempts + 1, next_attempt_at = now() + make_interval(mins => ${leaseMinutes})
    where ${ofCompany(companyId, 'm')} and m.key = (select p.key from mails p
      where ${ofCompany(companyId, 'p')} and p.state = 'pending' and p.next_attempt_at <= now()
      order by p.next_attempt_at, p.key limit 1 for update skip locked)
    returning m.key, m.template, m.language, m.recipient, m.encrypted_values as "encryptedValues", m.attempts,
      m.created_at as "createdAt", m.expires_at as "expiresAt", m.next_attempt_at as "leaseEndsAt"`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { expiresAt, leaseEndsAt, ...mail } = row;
  // By the clock of the database, which began the lease just now. Citus allows no comparison with now() in `returning`.
  return { ...mail, isExpired: Date.parse(expiresAt) <= Date.parse(leaseEndsAt) - leaseMinutes * 60_000 };
}

/** What became of an attempt: the mail is not to be sent any more, or again after so many seconds. */
type Attempted = { state: Exclude<MailState, 'pending'>; error?: string } | { retrySeconds: number; error: string };

/** Stores what became of an attempt. Deletes what the mail said, once it is not to be sent any more. */
export async function finishAttempt(
  db: Db,
  companyId: CompanyId,
  { key, attempts }: Pick<ClaimedMail, 'key' | 'attempts'>,
  attempted: Attempted,
): Promise<void> {
  const change =
    'state' in attempted
      ? sql`state = ${attempted.state}, encrypted_values = null, next_attempt_at = null, finished_at = now()`
      : sql`next_attempt_at = now() + make_interval(secs => ${attempted.retrySeconds})`;
  await sql`
    update mails m set ${change}, last_error = ${attempted.error ?? null}
    where ${ofCompany(companyId, 'm')} and m.key = ${key} and m.state = 'pending' and m.attempts = ${attempts}`.execute(
    db,
  );
}
