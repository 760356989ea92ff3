import { type Day, firstOfNextMonth } from '../../domain/calendar.ts';
import { moneyFormat } from '../../domain/money.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import { getCompany } from '../companies/companies.ts';
import type { EngineContext } from '../context.ts';
import { forecast } from './forecast.ts';

interface Input {
  months: string;
  ticketPrice: number | undefined;
  priceFrom: Day | undefined;
  joiners: number | undefined;
  leavers: number | undefined;
}

export async function forecastByOperator(
  { db, clock, companyId }: EngineContext,
  { months, ticketPrice, priceFrom, joiners, leavers }: Input,
) {
  const { locale, currency, timeZone } = await getCompany(db, companyId);
  const format = moneyFormat(locale, currency);
  const from = (priceFrom ?? firstOfNextMonth(todayIn(clock, timeZone))).toString();
  const scenario = {
    ...(ticketPrice === undefined ? {} : { ticketPrices: [{ from, grossCents: ticketPrice }] }),
    ...(joiners === undefined ? {} : { joinersPerMonth: joiners }),
    ...(leavers === undefined ? {} : { leaversPerMonth: leavers }),
  };
  const body = { months: Number(months), ...(Object.keys(scenario).length > 0 ? { scenario } : {}) };
  return forecast({ db, clock, companyId }, body, { money: (value) => ({ label: format(value), value }) });
}
