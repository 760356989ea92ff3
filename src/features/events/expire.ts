import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';

/** How long events are kept (contract, section 8). */
const eventRetentionDays = 30;

const batchSize = 5_000;

/** Deletes expired events, oldest first, up to the first that is kept, so that those that remain have no gap. */
export async function expireEvents(tx: Tx, companyId: CompanyId, now: Temporal.Instant): Promise<void> {
  const before = now.subtract({ hours: 24 * eventRetentionDays }).toString();
  for (;;) {
    const { rows } = await sql<Record<'first' | 'last' | 'firstKept', number | null>>`
      select min(o.sequence) as first, max(o.sequence) as last,
        min(o.sequence) filter (where o.occurred_at >= ${before}::timestamptz) as "firstKept"
      from (select e.sequence, e.occurred_at from events e where ${ofCompany(companyId, 'e')}
        order by e.sequence limit ${batchSize}) o`.execute(tx);
    const { first = null, last = null, firstKept = null } = rows[0] ?? {};
    if (last === null || firstKept === first) return;
    const end = firstKept ?? last + 1;
    await sql`delete from events e where ${ofCompany(companyId, 'e')} and e.sequence < ${end}`.execute(tx);
    if (firstKept !== null) return;
  }
}
