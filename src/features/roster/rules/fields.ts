import { escapePointer } from '../../../domain/json-pointer.ts';
import { createMessage, formatMessage, type Message } from '../../../domain/messages/message.ts';
import { findNearestName } from '../../../domain/nearest-name.ts';

/** One problem of a roster. The message continues the pointer: `/employees/17/email must be …`. */
export interface RosterProblem {
  pointer: string;
  /** The HR id of the entry, if known: users find an employee by it rather than by the index. */
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
  message: Message;
}

export const warningCodes = [
  'unknown-field',
  'left-out',
  'born-in-the-future',
  'starts-after-termination',
  'starts-before-birth',
  'terminated-before-birth',
] as const;
export type WarningCode = (typeof warningCodes)[number];

export interface EntryWarning {
  code: WarningCode;
  /** Fields of list items are prefixed with the list: `absences.kind`. */
  field: string;
  pointer: string;
}

/** Collects findings below one place. Builds pointers only for them: it costs as much as a check. */
export class Findings {
  readonly problems: RosterProblem[] = [];
  readonly warnings: EntryWarning[] = [];
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  /** Returns undefined, like a check that has no value to store. */
  add(path: string, code: RosterProblem['code'], message: Message): undefined {
    const pointer = path === '' ? this.#base : `${this.#base}/${path}`;
    this.problems.push({ pointer, code, detail: formatMessage(message), message });
  }

  warn(path: string, code: WarningCode, field: string): void {
    this.warnings.push({ code, field, pointer: `${this.#base}/${path}` });
  }
}

/** Returns the value as it is stored, or undefined if there is none. Adds problems to the findings. */
export type Check<T> = (value: unknown, path: string, findings: Findings) => T | undefined;
type Fields<T> = { [F in keyof T]-?: Check<T[F]> };

/** Shortens names from outside for messages and records, and replaces characters that the database refuses. */
function shortenName(name: string): string {
  const shown = name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name;
  return shown.toWellFormed().replaceAll(/\p{Cc}/gu, '\ufffd');
}
const maxNameLength = 64;
/** An employee does not have more fields than this, and each name costs time. */
const maxFields = 200;
const maxRemembered = 1_000;

const describeMisspelling = (nearest: string) => createMessage('entry-unknown-field', { nearest });

/** The fields of an object with their checks, in order. */
export class FieldTable<T> {
  readonly #checks: [string, Check<unknown>][];
  readonly #names: string[];
  /** A roster repeats unknown names in every entry, and the search takes longer than all checks. */
  readonly #nearest = new Map<string, string | undefined>();

  constructor(fields: Fields<T>) {
    this.#checks = Object.entries(fields) as [string, Check<unknown>][];
    this.#names = Object.keys(fields);
  }

  /** Returns the valid fields. With `of`, the fields are those of list items and are named `of.name`. */
  check(value: unknown, path: string, findings: Findings, of = ''): Partial<T> | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return findings.add(path, 'type', createMessage('entry-object'));
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
    if (names.length > maxFields) {
      return findings.add(path, 'too-many', createMessage('entry-too-many-fields', { limit: maxFields }));
    }
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
      else findings.add(place, 'unknown-field', describeMisspelling(nearest));
    }
  }

  #findNearest(name: string): string | undefined {
    if (name.length > maxNameLength) return undefined;
    if (this.#nearest.size > maxRemembered) this.#nearest.clear();
    return this.#nearest.getOrInsertComputed(name, () => findNearestName(name, this.#names));
  }
}

const bodyFields = ['syncId', 'employees'] as const;

/** Returns the problem of an unknown member of the body, or the warning that it is ignored. */
export function checkUnknownMember(name: string): RosterProblem | EntryWarning {
  const shown = shortenName(name);
  const nearest = findNearestName(name, bodyFields);
  const pointer = `/${escapePointer(shown)}`;
  if (nearest === undefined) return { code: 'unknown-field', field: shown, pointer };
  const message = describeMisspelling(nearest);
  return { pointer, code: 'unknown-field', detail: formatMessage(message), message };
}
