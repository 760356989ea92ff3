import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { LateCharges } from './rules/late-charges.ts';

/**
 * Proposes to correct the charges that became known too late with these employees. Withdraws proposals of theirs for which
 * that is true no longer. A charge is proposed once, and never again after somebody decided to keep it.
 */
export async function proposeCorrections(
  tx: Tx,
  companyId: CompanyId,
  { employees, now }: { employees: readonly { id: number; late: readonly LateCharges[] }[]; now: Temporal.Instant },
): Promise<void> {
  if (employees.length === 0) return;
  const rows = employees.flatMap(({ id, late }) =>
    late.flatMap(({ cause, itemIds }) => itemIds.map((itemId) => ({ itemId, employeeId: id, cause }))),
  );
  await sql`delete from correction_proposals p where ${ofCompany(companyId, 'p')} and p.kept_at is null
    and p.employee_id = any(${employees.map(({ id }) => id)}::bigint[])
    and p.item_id <> all(${rows.map(({ itemId }) => itemId)}::bigint[])`.execute(tx);
  if (rows.length === 0) return;
  await sql`
    insert into correction_proposals (company_id, item_id, employee_id, cause, proposed_at)
    select ${companyId}, r."itemId", r."employeeId", r.cause, ${now.toString()}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::json) as r("itemId" bigint, "employeeId" bigint, cause text)
    on conflict do nothing`.execute(tx);
}

/** What is proposed and neither corrected nor kept. */
export const isOpen = (companyId: CompanyId) => sql<boolean>`${ofCompany(companyId, 'p')} and p.kept_at is null
  and not exists (select from billing_items c where ${ofCompany(companyId, 'c')} and c.corrects_id = p.item_id)`;

export async function countProposals(db: Db, companyId: CompanyId): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from correction_proposals p where ${isOpen(companyId)}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Decides to keep charges that are proposed for a correction. Returns which of them were. */
export async function keepCharges(
  tx: Tx,
  companyId: CompanyId,
  { items, now }: { items: readonly number[]; now: Temporal.Instant },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update correction_proposals p set kept_at = ${now.toString()}::timestamptz
    where ${isOpen(companyId)} and p.item_id = any(${items}::bigint[]) returning p.item_id as id`.execute(tx);
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}
