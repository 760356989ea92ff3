import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Actor } from '../../domain/actor.ts';
import type { Day } from '../../domain/calendar.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { emailKey } from '../../domain/search.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError, refuseBody } from '../../platform/http/errors.ts';
import { insertAudit } from '../activity/record.ts';
import { getCompany } from '../companies/companies.ts';
import { type DailyRunDeps, lockAndCatchUp } from '../daily-run/run.ts';
import type { NewEmployeeBody } from '../employees/contract.ts';
import { refreshEmployeeCounts } from '../employees/counts.ts';
import { findCustomLink, insertCustomLink } from '../employees/custom-link.ts';
import { allocateIds, insertPlannedEmployees, writeHistoryAndDocuments } from '../employees/write.ts';
import { checkEntry, type RosterEntry } from './rules/entry.ts';
import { planPresent } from './rules/plan.ts';

type NewEmployeeEntry = Omit<RosterEntry, 'hrId' | 'absences'> & { hrId: string | null };

const refuse = (problem: 'email-taken' | 'hr-id-taken', holder: number) =>
  new ApiError('decision-refused', createMessage(`employee-${problem}`, { id: String(holder) }));

async function findByEmail(tx: Tx, companyId: CompanyId, email: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e
    where ${ofCompany(companyId, 'e')} and e.email_key = ${emailKey(email)} and e.removed_at is null`.execute(tx);
  return rows[0]?.id;
}

/** No integration links them, so no roster removes them until one contains their email address. */
async function addEmployee(
  tx: Tx,
  deps: DailyRunDeps,
  companyId: CompanyId,
  { entry: { hrId, ...entry }, actor }: { entry: NewEmployeeEntry; actor: Actor },
): Promise<{ employeeId: number }> {
  const { company, today } = await lockAndCatchUp(tx, deps, companyId);
  const holder = await findByEmail(tx, companyId, entry.email);
  if (holder !== undefined) throw refuse('email-taken', holder);
  const linked = hrId === null ? undefined : await findCustomLink(tx, companyId, hrId);
  if (linked !== undefined) throw refuse('hr-id-taken', linked);
  const plan = planPresent(undefined, { ...entry, hrId: hrId ?? '' }, today, company);
  const [id] = await allocateIds(tx, 1);
  if (id === undefined) throw new Error('no id was allocated');
  const now = deps.clock.now();
  const changeContext = { actor, syncKey: null, hrIntegrationId: null, now, removedAt: now };
  await insertPlannedEmployees(tx, companyId, [{ id, plan }], changeContext);
  const documents = await writeHistoryAndDocuments(tx, company, [{ id, plan }], changeContext);
  if (documents > 0) await deps.queue.enqueueDocuments(tx, companyId, null);
  await insertAudit(tx, companyId, { actor, action: 'employee.add', target: String(id), at: now });
  if (hrId !== null) await insertCustomLink(tx, companyId, { employeeId: id, hrId }, { actor, at: now });
  await refreshEmployeeCounts(tx, companyId);
  return { employeeId: id };
}

/** Stands for the HR id of an employee who has none. */
const noHrId = '-';

function readNewEmployee(body: Static<typeof NewEmployeeBody>, today: Day): NewEmployeeEntry {
  const { subscribe, hrId, ...given } = body;
  const id = hrId?.trim() || null;
  const value = { ...given, hrId: id ?? noHrId, autoSyncEmployee: subscribe ? true : null };
  const checked = checkEntry(value, 0, today.toString());
  if (checked.isValid) return { ...checked.entry, hrId: id };
  throw refuseBody(checked.problems.map((one) => ({ ...one, pointer: one.pointer.replace('/employees/0', '') })));
}

/** Adds an employee as a user or the operator describes them. Throws if another employee has the address or the id. */
export async function addByHand(
  { db, companyId, ...deps }: DailyRunDeps & { db: Db; companyId: CompanyId },
  body: Static<typeof NewEmployeeBody>,
  actor: Actor,
): Promise<{ employeeId: number }> {
  const { timeZone } = await getCompany(db, companyId);
  const entry = readNewEmployee(body, todayIn(deps.clock, timeZone));
  return writeCompany(db, companyId, (tx) => addEmployee(tx, deps, companyId, { entry, actor }));
}
