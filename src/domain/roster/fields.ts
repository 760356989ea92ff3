import { escapePointer } from '../json-pointer.ts';
import { findNearestName } from '../nearest-name.ts';

/** One thing that is wrong. The detail reads on after the pointer: `/employees/17/email must be …`. */
export interface RosterProblem {
  pointer: string;
  /** Whose entry it is, where that is known: people find an employee by it, not by the place. */
  hrId?: string;
  code:
    | 'required'
    | 'type'
    | 'empty'
    | 'too-long'
    | 'too-many'
    | 'invalid-character'
    | 'invalid-email'
    | 'invalid-url'
    | 'invalid-date'
    | 'date-out-of-range'
    | 'ends-before-start'
    | 'duplicate-hr-id'
    | 'duplicate-email'
    | 'unknown-field'
    | 'reserved'
    | 'wrong-number-of-cells';
  detail: string;
}

export const warningCodes = [
  'unknown-field',
  'born-in-the-future',
  'starts-after-termination',
  'starts-before-birth',
  'terminated-before-birth',
] as const;
export type WarningCode = (typeof warningCodes)[number];

/** One thing that is probably a mistake, though the entry can be applied as it is. */
export interface EntryWarning {
  code: WarningCode;
  /** Fields of a list are named after it: `absences.kind`. */
  field: string;
  pointer: string;
}

/** What is wrong below one place. Pointers are made only for that: for every field they cost as much as its check. */
export class Findings {
  readonly problems: RosterProblem[] = [];
  readonly warnings: EntryWarning[] = [];
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  /** Answers undefined, as a check does that keeps nothing. */
  add(path: string, code: RosterProblem['code'], detail: string): undefined {
    this.problems.push({ pointer: path === '' ? this.#base : `${this.#base}/${path}`, code, detail });
  }

  warn(path: string, code: WarningCode, field: string): void {
    this.warnings.push({ code, field, pointer: `${this.#base}/${path}` });
  }
}

/** Answers the value as it is kept, or undefined when there is none; what is wrong is added to the findings. */
export type Check<T> = (value: unknown, path: string, findings: Findings) => T | undefined;
type Fields<T> = { [F in keyof T]-?: Check<T[F]> };

/** Names of others come into messages and records: short, and nothing in them that the database refuses. */
function shortenName(name: string): string {
  const shown = name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name;
  return shown.toWellFormed().replaceAll(/\p{Cc}/gu, '\ufffd');
}
const maxNameLength = 64;
/** More are no fields of an employee, and each name costs time. */
const maxFields = 200;
const maxRemembered = 1_000;

const describeMisspelling = (name: string, nearest: string) =>
  `must be named \`${nearest}\`: there is no field \`${name}\``;

/** The fields of an object, with the checks in their order. */
export class FieldTable<T> {
  readonly #checks: [string, Check<unknown>][];
  readonly #names: string[];
  /** What unknown names stand for: a roster repeats them with every entry, and finding out takes longer than all checks. */
  readonly #nearest = new Map<string, string | undefined>();

  constructor(fields: Fields<T>) {
    this.#checks = Object.entries(fields) as [string, Check<unknown>][];
    this.#names = Object.keys(fields);
  }

  /** Returns the fields that are right. Of a list the fields are named `of.name`. */
  check(value: unknown, path: string, findings: Findings, of = ''): Partial<T> | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return findings.add(path, 'type', 'must be an object');
    }
    const fields = value as Record<string, unknown>;
    const kept: Record<string, unknown> = {};
    let known = 0;
    for (const [field, check] of this.#checks) {
      const given = fields[field];
      if (given !== undefined) known++;
      const checked = check(given, path === '' ? field : `${path}/${field}`, findings);
      if (checked !== undefined) kept[field] = checked;
    }
    const names = Object.keys(fields);
    if (names.length > maxFields) return findings.add(path, 'too-many', `must have at most ${maxFields} fields`);
    if (names.length > known) this.#reportUnknown(names, path, findings, of);
    return kept as Partial<T>;
  }

  #reportUnknown(names: string[], path: string, findings: Findings, of: string): void {
    for (const name of names) {
      if (this.#names.includes(name)) continue;
      const shown = shortenName(name);
      const place = path === '' ? escapePointer(shown) : `${path}/${escapePointer(shown)}`;
      const nearest = this.#findNearest(name);
      if (nearest === undefined) findings.warn(place, 'unknown-field', of === '' ? shown : `${of}.${shown}`);
      else findings.add(place, 'unknown-field', describeMisspelling(shown, nearest));
    }
  }

  #findNearest(name: string): string | undefined {
    if (name.length > maxNameLength) return undefined;
    const known = this.#nearest.get(name);
    if (known !== undefined || this.#nearest.has(name)) return known;
    const nearest = findNearestName(name, this.#names);
    if (this.#nearest.size === maxRemembered) this.#nearest.clear();
    this.#nearest.set(name, nearest);
    return nearest;
  }
}

const bodyFields = ['syncId', 'employees'] as const;

/** Returns what is wrong with a member of the body besides the two, or the warning that it is ignored. */
export function checkUnknownMember(name: string): RosterProblem | EntryWarning {
  const shown = shortenName(name);
  const nearest = findNearestName(name, bodyFields);
  const pointer = `/${escapePointer(shown)}`;
  if (nearest === undefined) return { code: 'unknown-field', field: shown, pointer };
  return { pointer, code: 'unknown-field', detail: describeMisspelling(shown, nearest) };
}
