import { emailKey } from '../../domain/search.ts';
import type { PlanContext } from './caught-up.ts';
import { type KnownRow, loadIdentities } from './load.ts';
import type { ReadRosterEntries } from './roster-parts.ts';
import { type EntryKeys, matchRoster } from './rules/match.ts';
import { type Identity, isNextHolder, isOtherEmployee } from './rules/same-employee.ts';

/** Identities that the roster gives for known employees whose keys alone do not prove who is meant. */
interface Doubts {
  /** Known by the same HR id with another email address. */
  readdressed: Map<number, Identity>;
  /** Removed, and known by the same email address with another HR id. */
  namesakes: Map<number, Identity>;
}

/** Returns the keys of all entries, and the employees whose identity is in doubt. */
async function readKeys(read: ReadRosterEntries, known: readonly KnownRow[]) {
  const byHrId = new Map(known.filter(({ hrId }) => hrId !== null).map((employee) => [employee.hrId, employee]));
  const removed = Map.groupBy(
    known.filter(({ isRemoved }) => isRemoved),
    (employee) => employee.emailKey,
  );
  const keys: EntryKeys[] = [];
  const doubts: Doubts = { readdressed: new Map(), namesakes: new Map() };
  for await (const batch of read()) {
    for (const { hrId, email, firstName, lastName, dateOfBirth = null } of batch) {
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
  const identities = await loadIdentities(
    db,
    target,
    [...ids].flatMap((id) => byId.get(id) ?? []),
  );
  const reusedIds = new Set<number>();
  const strangerIds = new Set<number>();
  for (const identity of identities) {
    const readdressed = doubts.readdressed.get(identity.id);
    const namesake = doubts.namesakes.get(identity.id);
    if (readdressed !== undefined && isOtherEmployee(identity, readdressed)) reusedIds.add(identity.id);
    if (namesake !== undefined && isNextHolder(identity, namesake)) strangerIds.add(identity.id);
  }
  return { reusedIds, strangerIds };
}

/**
 * Matches the entries in a separate function, so that the keys of all entries can be freed before anything is written.
 */
export async function matchEntries(context: PlanContext, byId: Map<number, KnownRow>, read: ReadRosterEntries) {
  const known = [...byId.values()];
  const { keys, doubts } = await readKeys(read, known);
  const distinctions = await findDistinctions(context, byId, doubts);
  const match = matchRoster(known, keys, context.company, { ...distinctions, leftOut: context.leftOut });
  const movingIds = match.matches.flatMap((one, index) => {
    const employee = one.kind === 'known' ? byId.get(one.employeeId) : undefined;
    return employee !== undefined && !employee.isRemoved && employee.emailKey !== keys[index]?.emailKey
      ? [employee.id]
      : [];
  });
  return { match, movingIds };
}
