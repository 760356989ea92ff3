import { sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import type { RecordOutcome } from '../../domain/enums.ts';
import { moneyFormat } from '../../domain/money.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { loadPricesOf } from '../billing/prices.ts';
import { priceOn } from '../billing/rules/charges.ts';
import type { EffectPrices, PlannedEffect } from '../billing/rules/effects.ts';
import type { Company } from '../companies/companies.ts';
import type { PlannedRecord, PlannedSlice } from './plan.ts';

export type Counts = Record<RecordOutcome | 'unchanged', number>;

export const emptyCounts = (): Counts => ({ created: 0, updated: 0, unchanged: 0, offboarded: 0, held: 0, failed: 0 });

export function addCounts(counts: Counts, { records, unchanged, repeated, reworded }: PlannedSlice): void {
  counts.unchanged += unchanged.length + repeated + reworded.length;
  for (const { outcome } of records) counts[outcome] += 1;
}

/** Returns how many entries of the roster are counted. Absent employees are none. */
export const countEntries = ({ created, updated, unchanged, failed }: Counts) => created + updated + unchanged + failed;

/** Returns the outcome of a sync. A removal that is pending approval counts like an entry that failed. */
export const outcomeOf = (counts: Counts): 'partially-failed' | 'succeeded' =>
  counts.failed + counts.held > 0 ? 'partially-failed' : 'succeeded';

/**
 * A roster is applied in one transaction, of which nobody sees anything before it commits. The name of its connection is
 * the exception: others see it at once, and it ends with the transaction. So it says how far the sync is.
 */

const nameOf = (companyId: CompanyId, syncKey: number) => `transit sync ${companyId}/${syncKey} `;

export async function publishProgress(
  tx: Tx,
  { companyId, syncKey }: { companyId: CompanyId; syncKey: number },
  counts: Counts,
): Promise<void> {
  const name = nameOf(companyId, syncKey) + countEntries(counts);
  await sql`select set_config('application_name', ${name}, true)`.execute(tx);
}

/** Returns how many entries were written. Undefined: the sync is not being applied, or has not written any yet. */
export async function findProgress(db: Db, companyId: CompanyId, syncKey: number): Promise<number | undefined> {
  const { rows } = await sql<{ name: string }>`
    select a.application_name as name from pg_stat_activity a
    where a.datname = current_database() and starts_with(a.application_name, ${nameOf(companyId, syncKey)})`.execute(
    db,
  );
  const written = Number(rows[0]?.name.split(' ').at(-1));
  return Number.isInteger(written) ? written : undefined;
}

/** True if the sync would make an employee count for the fee: each counts once, however many integrations link them. */
const isNewlyLinked = ({ plan, known }: PlannedRecord) =>
  plan !== null &&
  !plan.employee.facts.offboarded &&
  (known === undefined || known.isRemoved || (known.linkId === null && !known.linkedElsewhere));

/** Returns the net fee per linked employee and month, in cents. */
export async function findLinkFee(db: Db, companyId: CompanyId, day: Day): Promise<number> {
  const fees = (await loadPricesOf(db, companyId)).fees.filter(
    ({ chargeType }) => chargeType === 'hr-integration-charge',
  );
  return priceOn(fees, day)?.netCents ?? 0;
}

/** Adds what the records of a slice mean. `linked`: employees who cost the fee from now on. */
export function addNews(news: { reactivated: number; linked: number }, { records }: PlannedSlice): void {
  news.reactivated += records.filter(({ code }) => code === 'returned').length;
  news.linked += records.filter(isNewlyLinked).length;
}

/** Returns the effects of records. Somebody who is leaving no longer counts for the fee, unless they return. */
export const effectsOf = (records: readonly PlannedRecord[]): PlannedEffect[] =>
  records.map((record) => {
    const isMore = isNewlyLinked(record) || record.code === 'returned';
    return { plan: record.plan, linked: record.outcome === 'offboarded' ? -1 : isMore ? 1 : 0 };
  });

/** Returns the net fees of employees who are linked from now on. Null: they cost nothing. */
export function presentFees({ locale, currency }: Company, linked: number, { perLink }: EffectPrices) {
  const cents = perLink?.netCents ?? 0;
  if (linked === 0 || cents === 0) return null;
  const format = moneyFormat(locale, currency);
  const present = (value: number) => ({ label: format(value), value });
  return { employees: linked, perEmployee: present(cents), perMonth: present(linked * cents) };
}
