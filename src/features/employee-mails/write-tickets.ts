import { sql } from 'kysely';
import { type Day, firstOfNextMonth } from '../../domain/calendar.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { writeShared } from '../../platform/db/write.ts';
import { readMailRules } from './queue.ts';
import { urgencyOf } from './rules/kinds.ts';

/**
 * Writes the mails about the tickets of a month in one statement. Whoever has such a mail gets no second one, so it may
 * run again. Nothing is encrypted: the text needs no more than the month. A worker that is late does not write of a month
 * that is over. Outside of the daily run, whose processor time for 100,000 employees it would increase by a third.
 */
export async function writeTicketMails(
  { db, clock }: { db: Db; clock: Clock },
  companyId: CompanyId,
  month: Day,
): Promise<number> {
  return writeShared(db, async (tx) => {
    const { language, timeZone, switchedOff } = await readMailRules(tx, companyId);
    const remaining = firstOfNextMonth(month).toZonedDateTime(timeZone).toInstant().since(clock.now());
    if (remaining.sign <= 0 || switchedOff.includes('ticket')) return 0;
    const occasion = month.toString().slice(0, 7);
    // The text of an earlier month would be wrong by now.
    await sql`update employee_mails m set state = 'expired', next_attempt_at = null, finished_at = now()
      where ${ofCompany(companyId, 'm')} and m.state = 'pending' and m.kind = 'ticket' and m.occasion < ${occasion}`.execute(
      tx,
    );
    // Mails expire by real time, which the clock of a staging environment may be ahead of.
    const expiresAt = Temporal.Now.instant().add(remaining).toString();
    const { rows } = await sql<{ written: number }>`
      with mailed as (
        select t.employee_id, coalesce(e.language, ${language}) as language from tickets t
        join employees e on ${ofCompany(companyId, 'e')} and e.id = t.employee_id
        where ${ofCompany(companyId, 't')} and t.month = ${month.toString()}::date
          and e.removed_at is null and 'ticket' <> all(e.switched_off_mails)
      ), written as (
        insert into employee_mails (company_id, employee_id, kind, occasion, urgency, language, next_attempt_at, expires_at)
        select ${companyId}, r.employee_id, 'ticket', ${occasion}, ${urgencyOf('ticket')}, r.language, now(),
          ${expiresAt}::timestamptz from mailed r
        on conflict do nothing
        returning 1
      ) select count(*) as written from written`.execute(tx);
    return rows[0]?.written ?? 0;
  });
}
