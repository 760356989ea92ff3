import { todayIn } from '../../platform/clock/clock.ts';
import { asCompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { writeCompany, writeShared } from '../../platform/db/write.ts';
import { addTicketPrice } from '../billing/prices.ts';
import { getCompany, listCompanies } from '../companies/companies.ts';
import type { EngineContext } from '../context.ts';
import { announceComingPrice } from './coming-price.ts';

/** Adds a ticket price and tells the users of all companies at once. What is interrupted, the daily run continues. */
export async function addPrice(
  { db, clock, notices, employeeMails }: Omit<EngineContext, 'companyId'>,
  input: Parameters<typeof addTicketPrice>[1],
) {
  const added = await writeShared(db, (tx) => addTicketPrice({ tx }, input));
  if (!notices.isConfigured && !employeeMails.isConfigured) return added;
  for (const { id: number } of await listCompanies(db)) {
    const id = asCompanyId(number);
    await writeCompany(db, id, async (tx) => {
      const company = await getCompany(tx as Db, id);
      await announceComingPrice(tx, { company, notices, employeeMails, today: todayIn(clock, company.timeZone) });
    });
  }
  return added;
}
