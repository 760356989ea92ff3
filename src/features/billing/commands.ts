import { type Day, firstOfNextMonth, isBefore } from '../../domain/calendar.ts';
import type { CommandContext } from '../../platform/cli/define.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import { writeCompany, writeShared } from '../../platform/db/write.ts';
import { assertCompany, withEngine } from '../command-context.ts';
import { notifyOfBilling } from '../daily-run/notices.ts';
import { lockAndCatchUp } from '../daily-run/run.ts';
import { draftInvoices } from '../invoices/draft.ts';
import { issueInvoices } from '../invoices/issue.ts';
import { billingCorrection, findCompanyOfItem } from './correct.ts';
import { readCorrectionReason } from './rules/correction-reasons.ts';
import { billPeriod } from './run.ts';

interface RunOptions {
  company: CompanyId;
  period: Day;
}

export const runBilling = ({ company: companyId, period: month }: RunOptions, { config }: CommandContext) =>
  withEngine(config, async ({ db, clock, queue, notices }) => {
    await assertCompany(db, companyId);
    const billed = await writeCompany(db, companyId, async (tx) => {
      const { company, today } = await lockAndCatchUp(tx, { clock, queue, notices }, companyId);
      if (isBefore(today, month)) {
        throw new OperatorError(`The period ${month} has not begun: it is billed on its first day.`);
      }
      const first = firstOfNextMonth(company.joinedOn);
      if (isBefore(month, first)) {
        throw new OperatorError(`The company joined on ${company.joinedOn}: its first billed period is ${first}.`);
      }
      const now = clock.now();
      const items = await billPeriod(tx, { companyId, month, now });
      if (items > 0) await notifyOfBilling(tx, notices, companyId, month);
      const { drafted } = await draftInvoices(tx, { company, day: today, now }, { withCreditNotes: true });
      if (drafted > 0) await queue.enqueueInvoices(tx, companyId);
      return { period: month.toString(), items };
    });
    await issueInvoices(db, clock, companyId);
    return billed;
  });

interface CorrectOptions {
  item: number;
  reason: string;
  company: CompanyId | undefined;
}

export const correctItem = ({ item: itemId, reason, company }: CorrectOptions, { config }: CommandContext) =>
  withEngine(config, async ({ db, clock, queue, notices }) => {
    const companyId = company ?? (await findCompanyOfItem(db, itemId));
    return writeShared(db, (tx) =>
      billingCorrection(tx, { clock, queue, notices }, { itemId, companyId, reason: readCorrectionReason(reason) }),
    );
  });
