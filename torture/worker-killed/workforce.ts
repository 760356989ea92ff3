import type { Random } from '../../src/demo/random.ts';
import type { Day } from '../../src/domain/calendar.ts';
import type { RosterEntry } from '../../src/domain/roster/entry.ts';

interface Member {
  entry: RosterEntry;
  /** Months are counted from the first month, which is 0. */
  startsIn: number;
  endsBefore: number;
}

const never = Infinity;
/** The charge for a ticket of €63.00 that the company pays: 5 % discount, 7 % tax included. */
const ticketCharge = { net: 5_593, tax: 392, gross: 5_985 };
const perTicket = 150;
const perLinkedEmployee = 100;

/** The rows a company must have in a given month. Each expected row is one line and must exist exactly once. */
export interface Expected {
  employees: string[];
  changes: string[];
  tickets: string[];
  charges: string[];
  documents: string[];
}

/**
 * Models all employees. Each has a start month that is known from the beginning; some leave later. Rosters announce a
 * date so early, and so far from any cut-off, that it does not matter whether they are applied in the month in which
 * they are pushed or in the next one. The expected state of an employee therefore follows from the two dates alone.
 */
export class Workforce {
  readonly #random: Random;
  readonly #firstMonth: Day;
  readonly #members: Member[];

  constructor(random: Random, firstMonth: Day, size: number) {
    this.#random = random;
    this.#firstMonth = firstMonth;
    this.#members = Array.from({ length: size }, (_, index) => this.#hire(index + 1, random.int(1, 3)));
  }

  monthAt(number: number): Day {
    return this.#firstMonth.add({ months: number });
  }

  #hire(number: number, startsIn: number): Member {
    const names = {
      hrId: `W${number}`,
      firstName: 'Anna',
      lastName: `Muster${number}`,
      email: `w${number}@example.com`,
    };
    const startDate = this.monthAt(startsIn).toString();
    return { entry: { ...names, autoSyncEmployee: true, startDate }, startsIn, endsBefore: never };
  }

  /** Returns the roster pushed in a month. One in a hundred active subscribers leaves at the end of the next month. */
  next(month: number): RosterEntry[] {
    for (const member of this.#members) {
      const isActive = member.startsIn <= month && member.endsBefore === never;
      if (!isActive || !this.#random.chance(0.01)) continue;
      member.endsBefore = month + 2;
      const terminationDate = this.monthAt(month + 2)
        .subtract({ days: 1 })
        .toString();
      member.entry = { ...member.entry, terminationDate };
    }
    return this.#members.map(({ entry }) => entry);
  }

  expectedIn(month: number): Expected {
    const lines: Expected = { employees: [], changes: [], tickets: [], charges: [], documents: [] };
    for (const member of this.#members) this.#addHistory(lines, member, month);
    for (let number = 1; number <= month; number++) this.#addFees(lines, number);
    return lines;
  }

  #addHistory(lines: Expected, { entry: { hrId }, startsIn, endsBefore }: Member, month: number): void {
    const start = this.monthAt(startsIn);
    lines.changes.push(`${hrId} subscribe no-subscription scheduled`);
    lines.documents.push(`${hrId} subscription-confirmation ${start}`);
    let status = 'scheduled';
    const move = (cause: string, to: string) => {
      lines.changes.push(`${hrId} ${cause} ${status} ${to}`);
      status = to;
    };
    if (startsIn <= month) move('calendar', 'active');
    if (endsBefore !== never) {
      move('termination', 'scheduled-cancellation');
      lines.documents.push(`${hrId} cancellation-confirmation ${this.monthAt(endsBefore)}`);
    }
    if (endsBefore <= month) move('calendar', 'cancelled');
    lines.employees.push(`${hrId} ${status}`);
    for (let number = startsIn; number <= Math.min(month, endsBefore - 1); number++) {
      const first = this.monthAt(number);
      const { net, tax, gross } = ticketCharge;
      lines.tickets.push(`${hrId} ${first}`);
      lines.charges.push(`${first} ticket-charge ${hrId} ${net} ${tax} ${gross}`);
      lines.documents.push(`${hrId} ticket-confirmation ${first}`);
    }
  }

  #addFees(lines: Expected, number: number): void {
    const add = (chargeType: string, net: number) => {
      if (net === 0) return;
      const tax = Math.round((net * 19) / 100);
      lines.charges.push(`${this.monthAt(number)} ${chargeType} - ${net} ${tax} ${net + tax}`);
    };
    const active = this.#members.filter(({ startsIn, endsBefore }) => startsIn <= number && number < endsBefore);
    add('service-charge', perTicket * active.length);
    add('hr-integration-charge', perLinkedEmployee * this.#members.length);
  }
}
