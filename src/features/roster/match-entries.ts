import { emailKey } from '../../domain/search.ts';
import type { ComparedRoster } from './compare.ts';
import { type KnownRow, loadIdentities } from './load.ts';
import type { PlanContext } from './plan-context.ts';
import { hashLength, type RosterPart, readChosen, readKeys, type StoredEntry } from './roster-parts.ts';
import { type EntryKeys, type Match, matchRoster, type RosterMatch } from './rules/match.ts';
import { type Identity, isNextHolder, isOtherEmployee } from './rules/same-employee.ts';

export interface MatchedEntry extends StoredEntry {
  match: Match;
}

type Chosen = Pick<ComparedRoster, 'places' | 'repeated'> & { roster: readonly RosterPart[] };

/** Identities that the roster gives for known employees whose keys alone do not prove who is meant. */
interface Doubts {
  /** Known by the same HR id with another email address. */
  readdressed: Map<number, Identity>;
  /** Removed, and known by the same email address with another HR id. */
  namesakes: Map<number, Identity>;
}

/** Returns the places of the entries that have a key of somebody known. All others are new employees. */
async function findCandidates({ roster, places }: Chosen, known: readonly KnownRow[]): Promise<number[][]> {
  const hrIds = new Set(known.map(({ hrId }) => hrId));
  const emailKeys = new Set(known.map((employee) => employee.emailKey));
  const candidates: number[][] = [];
  for (const [index, part] of roster.entries()) {
    const chosen = places[index] ?? [];
    const isNeeded = chosen.length > 0 && known.length > 0;
    if (!isNeeded) {
      candidates.push([]);
      continue;
    }
    const keys = await readKeys(part);
    const [ids, marks] = [keys.hrIds.split('\n'), keys.marks.split('\n')];
    const isKnown = (place: number) =>
      hrIds.has(ids[place] ?? null) || emailKeys.has((marks[place] ?? '').slice(hashLength));
    candidates.push(chosen.filter(isKnown));
  }
  return candidates;
}

async function readDoubts(
  roster: readonly RosterPart[],
  candidates: readonly (readonly number[])[],
  known: readonly KnownRow[],
) {
  const byHrId = new Map(known.filter(({ hrId }) => hrId !== null).map((employee) => [employee.hrId, employee]));
  const removed = Map.groupBy(
    known.filter(({ isRemoved }) => isRemoved),
    (employee) => employee.emailKey,
  );
  const keys: EntryKeys[] = [];
  const doubts: Doubts = { readdressed: new Map(), namesakes: new Map() };
  for await (const batch of readChosen(roster, candidates)) {
    for (const { entry } of batch) {
      const { hrId, email, firstName, lastName, dateOfBirth = null } = entry;
      const key = emailKey(email);
      keys.push({ hrId, emailKey: key });
      const identity = { firstName, lastName, emailKey: key, dateOfBirth };
      const holder = byHrId.get(hrId);
      if (holder !== undefined && holder.emailKey !== key) doubts.readdressed.set(holder.id, identity);
      for (const one of removed.get(key) ?? []) if (one.hrId !== hrId) doubts.namesakes.set(one.id, identity);
    }
  }
  return { keys, doubts };
}

/** Returns the employees in doubt who are not the one that the entry describes. */
async function findDistinctions({ db, target }: PlanContext, byId: Map<number, KnownRow>, doubts: Doubts) {
  const ids = new Set([...doubts.readdressed.keys(), ...doubts.namesakes.keys()]);
  const doubted = [...ids].flatMap((id) => byId.get(id) ?? []);
  const reusedIds = new Set<number>();
  const strangerIds = new Set<number>();
  for (const identity of await loadIdentities(db, target, doubted)) {
    const readdressed = doubts.readdressed.get(identity.id);
    const namesake = doubts.namesakes.get(identity.id);
    if (readdressed !== undefined && isOtherEmployee(identity, readdressed)) reusedIds.add(identity.id);
    if (namesake !== undefined && isNextHolder(identity, namesake)) strangerIds.add(identity.id);
  }
  return { reusedIds, strangerIds };
}

const isNew: Match = { kind: 'new' };

/** Yields the chosen entries with their matches. Those that are no candidates are new. */
async function* readMatched(
  { roster, places }: Chosen,
  candidates: readonly (readonly number[])[],
  matches: readonly Match[],
): AsyncGenerator<MatchedEntry[]> {
  const kinds = places.flatMap((chosen, index) => {
    const known = new Set(candidates[index]);
    return chosen.map((place) => known.has(place));
  });
  let [position, next] = [0, 0];
  for await (const batch of readChosen(roster, places)) {
    yield batch.map((stored) => {
      const match = kinds[position++] ? (matches[next++] as Match) : isNew;
      return { ...stored, match };
    });
  }
}

interface MatchedRoster {
  match: RosterMatch;
  /** Employees whose email address changes. Two may swap theirs. */
  movingIds: number[];
  readMatched(): AsyncGenerator<MatchedEntry[]>;
}

/**
 * Matches the chosen entries with employees. Entries that may mean somebody known are read twice, here and for their
 * plans: keeping them would take several times the memory.
 */
export async function matchEntries(
  context: PlanContext,
  byId: Map<number, KnownRow>,
  chosen: Chosen,
): Promise<MatchedRoster> {
  const known = [...byId.values()];
  const candidates = await findCandidates(chosen, known);
  const { keys, doubts } = await readDoubts(chosen.roster, candidates, known);
  const distinctions = await findDistinctions(context, byId, doubts);
  const { company, leftOut, earlier } = context;
  const match = matchRoster(known, keys, company, { ...distinctions, leftOut, earlier, repeated: chosen.repeated });
  const movingIds = match.matches.flatMap((one, index) => {
    const employee = one.kind === 'known' ? byId.get(one.employeeId) : undefined;
    return employee !== undefined && !employee.isRemoved && employee.emailKey !== keys[index]?.emailKey
      ? [employee.id]
      : [];
  });
  return { match, movingIds, readMatched: () => readMatched(chosen, candidates, match.matches) };
}
