import type { GuardSettings } from '../../companies/companies.ts';
/** Matches the entries of a pushed roster to employees. The rules are those of the contract, section 4. */

export interface MatchCandidate {
  id: number;
  emailKey: string;
  /** The HR id of the employee in this integration. Null if it does not link them. */
  hrId: string | null;
  linkedElsewhere: boolean;
  /** Removed and hidden, but not yet erased. If they return in a roster, they get their old id back. */
  isRemoved: boolean;
  /** Absent from an earlier roster and leaving. They no longer count as linked. */
  isLeaving: boolean;
  /** Whether absence would remove this employee at once, which releases their email address. */
  isRemovedImmediately: boolean;
}

export interface EntryKeys {
  hrId: string;
  emailKey: string;
}

export type Match =
  | { kind: 'known'; employeeId: number; by: 'hr-id' | 'email' | 'renumbered' }
  | { kind: 'new'; reusedFrom?: number }
  | { kind: 'failed'; employeeId: number | null; code: 'email-taken' | 'hr-id-held'; holderId: number };

export interface RosterMatch {
  matches: Match[];
  /** Employees who are linked by this integration and missing from the roster, except those already leaving. */
  absentIds: number[];
  /** So many employees are absent that it may be an accident: a user must approve their removal. */
  needsApproval: boolean;
  /** Employees whose HR id now belongs to another employee: this integration no longer links them. */
  releasedIds: number[];
}

/** The employees of rows that a user has left out of a roster. They stay as they are. */
export interface LeftOut {
  hrIds: string[];
  emailKeys: string[];
  /** Some row does not say whose it is, so nobody may be taken for absent. */
  isUnknown: boolean;
  /** Some employees were never in a roster of this kind: no removal happens without approval. */
  holdsRemovals?: boolean;
}

/** Compares shares as integers, so that exactly the limit passes. */
const isSuspicious = (linked: number, absent: number, settings: GuardSettings) =>
  linked >= settings.guardMinimumLinked && absent * 100 > linked * settings.guardMaximumAbsentPercent;

/** Employees who must not be matched although a key is the same. */
export interface Distinctions {
  /** Employees whose HR id an entry gives to another employee (`isOtherEmployee`). */
  reusedIds: ReadonlySet<number>;
  /** Removed employees whose address an entry gives to another employee (`isNextHolder`). */
  strangerIds: ReadonlySet<number>;
  leftOut?: LeftOut | undefined;
  earlier?: EarlierRemovals | undefined;
  /** How many more employees are linked and present, whose entries are repeated and not passed. */
  repeated?: number;
}

/**
 * What an identity provider has removed before, change by change: one after another, removals would never be many. The
 * guard counts them together with those of this roster, against the employees linked when the first of them began.
 */
export interface EarlierRemovals {
  removed: number;
  /** Employees who were linked since the first of them. */
  linkedSince: number;
  /** Employees whose removal waits for a decision: it must not happen by itself later. */
  pendingIds: ReadonlySet<number>;
  /** Removes nobody without approval. */
  holdsAll: boolean;
}

/** Returns whether so many employees are absent that a user must approve their removal. */
function mustBeApproved(
  linked: number,
  absent: readonly MatchCandidate[],
  settings: GuardSettings,
  earlier: EarlierRemovals | undefined,
): boolean {
  if (earlier === undefined) return isSuspicious(linked, absent.length, settings);
  if (absent.length === 0) return false;
  const { removed, linkedSince, pendingIds, holdsAll } = earlier;
  if (holdsAll || absent.some(({ id }) => pendingIds.has(id))) return true;
  return isSuspicious(linked + removed - linkedSince, absent.length + removed, settings);
}

/** Returns whether an employee must not be taken for absent, because their row may have been left out. */
function createKeeping(leftOut: LeftOut | undefined): (employee: MatchCandidate) => boolean {
  if (leftOut === undefined) return () => false;
  if (leftOut.isUnknown) return () => true;
  const hrIds = new Set(leftOut.hrIds);
  const emailKeys = new Set(leftOut.emailKeys);
  return ({ hrId, emailKey }) => (hrId !== null && hrIds.has(hrId)) || emailKeys.has(emailKey);
}

const noDistinctions: Distinctions = { reusedIds: new Set(), strangerIds: new Set() };

/**
 * Assigns employees to entries, first by this integration's HR id. Otherwise it assigns by email address, if the
 * integration does not link the employee or links them by an HR id that is no longer in the roster.
 */
function assign(
  known: readonly MatchCandidate[],
  entries: readonly EntryKeys[],
  { reusedIds, strangerIds, leftOut }: Distinctions,
): Map<number, MatchCandidate> {
  const entryIds = new Set([...entries.map((entry) => entry.hrId), ...(leftOut?.hrIds ?? [])]);
  const byHrId = new Map<string, MatchCandidate>();
  const byEmail = new Map<string, MatchCandidate>();
  for (const employee of known) {
    const isReused = reusedIds.has(employee.id);
    if (employee.hrId !== null && !isReused) byHrId.set(employee.hrId, employee);
    if (employee.hrId !== null && entryIds.has(employee.hrId) && !isReused) continue;
    if (strangerIds.has(employee.id)) continue;
    const rival = byEmail.get(employee.emailKey);
    const isBetter = rival?.isRemoved && (!employee.isRemoved || employee.id > rival.id);
    if (rival === undefined || isBetter) byEmail.set(employee.emailKey, employee);
  }
  const assigned = new Map<number, MatchCandidate>();
  entries.forEach((entry, index) => {
    const employee = byHrId.get(entry.hrId) ?? byEmail.get(entry.emailKey);
    if (employee !== undefined) assigned.set(index, employee);
  });
  return assigned;
}

/**
 * Returns the entries whose email address still belongs to another employee. An entry that fails leaves its employee
 * with the old address, which may make another entry fail in turn. The order of the entries does not matter.
 */
function findTaken(
  keepers: readonly MatchCandidate[],
  entries: readonly EntryKeys[],
  assigned: Map<number, MatchCandidate>,
): Map<number, number> {
  const wanted = new Map(entries.map((entry, index) => [entry.emailKey, index]));
  const taken = new Map<number, number>();
  const keeping = [...keepers];
  for (let keeper = keeping.pop(); keeper !== undefined; keeper = keeping.pop()) {
    const index = wanted.get(keeper.emailKey);
    if (index === undefined || taken.has(index)) continue;
    const employee = assigned.get(index);
    if (employee?.id === keeper.id) continue;
    taken.set(index, keeper.id);
    if (employee !== undefined && !employee.isRemoved) keeping.push(employee);
  }
  return taken;
}

function describe(entry: EntryKeys, employee: MatchCandidate | undefined, reusedFrom: number | undefined): Match {
  if (employee === undefined) return reusedFrom === undefined ? { kind: 'new' } : { kind: 'new', reusedFrom };
  const by = employee.hrId === entry.hrId ? 'hr-id' : employee.hrId === null ? 'email' : 'renumbered';
  return { kind: 'known', employeeId: employee.id, by };
}

/**
 * Returns the match of every entry. An entry whose key belonged to another employee is matched as if the key were
 * unused. It fails while the removal of the employee who had its HR id is pending approval.
 */
export function matchRoster(
  known: readonly MatchCandidate[],
  entries: readonly EntryKeys[],
  settings: GuardSettings,
  distinctions: Distinctions = noDistinctions,
): RosterMatch {
  const assigned = assign(known, entries, distinctions);
  const present = new Set([...assigned.values()].map((employee) => employee.id));
  const linked = known.filter((employee) => employee.hrId !== null && !employee.isRemoved && !employee.isLeaving);
  const isKept = createKeeping(distinctions.leftOut);
  const absent = linked.filter((employee) => !present.has(employee.id) && !isKept(employee));
  const linkedCount = linked.length + (distinctions.repeated ?? 0);
  const needsApproval = mustBeApproved(linkedCount, absent, settings, distinctions.earlier);
  const gone = new Set(
    needsApproval
      ? []
      : absent
          .filter((employee) => employee.isRemovedImmediately && !employee.linkedElsewhere)
          .map((employee) => employee.id),
  );
  const keepers = known.filter(
    (employee) => !employee.isRemoved && !present.has(employee.id) && !gone.has(employee.id),
  );
  const taken = findTaken(keepers, entries, assigned);
  const pendingIds = new Set(needsApproval ? absent.map((employee) => employee.id) : []);
  const reused = known.filter((employee) => distinctions.reusedIds.has(employee.id));
  const ownerIds = new Map(reused.map((employee) => [employee.hrId, employee.id]));
  const matches = entries.map((entry, index): Match => {
    const employee = assigned.get(index);
    const ownerId = ownerIds.get(entry.hrId);
    if (ownerId !== undefined && pendingIds.has(ownerId)) {
      return { kind: 'failed', employeeId: null, code: 'hr-id-held', holderId: ownerId };
    }
    const holderId = taken.get(index);
    if (holderId === undefined) return describe(entry, employee, ownerId);
    return { kind: 'failed', employeeId: employee?.id ?? null, code: 'email-taken', holderId };
  });
  const releasedIds = reused.flatMap(({ id }) => (pendingIds.has(id) ? [] : [id]));
  return { matches, absentIds: absent.map((employee) => employee.id), needsApproval, releasedIds };
}
