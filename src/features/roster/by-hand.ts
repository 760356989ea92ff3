import { sql } from 'kysely';
import type { Actor } from '../../domain/actor.ts';
import type { Day } from '../../domain/calendar.ts';
import {
  type CorrectableField,
  correctableFields,
  type EmployeePlan,
  type EmployeeState,
  emptyEmployee,
  handValues,
  rosterFields,
} from '../../domain/employee.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { emailKey } from '../../domain/search.ts';
import { overlaps } from '../../domain/subscription/absences.ts';
import { type Clock, todayIn } from '../../platform/clock/clock.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError, invalidValue, notFound, refuseBody } from '../../platform/http/errors.ts';
import { insertAudit } from '../activity/record.ts';
import { proposeCorrections } from '../billing/proposals.ts';
import { type Company, getCompany } from '../companies/companies.ts';
import { type DailyRunDeps, lockAndCatchUp } from '../daily-run/run.ts';
import type { DecisionPreview, EmployeeChangesBody, NewEmployeeBody } from '../employees/contract.ts';
import { refreshEmployeeCounts } from '../employees/counts.ts';
import { findCustomLink, insertCustomLink } from '../employees/custom-link.ts';
import { findLateChargesOf } from '../employees/late-charges.ts';
import { loadEmployees } from '../employees/load.ts';
import {
  allocateIds,
  insertPlannedEmployees,
  type PlannedEmployee,
  updateEmployees,
  writeHistoryAndDocuments,
} from '../employees/write.ts';
import { presentDecided } from '../subscriptions/apply-decision.ts';
import { type HandEntry, planByHand } from './rules/by-hand.ts';
import { checkEntry, type RosterEntry } from './rules/entry.ts';
import { toAbsence } from './rules/merge.ts';
import { replaceAbsences } from './write.ts';

export interface Situation {
  company: Company;
  today: Day;
}

/** Stands for the HR id of an employee who has none. */
const noHrId = '-';

/** Returns what was entered, checked like the entry of a roster. Dates that contradict each other are refused. */
function checkValues(values: Omit<RosterEntry, 'hrId'>, given: object, today: Day): HandEntry {
  const checked = checkEntry({ ...values, hrId: noHrId }, 0, today.toString());
  if (!checked.isValid) {
    throw refuseBody(checked.problems.map((one) => ({ ...one, pointer: one.pointer.replace('/employees/0', '') })));
  }
  const changedDate = (['terminationDate', 'startDate', 'dateOfBirth'] as const).find((field) => field in given);
  if (checked.warnings.length > 0 && changedDate !== undefined) {
    throw invalidValue(`/${changedDate}`, 'contradicting-date', createMessage('hand-contradicting-date'));
  }
  const { hrId: _, ...entry } = checked.entry;
  return Object.fromEntries(Object.entries(entry).filter(([field]) => field in given));
}

const refuse = (problem: 'email-taken' | 'hr-id-taken', holder: number) =>
  new ApiError('decision-refused', createMessage(`employee-${problem}`, { id: String(holder) }));

async function assertFreeEmail(tx: Tx, companyId: CompanyId, email: string, ownId: number | null): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e
    where ${ofCompany(companyId, 'e')} and e.email_key = ${emailKey(email)} and e.removed_at is null`.execute(tx);
  const holder = rows.find(({ id }) => id !== ownId);
  if (holder !== undefined) throw refuse('email-taken', holder.id);
}

/** No integration links them, so no roster removes them until one contains their email address. */
async function planNew(tx: Tx, { company, today }: Situation, body: NewEmployeeBody): Promise<EmployeePlan> {
  const { subscribe, hrId, personnelNumber, group, ...given } = body;
  const named = { personnelNumber: personnelNumber?.trim() || null, group: group?.trim() || null };
  const values = { ...given, ...named, autoSyncEmployee: subscribe || null };
  const entry = checkValues(values, values, today);
  await assertFreeEmail(tx, company.id, given.email, null);
  const holder = hrId?.trim() ? await findCustomLink(tx, company.id, hrId.trim()) : undefined;
  if (holder !== undefined) throw refuse('hr-id-taken', holder);
  return planByHand(emptyEmployee(company), entry, { today, isInRoster: false }, company);
}

/** Returns those of these employees whom a roster contains. */
export async function listInRoster(tx: Tx, companyId: CompanyId, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`select distinct l.employee_id as id from hr_links l
    where ${ofCompany(companyId, 'l')} and l.employee_id = any(${ids}::bigint[])
      and l.hr_integration_id is not null`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/** Throws if a roster has values for what was entered. */
function assertNotOfRoster(known: EmployeeState, entry: HandEntry): void {
  const values: Record<CorrectableField, string | null> = { ...known.profile, ...handValues(known) };
  const owned = rosterFields(known, true).filter((field) => (entry[field] ?? values[field]) !== values[field]);
  const message = createMessage('hand-roster-value');
  if (owned.length > 0) {
    throw refuseBody(owned.map((field) => ({ pointer: `/${field}`, code: 'roster-value', message })));
  }
  if (entry.remove) throw new ApiError('decision-refused', createMessage('employee-in-roster'));
  const ofRoster = known.facts.absences.filter(({ approved, byHand }) => approved && !byHand);
  const doubled = (entry.absences ?? [])
    .map(toAbsence)
    .findIndex((one) => ofRoster.some((other) => overlaps(one, other)));
  if (doubled >= 0) throw invalidValue(`/absences/${doubled}`, 'overlaps', createMessage('hand-known-absence'));
}

interface Change {
  employeeId: number;
  body: EmployeeChangesBody;
}

async function planChange(
  tx: Tx,
  { company, today }: Situation,
  { employeeId, body: { remove = false, absences, ...given } }: Change,
): Promise<EmployeePlan> {
  const known = (await loadEmployees(tx, company.id, [employeeId], today)).get(employeeId);
  if (known === undefined || known.isRemoved) throw notFound('employee');
  const { firstName, lastName, email } = known.profile;
  const changed = {
    ...given,
    ...(given.personnelNumber === undefined ? {} : { personnelNumber: given.personnelNumber?.trim() || null }),
    ...(given.group === undefined ? {} : { group: given.group?.trim() || null }),
    ...(absences === undefined ? {} : { absences: absences.map((absence) => ({ ...absence, approved: true })) }),
  };
  const values = { firstName, lastName, email, ...handValues(known), ...changed };
  const entry = { ...checkValues(values, changed, today), remove };
  const inRoster = (await listInRoster(tx, company.id, [employeeId])).has(employeeId);
  if (inRoster) assertNotOfRoster(known, entry);
  if (entry.email !== undefined) await assertFreeEmail(tx, company.id, entry.email, employeeId);
  return planByHand(known, entry, { today, isInRoster: inRoster }, company);
}

export interface HandDeps {
  db: Db;
  clock: Clock;
  companyId: CompanyId;
}

/** Returns what a change would do. Plans it exactly as when it is applied, but writes nothing. */
const preview = (
  { db, clock, companyId }: HandDeps,
  plan: (tx: Tx, situation: Situation) => Promise<EmployeePlan>,
): Promise<DecisionPreview> =>
  inSnapshot(db, async (tx) => {
    const company = await getCompany(tx, companyId);
    const today = todayIn(clock, company.timeZone);
    return presentDecided(tx, companyId, { plan: await plan(tx, { company, today }), today });
  });

export const previewNew = (deps: HandDeps, body: NewEmployeeBody) =>
  preview(deps, (tx, situation) => planNew(tx, situation, body));

export const previewChange = (deps: HandDeps, change: Change) =>
  preview(deps, (tx, situation) => planChange(tx, situation, change));

export type ApplyDeps = DailyRunDeps & { db: Db; companyId: CompanyId };

interface Written extends PlannedEmployee {
  isNew: boolean;
  actor: Actor;
  at: Temporal.Instant;
}

async function writeByHand(
  tx: Tx,
  { queue }: DailyRunDeps,
  company: Company,
  { isNew, actor, at, ...planned }: Written,
): Promise<void> {
  const changeContext = { actor, syncKey: null, hrIntegrationId: null, now: at, removedAt: at };
  await (isNew ? insertPlannedEmployees : updateEmployees)(tx, company.id, [planned], changeContext);
  await replaceAbsences(tx, company.id, [planned], isNew);
  const documents = await writeHistoryAndDocuments(tx, company, [planned], changeContext);
  if (documents > 0) await queue.enqueueDocuments(tx, company.id, null);
  await refreshEmployeeCounts(tx, company.id);
}

/** Adds an employee as a user or the operator describes them. Throws if another employee has the address or the id. */
export const addByHand = ({ db, companyId, ...deps }: ApplyDeps, body: NewEmployeeBody, actor: Actor) =>
  writeCompany(db, companyId, async (tx) => {
    const { company, today } = await lockAndCatchUp(tx, deps, companyId);
    const plan = await planNew(tx, { company, today }, body);
    const [id] = await allocateIds(tx, 1);
    if (id === undefined) throw new Error('no id was allocated');
    const at = deps.clock.now();
    await writeByHand(tx, deps, company, { id, plan, isNew: true, actor, at });
    await insertAudit(tx, companyId, { actor, action: 'employee.add', target: String(id), at });
    const hrId = body.hrId?.trim();
    if (hrId) await insertCustomLink(tx, companyId, { employeeId: id, hrId }, { actor, at });
    return { employeeId: id };
  });

/** Returns what somebody has entered, without what resulted from it for the subscription. */
export const enteredChanges = ({ changes }: EmployeePlan) =>
  changes.filter(({ field }) => field === 'absences' || correctableFields.some((one) => one === field));

/** Changes an employee as a user or the operator describes them. Throws if a roster has the values. */
export const changeByHand = ({ db, companyId, ...deps }: ApplyDeps, change: Change, actor: Actor) =>
  writeCompany(db, companyId, async (tx) => {
    const situation = await lockAndCatchUp(tx, deps, companyId);
    const { employeeId: id, body } = change;
    const plan = await planChange(tx, situation, change);
    const at = deps.clock.now();
    await writeByHand(tx, deps, situation.company, { id, plan, isNew: false, actor, at });
    const late = await findLateChargesOf(tx, situation.company, [{ id, plan }]);
    const employees = [...late].map(([employeeId, charges]) => ({ id: employeeId, late: charges }));
    await proposeCorrections(tx, companyId, { employees, now: at });
    const changes = enteredChanges(plan);
    const audit = { actor, target: String(id), at };
    if (changes.length > 0)
      await insertAudit(tx, companyId, { ...audit, action: 'employee.change', detail: { changes } });
    if (body.remove) await insertAudit(tx, companyId, { ...audit, action: 'employee.remove' });
    return presentDecided(tx, companyId, { plan, today: situation.today });
  });
