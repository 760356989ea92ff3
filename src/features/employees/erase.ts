import { sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { removedAddress, removedDomain } from '../../platform/db/removed-address.ts';
import { expireIdempotencyKeys } from '../../platform/http/idempotency.ts';
import type { Enqueue } from '../../platform/jobs/queue.ts';
import { redactAudit } from '../activity/record.ts';
import { erasedReason } from '../billing/rules/correction-reasons.ts';
import type { Company } from '../companies/companies.ts';
import { expireAccess } from '../employee-access/end-access.ts';
import { expireEmployeeMails } from '../employee-mails/queue.ts';
import { expireEvents } from '../events/expire.ts';
import { eraseMails, eraseMailsOfEmployees } from '../notices/queue.ts';
import { eraseHrIds } from './erase-hr-ids.ts';

const batchSize = 1_000;

/** Returns a condition that holds if employee `e` was removed longer ago than the company's retention period. */
export const hasExpired = ({ timeZone, retentionDays }: Company, day: Day) => sql<boolean>`
  e.removed_at is not null
    and (e.removed_at at time zone ${timeZone})::date + ${retentionDays}::integer < ${day.toString()}::date`;

async function listExpired(tx: Tx, company: Company, day: Day): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e where ${ofCompany(company.id, 'e')} and ${hasExpired(company, day)}
    order by e.id limit ${batchSize}`.execute(tx);
  return rows.map((row) => row.id);
}

type FileRemoval = Pick<Enqueue, 'enqueueFileRemoval'>;

/** Replaces personal text in columns that must not be empty. */
const erased = 'Erased';

async function deleteDocuments(tx: Tx, queue: FileRemoval, companyId: CompanyId, employeeIds: number[]) {
  const { rows } = await sql<{ id: number; store_key: string | null }>`
    delete from documents d where ${ofCompany(companyId, 'd')} and d.employee_id = any(${employeeIds})
    returning d.id, d.store_key`.execute(tx);
  const keys = rows.flatMap(({ store_key: key }) => key ?? []);
  if (keys.length > 0) await queue.enqueueFileRemoval(tx, companyId, keys);
  return rows.map(({ id }) => id);
}

/** Deletes the links by which employees sign, their signatures, and the files of both. */
async function eraseSignatures(tx: Tx, queue: FileRemoval, companyId: CompanyId, employeeIds: number[]): Promise<void> {
  await sql`delete from signing_reminders r
    where ${ofCompany(companyId, 'r')} and r.employee_id = any(${employeeIds})`.execute(tx);
  const links = await sql<{ store_key: string | null }>`
    delete from signing_links l where ${ofCompany(companyId, 'l')} and l.employee_id = any(${employeeIds})
    returning l.store_key`.execute(tx);
  const signatures = await sql<{ store_key: string | null }>`
    delete from contract_signatures s where ${ofCompany(companyId, 's')} and s.employee_id = any(${employeeIds})
    returning s.store_key`.execute(tx);
  const keys = [...links.rows, ...signatures.rows].flatMap(({ store_key: key }) => key ?? []);
  if (keys.length > 0) await queue.enqueueFileRemoval(tx, companyId, [...new Set(keys)]);
}

/** Deletes the users of an identity provider who stood for the employees. It creates them again if they come back. */
async function deleteScimUsers(tx: Tx, companyId: CompanyId, employeeIds: number[]): Promise<void> {
  await sql`delete from scim_users u where ${ofCompany(companyId, 'u')} and u.left_at is not null and exists (
    select from hr_links l where ${ofCompany(companyId, 'l')} and l.employee_id = any(${employeeIds})
      and l.hr_integration_id = u.hr_integration_id and l.hr_id = u.hr_id)`.execute(tx);
}

/** Returns the ids of the corrected items: the audit log has the reasons, which may name the employee. */
async function anonymizeCharges(tx: Tx, companyId: CompanyId, employeeIds: number[]): Promise<number[]> {
  const { rows } = await sql<{ corrects_id: number | null }>`
    update billing_items b set employee_id = null, first_name = null, last_name = null, email = null,
      reason = case when b.reason is not null then ${erasedReason} end
    where ${ofCompany(companyId, 'b')} and b.employee_id = any(${employeeIds})
    returning b.corrects_id`.execute(tx);
  return rows.flatMap(({ corrects_id: id }) => id ?? []);
}

/**
 * Erases all personal data of employees. Sets references to them to null before it deletes them, since the foreign keys
 * of a Citus cluster cannot do that. What remains are charges without a name, and sync and audit log entries that
 * contain no more than an id. A job of the same transaction removes the files, so that no file outlives its document.
 * Returns the number of deleted documents.
 */
export async function eraseEmployees(
  tx: Tx,
  queue: FileRemoval,
  companyId: CompanyId,
  employeeIds: number[],
): Promise<number> {
  const documentIds = await deleteDocuments(tx, queue, companyId, employeeIds);
  const correctedIds = await anonymizeCharges(tx, companyId, employeeIds);
  await deleteScimUsers(tx, companyId, employeeIds);
  await eraseHrIds(tx, companyId, employeeIds);
  await sql`
    update sync_records r set employee_id = null, changes = '[]', reasons = '[]'
    where ${ofCompany(companyId, 'r')} and r.employee_id = any(${employeeIds})`.execute(tx);
  await clearPulls(tx, companyId);
  await sql`delete from integration_cases k where ${ofCompany(companyId, 'k')}`.execute(tx);
  await deleteFailedRosters(tx, companyId);
  await sql`update issuer_reconciliations r set differences = '{}' where ${ofCompany(companyId, 'r')}
    and r.differences <> '{}'`.execute(tx);
  await sql`delete from returned_rows r where ${ofCompany(companyId, 'r')} and exists (
    select from employees e where ${ofCompany(companyId, 'e')} and e.id = any(${employeeIds})
      and (lower(r.cells ->> 'lastName') = lower(e.last_name) or r.suggested_order_id in (
        select o.order_id from ticket_orders o where ${ofCompany(companyId, 'o')} and o.employee_id = e.id)))`.execute(
    tx,
  );
  await sql`update issuer_invoices i set differences = '[]' where ${ofCompany(companyId, 'i')}
    and i.differences <> '[]'`.execute(tx);
  await eraseSignatures(tx, queue, companyId, employeeIds);
  await eraseMailsOfEmployees(tx, companyId, employeeIds);
  await sql`delete from employees e where ${ofCompany(companyId, 'e')} and e.id = any(${employeeIds})`.execute(tx);
  await redactAudit(tx, companyId, { employee: employeeIds, document: documentIds, 'billing-item': correctedIds });
  return documentIds.length;
}

/** Deletes previews, and reasons of rosters that were not applied. `before`: only of older pulls. */
async function clearPulls(tx: Tx, companyId: CompanyId, before?: Temporal.Instant): Promise<void> {
  const isOld = before === undefined ? sql`` : sql`and p.requested_at < ${before.toString()}::timestamptz`;
  await sql`update pulls p set preview = null, explanations = null where ${ofCompany(companyId, 'p')}
    and (p.preview is not null or p.explanations is not null) ${isOld}`.execute(tx);
}

/** Deletes rosters that are stored to be applied again: those of all failed syncs `s`, or only of some. */
export async function deleteFailedRosters(tx: Tx, companyId: CompanyId, some = sql<boolean>`true`): Promise<void> {
  const failed = sql`${ofCompany(companyId, 's')} and s.state = 'failed' and ${some}`;
  await sql`delete from sync_rosters r where ${ofCompany(companyId, 'r')}
    and r.sync_key in (select s.id from syncs s where ${failed})`.execute(tx);
  await sql`update syncs s set left_out = null where ${failed} and s.left_out is not null`.execute(tx);
}

/** Erases employees who were removed longer ago than the company's retention period. Returns their number. */
export async function eraseExpiredEmployees(tx: Tx, queue: FileRemoval, company: Company, day: Day): Promise<number> {
  let count = 0;
  for (let ids = await listExpired(tx, company, day); ids.length > 0; ids = await listExpired(tx, company, day)) {
    await eraseEmployees(tx, queue, company.id, ids);
    count += ids.length;
  }
  return count;
}

/** Invitations count from when they were accepted, withdrawn or expired. */
async function eraseInvitations(tx: Tx, { id, timeZone, retentionDays }: Company, day: Day): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update invitations i set email = ${removedAddress('i')}
    where ${ofCompany(id, 'i')} and i.email not like ${`%${removedDomain}`}
      and (coalesce(i.accepted_at, i.revoked_at, i.expires_at) at time zone ${timeZone})::date
        + ${retentionDays}::integer < ${day.toString()}::date
    returning i.id`.execute(tx);
  await redactAudit(tx, id, { invitation: rows.map((row) => row.id) });
}

/** Columns with the name of a user, whose id is in the column `…_user`. */
const namedUsers = [
  ['syncs', 'pushed_by'],
  ['pulls', 'requested_by'],
  ['payroll_files', 'exported_by'],
  ['payroll_files', 'voided_by'],
  ['payroll_handovers', 'handed_over_by'],
] as const;

/** No entry names users who were removed before that time, so their names are erased too. */
async function expireAudit(tx: Tx, { id, auditRetentionDays }: Company, now: Temporal.Instant): Promise<void> {
  const before = now.subtract({ hours: 24 * auditRetentionDays }).toString();
  const { rows } = await sql<{ id: string }>`
    update portal_users u set name = ${erased}
    where ${ofCompany(id, 'u')} and u.removed_at < ${before}::timestamptz and u.name <> ${erased}
    returning u.id`.execute(tx);
  const users = rows.map((row) => row.id);
  for (const [table, column] of users.length > 0 ? namedUsers : []) {
    await sql`update ${sql.table(table)} t set ${sql.ref(column)} = ${erased}
      where ${ofCompany(id, 't')} and ${sql.ref(`t.${column}_user`)} = any(${users})`.execute(tx);
  }
  await sql`select expire_audit_log(${id}, ${before}::timestamptz)`.execute(tx);
}

/** Deletes which employees a decision was about. What became of each is in their history. */
async function expireBatches(tx: Tx, companyId: CompanyId, now: Temporal.Instant): Promise<void> {
  await sql`delete from contract_batches b where ${ofCompany(companyId, 'b')}
    and b.finished_at < ${now.subtract({ hours: 24 * 30 }).toString()}::timestamptz`.execute(tx);
}

/** Expires what is stored for a limited time besides employees. */
export async function expireRecords(tx: Tx, company: Company, day: Day, now: Temporal.Instant): Promise<void> {
  await eraseInvitations(tx, company, day);
  await expireAudit(tx, company, now);
  await expireEvents(tx, company.id, now);
  await eraseMails(tx, company.id);
  await expireAccess(tx, company.id);
  await expireEmployeeMails(tx, company.id);
  await expireBatches(tx, company.id, now);
  await expireIdempotencyKeys(tx, company.id);
  const weekAgo = now.subtract({ hours: 24 * 7 }).toString();
  await deleteFailedRosters(tx, company.id, sql<boolean>`s.finished_at < ${weekAgo}::timestamptz`);
  await clearPulls(tx, company.id, now.subtract({ hours: 24 }));
  await sql`delete from integration_cases k where ${ofCompany(company.id, 'k')} and k.erased_at < now()`.execute(tx);
}
