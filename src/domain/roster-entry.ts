/** One person of a pushed roster, checked and trimmed. A field that is left out keeps what is known, null clears it. */
export interface RosterEntry {
  hrId: string;
  firstName: string;
  lastName: string;
  email: string;
  profileImage?: string | null;
  dateOfBirth?: string | null;
  startDate?: string | null;
  terminationDate?: string | null;
  autoSyncEmployee?: boolean | null;
  absences?: RosterAbsence[];
}

/** Dates are YYYY-MM-DD; an absence whose end is null is open. */
export interface RosterAbsence {
  startDate: string;
  endDate: string | null;
  approved: boolean;
}

/** One thing that is wrong. The detail reads on after the pointer: `/employees/17/email must be …`. */
export interface RosterProblem {
  pointer: string;
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
    | 'wrong-number-of-cells';
  detail: string;
}

const maxAbsences = 1000;
/** Dates beyond are slips of the pen, or stand for "never" and would be planned for as if they were meant. */
const [firstYear, lastYear] = [1900, 2200];

/** What is wrong below one place. Pointers are made only for that: for every field they cost as much as its check. */
class Findings {
  readonly problems: RosterProblem[] = [];
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  /** Answers undefined, as a check does that keeps nothing. */
  add(path: string, code: RosterProblem['code'], detail: string): undefined {
    this.problems.push({ pointer: path === '' ? this.#base : `${this.#base}/${path}`, code, detail });
  }
}

/** Answers the value as it is kept, or undefined when there is none; what is wrong is added to the findings. */
type Check<T> = (value: unknown, path: string, findings: Findings) => T | undefined;
type Fields<T> = { [F in keyof T]-?: Check<T[F]> };

const required =
  <T>(check: Check<T>): Check<T> =>
  (value, path, findings) =>
    value === undefined ? findings.add(path, 'required', 'is missing and must be given') : check(value, path, findings);

const nullable =
  <T>(check: Check<T>): Check<T | null> =>
  (value, path, findings) =>
    value === null ? null : check(value, path, findings);

const optional =
  <T>(check: Check<T>): Check<T> =>
  (value, path, findings) =>
    value === undefined ? undefined : check(value, path, findings);

/** Characters are counted as PostgreSQL counts them: an emoji is one. */
export const isLongerThan = (text: string, characters: number) =>
  text.length > characters && (text.length > 2 * characters || [...text].length > characters);

const text =
  (maxLength: number): Check<string> =>
  (value, path, findings) => {
    if (typeof value !== 'string') return findings.add(path, 'type', 'must be a string');
    const trimmed = value.trim();
    if (trimmed === '') return findings.add(path, 'empty', 'must not be empty');
    if (isLongerThan(trimmed, maxLength)) {
      return findings.add(path, 'too-long', `must have at most ${maxLength} characters`);
    }
    if (trimmed.includes('\0')) return findings.add(path, 'invalid-character', 'must not contain the NUL character');
    if (trimmed.isWellFormed()) return trimmed;
    return findings.add(path, 'invalid-character', 'must not contain one half of a surrogate pair alone');
  };

/** Internationalised addresses are valid; quoted local parts and hosts without a domain are no addresses of people. */
const atom = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+";
const label = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?';
const emailPattern = new RegExp(`^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+${label}$`, 'u');
const emailText = text(254);

const email: Check<string> = (value, path, findings) => {
  const address = emailText(value, path, findings);
  if (address === undefined || emailPattern.test(address)) return address;
  return findings.add(path, 'invalid-email', 'must be an email address, such as name@example.com');
};

const urlText = text(2000);

const webAddress: Check<string> = (value, path, findings) => {
  const url = urlText(value, path, findings);
  if (url === undefined || (/^https?:\/\/\S+$/i.test(url) && URL.canParse(url))) return url;
  return findings.add(path, 'invalid-url', 'must be a complete http or https URL, or null when there is none');
};

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeapYear = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** By arithmetic, because a roster holds up to a million dates and Temporal takes seven times as long. */
function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8));
  if (month === 2 && day === 29) return isLeapYear(Number(text.slice(0, 4)));
  return day >= 1 && day <= (daysOfMonths[month - 1] ?? 0);
}

const date: Check<string> = (value, path, findings) => {
  const day = typeof value === 'string' ? value.trim() : '';
  if (!isCalendarDate(day)) {
    return findings.add(path, 'invalid-date', 'must be a date of the calendar as YYYY-MM-DD, such as 2026-11-30');
  }
  if (day >= `${firstYear}-01-01` && day <= `${lastYear}-12-31`) return day;
  const detail = `must lie in the years ${firstYear} to ${lastYear}, and not stand for "never"`;
  return findings.add(path, 'date-out-of-range', detail);
};

const boolean =
  (detail: string): Check<boolean> =>
  (value, path, findings) =>
    typeof value === 'boolean' ? value : findings.add(path, 'type', detail);

/** The fields of an object that are right, in the order of the table; unknown ones are ignored. */
function checkFields<T>(fields: [string, Check<unknown>][], value: unknown, path: string, findings: Findings) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return findings.add(path, 'type', 'must be an object');
  }
  const kept: Record<string, unknown> = {};
  for (const [field, check] of fields) {
    const checked = check(
      (value as Record<string, unknown>)[field],
      path === '' ? field : `${path}/${field}`,
      findings,
    );
    if (checked !== undefined) kept[field] = checked;
  }
  return kept as Partial<T>;
}

const absenceFields: Fields<RosterAbsence> = {
  startDate: required(date),
  endDate: required(nullable(date)),
  approved: required(boolean('must be true or false')),
};
const absenceChecks = Object.entries(absenceFields);

const absence: Check<RosterAbsence> = (value, path, findings) => {
  const kept = checkFields<RosterAbsence>(absenceChecks, value, path, findings);
  if (kept?.startDate && kept.endDate && kept.endDate < kept.startDate) {
    return findings.add(`${path}/endDate`, 'ends-before-start', 'must not be earlier than `startDate`');
  }
  return kept as RosterAbsence;
};

/** Null clears what is known, so it means the same as no absences. */
const absences: Check<RosterAbsence[]> = (value, path, findings) => {
  if (value === null) return [];
  if (!Array.isArray(value)) return findings.add(path, 'type', 'must be an array, empty when there are none');
  if (value.length > maxAbsences) {
    return findings.add(path, 'too-many', `must have at most ${maxAbsences} absences; leave out those long past`);
  }
  return value.map((item, index) => absence(item, `${path}/${index}`, findings) as RosterAbsence);
};

const entryFields: Fields<RosterEntry> = {
  hrId: required(text(255)),
  firstName: required(text(200)),
  lastName: required(text(200)),
  email: required(email),
  profileImage: optional(nullable(webAddress)),
  dateOfBirth: optional(nullable(date)),
  startDate: optional(nullable(date)),
  terminationDate: optional(nullable(date)),
  autoSyncEmployee: optional(nullable(boolean('must be true, false or null'))),
  absences: optional(absences),
};
const entryChecks = Object.entries(entryFields);

/** Of an entry with problems the fields that are right are told too, to be compared with those of other entries. */
export type CheckedEntry =
  | { isValid: true; entry: RosterEntry }
  | { isValid: false; entry: Partial<RosterEntry>; problems: RosterProblem[] };

export function checkEntry(value: unknown, index: number): CheckedEntry {
  const findings = new Findings(`/employees/${index}`);
  const entry = checkFields<RosterEntry>(entryChecks, value, '', findings) ?? {};
  const { problems } = findings;
  return problems.length === 0 ? { isValid: true, entry: entry as RosterEntry } : { isValid: false, entry, problems };
}

const syncIdCheck = required(text(255));

/** The syncId as it is kept, or what is wrong with it. */
export function checkSyncId(value: unknown): string | RosterProblem[] {
  const findings = new Findings('');
  return syncIdCheck(value, 'syncId', findings) ?? findings.problems;
}

/** One line of JSON. Its order does not depend on how the entry was made, so equal entries have equal lines. */
export const formatEntry = (entry: RosterEntry): string =>
  JSON.stringify({
    hrId: entry.hrId,
    firstName: entry.firstName,
    lastName: entry.lastName,
    email: entry.email,
    profileImage: entry.profileImage,
    dateOfBirth: entry.dateOfBirth,
    startDate: entry.startDate,
    terminationDate: entry.terminationDate,
    autoSyncEmployee: entry.autoSyncEmployee,
    absences: entry.absences?.map(({ startDate, endDate, approved }) => ({ startDate, endDate, approved })),
  });

export const parseEntry = (line: string): RosterEntry => JSON.parse(line);
