import { sql } from 'kysely';
import type { ColumnField } from '../../domain/choices.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { headingKey, recognizeHeadings } from '../../platform/table/headings.ts';
import type { Integration } from '../companies/companies.ts';
import type { ExplainedRecord, PreviewRecord } from './contract.ts';
import type { ColumnChoices } from './rules/file/columns.ts';

/** What users have chosen for columns, by the key of their headings. */
type RememberedColumns = Record<string, ColumnField | null>;

async function findUploadColumns(db: Db, { companyId, hrIntegrationId }: Integration): Promise<RememberedColumns> {
  const { rows } = await sql<{ columns: RememberedColumns | null }>`
    select i.upload_columns as columns from hr_integrations i
    where ${ofCompany(companyId, 'i')} and i.id = ${hrIntegrationId}`.execute(db);
  return rows[0]?.columns ?? {};
}

export async function updateUploadColumns(
  tx: Tx,
  { companyId, hrIntegrationId }: Integration,
  headings: readonly string[],
  choices: ColumnChoices,
): Promise<void> {
  const chosen: RememberedColumns = Object.fromEntries(
    headings.map((heading, index) => [headingKey(heading), choices[index] ?? null]),
  );
  await sql`update hr_integrations i set upload_columns = ${JSON.stringify(chosen)}
    where ${ofCompany(companyId, 'i')} and i.id = ${hrIntegrationId}`.execute(tx);
}

/** Returns what each column probably contains: as in the last upload, or as its heading says. */
export async function suggestColumns(db: Db, target: Integration, headings: readonly string[]) {
  const remembered = await findUploadColumns(db, target);
  const recognized = recognizeHeadings(headings);
  return headings.map((heading, index) => {
    const last = remembered[headingKey(heading)];
    if (last !== undefined) return { heading, field: last, source: 'remembered' as const };
    const field = recognized[index] ?? null;
    return { heading, field, source: field === null ? null : ('recognized' as const) };
  });
}

const newName = ({ changes }: ExplainedRecord): string | null => {
  const newValue = (name: string) => changes.find(({ field }) => field === name)?.to;
  return [newValue('firstName'), newValue('lastName')].filter((part) => typeof part === 'string').join(' ') || null;
};

export async function nameRecords(db: Db, companyId: CompanyId, records: ExplainedRecord[]): Promise<PreviewRecord[]> {
  const ids = records.flatMap(({ employeeId }) => employeeId ?? []);
  const { rows } = await sql<{ id: number; name: string }>`
    select e.id, e.first_name || ' ' || e.last_name as name from employees e
    where ${ofCompany(companyId, 'e')} and e.id = any(${ids})`.execute(db);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return records.map((record) => ({
    ...record,
    name: record.employeeId === null ? newName(record) : (names.get(record.employeeId) ?? null),
  }));
}
