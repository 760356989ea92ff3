import { posix } from 'node:path';
import { sql } from 'kysely';
import { createMessage, type Message } from '../../domain/messages/message.ts';
import { mayMailEmployee } from '../../platform/config/mail-allow.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import { ApiError, notFound, refuseBody } from '../../platform/http/errors.ts';
import { openTransport } from '../../platform/mail-transport/transport.ts';
import { SftpError } from '../../platform/sftp/session.ts';
import { insertAudit } from '../activity/record.ts';
import { getCompany, lockCompany } from '../companies/companies.ts';
import type { CompanyContext } from '../context.ts';
import type { CheckedDelivery, DeliveryBody } from './contract.ts';
import { openDelivery } from './exchange-files.ts';
import { readIssuerSettings } from './open-issuer.ts';
import { type IssuerDeps, secretNameOf } from './providers/issuer.ts';
import { type Delivery, type DeliverySecret, findDeliveryProblem, type SftpDelivery } from './rules/delivery.ts';
import { findIssuerRow, type IssuerRow, requestWork, updateIssuer } from './store.ts';

/** Longer than any server takes to answer a few requests. */
const checkMillis = 60_000;

const refuseField = (field: string, message: Message) =>
  refuseBody([{ pointer: `/${field}`, code: 'invalid', message }]);

/** Returns what the body says, or throws with what is missing. Null: lists are not sent. */
function readDelivery(body: DeliveryBody): Delivery | null {
  const required = (name: 'to' | 'host' | 'user' | 'hostKey' | 'folder') => {
    const value = body[name]?.trim();
    if (!value) throw refuseField(name, createMessage('delivery-missing'));
    return value;
  };
  const format = body.format ?? 'xlsx';
  if (body.kind === 'none') return null;
  if (body.kind === 'mail') return { kind: 'mail', format, to: required('to') };
  return {
    ...{ kind: 'sftp', format, host: required('host'), port: body.port ?? null, user: required('user') },
    ...{ hostKey: required('hostKey'), folder: required('folder'), returned: body.returned?.trim() || null },
  };
}

/** Returns the secret that was given. Undefined: the stored one stays, which goes only where it was entered for. */
function readSecret(body: DeliveryBody, delivery: SftpDelivery, row: IssuerRow): DeliverySecret | undefined {
  const { password, privateKey } = body;
  if (password || privateKey) return { ...(password && { password }), ...(privateKey && { privateKey }) };
  const known = row.delivery?.kind === 'sftp' && row.encryptedDelivery !== null ? row.delivery : undefined;
  const isSame = (name: 'host' | 'port' | 'user') => known?.[name] === delivery[name];
  if (isSame('host') && isSame('port') && isSame('user')) return undefined;
  throw refuseField('password', createMessage(known === undefined ? 'credentials-either' : 'delivery-secret-again'));
}

async function checkSftp(deps: IssuerDeps, row: IssuerRow, context: CompanyContext, delivery: SftpDelivery) {
  const signal = AbortSignal.timeout(checkMillis);
  const client = openDelivery({ companyId: context.companyId, row, deps, signal }, delivery);
  try {
    const probe = posix.join(delivery.folder, '.transit-check.part');
    await client.write(probe, new Uint8Array());
    await client.remove(probe);
    const folder = delivery.returned === null ? undefined : posix.dirname(delivery.returned);
    if (folder !== undefined && !folder.includes('%')) await client.list(posix.join(folder, '*'));
    return [];
  } catch (error) {
    if (signal.aborted) return [createMessage('sftp-no-answer', { host: delivery.host })];
    if (error instanceof SftpError) return [error.explanation];
    throw error;
  } finally {
    await client.close();
  }
}

async function checkMail({ config }: IssuerDeps, address: string): Promise<Message[]> {
  if (!mayMailEmployee(config, address)) return [createMessage('delivery-mail-not-allowed', { address })];
  if (config.smtp === undefined) return [createMessage('delivery-no-mail-server')];
  const transport = openTransport(config.smtp);
  try {
    const failure = await transport.check();
    return failure === undefined ? [] : [createMessage('delivery-mail-failed', { address, code: failure.code })];
  } finally {
    transport.close();
  }
}

async function findProblems(context: CompanyContext, row: IssuerRow, delivery: Delivery): Promise<Message[]> {
  const deps = readIssuerSettings(context.config, await context.openEncryption());
  return delivery.kind === 'mail' ? checkMail(deps, delivery.to) : checkSftp(deps, row, context, delivery);
}

async function getListRow({ db, companyId }: Pick<CompanyContext, 'db' | 'companyId'>): Promise<IssuerRow> {
  const row = await findIssuerRow(db, companyId);
  const { issuer } = await getCompany(db, companyId);
  if (issuer === 'order-list' && row !== undefined) return row;
  throw new ApiError('issuer-not-possible', createMessage('delivery-not-lists'));
}

/** Tests the stored settings: returns everything that is wrong, as the server says it. */
export async function checkDelivery(context: CompanyContext): Promise<CheckedDelivery> {
  const row = await getListRow(context);
  const problems = row.delivery === null ? [] : await findProblems(context, row, row.delivery);
  return { isStored: true, problems };
}

const isSamePlace = (a: Delivery | null, b: Delivery | null) =>
  a?.kind === 'sftp' && b?.kind === 'sftp' && a.host === b.host && a.folder === b.folder && a.format === b.format;

/** Tests how order lists are to be exchanged, and stores it if that works. */
export async function setDelivery(context: CompanyContext, body: DeliveryBody): Promise<CheckedDelivery> {
  const { companyId, by } = context;
  const row = await getListRow(context);
  const delivery = readDelivery(body);
  const secret = delivery?.kind === 'sftp' ? readSecret(body, delivery, row) : undefined;
  const wrong = delivery && findDeliveryProblem(delivery, secret);
  if (wrong) throw refuseField(wrong.field, wrong.message);
  const encryption = await context.openEncryption();
  const kept = delivery?.kind === 'sftp' ? row.encryptedDelivery : null;
  const encryptedDelivery =
    secret === undefined ? kept : encryption.encrypt(JSON.stringify(secret), secretNameOf(companyId));
  const problems = delivery === null ? [] : await findProblems(context, { ...row, encryptedDelivery }, delivery);
  if (problems.length > 0) return { isStored: false, problems };
  await context.write(async (tx) => {
    await lockCompany(tx, companyId);
    const known = await getListRow({ db: tx, companyId });
    await updateIssuer(tx, companyId, {
      delivery: delivery?.kind ?? null,
      delivery_settings: delivery === null ? null : JSON.stringify(delivery),
      encrypted_delivery: encryptedDelivery,
      ...{ paused_until: null, failures: 0, failing_since: null, last_error: null },
    });
    // What was prepared elsewhere is sent anew. What nobody sends any more, a person takes to the issuer.
    if (!isSamePlace(known.delivery, delivery)) {
      await sql`update order_files f set prepared_as = null, problem = null,
          due_at = case when ${delivery === null} then null else f.due_at end
        where ${ofCompany(companyId, 'f')} and f.delivered_at is null`.execute(tx);
    }
    await requestWork(tx, companyId, by.at.toString());
    const target = delivery?.kind ?? 'none';
    await insertAudit(tx, companyId, { action: 'issuer.delivery', target, detail: { delivery: target }, ...by });
  });
  return { isStored: true, problems };
}

/** Lets a list be sent that was not, such as one that was written before sending was set up. */
export async function sendOrderFile(
  context: CompanyContext,
  { month, number }: { month: string; number: number },
): Promise<void> {
  const { companyId, by } = context;
  const now = by.at.toString();
  await context.write(async (tx) => {
    await lockCompany(tx, companyId);
    const { delivery } = await getListRow({ db: tx, companyId });
    if (delivery === null) throw new ApiError('issuer-not-possible', createMessage('delivery-not-set'));
    const { numAffectedRows = 0n } = await sql`
      update order_files f set due_at = ${now}::timestamptz, problem = null
      where ${ofCompany(companyId, 'f')} and f.month = ${`${month}-01`}::date and f.number = ${number}
        and f.delivered_at is null`.execute(tx);
    if (numAffectedRows === 0n) throw notFound('order list');
    await requestWork(tx, companyId, now);
    const detail = { month, number };
    await insertAudit(tx, companyId, { action: 'issuer.send-list', target: month, detail, ...by });
  });
}
