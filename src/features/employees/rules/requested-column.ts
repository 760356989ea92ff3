import { type Day, firstOfMonth } from '../../../domain/calendar.ts';
import { nothingRequested, type Requested, requestedFields } from '../../../domain/subscription/requested.ts';

/** The fields that are set, with dates as texts. Nobody has asked for anything: null, as for almost every employee. */
type RequestedColumn = Partial<Record<keyof Requested, string>> | null;

export function writeRequested(requested: Requested): RequestedColumn {
  const set = requestedFields.filter((field) => requested[field] !== null);
  return set.length === 0 ? null : Object.fromEntries(set.map((field) => [field, requested[field]?.toString()]));
}

interface Row {
  requested: unknown;
  pause_requested: boolean;
  cancel_causes: readonly string[];
  paused_on: string | null;
  cancelled_on: string | null;
}

/**
 * Reads what was asked for. Releases that do not know the column write `pause_requested` and the cause `cancel` alone:
 * what they added is the company's, and what they removed does not count any more.
 */
export function readRequested(row: Row, today: Day): Requested {
  const isCancelled = row.cancel_causes.includes('cancel');
  const column = row.requested as RequestedColumn;
  if (column === null && !row.pause_requested && !isCancelled) return nothingRequested;
  const stored = Object.fromEntries(
    Object.entries(column ?? {}).map(([field, text]) => [field, Temporal.PlainDate.from(text)]),
  ) as Partial<Requested>;
  const { startsFrom, employeeEndOn, companyEndOn, ...pauses } = { ...nothingRequested, ...stored };
  const isPauseKnown = pauses.employeePauseFrom !== null || pauses.companyPauseFrom !== null;
  const isEndKnown = employeeEndOn !== null || companyEndOn !== null;
  const day = (text: string | null) => (text === null ? today : Temporal.PlainDate.from(text));
  return {
    ...nothingRequested,
    startsFrom,
    ...(row.pause_requested && isPauseKnown && pauses),
    ...(row.pause_requested && !isPauseKnown && { companyPauseFrom: firstOfMonth(day(row.paused_on)) }),
    ...(isCancelled && isEndKnown && { employeeEndOn, companyEndOn }),
    ...(isCancelled && !isEndKnown && { companyEndOn: day(row.cancelled_on) }),
  };
}
