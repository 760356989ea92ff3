import { type Actor, operator } from '../../../domain/actor.ts';
import type { Day } from '../../../domain/calendar.ts';
import { createMessage } from '../../../domain/messages/message.ts';
import { type Clock, todayIn } from '../../../platform/clock/clock.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { writeCompany } from '../../../platform/db/write.ts';
import { ApiError } from '../../../platform/http/errors.ts';
import type { Enqueue } from '../../../platform/jobs/queue.ts';
import { insertAudit } from '../../activity/record.ts';
import { type Company, findCompany, getCompany, lockCompany } from '../../companies/companies.ts';
import type { EngineContext } from '../../context.ts';
import { findStatements, insertStatements } from '../../documents/statements.ts';
import { loadYear } from './load.ts';
import { loadYearSettings } from './summaries.ts';

interface Year {
  year: number;
  now: Temporal.Instant;
  /** Only these employees. Absent: all. */
  among?: readonly number[];
}

/** Inserts the statements of the next employees. Returns the id after which to continue, and how many are new. */
async function insertStep(tx: Tx, company: Company, { year, now, ...page }: Year & { afterId: number }) {
  await lockCompany(tx, company.id);
  const { summarize, settings } = await loadYearSettings(tx, company.id);
  const { rows, lastId } = await loadYear(tx, { companyId: company.id, year, ...page });
  const statements = rows.flatMap(({ id, firstName, lastName, email, planType, isRemoved, ...row }) =>
    id === null
      ? []
      : {
          ...{ employeeId: id, firstName, lastName, email, planType, isRemoved },
          benefitValuation: settings.benefitValuation,
          months: summarize(row, year).months,
          lastItemId: Math.max(...row.items.map((item) => item.id)),
        },
  );
  return { lastId, added: await insertStatements(tx, company, { year, statements, now }) };
}

/** Inserts the statements of a year that are missing or have changed, with one transaction per step. Returns how many are new. */
async function insertAll(db: Db | Tx, company: Company, year: Year, signal?: AbortSignal): Promise<number> {
  let added = 0;
  for (let afterId: number | undefined = 0; afterId !== undefined && !signal?.aborted; ) {
    const step: Year & { afterId: number } = { ...year, afterId };
    const done: Awaited<ReturnType<typeof insertStep>> = await writeCompany(db, company.id, (tx) =>
      insertStep(tx, company, step),
    );
    added += done.added;
    afterId = done.lastId;
  }
  return added;
}

/** Returns the year that is over and whose statements are made with the documents of a month: its last one, or the one after. */
function yearToState(month: string, today: Day): number | undefined {
  const { year, month: number } = Temporal.PlainDate.from(month);
  const ended = number === 1 ? year - 1 : number === 12 ? year : undefined;
  return ended !== undefined && ended < today.year ? ended : undefined;
}

/** Inserts the statements that belong to the documents of a month. A repeated call adds what is missing or has changed. */
export async function writeStatements(
  { db, clock, signal }: { db: Db | Tx; clock: Pick<Clock, 'now'>; signal?: AbortSignal },
  companyId: CompanyId,
  month: string | null,
): Promise<void> {
  const company = month === null ? undefined : await findCompany(db, companyId);
  if (month === null || company === undefined) return;
  const now = clock.now();
  const year = yearToState(month, todayIn({ now: () => now }, company.timeZone));
  if (year !== undefined) await insertAll(db, company, { year, now }, signal);
}

/**
 * Replaces the statements of employees whose charges of earlier years were corrected. Whoever has none gets none: there may have been
 * none for that year. Requires the company lock. Returns how many are new.
 */
export async function reviseStatements(
  tx: Tx,
  company: Company,
  { charges, now }: { charges: readonly { employeeId: number | null; period: string }[]; now: Temporal.Instant },
): Promise<number> {
  let added = 0;
  for (const [year, ofYear] of Map.groupBy(charges, ({ period }) => Number(period.slice(0, 4)))) {
    const ids = ofYear.flatMap(({ employeeId }) => employeeId ?? []);
    const among = [...(await findStatements(tx, company.id, year, ids)).keys()];
    if (among.length > 0) added += await insertAll(tx, company, { year, now, among });
  }
  return added;
}

interface StatementsRequest {
  companyId: CompanyId;
  year: number;
  actor: Actor;
  at: Temporal.Instant;
}

/** Has the statements of a year made in the background. Throws unless it is over: they would change with every month. */
export async function requestStatements(
  tx: Tx,
  queue: Pick<Enqueue, 'enqueueDocuments'>,
  { companyId, year, actor, at }: StatementsRequest,
): Promise<void> {
  const { timeZone } = await getCompany(tx, companyId);
  if (year >= at.toZonedDateTimeISO(timeZone).year) {
    throw new ApiError('payroll-not-exportable', createMessage('payroll-year-not-over'));
  }
  await queue.enqueueDocuments(tx, companyId, `${year + 1}-01-01`);
  await insertAudit(tx, companyId, { action: 'payroll.statements', target: String(year), detail: { year }, actor, at });
}

/** The same for the operator. */
export async function requestStatementsByOperator(
  { db, companyId, queue, clock }: EngineContext,
  { year }: { year: number },
) {
  const request = { companyId, year, actor: operator, at: clock.now() };
  await writeCompany(db, companyId, (tx) => requestStatements(tx, queue, request));
  return { year, requested: true };
}
