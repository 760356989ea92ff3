import { sql } from 'kysely';
import { type Day, firstOfMonth } from '../../domain/calendar.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import { findIssuerRow } from './store.ts';

export interface MissingTickets {
  /** Orders of this month and later ones that somebody has to act on. */
  failed: number;
  /** Orders of this month without a ticket, which has begun. */
  late: number;
  /** Since when the issuer cannot be worked with, if that lasts. */
  failingSince: string | null;
  /** The first day of the first month that is concerned. */
  month: string;
}

/** A shorter outage needs nobody: what waits is caught up. */
const lastingMinutes = 60;

/** Returns how many tickets are missing at the issuer of a company. Undefined: none, and nothing keeps the issuer. */
export async function countMissingTickets(
  db: Db,
  companyId: CompanyId,
  { today, now }: { today: Day; now: Temporal.Instant },
): Promise<MissingTickets | undefined> {
  const issuer = await findIssuerRow(db, companyId);
  if (issuer === undefined) return undefined;
  const present = firstOfMonth(today).toString();
  const { rows } = await sql<{ failed: number; late: number; month: string | null }>`
    select count(*) filter (where o.state = 'failed') as failed, count(*) filter (where o.state <> 'failed') as late,
      min(o.month) as month
    from ticket_orders o where ${ofCompany(companyId, 'o')} and o.month >= ${present}::date
      and (o.state = 'failed' or o.month = ${present}::date and o.state = any(${['required', 'ordered']}))`.execute(db);
  const { failed = 0, late = 0, month = null } = rows[0] ?? {};
  const since = issuer.failingSince === null ? undefined : Temporal.Instant.from(issuer.failingSince);
  const isLasting = since !== undefined && since.until(now).total('minutes') >= lastingMinutes;
  if (failed + late === 0 && !isLasting) return undefined;
  const failingSince = isLasting ? presentTimestamp(since.toString()) : null;
  return { failed, late, failingSince, month: month ?? present };
}
