import { billPeriod } from '../billing/run.ts';
import { billingCorrection } from '../daily-run/correct-billing.ts';
import { lockAndCatchUp } from '../daily-run/run.ts';
import { firstOfNextMonth, isBefore } from '../domain/calendar.ts';
import { OperatorError } from '../operator-error.ts';
import { assertCompany, type Command, withEngine } from './command.ts';

export const billingRun: Command = {
  usage: 'billing run --company ID --period YYYY-MM-01',
  run: (args, config) => {
    const companyId = args.companyId();
    const month = args.month('period');
    return withEngine(config, async ({ db, clock, queue }) => {
      await assertCompany(db, companyId);
      return db.transaction().execute(async (tx) => {
        const { company, today } = await lockAndCatchUp(tx, { clock, queue }, companyId);
        if (isBefore(today, month)) {
          throw new OperatorError(`The period ${month} has not begun: it is billed on its first day.`);
        }
        const first = firstOfNextMonth(company.joinedOn);
        if (isBefore(month, first)) {
          throw new OperatorError(`The company joined on ${company.joinedOn}: its first billed period is ${first}.`);
        }
        return { period: month.toString(), items: await billPeriod(tx, { companyId, month, now: clock.now() }) };
      });
    });
  },
};

export const billingCorrect: Command = {
  usage: 'billing correct --item ID --reason TEXT [--company ID]',
  run: (args, config) => {
    const itemId = args.id('item');
    const reason = args.text('reason');
    const companyId = args.optionalText('company') === undefined ? undefined : args.companyId();
    return withEngine(config, ({ db, clock, queue }) =>
      db.transaction().execute((tx) => billingCorrection(tx, { clock, queue }, { itemId, companyId, reason })),
    );
  },
};
