import { sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Notices } from '../notices/notices.ts';

/** How long before an API key expires the notice is sent. */
const keyNoticeDays = 14;

/** Tells users of API keys that end soon, once per key. By real time, as keys end. */
export async function notifyOfExpiringKeys(tx: Tx, notices: Notices, companyId: CompanyId): Promise<void> {
  if (!notices.isConfigured) return;
  const { rows } = await sql<{ id: string; name: string; at: string }>`
    select k.id, k.name, k.expires_at as at from api_keys k
    where ${ofCompany(companyId, 'k')} and k.revoked_at is null and k.expires_at > now()
      and k.expires_at <= now() + make_interval(days => ${keyNoticeDays})
    order by k.id`.execute(tx);
  for (const { id, name, at } of rows) {
    await notices.queueNotices(tx, companyId, {
      name: 'key-expiring',
      occasion: id,
      page: '/keys',
      valuesIn: (timeZone) => ({ key: name, expires: { at, timeZone } }),
    });
  }
}

export const notifyOfBilling = (tx: Tx, notices: Notices, companyId: CompanyId, month: Day): Promise<void> =>
  notices.queueNotices(tx, companyId, {
    name: 'month-billed',
    occasion: month.toString(),
    page: `/billing/${month.toString()}`,
    valuesIn: () => ({ month: { at: `${month.toString()}T12:00:00Z`, timeZone: 'UTC' } }),
  });
