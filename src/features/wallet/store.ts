import { sql } from 'kysely';
import type { CompanyToken } from '../../platform/crypto/company-token.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';

/** Everything that a pass may show, and what is needed to format it in the company's language and time zone. */
export interface TicketRow {
  company_id: number;
  ticket_id: string;
  month: string;
  valid_from: string;
  valid_until: string;
  first_name: string;
  last_name: string;
  company_name: string;
  locale: string;
  time_zone: string;
  /** The number and the barcode of an issuer. Both null: the service has issued the ticket itself. */
  issuer_number: string | null;
  chip_card_number: string | null;
  activation_code: string | null;
  barcode: string | null;
}

/** The company id comes from an unauthenticated client and only says where to look for 256 random bits. */
export async function findTicketByToken(db: Db, { companyId, secret }: CompanyToken): Promise<TicketRow | undefined> {
  const { rows } = await sql<TicketRow>`
    select t.company_id, t.ticket_id, t.month, t.valid_from, t.valid_until, e.first_name, e.last_name, t.issuer_number, t.barcode,
      t.chip_card_number, t.activation_code,
      c.name as company_name, c.locale, c.time_zone
    from tickets t
    join employees e on ${ofCompany(companyId, 'e')} and e.id = t.employee_id and e.removed_at is null
    join companies c on c.id = ${companyId}
    where ${ofCompany(companyId, 't')} and t.wallet_token = ${secret} and t.blocked_at is null`.execute(db);
  return rows[0];
}
