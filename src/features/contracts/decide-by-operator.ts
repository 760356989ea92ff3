import { operator } from '../../domain/actor.ts';
import { type Day, isBefore } from '../../domain/calendar.ts';
import { describeSubscription } from '../../domain/employee.ts';
import type { ConsentWay } from '../../domain/enums.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { createNoEmployeeError } from '../command-context.ts';
import { getCompany } from '../companies/companies.ts';
import type { EngineContext } from '../context.ts';
import { selectEmployeeIds } from '../employees/find-employee.ts';
import { findEmployeesOfFile } from '../roster/read-hr-ids.ts';
import { applyDecision } from '../subscriptions/apply-decision.ts';
import { insertBatch, runBatches } from '../subscriptions/batches/run.ts';
import { showBatch } from '../subscriptions/batches/show.ts';
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
      : await findEmployeesOfFile(db, companyId, file);
  const { decision: action, ...how } = recorded;
  const id = await writeCompany(db, companyId, (tx) =>
    insertBatch(tx, engine, companyId, { action, employeeIds, ...how }),
  );
  // A worker does the same at the same time, and completes it if this command is stopped.
  await runBatches(db, engine, companyId);
  const { timeZone } = await getCompany(db, companyId);
  const { total, decided, refused } = await showBatch(engine, { companyId, timeZone }, id);
  return { employees: total, decided, refused };
}
