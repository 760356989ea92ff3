import { type Day, firstOfNextMonth, isBefore } from '../../domain/calendar.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { billPeriod } from '../billing/run.ts';
import type { EngineContext } from '../context.ts';
import { draftInvoices } from '../invoices/draft.ts';
import { issueInvoices } from '../invoices/issue.ts';
import { notifyOfBilling } from './notices.ts';
import { lockAndCatchUp } from './run.ts';

/** Bills what is not billed yet in a period, and issues its invoice. */
export async function billNow(
  { db, companyId, clock, queue, notices, employeeMails }: EngineContext,
  { period }: { period: Day },
) {
  const billed = await writeCompany(db, companyId, async (tx) => {
    const { company, today } = await lockAndCatchUp(tx, { clock, queue, notices, employeeMails }, companyId);
    if (isBefore(today, period)) {
      throw new OperatorError(`The period ${period} has not begun: it is billed on its first day.`);
    }
    const first = firstOfNextMonth(company.joinedOn);
    if (isBefore(period, first)) {
      throw new OperatorError(`The company joined on ${company.joinedOn}: its first billed period is ${first}.`);
    }
    const now = clock.now();
    const items = await billPeriod(tx, { companyId, month: period, now });
    if (items > 0) await notifyOfBilling(tx, notices, companyId, period);
    const { drafted } = await draftInvoices(tx, { company, day: today, now }, { withCreditNotes: true });
    if (drafted > 0) await queue.enqueueInvoices(tx, companyId);
    return { period: period.toString(), items };
  });
  await issueInvoices(db, clock, companyId);
  return billed;
}
