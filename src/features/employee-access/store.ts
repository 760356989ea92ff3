import { sql } from 'kysely';
import type { AccessMethod, Language } from '../../domain/enums.ts';
import { asCompanyId, type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { preparedStatement } from '../../platform/db/prepared-statement.ts';
import { listRows } from '../../platform/db/shards.ts';
import { idleDays, linkMinutes } from './cookies.ts';

/** How long the code of a letter works, and how often it may be mistyped. */
const letterDays = 60;
const letterAttempts = 5;

/** Writes hexadecimal digits into the statement, which can have no parameters: an address may contain any character. */
const textLiteral = (text: string) =>
  `convert_from(decode('${Buffer.from(text, 'utf8').toString('hex')}', 'hex'), 'utf8')`;

/**
 * Returns the companies that have an employee with this address, in the order of their ids. On a Citus cluster it asks
 * every shard, by an index of its own. `isComplete`: every node has answered.
 */
export async function listCompaniesOf(db: Db, emailKey: string) {
  const { rows, isComplete } = await listRows<{ companyId: number }>(db, {
    table: 'employees',
    columns: 't.company_id as "companyId"',
    where: `t.email_key = ${textLiteral(emailKey)} and t.removed_at is null`,
  });
  const companyIds = rows.map(({ companyId }) => asCompanyId(companyId)).sort((a, b) => a - b);
  return { companyIds, isComplete };
}

interface LockedEmployee {
  id: number;
  email: string;
  emailKey: string;
}

/**
 * Returns an employee who was not removed, and keeps their address and removal from changing until the transaction ends.
 * Every transaction locks employees before what gives them access, as syncs do.
 */
export async function lockEmployee(
  tx: Tx,
  companyId: CompanyId,
  { id, emailKey }: { id: number; emailKey?: never } | { id?: never; emailKey: string },
): Promise<LockedEmployee | undefined> {
  const { rows } = await sql<LockedEmployee>`
    select e.id, e.email, e.email_key as "emailKey" from employees e
    where ${ofCompany(companyId, 'e')} and e.removed_at is null
      and ${id === undefined ? sql`e.email_key = ${emailKey}` : sql`e.id = ${id}`}
    for share`.execute(tx);
  return rows[0];
}

const isAlive = sql<boolean>`(s.last_used_at > now() - make_interval(days => ${idleDays}))`;

interface StoredSession {
  id: string;
  employeeId: number;
  firstName: string;
  lastName: string;
  email: string;
  connectionCompanyId: number | null;
  connectionIssuer: string | null;
  /** Null: not chosen. */
  language: Language | null;
  companyName: string;
  locale: string;
  currency: string;
  timeZone: string;
  hasLogo: boolean;
  lastUsedAt: string;
}

const selectSession = preparedStatement(
  (_shape: object, { companyId, tokenHash }: { companyId: CompanyId; tokenHash: Buffer }) => sql<StoredSession>`
    select s.id, s.employee_id as "employeeId", e.first_name as "firstName", e.last_name as "lastName", e.email,
      s.connection_company_id as "connectionCompanyId", s.connection_issuer as "connectionIssuer", e.language,
      c.name as "companyName", c.locale, c.currency, c.time_zone as "timeZone", c.logo is not null as "hasLogo",
      s.last_used_at as "lastUsedAt"
    from employee_sessions s
    join employees e on ${ofCompany(companyId, 'e')} and e.id = s.employee_id and e.removed_at is null
    join companies c on c.id = ${companyId}
    where ${ofCompany(companyId, 's')} and s.token_hash = ${tokenHash} and ${isAlive}`,
  { isShort: true },
);

/**
 * Returns the session of a token in one company, with what every page shows. Undefined: there is none, it was not used for
 * too long, or the employee was removed.
 */
export async function findSession(
  db: Db | Tx,
  companyId: CompanyId,
  tokenHash: Buffer,
): Promise<StoredSession | undefined> {
  const [row] = await selectSession(db, {}, { companyId, tokenHash });
  return row;
}

/** Notes that sessions are used. One that has expired in between stays so. */
export async function markSessionsUsed(db: Db, companyId: CompanyId, ids: readonly string[]): Promise<void> {
  await sql`update employee_sessions s set last_used_at = now()
    where ${ofCompany(companyId, 's')} and s.id = any(${ids}) and ${isAlive}`.execute(db);
}

interface NewSession {
  id: string;
  employeeId: number;
  tokenHash: Buffer;
  method: AccessMethod;
  connectionCompanyId: CompanyId | null;
  connectionIssuer: string | null;
  device: string | null;
}

export async function insertSession(tx: Tx, companyId: CompanyId, session: NewSession): Promise<void> {
  const { id, employeeId, tokenHash, method, connectionCompanyId, connectionIssuer, device } = session;
  await sql`
    insert into employee_sessions (company_id, id, employee_id, token_hash, method, connection_company_id,
      connection_issuer, device)
    values (${companyId}, ${id}, ${employeeId}, ${tokenHash}, ${method}, ${connectionCompanyId}, ${connectionIssuer},
      ${device})`.execute(tx);
}

interface ListedSession {
  id: string;
  device: string | null;
  method: AccessMethod;
  createdAt: string;
  lastUsedAt: string;
}

export async function listSessions(db: Db, companyId: CompanyId, employeeId: number): Promise<ListedSession[]> {
  const { rows } = await sql<ListedSession>`
    select s.id, s.device, s.method, s.created_at as "createdAt", s.last_used_at as "lastUsedAt"
    from employee_sessions s
    where ${ofCompany(companyId, 's')} and s.employee_id = ${employeeId} and ${isAlive}`.execute(db);
  return rows;
}

/** Deletes sessions of employees, with `id` only that one. Returns how many there were. */
export async function deleteSessions(
  tx: Tx,
  companyId: CompanyId,
  employeeIds: readonly number[],
  id?: string,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from employee_sessions s where ${ofCompany(companyId, 's')} and s.employee_id = any(${employeeIds})
      and (${id ?? null}::text is null or s.id = ${id ?? null})`.execute(tx);
  return Number(numAffectedRows);
}

interface NewLink {
  id: string;
  employeeId: number;
  tokenHash: Buffer;
  browserHash: Buffer | null;
  otherCompanies: readonly CompanyId[] | null;
}

/** Stores a link. Undefined: the request has one already. */
export async function insertLink(tx: Tx, companyId: CompanyId, link: NewLink): Promise<string | undefined> {
  const { id, employeeId, tokenHash, browserHash, otherCompanies } = link;
  await sql`delete from employee_access_links l
    where ${ofCompany(companyId, 'l')} and l.employee_id = ${employeeId} and l.expires_at <= now()`.execute(tx);
  const { rows } = await sql<{ expiresAt: string }>`
    insert into employee_access_links (company_id, id, employee_id, token_hash, browser_hash, other_companies, expires_at)
    values (${companyId}, ${id}, ${employeeId}, ${tokenHash}, ${browserHash},
      ${otherCompanies && JSON.stringify(otherCompanies)}::jsonb,
      now() + make_interval(mins => ${linkMinutes}))
    on conflict do nothing returning expires_at as "expiresAt"`.execute(tx);
  return rows[0]?.expiresAt;
}

interface StoredLink {
  id: string;
  employeeId: number;
  browserHash: Buffer | null;
  otherCompanies: number[] | null;
}

export async function findLink(db: Db, companyId: CompanyId, tokenHash: Buffer): Promise<StoredLink | undefined> {
  const { rows } = await sql<StoredLink>`
    select l.id, l.employee_id as "employeeId", l.browser_hash as "browserHash", l.other_companies as "otherCompanies"
    from employee_access_links l
    where ${ofCompany(companyId, 'l')} and l.token_hash = ${tokenHash} and l.expires_at > now()`.execute(db);
  return rows[0];
}

/** Uses up a link. Returns false if it was used, has expired or was withdrawn at the same moment. */
export async function deleteLink(tx: Tx, companyId: CompanyId, id: string): Promise<boolean> {
  const { rows } = await sql`delete from employee_access_links l
    where ${ofCompany(companyId, 'l')} and l.id = ${id} and l.expires_at > now() returning l.id`.execute(tx);
  return rows.length > 0;
}

export async function deleteLinks(tx: Tx, companyId: CompanyId, employeeIds: readonly number[]): Promise<void> {
  await sql`delete from employee_access_links l
    where ${ofCompany(companyId, 'l')} and l.employee_id = any(${employeeIds})`.execute(tx);
}

export async function deleteLetterCodes(tx: Tx, companyId: CompanyId, employeeIds: readonly number[]): Promise<void> {
  await sql`delete from employee_letter_codes c
    where ${ofCompany(companyId, 'c')} and c.employee_id = any(${employeeIds})`.execute(tx);
}

/** Returns the HR id to print for each of these employees: that of their roster, or else their latest. */
export async function listPrintedHrIds(
  tx: Tx,
  companyId: CompanyId,
  employeeIds: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await sql<{ employeeId: number; hrId: string }>`
    select distinct on (k.employee_id) k.employee_id as "employeeId", k.hr_id as "hrId" from hr_links k
    where ${ofCompany(companyId, 'k')} and k.employee_id = any(${employeeIds})
    order by k.employee_id, k.is_current desc, k.id desc`.execute(tx);
  return new Map(rows.map(({ employeeId, hrId }) => [employeeId, hrId]));
}

/** Returns those of the employees who were not removed, and keeps them so until the transaction ends. */
export async function lockEmployees(tx: Tx, companyId: CompanyId, employeeIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e
    where ${ofCompany(companyId, 'e')} and e.id = any(${employeeIds}) and e.removed_at is null
    order by e.id for share`.execute(tx);
  return rows.map(({ id }) => id);
}

interface NewLetterCode {
  employeeId: number;
  hrKey: string;
  salt: Buffer;
  codeHash: Buffer;
}

/** Stores codes. Each replaces the earlier one of its employee. */
export async function insertLetterCodes(tx: Tx, companyId: CompanyId, codes: readonly NewLetterCode[]): Promise<void> {
  const values = codes.map(({ salt, codeHash, ...code }) => ({
    ...{ ...code, salt: salt.toString('hex'), codeHash: codeHash.toString('hex') },
  }));
  await sql`
    insert into employee_letter_codes (company_id, employee_id, hr_key, salt, code_hash, attempts, created_at, expires_at)
    select ${companyId}, r."employeeId", r."hrKey", decode(r.salt, 'hex'), decode(r."codeHash", 'hex'), 0, now(),
      now() + make_interval(days => ${letterDays})
    from json_to_recordset(${JSON.stringify(values)}::json)
      as r("employeeId" bigint, "hrKey" text, salt text, "codeHash" text)
    on conflict (company_id, employee_id) do update set hr_key = excluded.hr_key, salt = excluded.salt,
      code_hash = excluded.code_hash, attempts = excluded.attempts, created_at = excluded.created_at,
      expires_at = excluded.expires_at`.execute(tx);
}

/** Counts an attempt at the letters with this HR id, and returns those that have attempts left. */
export async function countLetterAttempt(db: Db, companyId: CompanyId, hrKey: string) {
  const { rows } = await sql<{ employeeId: number; salt: Buffer; codeHash: Buffer }>`
    update employee_letter_codes c set attempts = c.attempts + 1
    where ${ofCompany(companyId, 'c')} and c.hr_key = ${hrKey} and c.attempts < ${letterAttempts}
      and c.expires_at > now()
    returning c.employee_id as "employeeId", c.salt, c.code_hash as "codeHash"`.execute(db);
  return rows;
}

/** Uses up a code. Returns false if it was used or replaced at the same moment. */
export async function deleteLetterCode(
  tx: Tx,
  companyId: CompanyId,
  { employeeId, codeHash }: { employeeId: number; codeHash: Buffer },
): Promise<boolean> {
  const { rows } = await sql`delete from employee_letter_codes c
    where ${ofCompany(companyId, 'c')} and c.employee_id = ${employeeId} and c.code_hash = ${codeHash}
    returning c.employee_id`.execute(tx);
  return rows.length > 0;
}

/** Deletes what no employee of a company can get in with any more. */
export async function deleteExpired(tx: Tx, companyId: CompanyId): Promise<void> {
  await sql`delete from employee_sessions s where ${ofCompany(companyId, 's')} and not ${isAlive}`.execute(tx);
  await sql`delete from employee_access_links l
    where ${ofCompany(companyId, 'l')} and l.expires_at <= now()`.execute(tx);
  await sql`delete from employee_letter_codes c
    where ${ofCompany(companyId, 'c')} and c.expires_at <= now()`.execute(tx);
}
