import { sql } from 'kysely';
import { subscriptionStatuses } from '../../domain/enums.ts';
import { isPossible } from '../../domain/subscription/transitions.ts';
import { type CompanyToken, createSecret, formatToken, hashSecret } from '../../platform/crypto/company-token.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { type By, insertAudit } from '../activity/record.ts';
import { lockCompany } from '../companies/companies.ts';

const validDays = 30;

/** A contract waits for a signature as long as it can still be accepted. */
export const signableStatuses = subscriptionStatuses.filter((status) => isPossible('contract-accepted', status));

export interface SigningLink {
  employeeId: number;
  firstName: string;
  lastName: string;
  email: string;
  token: string;
  expiresAt: string;
  /** Differs for every link of an employee. */
  number: number;
}

/** Holds if employee `e` can sign. */
const canSign = (companyId: CompanyId, employeeIds: readonly number[]) => sql<boolean>`
  ${ofCompany(companyId, 'e')} and e.id = any(${employeeIds}) and e.removed_at is null
    and e.contract_status = 'pending' and e.subscription_status = any(${signableStatuses})`;

/** Returns those of the employees who can sign, in the order of their ids. */
export async function listSignableIds(db: Db, companyId: CompanyId, employeeIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e where ${canSign(companyId, employeeIds)} order by e.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Creates a link for each of these employees whose contract is pending. An earlier one stops working. */
export async function createLinks(
  tx: Tx,
  companyId: CompanyId,
  employeeIds: readonly number[],
  by: By,
): Promise<SigningLink[]> {
  await lockCompany(tx, companyId);
  const { rows: employees } = await sql<Pick<SigningLink, 'employeeId' | 'firstName' | 'lastName' | 'email'>>`
    select e.id as "employeeId", e.first_name as "firstName", e.last_name as "lastName", e.email from employees e
    where ${canSign(companyId, employeeIds)} order by e.id`.execute(tx);
  if (employees.length === 0) return [];
  const secrets = new Map(employees.map(({ employeeId }) => [employeeId, createSecret()]));
  const values = [...secrets].map(([id, secret]) => ({ id, hash: hashSecret(secret).toString('hex') }));
  const { rows } = await sql<{ id: number; expiresAt: string; number: number }>`
    insert into signing_links as l (company_id, employee_id, token_hash, expires_at)
    select ${companyId}, r.id, decode(r.hash, 'hex'), now() + make_interval(days => ${validDays})
    from json_to_recordset(${JSON.stringify(values)}::json) as r(id bigint, hash text)
    on conflict (company_id, employee_id) do update set token_hash = excluded.token_hash, created_at = excluded.created_at,
      expires_at = excluded.expires_at, number = l.number + 1
    returning l.employee_id as id, l.expires_at as "expiresAt", l.number`.execute(tx);
  const written = new Map(rows.map(({ id, ...link }) => [id, link]));
  const detail = { employees: employees.length };
  await insertAudit(tx, companyId, { action: 'signing-links.create', detail, ...by });
  return employees.flatMap((employee) => {
    const [link, secret] = [written.get(employee.employeeId), secrets.get(employee.employeeId)];
    return link && secret ? [{ ...employee, ...link, token: formatToken({ companyId, secret }) }] : [];
  });
}

export interface FoundLink {
  employeeId: number;
  agreement: object | null;
  storeKey: string | null;
  sha256: Buffer | null;
  sizeBytes: number | null;
}

/** Returns undefined if the link was renewed, has expired or never existed, or if the employee was removed. */
export async function findLink(db: Db, { companyId, secret }: CompanyToken): Promise<FoundLink | undefined> {
  const { rows } = await sql<FoundLink>`
    select l.employee_id as "employeeId", l.agreement, l.store_key as "storeKey", l.sha256, l.size_bytes as "sizeBytes"
    from signing_links l
    join employees e on ${ofCompany(companyId, 'e')} and e.id = l.employee_id and e.removed_at is null
    where ${ofCompany(companyId, 'l')} and l.token_hash = ${hashSecret(secret)} and l.expires_at > now()`.execute(db);
  return rows[0];
}
