import { createReadStream } from 'node:fs';
import { sql } from 'kysely';
import { operator } from '../../domain/actor.ts';
import { type Day, isBefore } from '../../domain/calendar.ts';
import { describeSubscription } from '../../domain/employee.ts';
import type { ConsentWay } from '../../domain/enums.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { createNoEmployeeError } from '../command-context.ts';
import { getCompany } from '../companies/companies.ts';
import type { EngineContext } from '../context.ts';
import { selectEmployeeIds } from '../employees/find-employee.ts';
import { recognizeHeadings } from '../roster/rules/file/headings.ts';
import { readTable } from '../roster/rules/file/read-table.ts';
import { applyDecision } from '../subscriptions/apply-decision.ts';
import { findBatch, insertBatch, runBatches } from './batches.ts';
import { signableStatuses } from './links.ts';

const decisions = { accepted: 'contract-accepted', rejected: 'contract-rejected' } as const;

interface DecideOptions {
  employee: number | undefined;
  allPending: boolean | undefined;
  file: string | undefined;
  decision: keyof typeof decisions;
  given: ConsentWay | undefined;
  date: Day | undefined;
}

/** Returns how the employees agreed. Without `--given`, documents say only that their consent was recorded. */
async function readConsent({ db, clock, companyId }: EngineContext, { decision, given, date }: DecideOptions) {
  if (given === undefined && date === undefined) return undefined;
  if (decision === 'rejected')
    throw new OperatorError('--given and --date describe a consent: use --decision accepted.');
  if (given === undefined) throw new OperatorError('--date needs --given: how did the employees agree?');
  const { timeZone } = await getCompany(db, companyId);
  const today = todayIn(clock, timeZone);
  if (date !== undefined && isBefore(today, date)) throw new OperatorError('--date must not be in the future.');
  return { given, on: date ?? today };
}

/** Returns the HR ids in the column of a table that contains them. */
async function readHrIds(path: string): Promise<string[]> {
  try {
    const { headings, rows } = await readTable(createReadStream(path));
    const index = recognizeHeadings(headings.cells).indexOf('hrId');
    if (index < 0) throw new OperatorError(`${path} has no column with HR ids, such as hrId or Personalnummer.`);
    const hrIds: string[] = [];
    for await (const { cells } of rows) if (cells[index]) hrIds.push(cells[index]);
    return hrIds;
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Returns the employees with these HR ids. Throws if one is unknown or ambiguous, before anything is decided. */
async function findByHrIds(db: Db, companyId: CompanyId, hrIds: string[]): Promise<number[]> {
  const { rows } = await sql<{ hrId: string; employeeId: number }>`
    select distinct k.hr_id as "hrId", k.employee_id as "employeeId" from hr_links k
    join employees e on ${ofCompany(companyId, 'e')} and e.id = k.employee_id and e.removed_at is null
    where ${ofCompany(companyId, 'k')} and k.hr_id = any(${hrIds})`.execute(db);
  const found = Map.groupBy(rows, ({ hrId }) => hrId);
  const wrong = hrIds.filter((hrId) => found.get(hrId)?.length !== 1);
  if (wrong.length > 0) {
    const some = wrong.slice(0, 5).join(', ');
    throw new OperatorError(
      `${wrong.length} of the HR ids belong to no employee or to several, such as ${some}. Nothing was decided.`,
    );
  }
  return rows.map(({ employeeId }) => employeeId);
}

/** Records a decision about one employee, all whose contract is pending, or those of a file. */
export async function decideByOperator(engine: EngineContext, options: DecideOptions) {
  const { companyId, db } = engine;
  const { employee: employeeId, allPending, file } = options;
  if ([employeeId !== undefined, allPending === true, file !== undefined].filter(Boolean).length !== 1) {
    throw new OperatorError('Use one of --employee, --all-pending and --file.');
  }
  const consent = await readConsent(engine, options);
  const recorded = { decision: decisions[options.decision], actor: operator, consent };
  if (employeeId !== undefined) {
    const outcome = await writeCompany(db, companyId, (tx) =>
      applyDecision(tx, engine, companyId, { employeeId, ...recorded }),
    );
    if (outcome.kind === 'unknown-employee') throw createNoEmployeeError(companyId, employeeId);
    if (outcome.kind === 'refused') throw new OperatorError(outcome.refusal.sentence);
    const { subscription, nextTicketOn } = outcome.plan.employee;
    const { status, startAt, cancelledAt, upcoming } = describeSubscription(subscription, nextTicketOn);
    return { status, contractSigningStatus: subscription.contractStatus, startAt, cancelledAt, upcoming };
  }
  const pending = { contractStatuses: ['pending' as const], subscriptionStatuses: signableStatuses };
  const employeeIds =
    file === undefined
      ? await selectEmployeeIds(db, companyId, pending)
      : await findByHrIds(db, companyId, await readHrIds(file));
  const id = await writeCompany(db, companyId, (tx) =>
    insertBatch(tx, engine, companyId, { employeeIds, ...recorded }),
  );
  // A worker does the same at the same time, and completes it if this command is stopped.
  await runBatches(db, engine, companyId);
  const { total = 0, decided = 0, refused = 0 } = (await findBatch(db, companyId, id)) ?? {};
  return { employees: total, decided, refused };
}
