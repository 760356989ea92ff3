import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { EmployeeMailKind, EmployeeMailState, Language } from '../../domain/enums.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import type { Encryption } from '../../platform/crypto/encryption.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import type { MailTransport, Message, SendFailure } from '../../platform/mail-transport/transport.ts';
import type { MailOutcome } from '../../platform/telemetry/metrics.ts';
import { composeMail } from './compose.ts';
import { nameMail } from './queue.ts';
import type { MailTemplate } from './texts.ts';

export interface SentMail {
  companyId: CompanyId;
  mail: string;
  template: MailTemplate | EmployeeMailKind;
  attempt: number;
  millis: number;
}

/** Reports the outcome of mails, never their addresses. */
export interface MailReport {
  sent(mail: SentMail): void;
  failed(mail: SentMail, failure: { code: string; outcome: Exclude<MailOutcome, 'sent'> }): void;
}

export interface SendDeps {
  db: Db;
  encryption: Encryption;
  publicUrl: string;
  /** Undefined: no mail server is configured, and mails wait for one. */
  transport: MailTransport | undefined;
  report: MailReport;
  signal: AbortSignal;
}

/** Seconds until the attempt after so many. The job that restores lost jobs finds mails that are due. */
const retrySeconds = [30, 120, 600, 1_800] as const;
const delayAfter = (attempts: number) => retrySeconds[attempts - 1] ?? 3_600;

/** Returns the mail as the server receives it, the same with every attempt. */
function makeMessage({ encryption, publicUrl }: SendDeps, companyId: CompanyId, mail: ClaimedMail): Message {
  const { key, template, language, recipient, createdAt } = mail;
  const values = JSON.parse(encryption.decrypt(mail.encryptedValues, nameMail(companyId, key)));
  const id = hash('sha256', `${publicUrl} ${companyId} ${key}`, 'hex').slice(0, 40);
  return {
    to: recipient,
    ...composeMail(template, language, values),
    messageId: `<${id}@${new URL(publicUrl).hostname}>`,
    date: new Date(createdAt),
  };
}

/** A claimed mail, and where what came of it is stored. */
export interface MailAttempt {
  mail: Omit<SentMail, 'millis'>;
  isExpired: boolean;
  makeMessage(): Message;
  finish(attempted: Attempted): Promise<void>;
}

/** Sends a claimed mail and stores what came of it. Returns whether it is worth trying to send another one now. */
export async function attemptMail(
  { transport, report }: { transport: MailTransport; report: MailReport },
  { mail, isExpired, makeMessage, finish }: MailAttempt,
): Promise<boolean> {
  const start = performance.now();
  const sent = (): SentMail => ({ ...mail, millis: performance.now() - start });
  const sendMessage = async () => transport.send(makeMessage());
  if (isExpired) {
    await finish({ state: 'expired', error: 'expired' });
    report.failed(sent(), { code: 'expired', outcome: 'expired' });
    return true;
  }
  const failure = await sendMessage().catch((error: unknown): SendFailure => {
    // A mail that cannot be decrypted waits like others, for SECRET to be corrected.
    if (error instanceof OperatorError) return { code: 'SECRET_CHANGED', kind: 'temporary' };
    throw error;
  });
  if (failure === undefined) {
    // A process that is killed between the server's word and this statement makes another one send the mail again.
    await finish({ state: 'sent' });
    report.sent(sent());
    return true;
  }
  const { code, kind } = failure;
  const isFinal = kind === 'refused';
  const attempted = isFinal ? { state: 'failed' as const } : { retrySeconds: delayAfter(mail.attempt) };
  await finish({ ...attempted, error: code });
  report.failed(sent(), { code, outcome: isFinal ? 'failed' : 'retried' });
  return kind !== 'unreachable';
}

/** Sends the mails of a company that are due. Several workers may do so at the same time. */
export async function sendMails(deps: SendDeps, companyId: CompanyId): Promise<void> {
  const { db, transport, signal } = deps;
  if (transport === undefined) return;
  while (!signal.aborted) {
    const mail = await claimMail(db, companyId);
    if (mail === undefined) return;
    const { key, template, attempts, isExpired } = mail;
    const attempt = {
      mail: { companyId, mail: key, template, attempt: attempts },
      isExpired,
      makeMessage: () => makeMessage(deps, companyId, mail),
      finish: (attempted: Attempted) => finishAttempt(db, companyId, mail, attempted),
    };
    if (!(await attemptMail({ transport, report: deps.report }, attempt))) return;
  }
}

/** A worker that has recorded no result by then is taken to be dead, and another one sends the mail. */
export const leaseMinutes = 5;

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
export type Attempted =
  | { state: Exclude<EmployeeMailState, 'pending'>; error?: string }
  | { retrySeconds: number; error: string };

/** Stores what became of an attempt. Deletes what the mail said, once it is not to be sent any more. */
async function finishAttempt(
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
