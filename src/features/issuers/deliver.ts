import { hash } from 'node:crypto';
import { posix } from 'node:path';
import { sql } from 'kysely';
import { firstOfMonth } from '../../domain/calendar.ts';
import { createMessage, type Message } from '../../domain/messages/message.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { mayMailEmployee } from '../../platform/config/mail-allow.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { openTransport } from '../../platform/mail-transport/transport.ts';
import type { SftpClient } from '../../platform/sftp/client.ts';
import { SftpError } from '../../platform/sftp/session.ts';
import { getCompany } from '../companies/companies.ts';
import { composeDelivery } from './delivery-mail.ts';
import { renderOrderFile } from './order-files.ts';
import { type IssuerDeps, IssuerOutage } from './providers/issuer.ts';
import { type Delivery, type MailDelivery, nameDeliveredFile, type SftpDelivery } from './rules/delivery.ts';

/** An attempt that has recorded no result by then is taken to be dead, and another one begins. */
const leaseMinutes = 5;
/** Mail servers rarely take more. */
const maxMailBytes = 10 * 2 ** 20;

export interface DeliverOptions {
  db: Db;
  clock: Pick<Clock, 'now'>;
  companyId: CompanyId;
  deps: IssuerDeps;
  delivery: Delivery;
  /** Of an SFTP server. */
  client: SftpClient | undefined;
}

interface DueFile {
  month: string;
  number: number;
}
type ClaimedFile = DueFile & { attempts: number; preparedAs: string | null };

/** Lists what is to be sent, oldest first. What was not sent by the end of its month is not sent any more. */
async function listDueFiles(db: Db, companyId: CompanyId): Promise<DueFile[]> {
  const { rows } = await sql<DueFile>`
    select f.month, f.number from order_files f
    where ${ofCompany(companyId, 'f')} and f.due_at is not null and f.delivered_at is null
    order by f.month, f.number`.execute(db);
  if (rows.length === 0) return rows;
  const present = firstOfMonth((await getCompany(db, companyId)).processedThrough).toString();
  if (rows.some(({ month }) => month < present)) {
    await writeCompany(db, companyId, (tx) =>
      sql`update order_files f set due_at = null where ${ofCompany(companyId, 'f')} and f.due_at is not null
        and f.delivered_at is null and f.month < ${present}::date`.execute(tx),
    );
  }
  return rows.filter(({ month }) => month >= present);
}

/** Takes a file for this attempt alone. By the time of the database, as its lease is one of processes. */
async function claimFile(db: Db, companyId: CompanyId, { month, number }: DueFile): Promise<ClaimedFile | undefined> {
  const { rows } = await writeCompany(db, companyId, (tx) =>
    sql<Pick<ClaimedFile, 'attempts' | 'preparedAs'>>`
    update order_files f set attempts = f.attempts + 1, leased_until = now() + make_interval(mins => ${leaseMinutes})
    where ${ofCompany(companyId, 'f')} and f.month = ${month}::date and f.number = ${number} and f.due_at is not null
      and f.delivered_at is null and (f.leased_until is null or f.leased_until <= now())
    returning f.attempts, f.prepared_as as "preparedAs"`.execute(tx),
  );
  return rows[0] && { month, number, ...rows[0] };
}

/** Changes a file that has not been sent. `ifLatest`: only if no later attempt has begun. Returns whether it did. */
async function updateFile(
  { db, companyId }: DeliverOptions,
  { month, number, attempts }: ClaimedFile,
  columns: Record<string, unknown>,
  { ifLatest }: { ifLatest: boolean },
): Promise<boolean> {
  const changes = Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const { numAffectedRows = 0n } = await writeCompany(db, companyId, (tx) =>
    sql`
    update order_files f set ${sql.join(changes)}
    where ${ofCompany(companyId, 'f')} and f.month = ${month}::date and f.number = ${number} and f.delivered_at is null
      ${ifLatest ? sql`and f.attempts = ${attempts}` : sql``}`.execute(tx),
  );
  return numAffectedRows > 0n;
}

async function render({ db, companyId, delivery: { format } }: DeliverOptions, { month, number }: DueFile) {
  const file = await renderOrderFile(db, companyId, { month: Temporal.PlainDate.from(month), number, format });
  return file?.content ?? Buffer.alloc(0);
}

/**
 * Puts a file on the server once. It is first stored under another name, which is written down; only then it gets its own
 * name. So whoever continues after a failure knows: if the other name is gone, the issuer has the file, even if it has
 * moved it away by now.
 */
async function putFile(options: DeliverOptions, { folder, format }: SftpDelivery, file: ClaimedFile): Promise<boolean> {
  const { companyId, client } = options;
  if (client === undefined) return false;
  const name = nameDeliveredFile(companyId, { ...file, format });
  let prepared = file.preparedAs;
  if (prepared === null) {
    prepared = posix.join(folder, `.${name}.${file.attempts}.part`);
    await client.write(prepared, await render(options, file));
    if (!(await updateFile(options, file, { prepared_as: prepared }, { ifLatest: true }))) {
      await client.remove(prepared);
      return false;
    }
  }
  await client.rename(prepared, posix.join(folder, name));
  return true;
}

/** Mails a file, with the same message id in every attempt. Returns what keeps it from being sent on this environment. */
async function mailFile(options: DeliverOptions, { to, format }: MailDelivery, file: ClaimedFile) {
  const { db, companyId, deps } = options;
  const { smtp, publicUrl } = deps.config;
  if (!mayMailEmployee(deps.config, to)) return createMessage('delivery-mail-not-allowed', { address: to });
  if (smtp === undefined) throw new IssuerOutage(createMessage('delivery-no-mail-server'));
  const content = await render(options, file);
  if (content.length > maxMailBytes) {
    throw new IssuerOutage(createMessage('delivery-mail-large', { bytes: content.length }));
  }
  const name = nameDeliveredFile(companyId, { ...file, format });
  const { name: company } = await getCompany(db, companyId);
  const id = hash('sha256', `${publicUrl} ${companyId} ${name}`, 'hex').slice(0, 40);
  const transport = openTransport(smtp);
  try {
    const failure = await transport.send({
      to,
      ...composeDelivery({ company, month: file.month, number: file.number, name }),
      messageId: `<${id}@${new URL(publicUrl).hostname}>`,
      date: new Date(),
      attachments: [{ filename: name, content }],
    });
    if (failure === undefined) return undefined;
    const key = failure.kind === 'refused' ? 'delivery-mail-refused' : 'delivery-mail-failed';
    throw new IssuerOutage(createMessage(key, { address: to, code: failure.code }));
  } finally {
    transport.close();
  }
}

/** Sends a file. Returns whether it is there, or what keeps it from being sent. */
async function sendFile(options: DeliverOptions, file: ClaimedFile): Promise<boolean | Message> {
  const { delivery } = options;
  if (delivery.kind === 'sftp') return putFile(options, delivery, file);
  return (await mailFile(options, delivery, file)) ?? true;
}

/**
 * Sends every order list that is due, each once. Returns how many, and whether another attempt still has one. Throws at
 * the first failure, which is an outage of the issuer: later files wait, so that none is overtaken.
 */
export async function deliverFiles(options: DeliverOptions): Promise<{ sent: number; isComplete: boolean }> {
  const { db, clock, companyId, delivery } = options;
  const target = delivery.kind === 'mail' ? delivery.to : delivery.host;
  let sent = 0;
  for (const due of await listDueFiles(db, companyId)) {
    const file = await claimFile(db, companyId, due);
    if (file === undefined) return { sent, isComplete: false };
    const fail = (problem: Message, columns = {}) =>
      updateFile(
        options,
        file,
        { problem: JSON.stringify(problem), leased_until: null, ...columns },
        { ifLatest: true },
      );
    try {
      const outcome = await sendFile(options, file);
      if (outcome === true) {
        const columns = { delivered_at: clock.now().toString(), delivered_to: target, problem: null };
        if (await updateFile(options, file, columns, { ifLatest: false })) sent += 1;
      } else if (outcome !== false) await fail(outcome, { due_at: null });
    } catch (error) {
      if (error instanceof SftpError || error instanceof IssuerOutage) await fail(error.explanation);
      throw error;
    }
  }
  return { sent, isComplete: true };
}
