import type { RosterEntry } from '../../src/features/roster/rules/entry.ts';
import type { Random } from '../../src/operator/demo/random.ts';
import { anEntry } from '../../test/support/sync.ts';

export interface ModelCounts {
  created: number;
  updated: number;
  unchanged: number;
  offboarded: number;
}

/** Models the expected state of a company after a sequence of rosters, with a map and no business rules. */
export class RosterModel {
  readonly employees = new Map<string, { text: string; entry: RosterEntry; isVisible: boolean }>();
  lastSyncId: string | undefined;

  apply(syncId: string, entries: RosterEntry[]): ModelCounts {
    const counts = { created: 0, updated: 0, unchanged: 0, offboarded: 0 };
    const present = new Set(entries.map(({ hrId }) => hrId));
    for (const [hrId, employee] of this.employees) {
      if (!employee.isVisible || present.has(hrId)) continue;
      employee.isVisible = false;
      counts.offboarded += 1;
    }
    for (const entry of entries) {
      const text = JSON.stringify(entry);
      const known = this.employees.get(entry.hrId);
      if (known === undefined) counts.created += 1;
      else if (known.isVisible && known.text === text) counts.unchanged += 1;
      else counts.updated += 1;
      this.employees.set(entry.hrId, { text, entry, isVisible: true });
    }
    this.lastSyncId = syncId;
    return counts;
  }
}

/** A start date far in the future, so that rosters have the same effect on whatever day they are applied. */
const farOff = '2100-01-01';

const hire = (number: number) => anEntry(number, number % 3 === 0 ? { autoSyncEmployee: true, startDate: farOff } : {});

/** Generates consecutive rosters like those of an HR system, but changing faster. */
export class RosterStream {
  readonly #random: Random;
  readonly #hire: (number: number) => RosterEntry;
  /** Everybody who was ever employed. A roster has as many of them, from the front, as it needs. */
  readonly #all: RosterEntry[] = [];
  #version = 0;

  constructor(random: Random, hireNext: (number: number) => RosterEntry = hire) {
    this.#random = random;
    this.#hire = hireNext;
  }

  next(size: number): RosterEntry[] {
    while (this.#all.length < size) this.#all.push(this.#hire(this.#all.length + 1));
    const roster = this.#all.slice(0, size);
    for (let changes = this.#random.int(0, 40); changes > 0; changes--) this.#rename(roster);
    if (this.#random.chance(0.5)) this.#swapEmails(roster);
    return this.#random.chance(0.5) ? roster : this.#random.shuffle(roster);
  }

  #replace(roster: RosterEntry[], at: number, fields: Partial<RosterEntry>): void {
    const entry = { ...(roster[at] as RosterEntry), ...fields };
    roster[at] = entry;
    this.#all[at] = entry;
  }

  #rename(roster: RosterEntry[]): void {
    const at = this.#random.int(0, roster.length - 1);
    const version = ++this.#version;
    const email = this.#random.chance(0.5) ? { email: `e${at + 1}.${version}@example.com` } : {};
    this.#replace(roster, at, { lastName: `Muster${at + 1}-${version}`, ...email });
  }

  #swapEmails(roster: RosterEntry[]): void {
    const [one, other] = [this.#random.int(0, roster.length - 1), this.#random.int(0, roster.length - 1)];
    const [first, second] = [roster[one]?.email, roster[other]?.email];
    if (one === other || first === undefined || second === undefined) return;
    this.#replace(roster, one, { email: second });
    this.#replace(roster, other, { email: first });
  }
}
