import { loadPrices, setFeePrice, setTicketPrice } from '../billing/prices.ts';
import { priceOn } from '../domain/billing/charges.ts';
import type { Day } from '../domain/calendar.ts';
import type { FeeType } from '../domain/enums.ts';
import { OperatorError } from '../operator-error.ts';
import { inTransaction } from './context.ts';
import type { CommandContext } from './define.ts';

export const listPrices = (_options: unknown, { config }: CommandContext) =>
  inTransaction(config, (tx) => loadPrices(tx));

interface SetOptions {
  charge: 'ticket-charge' | FeeType;
  from: Day;
  cents: number;
}

export const setPrice = ({ charge, from: validFrom, cents }: SetOptions, { config }: CommandContext) =>
  inTransaction(config, async (tx) => {
    const billed = await tx
      .selectFrom('billing_quantities')
      .select('period')
      .where('period', '>=', validFrom.toString())
      .orderBy('period', 'desc')
      .executeTakeFirst();
    if (billed !== undefined) {
      throw new OperatorError(`Periods up to ${billed.period} are billed: choose a later month.`);
    }
    const { tickets, fees } = await loadPrices(tx);
    const known: { validFrom: Day }[] =
      charge === 'ticket-charge' ? tickets : fees.filter((fee) => fee.chargeType === charge);
    if (priceOn(known, validFrom) === undefined) {
      throw new OperatorError(`The first price applies from ${known[0]?.validFrom}: choose a later month.`);
    }
    if (charge === 'ticket-charge') await setTicketPrice(tx, validFrom, cents);
    else await setFeePrice(tx, charge, validFrom, cents);
    return { charge, from: validFrom.toString(), cents };
  });
