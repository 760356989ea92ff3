import { sql } from 'kysely';
import { firstOfMonth } from '../../domain/calendar.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { asCompanyId, type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { countChange, writeShared } from '../../platform/db/write.ts';
import { insertAudit } from '../activity/record.ts';
import { appendBillingItems, insertBillingItems, type NewBillingItem } from '../billing/insert.ts';
import { findCorrectionMessage, readCorrectionReason } from '../billing/rules/correction-reasons.ts';
import { type DailyRunDeps, lockAndCatchUp } from './run.ts';

interface Correction {
  itemId: number;
  companyId: CompanyId;
  reason: string;
}

const copiedColumns = [
  ...(['b.period', 'b.charge_type', 'b.net_cents', 'b.tax_cents', 'b.gross_cents', 'b.corrects_id'] as const),
  ...(['b.employee_id', 'b.first_name', 'b.last_name', 'b.email', 'b.hr_id', 'b.hr_integration_id'] as const),
  ...(['b.plan_type', 'b.company_share_cents', 'b.employee_share_cents'] as const),
];

const noSuchItem = (itemId: number) => new OperatorError(`There is no billing item ${itemId}. Check the id.`);

/** All ids come from one sequence. Asks every node of a cluster, which no transaction that writes may do. */
export async function findCompanyOfItem(db: Db, itemId: number): Promise<CompanyId> {
  const found = await db.selectFrom('billing_items as b').select('b.company_id').where('b.id', '=', itemId).execute();
  const [item] = found;
  if (item === undefined) throw noSuchItem(itemId);
  if (found.length > 1)
    throw new OperatorError(`Several companies have a billing item ${itemId}. Choose one with --company.`);
  return asCompanyId(item.company_id);
}

/**
 * Reverses a charge by a new item in the period of the day on which it is made. Neither the charge nor the sums of its
 * period change. Throws if the item was corrected before. A unique key enforces that, even for concurrent corrections.
 */
export async function billingCorrection(tx: Tx, deps: DailyRunDeps, { itemId, companyId, reason }: Correction) {
  const item = await tx
    .selectFrom('billing_items as b')
    .select(copiedColumns)
    .where(ofCompany(companyId, 'b'))
    .where('b.id', '=', itemId)
    .executeTakeFirst();
  if (item === undefined) throw noSuchItem(itemId);
  if (item.corrects_id !== null) {
    throw new OperatorError(
      `Item ${itemId} is a correction of item ${item.corrects_id}, and corrections cannot be corrected.`,
    );
  }
  const { today } = await lockAndCatchUp(tx, deps, companyId);
  const now = deps.clock.now();
  const period = firstOfMonth(today).toString();
  const reversed: NewBillingItem = {
    ...item,
    period,
    net_cents: -item.net_cents,
    tax_cents: -item.tax_cents,
    gross_cents: -item.gross_cents,
    company_share_cents: item.company_share_cents && -item.company_share_cents,
    employee_share_cents: item.employee_share_cents && -item.employee_share_cents,
    corrects_id: itemId,
    corrects_period: item.period,
    reason,
    billed_at: now.toString(),
  };
  const added = await insertBillingItems(tx, companyId, [reversed]);
  if (added.length === 0) throw new OperatorError(`Item ${itemId} has already been corrected.`);
  const { rows } = await sql<{ id: number }>`
    select b.id from billing_items b where ${ofCompany(companyId, 'b')} and b.corrects_id = ${itemId}`.execute(tx);
  const correctionId = rows[0]?.id;
  const message = findCorrectionMessage(reason);
  await insertAudit(tx, companyId, {
    action: 'billing.correct',
    target: String(itemId),
    detail: { correctionId, period, reason, ...(message && { message }) },
    at: now,
  });
  appendBillingItems(tx, companyId, { period, added, now });
  await countChange(tx, companyId);
  return { id: correctionId, period, corrects: { id: itemId, period: item.period }, grossCents: -item.gross_cents };
}

/** Corrects an item, for an operator who may name only the item. */
export async function correctItem(
  { db, ...deps }: DailyRunDeps & { db: Db },
  { item: itemId, reason, company }: { item: number; reason: string; company: CompanyId | undefined },
) {
  const companyId = company ?? (await findCompanyOfItem(db, itemId));
  return writeShared(db, (tx) =>
    billingCorrection(tx, deps, { itemId, companyId, reason: readCorrectionReason(reason) }),
  );
}
