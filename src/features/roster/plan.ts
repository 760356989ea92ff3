import { setImmediate as nextTurn } from 'node:timers/promises';
import { catchUpEmployee, type EmployeePlan } from '../../domain/employee.ts';
import type { RecordOutcome } from '../../domain/enums.ts';
import { createMessage, formatMessage, type Message } from '../../domain/messages/message.ts';
import { emailKey } from '../../domain/search.ts';
import type { LateCharges } from '../billing/rules/late-charges.ts';
import { projectDays } from '../daily-run/project.ts';
import { findLateChargesOf } from '../employees/late-charges.ts';
import { loadEmployees } from '../employees/load.ts';
import { compareRoster, takeAll } from './compare.ts';
import { type KnownRow, loadKnownEmployees } from './load.ts';
import { type MatchedEntry, matchEntries } from './match-entries.ts';
import type { PlanContext } from './plan-context.ts';
import type { RosterPart } from './roster-parts.ts';
import type { RosterEntry } from './rules/entry.ts';
import type { Match, RosterMatch } from './rules/match.ts';
import { planAbsent, planPresent } from './rules/plan.ts';

/** Returns everything that the rules need about these employees, as of after the days that the daily run has missed. */
async function loadCaughtUp({ db, company, today, missedDays }: PlanContext, ids: readonly number[]) {
  const employees = await loadEmployees(db, company.id, ids, missedDays[0] ?? today);
  if (missedDays.length === 0) return employees;
  return new Map(Array.from(employees, ([id, known]) => [id, catchUpEmployee(known, missedDays).employee]));
}

/** Returns the same employees as `loadKnownEmployees`, as of after the days that the daily run has missed. */
export async function loadKnownCaughtUp({ db, target, company, today, missedDays }: PlanContext): Promise<KnownRow[]> {
  const known = await loadKnownEmployees(db, target, today);
  if (missedDays.length === 0) return known;
  const { states, erasedIds } = await projectDays(db, company, missedDays);
  return known.flatMap((row) => {
    if (erasedIds.has(row.id)) return [];
    const state = states.get(row.id);
    if (state === undefined) return [row];
    const { isRemoved, isLeaving, isRunning } = state;
    return [{ ...row, isRemoved, isLeaving, isRemovedImmediately: !isRunning }];
  });
}

type Code =
  | ('created' | 'hr-id-reused' | 'updated' | 'linked' | 'renumbered' | 'returned')
  | ('unlinked' | 'removed' | 'offboarded' | 'removal-held');

function describeCode(code: Code) {
  const message = createMessage(`record-${code}`);
  return { code, detail: formatMessage(message), message };
}

function describePresent(match: Match, known: KnownRow | undefined) {
  if (match.kind !== 'known' || known === undefined) {
    const isReused = match.kind === 'new' && match.reusedFrom !== undefined;
    return { outcome: 'created' as const, ...describeCode(isReused ? 'hr-id-reused' : 'created') };
  }
  const codes = { 'hr-id': 'updated', email: 'linked', renumbered: 'renumbered' } as const;
  const code = known.isRemoved || known.isLeaving ? 'returned' : codes[match.by];
  return { outcome: 'updated' as const, ...describeCode(code) };
}

/** What happens to one roster entry, or to one employee who is absent from the roster. */
export interface PlannedRecord {
  hrId: string;
  /** Null for a new employee, who has no id yet, or for an entry that matches no employee. */
  employeeId: number | null;
  outcome: RecordOutcome;
  code: string;
  detail: string;
  message: Message;
  plan: EmployeePlan | null;
  /** Charges for months for which this came too late. Absent: none. */
  late?: LateCharges[];
  known: KnownRow | undefined;
  entryHash: string | null;
}

export interface PlannedSlice {
  records: PlannedRecord[];
  unchanged: KnownRow[];
  /** Entries that are the same as last time, and need nothing. */
  repeated: number;
  /** Entries with other words and the same meaning: only their hash and email key are stored. */
  reworded: { known: KnownRow; entryHash: string; emailKey: string }[];
}

export interface SyncPlan {
  match: RosterMatch;
  /** Employees whose email address changes. Two may swap theirs. */
  movingIds: number[];
  absentLinkIds: number[];
  /** Links whose HR id now belongs to another employee. They are deleted before any link is written. */
  releasedLinkIds: number[];
  /** Absent employees first, then the entries in roster order, slice by slice. */
  slices: AsyncGenerator<PlannedSlice>;
}

const absenteesPerSlice = 1_000;

function planFailed(
  { hrId }: RosterEntry,
  { employeeId, code, holderId }: Extract<Match, { kind: 'failed' }>,
  known: KnownRow | undefined,
): PlannedRecord {
  const message = createMessage(`record-${code}`, { holderId: String(holderId) });
  const reason = { outcome: 'failed', code, detail: formatMessage(message), message } as const;
  return { hrId, employeeId, ...reason, plan: null, known: known?.hrId === hrId ? known : undefined, entryHash: null };
}

/** True if the entry is the same as last time and neither the employee nor the link has changed since. */
const isRepeated = (known: KnownRow, entry: RosterEntry, entryHash: string) =>
  known.entryHash === entryHash &&
  known.hrId === entry.hrId &&
  known.emailKey === emailKey(entry.email) &&
  !known.isRemoved &&
  !known.isLeaving;

function withHrId(plan: EmployeePlan, known: KnownRow | undefined, { hrId }: RosterEntry): EmployeePlan {
  if (known === undefined || known.hrId === hrId) return plan;
  return { ...plan, changes: [{ field: 'hrId', from: known.hrId, to: hrId }, ...plan.changes] };
}

/** Adds what a termination or an absence that became known too late has cost, to the records that bring one. */
async function explainLateCharges({ db, company }: PlanContext, records: readonly PlannedRecord[]): Promise<void> {
  const planned = records.flatMap(({ employeeId: id, plan }) => (id !== null && plan ? [{ id, plan }] : []));
  const late = await findLateChargesOf(db, company, planned);
  for (const record of records) {
    const found = late.get(record.employeeId ?? -1);
    if (found && record.plan) record.late = found;
  }
}

async function planEntries(
  context: PlanContext,
  entries: MatchedEntry[],
  byId: Map<number, KnownRow>,
): Promise<PlannedSlice> {
  const slice: PlannedSlice = { records: [], unchanged: [], repeated: 0, reworded: [] };
  const toPlan: (MatchedEntry & { known: KnownRow | undefined })[] = [];
  for (const { entry, match, entryHash } of entries) {
    const known = match.kind === 'new' ? undefined : byId.get(match.employeeId ?? -1);
    if (match.kind === 'failed') {
      slice.records.push(planFailed(entry, match, known));
    } else if (known !== undefined && isRepeated(known, entry, entryHash)) slice.unchanged.push(known);
    else toPlan.push({ entry, match, known, entryHash });
  }
  const ids = toPlan.flatMap(({ known }) => (known === undefined ? [] : [known.id]));
  const employees = await loadCaughtUp(context, ids);
  for (const { entry, match, known, entryHash } of toPlan) {
    const employee = known === undefined ? undefined : employees.get(known.id);
    const plan = planPresent(employee, entry, context.today, context.company);
    const isSame = plan.changes.length === 0 && plan.subscriptionChanges.length === 0;
    if (isSame && known?.hrId === entry.hrId && !known.isLeaving)
      slice.reworded.push({ known, entryHash, emailKey: emailKey(entry.email) });
    else
      slice.records.push({
        hrId: entry.hrId,
        employeeId: known?.id ?? null,
        ...describePresent(match, known),
        plan: withHrId(plan, known, entry),
        known,
        entryHash,
      });
  }
  await explainLateCharges(context, slice.records);
  return slice;
}

export async function planRemovals(
  context: PlanContext,
  absent: KnownRow[],
  needsApproval: boolean,
): Promise<PlannedSlice> {
  const base = (known: KnownRow) => ({ hrId: known.hrId ?? '', employeeId: known.id, known, entryHash: null });
  const leaving = needsApproval ? [] : absent.filter((known) => !known.linkedElsewhere);
  const leavingIds = leaving.map((known) => known.id);
  const employees = await loadCaughtUp(context, leavingIds);
  const records = absent.map((known): PlannedRecord => {
    if (needsApproval) return { ...base(known), outcome: 'held', ...describeCode('removal-held'), plan: null };
    const employee = employees.get(known.id);
    if (employee === undefined) return { ...base(known), outcome: 'updated', ...describeCode('unlinked'), plan: null };
    const plan = planAbsent(employee, context.today, context.company);
    const described = describeCode(plan.employee.isRemoved ? 'removed' : 'offboarded');
    return { ...base(known), outcome: 'offboarded', ...described, plan };
  });
  return { records, unchanged: [], repeated: 0, reworded: [] };
}

/** Removes the links of employees whose HR id now belongs to another employee. Returns the ids of these links. */
function releaseLinks(byId: Map<number, KnownRow>, releasedIds: readonly number[]): number[] {
  return releasedIds.flatMap((id) => {
    const row = byId.get(id);
    if (row === undefined || row.linkId === null) return [];
    byId.set(id, { ...row, linkId: null, entryHash: null, isCurrent: false });
    return [row.linkId];
  });
}

/** Plans what a roster would do, from the state that `db` sees. The real run writes the plan. The dry run only reports it. */
export async function planSync(context: PlanContext, roster: readonly RosterPart[]): Promise<SyncPlan> {
  // What the missed days change is known only here, so nothing can be compared in the database.
  const isComparable = context.missedDays.length === 0;
  const { repeated, places, known } = isComparable
    ? await compareRoster(context, roster)
    : await takeAll(roster, await loadKnownCaughtUp(context));
  const byId = new Map(known.map((employee) => [employee.id, employee]));
  const { match, movingIds, readMatched } = await matchEntries(context, byId, { roster, places, repeated });
  const releasedLinkIds = releaseLinks(byId, match.releasedIds);
  const absent = match.absentIds.flatMap((id) => byId.get(id) ?? []);
  async function* slices(): AsyncGenerator<PlannedSlice> {
    for (let from = 0; from < absent.length; from += absenteesPerSlice) {
      yield await planRemovals(context, absent.slice(from, from + absenteesPerSlice), match.needsApproval);
    }
    if (repeated > 0) yield { records: [], unchanged: [], repeated, reworded: [] };
    for await (const batch of readMatched()) {
      yield await planEntries(context, batch, byId);
      // Yields to other requests of this process between two slices.
      await nextTurn();
    }
  }
  const absentLinkIds = absent.flatMap(({ linkId }) => (linkId === null ? [] : [linkId]));
  return { match, movingIds, absentLinkIds, releasedLinkIds, slices: slices() };
}
