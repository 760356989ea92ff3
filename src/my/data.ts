import { type RawBuilder, sql } from 'kysely';
import type { Message } from '../domain/messages/message.ts';
import { toEmployee } from '../domain/messages/to-employee.ts';
import { type CompanyId, ofCompany } from '../platform/db/company-scope.ts';
import type { Db } from '../platform/db/database.ts';
import { notFound } from '../platform/http/errors.ts';
import { presentTimestamp } from '../platform/http/view.ts';
import type { DataSection, MyData } from './contract.ts';

interface Source {
  section: DataSection;
  /** The newest records come first by this column. */
  newest: string;
  /** Columns that are nobody's data: secrets, hashes, places of files, and who else was involved. */
  hidden?: readonly string[];
}

const files = ['store_key', 'sha256', 'size_bytes'];

/** Every table with records of one employee, by what it is about. A test compares the list with the schema. */
export const personalTables: Readonly<Record<string, Source>> = {
  hr_links: { section: 'hr-links', newest: 'id', hidden: ['entry_hash'] },
  absences: { section: 'absences', newest: 'starts_on' },
  subscription_changes: { section: 'subscription', newest: 'id', hidden: ['actor', 'sync_key'] },
  subscription_requests: { section: 'requests', newest: 'id', hidden: ['actor', 'undone_by', 'before', 'after'] },
  tickets: { section: 'tickets', newest: 'month', hidden: ['wallet_token'] },
  ticket_orders: { section: 'tickets', newest: 'month', hidden: ['barcode_hash', 'next_attempt_at', 'failures'] },
  order_file_entries: { section: 'tickets', newest: 'order_month' },
  ticket_replacements: { section: 'replacements', newest: 'replaced_at' },
  billing_items: { section: 'charges', newest: 'id' },
  correction_proposals: { section: 'charges', newest: 'proposed_at', hidden: ['item_id'] },
  documents: { section: 'documents', newest: 'id', hidden: [...files, 'search_text', 'content', 'edition'] },
  contract_signatures: { section: 'agreements', newest: 'decided_at', hidden: ['store_key'] },
  signing_links: { section: 'agreements', newest: 'created_at', hidden: [...files, 'token_hash', 'agreement'] },
  signing_reminders: { section: 'agreements', newest: 'reminded_on', hidden: ['token_hash'] },
  contract_batch_items: { section: 'agreements', newest: 'batch_id' },
  plan_change_items: {
    ...{ section: 'agreements', newest: 'change_id' },
    hidden: ['change_id', 'old_contribution_cents', 'new_contribution_cents', 'reminders', 'reminded_on'],
  },
  joining_invitations: { section: 'invitations', newest: 'invited_at' },
  joining_links: { section: 'invitations', newest: 'company_id', hidden: ['token_hash'] },
  employee_access_links: {
    ...{ section: 'access', newest: 'created_at' },
    hidden: ['id', 'token_hash', 'browser_hash', 'other_companies'],
  },
  employee_letter_codes: { section: 'access', newest: 'company_id', hidden: ['code_hash', 'salt', 'hr_key'] },
  employee_sessions: {
    section: 'sessions',
    newest: 'created_at',
    hidden: ['id', 'token_hash', 'connection_company_id'],
  },
  employee_mails: { section: 'mails', newest: 'created_at', hidden: ['encrypted_values', 'next_attempt_at'] },
  sync_records: { section: 'activity', newest: 'sync_key', hidden: ['sync_key'] },
};

/** Columns of the employee's own row that are nobody's data. */
export const hiddenOfProfile: readonly string[] = [
  'id',
  'email_key',
  'search_text',
  'due_on',
  'policy_id',
  'plan_change',
];

/** Columns of the records that belong to an employee by something else than their number. */
export const hiddenElsewhere = { payroll_file_items: ['item_id'], audit_log: ['actor', 'target', 'id'] } as const;

type DataRecord = Record<string, unknown>;

const camel = (name: string) => name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && 'key' in value && 'values' in value;

/** Returns a row under the names that the page translates. What happened is said to the employee, not about them. */
function toRecord({ detail, ...row }: DataRecord): DataRecord {
  // The sentence of what happened, which it also is in English.
  const entries = Object.entries(isMessage(row.message) || detail === undefined ? row : { ...row, detail });
  return Object.fromEntries(
    entries.map(([name, value]) => [camel(name), isMessage(value) ? toEmployee(value) : value]),
  );
}

interface Found {
  total: number;
  records: DataRecord[];
}

async function read(db: Db, source: RawBuilder<unknown>, limit: number): Promise<Found> {
  const { rows } = await sql<{ total: number; record: DataRecord | null }>`
    with found as materialized (${source})
    select (select count(*) from found)::bigint as total, f.record from (select 1) one
    left join (select record from found order by newest desc nulls last limit ${limit}) f on true`.execute(db);
  return { total: rows[0]?.total ?? 0, records: rows.flatMap(({ record }) => (record ? [toRecord(record)] : [])) };
}

/** Which of an employee's records to read. */
interface Subject {
  companyId: CompanyId;
  employeeId: number;
  /** How many records per table. */
  limit: number;
}

const without = (columns: readonly string[]) => sql`to_jsonb(t) - ${['company_id', 'employee_id', ...columns]}::text[]`;

function readTable(
  db: Db,
  [table, { newest, hidden = [] }]: [string, Source],
  { companyId, employeeId, limit }: Subject,
) {
  const source = sql`select ${without(hidden)} as record, ${sql.ref(`t.${newest}`)} as newest from ${sql.table(table)} t
    where ${ofCompany(companyId, 't')} and t.employee_id = ${employeeId}`;
  return read(db, source, limit);
}

/** What was exported for payroll about the charges of an employee. */
const readPayroll = (db: Db, { companyId, employeeId, limit }: Subject) =>
  read(
    db,
    sql`select ${without(hiddenElsewhere.payroll_file_items)} as record, t.item_id as newest from payroll_file_items t
      join billing_items b on ${ofCompany(companyId, 'b')} and b.id = t.item_id
      where ${ofCompany(companyId, 't')} and b.employee_id = ${employeeId}`,
    limit,
  );

/** What the audit log says about an employee. Who else acted is not named. */
const readActivity = (db: Db, { companyId, employeeId, limit }: Subject) =>
  read(
    db,
    sql`select ${without(hiddenElsewhere.audit_log)} as record, t.id as newest from audit_log t
      where ${ofCompany(companyId, 't')} and audit_subject(t.action, t.target, t.detail) = ${`employee/${employeeId}`}`,
    limit,
  );

/** Returns everything that is stored about an employee, the newest records of each table. */
export async function readPersonalData(db: Db, subject: Subject, now: Temporal.Instant): Promise<MyData> {
  const { companyId, employeeId } = subject;
  const { rows } = await sql<{ record: DataRecord }>`
    select ${without(hiddenOfProfile)} as record from employees t
    where ${ofCompany(companyId, 't')} and t.id = ${employeeId} and t.removed_at is null`.execute(db);
  const [profile] = rows;
  if (profile === undefined) throw notFound('employee');
  const parts: [DataSection, Found][] = [['profile', { total: 1, records: [toRecord(profile.record)] }]];
  for (const entry of Object.entries(personalTables))
    parts.push([entry[1].section, await readTable(db, entry, subject)]);
  parts.push(['payroll', await readPayroll(db, subject)], ['activity', await readActivity(db, subject)]);
  const bySection = Map.groupBy(parts, ([section]) => section);
  return {
    createdAt: presentTimestamp(now.toString()),
    sections: [...bySection].map(([name, found]) => ({
      name,
      total: found.reduce((sum, [, { total }]) => sum + total, 0),
      records: found.flatMap(([, { records }]) => records),
    })),
  };
}
