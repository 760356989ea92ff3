import { loadPrices, setFeePrice, setTicketPrice } from '../billing/prices.ts';
import { priceOn } from '../domain/billing/charges.ts';
import type { Day } from '../domain/calendar.ts';
import { feeTypes } from '../domain/enums.ts';
import { OperatorError } from '../operator-error.ts';
import { type Command, inTransaction } from './command.ts';

export const priceList: Command = {
  usage: 'price list',
  run: (_args, config) => inTransaction(config, (tx) => loadPrices(tx)),
};

export const priceSet: Command = {
  usage: 'price set --charge TYPE --from YYYY-MM-01 --cents CENTS',
  run: (args, config) => {
    const charge = args.word('charge', ['ticket-charge', ...feeTypes]);
    const validFrom = args.month('from');
    const cents = args.cents('cents');
    return inTransaction(config, async (tx) => {
      const billed = await tx
        .selectFrom('billing_quantities')
        .select('period')
        .where('period', '>=', validFrom.toString())
        .orderBy('period', 'desc')
        .executeTakeFirst();
      if (billed !== undefined) {
        throw new OperatorError(
          `Periods up to ${billed.period} are billed: a new price can hold from a later month on.`,
        );
      }
      const { tickets, fees } = await loadPrices(tx);
      const known: { validFrom: Day }[] =
        charge === 'ticket-charge' ? tickets : fees.filter((fee) => fee.chargeType === charge);
      if (priceOn(known, validFrom) === undefined) {
        throw new OperatorError(`The first price holds from ${known[0]?.validFrom}: a new one cannot hold before it.`);
      }
      if (charge === 'ticket-charge') await setTicketPrice(tx, validFrom, cents);
      else await setFeePrice(tx, charge, validFrom, cents);
      return { charge, from: validFrom.toString(), cents };
    });
  },
};
