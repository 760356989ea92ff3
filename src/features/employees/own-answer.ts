import { sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { preparedStatement } from '../../platform/db/prepared-statement.ts';
import { listTicketItems } from './load.ts';
import type { AnswerContext } from './rules/answer.ts';

const day = (text: string | null | undefined) => (text == null ? null : Temporal.PlainDate.from(text));

/** What the answer to an employee about themselves needs besides their state and the settings of the company. */
export type OwnFacts = Pick<AnswerContext, 'lastIssued' | 'lastDeducted' | 'changes' | 'link' | 'decisions'>;

interface Owner {
  companyId: CompanyId;
  employeeId: number;
}

const selectLastMonth = preparedStatement(
  (_shape: object, { companyId, employeeId }: Owner) => sql<{ month: string | null }>`
    select max(t.month) as month from tickets t
    where ${ofCompany(companyId, 't')} and t.employee_id = ${employeeId}`,
);

const selectChanges = preparedStatement(
  (_shape: object, { companyId, employeeId }: Owner) => sql<{ cause: string; rule: string; effectiveOn: string }>`
    select c.cause, c.rule, c.effective_on as "effectiveOn" from subscription_changes c
    where ${ofCompany(companyId, 'c')} and c.employee_id = ${employeeId} order by c.id`,
);

/** Reads what the answer to an employee about themselves needs. It proposes no step to HR, and knows of no link. */
export async function loadOwnFacts(db: Db, companyId: CompanyId, employeeId: number): Promise<OwnFacts> {
  const owner = { companyId, employeeId };
  const [newest, changes, items] = await Promise.all([
    selectLastMonth(db, {}, owner),
    selectChanges(db, {}, owner),
    listTicketItems(db, companyId, [employeeId]),
  ]);
  const lastDeducted: Day | null = day(items.findLast((item) => item.employeeShareCents > 0)?.period);
  const lastIssued = day(newest[0]?.month);
  return { lastIssued, lastDeducted, changes, link: null, decisions: [] };
}
