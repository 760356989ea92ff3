import type { Static } from 'typebox';
import { isEmailAddress } from '../../../domain/email-address.ts';
import { createMessage, type Message } from '../../../domain/messages/message.ts';
import { findTextProblem, isLongerThan } from '../../../domain/single-line-text.ts';
import type { AbsenceSchema, EntrySchema } from '../contract.ts';
import { type Check, type EntryWarning, FieldTable, Findings, type RosterProblem } from './fields.ts';

/** One employee of a roster, checked and trimmed. An omitted field keeps the known value. Null clears it. */
export type RosterEntry = Omit<Static<typeof EntrySchema>, 'absences'> & { absences?: RosterAbsence[] };

export type RosterAbsence = Static<typeof AbsenceSchema>;

const maxAbsences = 1000;
/** Dates outside these years are typing errors, or mean "never" and would be planned for as real dates. */
const [firstYear, lastYear] = [1900, 2200];

const required =
  <T>(check: Check<T>): Check<T> =>
  (value, path, findings) =>
    value === undefined
      ? findings.add(path, 'required', createMessage('value-required'))
      : check(value, path, findings);

const nullable =
  <T>(check: Check<T>): Check<T | null> =>
  (value, path, findings) =>
    value === null ? null : check(value, path, findings);

/** Rejects empty text, because many exports write it where there is no value. */
const nullableText =
  (check: Check<string>, code: RosterProblem['code'], ifEmpty: Message): Check<string | null> =>
  (value, path, findings) => {
    if (value === null) return null;
    if (typeof value !== 'string' || value.trim() !== '') return check(value, path, findings);
    return findings.add(path, code, ifEmpty);
  };

const optional =
  <T>(check: Check<T>): Check<T> =>
  (value, path, findings) =>
    value === undefined ? undefined : check(value, path, findings);

const text =
  (maxLength: number): Check<string> =>
  (value, path, findings) => {
    if (typeof value !== 'string') return findings.add(path, 'type', createMessage('value-string'));
    const trimmed = value.trim();
    if (isLongerThan(trimmed, maxLength)) {
      return findings.add(path, 'too-long', createMessage('value-too-long', { limit: maxLength }));
    }
    const problem = findTextProblem(trimmed);
    return problem === undefined ? trimmed : findings.add(path, problem.code, problem.message);
  };

const emailText = text(254);

const email: Check<string> = (value, path, findings) => {
  const address = emailText(value, path, findings);
  if (address === undefined || isEmailAddress(address)) return address;
  return findings.add(path, 'invalid-email', createMessage('value-email-example', { example: 'name@example.com' }));
};

const urlText = text(2000);

const webAddress: Check<string> = (value, path, findings) => {
  const url = urlText(value, path, findings);
  if (url === undefined || (/^https?:\/\/\S+$/i.test(url) && URL.canParse(url))) return url;
  return findings.add(path, 'invalid-url', createMessage('entry-url'));
};

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeapYear = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** Uses arithmetic because a roster contains up to a million dates, and Temporal takes seven times as long. */
function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const digit = (at: number) => text.charCodeAt(at) - 48;
  const month = digit(5) * 10 + digit(6);
  const day = digit(8) * 10 + digit(9);
  if (month === 2 && day === 29) return isLeapYear(Number(text.slice(0, 4)));
  return day >= 1 && day <= (daysOfMonths[month - 1] ?? 0);
}

const date: Check<string> = (value, path, findings) => {
  const day = typeof value === 'string' ? value.trim() : '';
  if (!isCalendarDate(day)) {
    const isWritten = /^\d{4}-\d{2}-\d{2}$/.test(day);
    const message = isWritten ? createMessage('entry-no-such-date', { day }) : createMessage('entry-date');
    return findings.add(path, 'invalid-date', message);
  }
  if (day >= `${firstYear}-01-01` && day <= `${lastYear}-12-31`) return day;
  const message = createMessage('entry-date-range', { first: firstYear, last: lastYear });
  return findings.add(path, 'date-out-of-range', message);
};

const nullableDate = nullableText(date, 'invalid-date', createMessage('entry-empty-date'));

const boolean =
  (message: Message): Check<boolean> =>
  (value, path, findings) =>
    typeof value === 'boolean' ? value : findings.add(path, 'type', message);

const absenceFields = new FieldTable<RosterAbsence>({
  startDate: required(date),
  endDate: required(nullableDate),
  approved: required(boolean(createMessage('entry-boolean'))),
});

const absence: Check<RosterAbsence> = (value, path, findings) => {
  const kept = absenceFields.check(value, path, findings, 'absences');
  if (kept?.startDate && kept.endDate && kept.endDate < kept.startDate) {
    return findings.add(`${path}/endDate`, 'ends-before-start', createMessage('entry-ends-before-start'));
  }
  return kept as RosterAbsence;
};

/** Null clears the known absences, so it means the same as an empty array. */
const absences: Check<RosterAbsence[]> = (value, path, findings) => {
  if (value === null) return [];
  if (!Array.isArray(value)) return findings.add(path, 'type', createMessage('entry-absences'));
  if (value.length > maxAbsences) {
    return findings.add(path, 'too-many', createMessage('entry-too-many-absences', { limit: maxAbsences }));
  }
  return value.map((item, index) => absence(item, `${path}/${index}`, findings) as RosterAbsence);
};

const entryFields = new FieldTable<RosterEntry>({
  hrId: required(text(255)),
  firstName: required(text(200)),
  lastName: required(text(200)),
  email: required(email),
  personnelNumber: optional(nullable(text(50))),
  profileImage: optional(nullableText(webAddress, 'empty', createMessage('entry-empty-url'))),
  dateOfBirth: optional(nullableDate),
  startDate: optional(nullableDate),
  terminationDate: optional(nullableDate),
  autoSyncEmployee: optional(nullable(boolean(createMessage('entry-boolean-or-null')))),
  absences: optional(absences),
  group: optional(nullable(text(100))),
});

/** Warns of implausible dates. Omitted dates stay unchanged and are not compared. */
function findImplausible(entry: Partial<RosterEntry>, today: string, findings: Findings): void {
  const { dateOfBirth: birth, startDate: start, terminationDate: end } = entry;
  if (birth && birth > today) findings.warn('dateOfBirth', 'born-in-the-future', 'dateOfBirth');
  if (birth && start && start < birth) findings.warn('startDate', 'starts-before-birth', 'startDate');
  if (birth && end && end < birth) findings.warn('terminationDate', 'terminated-before-birth', 'terminationDate');
  if (start && end && start > end) findings.warn('startDate', 'starts-after-termination', 'startDate');
}

/** An entry with problems includes its valid fields too, so that they can be compared with those of other entries. */
export type CheckedEntry = { warnings: EntryWarning[] } & (
  | { isValid: true; entry: RosterEntry }
  | { isValid: false; entry: Partial<RosterEntry>; problems: RosterProblem[] }
);

/** Checks the entry at this index of a roster. `today` is the company's date as YYYY-MM-DD. */
export function checkEntry(value: unknown, index: number, today: string): CheckedEntry {
  const findings = new Findings(`/employees/${index}`);
  const entry = entryFields.check(value, '', findings) ?? {};
  findImplausible(entry, today, findings);
  const { problems, warnings } = findings;
  if (problems.length === 0) return { isValid: true, entry: entry as RosterEntry, warnings };
  const { hrId } = entry;
  return { isValid: false, entry, warnings, problems: hrId === undefined ? problems : addHrId(problems, hrId) };
}

const addHrId = (problems: RosterProblem[], hrId: string): RosterProblem[] =>
  problems.map(({ pointer, ...rest }) => ({ pointer, hrId, ...rest }));

const syncIdText = required(text(255));

/** Rejects `.` and `..`, which clients and proxies remove from the path of a request. */
const syncId: Check<string> = (value, path, findings) => {
  const id = syncIdText(value, path, findings);
  if (id !== '.' && id !== '..') return id;
  return findings.add(path, 'reserved', createMessage('entry-reserved'));
};

export function checkSyncId(value: unknown): string | RosterProblem[] {
  const findings = new Findings('');
  return syncId(value, 'syncId', findings) ?? findings.problems;
}

/** Formats an entry as one line of JSON. The order of fields is fixed, so equal entries have equal lines. */
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
    // Added later, so they are last: the lines of entries without them stay the same.
    personnelNumber: entry.personnelNumber,
    group: entry.group,
  });

export const parseEntry = (line: string): RosterEntry => JSON.parse(line);
