import { sql } from 'kysely';
import { subscriptionStatuses } from '../../domain/enums.ts';
import { isUnsubscribed, type Subscription } from '../../domain/subscription/subscription.ts';
import { isPossible } from '../../domain/subscription/transitions.ts';
import {
  type CompanyToken,
  createSecret,
  createTypedSecret,
  formatToken,
  hashSecret,
} from '../../platform/crypto/company-token.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { type By, insertAudit } from '../activity/record.ts';
import { lockCompany } from '../companies/companies.ts';

const validDays = 30;

/** A contract waits for a signature as long as it can still be accepted. */
export const signableStatuses = subscriptionStatuses.filter((status) => isPossible('contract-accepted', status));

interface Recipient {
  employeeId: number;
  firstName: string;
  lastName: string;
  email: string;
}

export interface SigningLink extends Recipient {
  token: string;
  expiresAt: string;
  /** Names the mail with this link. A second one of the same key is not sent. */
  mailKey: string;
}

/** Holds if employee `e` has an agreement that can be accepted. */
export const isSignable = sql<boolean>`
  e.removed_at is null and e.contract_status = 'pending'
  and (e.subscription_status = any(${signableStatuses})
    or (e.plan_change is not null and e.subscription_status <> all(${['no-subscription', 'cancelled']})))`;

/** Returns whether an employee can decide about their agreement: the first one, or one about a higher share. */
export const canSign = ({ contractStatus, status, nextPlan }: Subscription): boolean =>
  contractStatus === 'pending' && (signableStatuses.includes(status) || (nextPlan !== null && !isUnsubscribed(status)));

const recipientColumns = sql`e.id as "employeeId", e.first_name as "firstName", e.last_name as "lastName", e.email`;

/** Returns those of the employees who can sign, in the order of their ids. */
export async function listSignableIds(db: Db, companyId: CompanyId, employeeIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e
    where ${ofCompany(companyId, 'e')} and e.id = any(${employeeIds}) and ${isSignable} order by e.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Adds their new secret to each of these employees. One that is printed can be typed. */
const withSecrets = <T extends Recipient>(employees: readonly T[], isPrinted = false) =>
  employees.map((employee) => ({ ...employee, secret: isPrinted ? createTypedSecret() : createSecret() }));

/** Creates a link for each of these employees whose contract is pending. An earlier one stops working. */
export async function createLinks(
  tx: Tx,
  companyId: CompanyId,
  employeeIds: readonly number[],
  { by, isPrinted = false }: { by: By; isPrinted?: boolean },
): Promise<SigningLink[]> {
  await lockCompany(tx, companyId);
  const found = await sql<Recipient>`
    select ${recipientColumns} from employees e
    where ${ofCompany(companyId, 'e')} and e.id = any(${employeeIds}) and ${isSignable} order by e.id`.execute(tx);
  const employees = withSecrets(found.rows, isPrinted);
  if (employees.length === 0) return [];
  const values = employees.map(({ employeeId: id, secret }) => ({ id, hash: hashSecret(secret).toString('hex') }));
  const { rows } = await sql<{ id: number; expiresAt: string; number: number }>`
    insert into signing_links as l (company_id, employee_id, token_hash, expires_at)
    select ${companyId}, r.id, decode(r.hash, 'hex'), now() + make_interval(days => ${validDays})
    from json_to_recordset(${JSON.stringify(values)}::json) as r(id bigint, hash text)
    on conflict (company_id, employee_id) do update set token_hash = excluded.token_hash, created_at = excluded.created_at,
      expires_at = excluded.expires_at, number = l.number + 1
    returning l.employee_id as id, l.expires_at as "expiresAt", l.number`.execute(tx);
  const written = new Map(rows.map(({ id, ...link }) => [id, link]));
  await insertAudit(tx, companyId, {
    action: 'signing-links.create',
    detail: { employees: employees.length, ...(isPrinted && { as: 'letters' }) },
    ...by,
  });
  return employees.flatMap(({ secret, ...employee }) => {
    const link = written.get(employee.employeeId);
    if (link === undefined) return [];
    const mailKey = `signing-link/${employee.employeeId}/${link.number}`;
    return [{ ...employee, expiresAt: link.expiresAt, mailKey, token: formatToken({ companyId, secret }) }];
  });
}

const todayOf = (timeZone: string) => sql`(now() at time zone ${timeZone})::date`;

/** Holds if employee `e` can sign by their link `l`, and was not reminded of it today. */
const isRemindable = (companyId: CompanyId, timeZone: string) => sql<boolean>`
  ${isSignable} and l.expires_at > now() and not exists (select from signing_reminders r
    where ${ofCompany(companyId, 'r')} and r.employee_id = l.employee_id and r.reminded_on = ${todayOf(timeZone)})`;

/** Counts agreements up to this number. */
const mostCounted = 10_000;

/** Returns how many employees can sign, at most 10,000, and how many of those lack a link or can be reminded today. */
export async function countOpenAgreements(db: Db, companyId: CompanyId, timeZone: string) {
  const { rows } = await sql<{ open: number; unlinked: number; remindable: number }>`
    select count(*) as open, count(*) filter (where l.expires_at is null or l.expires_at <= now()) as unlinked,
      count(*) filter (where ${isRemindable(companyId, timeZone)}) as remindable
    from (
      select e.id, e.removed_at, e.contract_status, e.subscription_status, e.plan_change from employees e
      where ${ofCompany(companyId, 'e')} and ${isSignable} limit ${mostCounted}
    ) e left join signing_links l on ${ofCompany(companyId, 'l')} and l.employee_id = e.id`.execute(db);
  return rows[0] ?? { open: 0, unlinked: 0, remindable: 0 };
}

/** Returns those of the employees who can be reminded today, in the order of their ids. */
export async function listRemindableIds(
  db: Db,
  companyId: CompanyId,
  employeeIds: readonly number[],
  timeZone: string,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e
    join signing_links l on ${ofCompany(companyId, 'l')} and l.employee_id = e.id
    where ${ofCompany(companyId, 'e')} and e.id = any(${employeeIds}) and ${isRemindable(companyId, timeZone)}
    order by e.id`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Creates another way to the open link of each of these employees. The link that they have keeps working. The key of the
 * table lets it happen once per employee and day.
 */
export async function createReminders(
  tx: Tx,
  companyId: CompanyId,
  employeeIds: readonly number[],
  { by, timeZone }: { by: By; timeZone: string },
): Promise<SigningLink[]> {
  await lockCompany(tx, companyId);
  const found = await sql<Recipient & { expiresAt: string; number: number }>`
    select ${recipientColumns}, l.expires_at as "expiresAt", l.number from employees e
    join signing_links l on ${ofCompany(companyId, 'l')} and l.employee_id = e.id
    where ${ofCompany(companyId, 'e')} and e.id = any(${employeeIds}) and ${isRemindable(companyId, timeZone)}
    order by e.id`.execute(tx);
  const employees = withSecrets(found.rows);
  if (employees.length === 0) return [];
  const values = employees.map(({ employeeId: id, secret, number }) => ({
    ...{ id, number, hash: hashSecret(secret).toString('hex') },
  }));
  const { rows } = await sql<{ id: number; day: string }>`
    insert into signing_reminders as r (company_id, employee_id, reminded_on, link_number, token_hash)
    select ${companyId}, v.id, ${todayOf(timeZone)}, v.number, decode(v.hash, 'hex')
    from json_to_recordset(${JSON.stringify(values)}::json) as v(id bigint, number integer, hash text)
    on conflict do nothing
    returning r.employee_id as id, r.reminded_on as day`.execute(tx);
  const days = new Map(rows.map(({ id, day }) => [id, day]));
  await insertAudit(tx, companyId, { action: 'signing-links.remind', detail: { employees: rows.length }, ...by });
  return employees.flatMap(({ secret, number: _, ...employee }) => {
    const day = days.get(employee.employeeId);
    const mailKey = `signing-reminder/${employee.employeeId}/${day}`;
    return day === undefined ? [] : [{ ...employee, mailKey, token: formatToken({ companyId, secret }) }];
  });
}

export interface FoundLink {
  employeeId: number;
  isOpened: boolean;
  agreement: object | null;
  storeKey: string | null;
  sha256: Buffer | null;
  sizeBytes: number | null;
}

/** Holds if link `l` was opened since it was created. */
export const isOpened = sql<boolean>`coalesce(l.opened_at >= l.created_at, false)`;

/** Returns undefined if the link was renewed, has expired or never existed, or if the employee was removed. */
export async function findLink(db: Db, { companyId, secret }: CompanyToken): Promise<FoundLink | undefined> {
  const hash = hashSecret(secret);
  const { rows } = await sql<FoundLink>`
    select l.employee_id as "employeeId", ${isOpened} as "isOpened", l.agreement, l.store_key as "storeKey", l.sha256,
      l.size_bytes as "sizeBytes"
    from (
      select k.employee_id, k.number from signing_links k where ${ofCompany(companyId, 'k')} and k.token_hash = ${hash}
      union all
      select r.employee_id, r.link_number from signing_reminders r
      where ${ofCompany(companyId, 'r')} and r.token_hash = ${hash}
    ) t
    join signing_links l on ${ofCompany(companyId, 'l')} and l.employee_id = t.employee_id and l.number = t.number
    join employees e on ${ofCompany(companyId, 'e')} and e.id = l.employee_id and e.removed_at is null
    where l.expires_at > now()`.execute(db);
  return rows[0];
}

/** Records that a link was opened, the first time only. */
export async function recordOpening(tx: Tx, companyId: CompanyId, employeeId: number): Promise<void> {
  await sql`update signing_links l set opened_at = now()
    where ${ofCompany(companyId, 'l')} and l.employee_id = ${employeeId} and not ${isOpened}`.execute(tx);
}
