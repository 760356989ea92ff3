/** Who in a pushed roster is whom. The rules are those of the contract, section 4. */

export interface MatchCandidate {
  id: number;
  emailKey: string;
  /** What this integration calls the person; null: it does not link him. */
  hrId: string | null;
  linkedElsewhere: boolean;
  /** Removed and hidden, but not yet erased: back in a roster he has his old id again. */
  isRemoved: boolean;
  /** Absent from an earlier roster and on his way out; no longer counted as linked. */
  isLeaving: boolean;
  /** Whether the absence of this person would remove him at once, which sets his email address free. */
  isRemovedImmediately: boolean;
}

export interface EntryKeys {
  hrId: string;
  emailKey: string;
}

export type Match =
  | { kind: 'known'; personId: number; by: 'hr-id' | 'email' | 'renumbered' }
  | { kind: 'new'; reusedFrom?: number }
  | { kind: 'failed'; personId: number | null; code: 'email-taken' | 'hr-id-held'; holderId: number };

export interface GuardSettings {
  /** The guard sleeps while fewer are linked. */
  guardMinimumLinked: number;
  /** The share of the linked that may be absent without a person having to look. */
  guardMaximumAbsentPercent: number;
}

export interface RosterMatch {
  /** One for every entry, in the order of the entries. */
  matches: Match[];
  /** Linked by this integration and not in the roster, those already leaving left out. */
  absentIds: number[];
  /** So many are absent that it looks like an accident: a person must approve their removal. */
  needsApproval: boolean;
  /** Whose HR id now belongs to somebody else: this integration links them no longer. */
  releasedIds: number[];
}

/** Shares are compared as whole numbers, so that exactly the limit passes. */
const isSuspicious = (linked: number, absent: number, settings: GuardSettings) =>
  linked >= settings.guardMinimumLinked && absent * 100 > linked * settings.guardMaximumAbsentPercent;

/** Who must not be taken for whom, although a key is the same. */
export interface Distinctions {
  /** Whose HR id an entry gives to somebody else (`isOtherPerson`). */
  reusedIds: ReadonlySet<number>;
  /** Removed employees whose address an entry gives to somebody else (`isNextHolder`). */
  strangerIds: ReadonlySet<number>;
}

const noDistinctions: Distinctions = { reusedIds: new Set(), strangerIds: new Set() };

/** By this integration's id first; else by email address, to whom it does not link or calls by an id that is gone. */
function assign(
  known: readonly MatchCandidate[],
  entries: readonly EntryKeys[],
  { reusedIds, strangerIds }: Distinctions,
): Map<number, MatchCandidate> {
  const entryIds = new Set(entries.map((entry) => entry.hrId));
  const byHrId = new Map<string, MatchCandidate>();
  const byEmail = new Map<string, MatchCandidate>();
  for (const person of known) {
    const isReused = reusedIds.has(person.id);
    if (person.hrId !== null && !isReused) byHrId.set(person.hrId, person);
    if (person.hrId !== null && entryIds.has(person.hrId) && !isReused) continue;
    if (strangerIds.has(person.id)) continue;
    const rival = byEmail.get(person.emailKey);
    const isBetter = rival?.isRemoved && (!person.isRemoved || person.id > rival.id);
    if (rival === undefined || isBetter) byEmail.set(person.emailKey, person);
  }
  const assigned = new Map<number, MatchCandidate>();
  entries.forEach((entry, index) => {
    const person = byHrId.get(entry.hrId) ?? byEmail.get(entry.emailKey);
    if (person !== undefined) assigned.set(index, person);
  });
  return assigned;
}

/**
 * Entries whose email address somebody else keeps. A record that fails keeps its person's old address, which may make
 * another fail in turn; the order of the entries does not matter.
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
    const person = assigned.get(index);
    if (person?.id === keeper.id) continue;
    taken.set(index, keeper.id);
    if (person !== undefined && !person.isRemoved) keeping.push(person);
  }
  return taken;
}

function describe(entry: EntryKeys, person: MatchCandidate | undefined, reusedFrom: number | undefined): Match {
  if (person === undefined) return reusedFrom === undefined ? { kind: 'new' } : { kind: 'new', reusedFrom };
  const by = person.hrId === entry.hrId ? 'hr-id' : person.hrId === null ? 'email' : 'renumbered';
  return { kind: 'known', personId: person.id, by };
}

/**
 * Returns who is who. An entry whose key belonged to somebody else is matched as if nobody had it; while the removal of
 * whoever had its HR id is held, it fails.
 */
export function matchRoster(
  known: readonly MatchCandidate[],
  entries: readonly EntryKeys[],
  settings: GuardSettings,
  distinctions: Distinctions = noDistinctions,
): RosterMatch {
  const assigned = assign(known, entries, distinctions);
  const present = new Set([...assigned.values()].map((person) => person.id));
  const linked = known.filter((person) => person.hrId !== null && !person.isRemoved && !person.isLeaving);
  const absent = linked.filter((person) => !present.has(person.id));
  const isHeld = isSuspicious(linked.length, absent.length, settings);
  const gone = new Set(
    isHeld
      ? []
      : absent.filter((person) => person.isRemovedImmediately && !person.linkedElsewhere).map((person) => person.id),
  );
  const keepers = known.filter((person) => !person.isRemoved && !present.has(person.id) && !gone.has(person.id));
  const taken = findTaken(keepers, entries, assigned);
  const heldIds = new Set(isHeld ? absent.map((person) => person.id) : []);
  const reused = known.filter((person) => distinctions.reusedIds.has(person.id));
  const ownerIds = new Map(reused.map((person) => [person.hrId, person.id]));
  const matches = entries.map((entry, index): Match => {
    const person = assigned.get(index);
    const ownerId = ownerIds.get(entry.hrId);
    if (ownerId !== undefined && heldIds.has(ownerId)) {
      return { kind: 'failed', personId: null, code: 'hr-id-held', holderId: ownerId };
    }
    const holderId = taken.get(index);
    if (holderId === undefined) return describe(entry, person, ownerId);
    return { kind: 'failed', personId: person?.id ?? null, code: 'email-taken', holderId };
  });
  const releasedIds = reused.flatMap(({ id }) => (heldIds.has(id) ? [] : [id]));
  return { matches, absentIds: absent.map((person) => person.id), needsApproval: isHeld, releasedIds };
}
