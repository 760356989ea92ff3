import { hash } from 'node:crypto';
import type { EmployeeMailKind } from '../../domain/enums.ts';
import type { Config } from '../../platform/config/config.ts';
import { mayMailEmployee } from '../../platform/config/mail-allow.ts';
import type { Encryption } from '../../platform/crypto/encryption.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import { writeShared } from '../../platform/db/write.ts';
import type { Enqueue } from '../../platform/jobs/queue.ts';
import type { Message } from '../../platform/mail-transport/transport.ts';
import { type Attempted, attemptMail, type MailReport, type SendDeps } from '../notices/send.ts';
import { type ComposedMail, composeEmployeeMail } from './compose.ts';
import { batchOf, countAtOnce, takeTurn } from './pace.ts';
import { nameEmployeeMail } from './queue.ts';
import { isOptional, type Urgency } from './rules/kinds.ts';
import { findObstacle } from './rules/obstacle.ts';
import {
  type ClaimedEmployeeMail,
  claimEmployeeMail,
  type EmployeeMailKey,
  findDueUrgency,
  findRecipient,
  finishEmployeeMail,
  type Recipient,
  type Speed,
} from './store.ts';
import type { EmployeeMailValues } from './texts.ts';
import { formatUnsubscribeToken } from './unsubscribe-token.ts';

export interface EmployeeMailSettings {
  encryption: Encryption;
  config: Pick<Config, 'environment' | 'mailAllow' | 'mailRatePerMinute' | 'publicUrl'>;
}

export interface EmployeeSendDeps extends EmployeeMailSettings, Pick<SendDeps, 'db' | 'transport' | 'signal'> {
  report: MailReport;
  queue: Pick<Enqueue, 'enqueueEmployeeMails'>;
}

/** Returns what a mail needs. A ticket mail stores none: its occasion is the month. */
function readValues<K extends EmployeeMailKind>(
  encryption: Encryption,
  companyId: CompanyId,
  mail: EmployeeMailKey & { kind: K; encryptedValues: string | null },
): EmployeeMailValues[K] {
  if (mail.encryptedValues === null) return { month: mail.occasion } as unknown as EmployeeMailValues[K];
  return JSON.parse(encryption.decrypt(mail.encryptedValues, nameEmployeeMail(companyId, mail)));
}

/** Composes a mail as it is sent now. */
export function composeStoredMail(
  { encryption, config: { publicUrl } }: { encryption: Encryption; config: Pick<Config, 'publicUrl'> },
  companyId: CompanyId,
  mail: Pick<ClaimedEmployeeMail, 'employeeId' | 'kind' | 'occasion' | 'language' | 'encryptedValues'>,
  { parties }: Pick<Recipient, 'parties'>,
): ComposedMail & { unsubscribeUrl: string | undefined } {
  const { kind, language, employeeId } = mail;
  const token = isOptional(kind) && formatUnsubscribeToken(encryption, { companyId, employeeId, kind });
  const unsubscribeUrl = token ? `${publicUrl}/unsubscribe/${token}` : undefined;
  const values = readValues(encryption, companyId, mail);
  const content = { kind, language, values, parties, pageUrl: `${publicUrl}/my`, unsubscribeUrl };
  return { ...composeEmployeeMail(content), unsubscribeUrl };
}

function makeMessage(
  settings: EmployeeMailSettings,
  companyId: CompanyId,
  mail: ClaimedEmployeeMail,
  recipient: Recipient,
): Message {
  const { publicUrl } = settings.config;
  const { employeeId, kind, occasion } = mail;
  const { url: _, ...content } = composeStoredMail(settings, companyId, mail, recipient);
  // The same with every attempt, so that a mail server can recognise what it has already received.
  const id = hash('sha256', `${publicUrl} ${companyId} ${employeeId} ${kind} ${occasion}`, 'hex').slice(0, 40);
  return {
    to: recipient.email,
    ...content,
    senderName: recipient.parties.company,
    replyTo: recipient.parties.replyTo ?? undefined,
    messageId: `<${id}@${new URL(publicUrl).hostname}>`,
    date: new Date(mail.createdAt),
  };
}

/** Returns whether it is worth trying to send another one now. */
async function sendClaimed(deps: EmployeeSendDeps, companyId: CompanyId, mail: ClaimedEmployeeMail): Promise<boolean> {
  const { db, report, config, transport } = deps;
  const { kind, attempts } = mail;
  // Erased in this moment: the row is gone, too.
  const recipient = await findRecipient(db, companyId, mail.employeeId);
  if (recipient === undefined) return true;
  const address = recipient.email;
  const sent = {
    companyId,
    mail: `${mail.employeeId}/${kind}/${mail.occasion}`,
    template: kind,
    attempt: attempts,
  };
  const finish = (attempted: Attempted) => finishEmployeeMail(db, companyId, { ...mail, address }, attempted);
  const obstacle = findObstacle({ kind, recipient: mail.recipient, ...recipient });
  if (obstacle !== undefined) {
    await finish({ state: 'cancelled', error: obstacle });
    report.failed({ ...sent, millis: 0 }, { code: obstacle, outcome: 'cancelled' });
    return true;
  }
  const isAllowed = mayMailEmployee(config, address);
  if (!isAllowed || transport === undefined) {
    if (config.environment === 'production') return false;
    const code = isAllowed ? 'no-mail-server' : 'not-allowed';
    await finish({ state: 'not-sent', error: code });
    report.failed({ ...sent, millis: 0 }, { code, outcome: 'not-sent' });
    return true;
  }
  const attempt = {
    mail: sent,
    isExpired: mail.isExpired,
    makeMessage: () => makeMessage(deps, companyId, mail, recipient),
    finish,
  };
  return attemptMail({ transport, report }, attempt);
}

/** On staging, mails are kept without a mail server. In production, they wait for one. */
const mustWait = ({ transport, config }: EmployeeSendDeps) =>
  transport === undefined && config.environment === 'production';

/** Sends the links for access of a company. They do not wait, but count. */
export async function sendAtOnce(deps: EmployeeSendDeps, companyId: CompanyId): Promise<void> {
  const { db, signal, config, transport } = deps;
  if (mustWait(deps)) return;
  while (!signal.aborted) {
    const mail = await claimEmployeeMail(db, companyId, 'at-once');
    if (mail === undefined) return;
    if (transport !== undefined) await countAtOnce(db, config.mailRatePerMinute);
    if (!(await sendClaimed(deps, companyId, mail))) return;
  }
}

/** How many connections a worker opens to the mail server at once. */
const concurrency = 4;

/** Sends up to so many. Returns whether there may be more. */
async function sendBatch(deps: EmployeeSendDeps, companyId: CompanyId, size: number): Promise<boolean> {
  const speed: Speed = 'paced';
  let left = size;
  let isOver = false;
  const sendSome = async () => {
    while (!isOver && left > 0 && !deps.signal.aborted) {
      left -= 1;
      const mail = await claimEmployeeMail(deps.db, companyId, speed);
      if (mail === undefined || !(await sendClaimed(deps, companyId, mail))) isOver = true;
    }
  };
  // Waits for all, so that no mail is in the hands of a connection when the job ends.
  const results = await Promise.allSettled(Array.from({ length: Math.min(concurrency, size) }, sendSome));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return !isOver;
}

/** After this time other companies take their turn. */
const turnMillis = 5_000;

/**
 * Sends the mails of a company that wait for the operator's rate, for a few seconds. If there are more, adds a job
 * behind those of other companies, so that no company waits for all the mails of another.
 */
export async function sendPaced(deps: EmployeeSendDeps, companyId: CompanyId): Promise<void> {
  const { db, queue, config, signal, transport } = deps;
  if (mustWait(deps)) return;
  const rate = config.mailRatePerMinute;
  const end = performance.now() + turnMillis;
  for (let mayBeMore = true; mayBeMore && performance.now() < end; ) {
    if ((await findDueUrgency(db, companyId, 'paced')) === undefined) return;
    if (transport !== undefined) await takeTurn(db, batchOf(rate), rate, signal);
    mayBeMore = await sendBatch(deps, companyId, batchOf(rate));
    if (!mayBeMore) return;
  }
  const urgency = (await findDueUrgency(db, companyId, 'paced')) as Urgency | undefined;
  if (urgency === undefined) return;
  await writeShared(db, (tx) => queue.enqueueEmployeeMails(tx, companyId, urgency === 1 ? 'confirmations' : 'bulk'));
}
