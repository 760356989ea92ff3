import { sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import type { FeeType } from '../../domain/enums.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { FeePrice, TicketPrice } from './rules/charges.ts';

/** The operator's price list. It belongs to no company: the same list applies to all. */
export interface Prices {
  tickets: TicketPrice[];
  fees: FeePrice[];
}

const ticketColumns = [
  'valid_from',
  'list_cents',
  'tax_percent',
  'discount_percent',
  'discount_share_percent',
] as const;
const feeColumns = ['charge_type', 'valid_from', 'net_cents', 'tax_percent'] as const;

export async function loadPrices(db: Db): Promise<Prices> {
  const tickets = await db.selectFrom('ticket_prices').select(ticketColumns).orderBy('valid_from').execute();
  const fees = await db
    .selectFrom('fee_prices')
    .select(feeColumns)
    .orderBy('charge_type')
    .orderBy('valid_from')
    .execute();
  return {
    tickets: tickets.map((row) => ({
      validFrom: Temporal.PlainDate.from(row.valid_from),
      listCents: row.list_cents,
      taxPercent: row.tax_percent,
      discountPercent: row.discount_percent,
      discountSharePercent: row.discount_share_percent,
    })),
    fees: fees.map((row) => ({
      chargeType: row.charge_type,
      validFrom: Temporal.PlainDate.from(row.valid_from),
      netCents: row.net_cents,
      taxPercent: row.tax_percent,
    })),
  };
}

/** Sets the price from a day on. Tax and discount stay those of the previous price. */
export async function setTicketPrice(tx: Tx, validFrom: Day, listCents: number): Promise<void> {
  await sql`
    insert into ticket_prices (valid_from, list_cents, tax_percent, discount_percent, discount_share_percent)
    select ${validFrom.toString()}::date, ${listCents}, p.tax_percent, p.discount_percent, p.discount_share_percent
    from ticket_prices p where p.valid_from <= ${validFrom.toString()}::date order by p.valid_from desc limit 1
    on conflict (valid_from) do update set list_cents = excluded.list_cents`.execute(tx);
}

export async function setFeePrice(tx: Tx, chargeType: FeeType, validFrom: Day, netCents: number): Promise<void> {
  await sql`
    insert into fee_prices (charge_type, valid_from, net_cents, tax_percent)
    select p.charge_type, ${validFrom.toString()}::date, ${netCents}, p.tax_percent from fee_prices p
    where p.charge_type = ${chargeType} and p.valid_from <= ${validFrom.toString()}::date
    order by p.valid_from desc limit 1
    on conflict (charge_type, valid_from) do update set net_cents = excluded.net_cents`.execute(tx);
}
