import { createMessage, type Message } from '../../../domain/messages/message.ts';
import { readDate } from '../../../platform/table/read-date.ts';
import type { IssuerTicket } from '../contract.ts';
import { isSamePerson } from './check-ticket.ts';
import type { ReturnedField } from './order-mapping.ts';

/** The cells of a row that came back, by what they are. Without empty ones. */
export type ReturnedCells = Partial<Record<ReturnedField, string>>;

export interface ReturnedRow {
  /** As Excel counts it. */
  number: number;
  cells: ReturnedCells;
}

/** An order that a row may belong to. */
export interface Candidate {
  orderId: string;
  /** The first day of the month. */
  month: string;
  state: string;
  firstName: string;
  lastName: string;
  dateOfBirth: string | null;
  hrIds: readonly string[];
  number: string | null;
  chipCardNumber: string | null;
  activationCode: string | null;
  barcode: string | null;
}

/** What becomes of a row. `open`: a person decides. `suggested`: who has the same name and date of birth. */
export type MatchedRow = { row: ReturnedRow } & (
  | { orderId: string; ticket: IssuerTicket }
  | { orderId: string; refusal: string }
  | { orderId: string; isUnchanged: true }
  | { problem: Message; suggested: string | null }
);

const numberPattern = /^[\x20-\x7e]{1,64}$/;
const barcodePattern = /^[A-Za-z0-9+/]{4,2552}={0,2}$/;
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

const isDay = (text: string) => {
  if (!dayPattern.test(text)) return false;
  try {
    return Boolean(Temporal.PlainDate.from(text));
  } catch {
    return false;
  }
};

const lastDayOf = (month: string) => Temporal.PlainDate.from(month).add({ months: 1 }).subtract({ days: 1 }).toString();

/** Returns the field whose cell cannot be read. */
function findWrongCell(cells: ReturnedCells): ReturnedField | undefined {
  for (const field of ['ticketNumber', 'chipCardNumber', 'activationCode'] as const) {
    if (cells[field] !== undefined && !numberPattern.test(cells[field])) return field;
  }
  if (cells.barcode !== undefined && !barcodePattern.test(cells.barcode)) return 'barcode';
  for (const field of ['dateOfBirth', 'validFrom', 'validUntil'] as const) {
    if (cells[field] !== undefined && !isDay(readDate(cells[field]) ?? '')) return field;
  }
  return undefined;
}

/** Returns the ticket of a row. Without dates it is valid in the month that was ordered. */
function readTicket(cells: ReturnedCells, { orderId, month }: Pick<Candidate, 'orderId' | 'month'>) {
  const { ticketNumber, chipCardNumber = null, activationCode = null, barcode } = cells;
  const data = barcode === undefined ? null : Buffer.from(barcode, 'base64');
  const number = ticketNumber ?? chipCardNumber ?? activationCode ?? (data === null ? null : orderId);
  if (number === null) return undefined;
  const ticket: IssuerTicket = {
    ...{ number, chipCardNumber, activationCode },
    validFrom: readDate(cells.validFrom ?? month) ?? month,
    validUntil: readDate(cells.validUntil ?? lastDayOf(month)) ?? lastDayOf(month),
    barcode:
      data === null
        ? null
        : { format: data.toString('latin1', 0, 3) === '#UT' ? 'uic-918-3' : 'opaque', data: data.toString('base64') },
  };
  return ticket;
}

const hasSameTicket = (candidate: Candidate, ticket: IssuerTicket) =>
  candidate.state === 'issued' &&
  candidate.number === ticket.number &&
  candidate.chipCardNumber === ticket.chipCardNumber &&
  candidate.activationCode === ticket.activationCode &&
  candidate.barcode === (ticket.barcode?.data ?? null);

/** Returns how what a row says about a person differs from its order, as text. */
function describeContradiction(cells: ReturnedCells, candidate: Candidate): Message | undefined {
  const { firstName, lastName, dateOfBirth } = cells;
  const ordered = `${candidate.firstName} ${candidate.lastName}`;
  if (firstName !== undefined && lastName !== undefined && !isSamePerson({ firstName, lastName }, candidate)) {
    return createMessage('returned-other-name', { ordered, received: `${firstName} ${lastName}`.slice(0, 200) });
  }
  const born = dateOfBirth === undefined ? null : readDate(dateOfBirth);
  if (born !== null && candidate.dateOfBirth !== null && born !== candidate.dateOfBirth) {
    return createMessage('returned-other-birth', { ordered: candidate.dateOfBirth, received: born });
  }
  return undefined;
}

const ended = ['blocked', 'replaced'];

interface Index {
  byOrder: ReadonlyMap<string, Candidate>;
  byHrId: ReadonlyMap<string, Candidate[]>;
  byBirth: ReadonlyMap<string, Candidate[]>;
}

function indexCandidates(candidates: readonly Candidate[]): Index {
  const group = (keysOf: (one: Candidate) => readonly string[]) => {
    const found = new Map<string, Candidate[]>();
    for (const one of candidates) for (const key of keysOf(one)) found.set(key, [...(found.get(key) ?? []), one]);
    return found;
  };
  return {
    byOrder: new Map(candidates.map((one) => [one.orderId, one])),
    byHrId: group(({ hrIds }) => [...new Set(hrIds)]),
    byBirth: group(({ dateOfBirth, state }) => (dateOfBirth === null || ended.includes(state) ? [] : [dateOfBirth])),
  };
}

type Found = { candidate: Candidate } | { problem: Message; suggested: string | null };

const unknown = (problem: Message, suggested: string | null = null) => ({ problem, suggested });

/** Finds the order of a row: by our number, else by the HR id. A name is only a suggestion. */
function findOrder({ orderId, hrId, ...cells }: ReturnedCells, { byOrder, byHrId, byBirth }: Index): Found {
  if (orderId !== undefined) {
    const candidate = byOrder.get(orderId);
    return candidate
      ? { candidate }
      : unknown(createMessage('returned-unknown-order', { orderId: orderId.slice(0, 100) }));
  }
  if (hrId !== undefined) {
    const [candidate, ...others] = byHrId.get(hrId) ?? [];
    if (candidate === undefined) return unknown(createMessage('returned-unknown-hr-id', { hrId: hrId.slice(0, 255) }));
    return others.length === 0 ? { candidate } : unknown(createMessage('returned-several'));
  }
  const { firstName, lastName, dateOfBirth } = cells;
  if (firstName === undefined || lastName === undefined || dateOfBirth === undefined) {
    return unknown(createMessage('returned-nobody'));
  }
  const same = (byBirth.get(readDate(dateOfBirth) ?? '') ?? []).filter((one) =>
    isSamePerson({ firstName, lastName }, one),
  );
  const [one, ...others] = same;
  if (one === undefined) return unknown(createMessage('returned-nobody'));
  return others.length > 0
    ? unknown(createMessage('returned-several'))
    : unknown(createMessage('returned-confirm', { name: `${one.firstName} ${one.lastName}` }), one.orderId);
}

/** Returns what a row says about an order. `isConfirmed`: a person has said that it is this one. */
export function readRow(row: ReturnedRow, candidate: Candidate, { isConfirmed = false } = {}): MatchedRow {
  const { cells } = row;
  const { orderId } = candidate;
  if (ended.includes(candidate.state)) return { row, ...unknown(createMessage('returned-ended')) };
  const wrong = findWrongCell(cells);
  if (wrong !== undefined) return { row, ...unknown(createMessage('returned-cell', { field: wrong })) };
  const contradiction = isConfirmed ? undefined : describeContradiction(cells, candidate);
  if (contradiction !== undefined) return { row, ...unknown(contradiction, orderId) };
  const ticket = readTicket(cells, candidate);
  if (ticket !== undefined) {
    if (hasSameTicket(candidate, ticket)) return { row, orderId, isUnchanged: true };
    if (candidate.state === 'issued') return { row, ...unknown(createMessage('returned-other-ticket')) };
    return { row, orderId, ticket };
  }
  if (cells.problem === undefined) return { row, ...unknown(createMessage('returned-empty')) };
  if (candidate.state === 'issued') return { row, ...unknown(createMessage('returned-other-ticket')) };
  return { row, orderId, refusal: cells.problem.slice(0, 300) };
}

/** Returns what becomes of every row. Two rows for the same order are both open, unless they say the same. */
export function matchRows(rows: readonly ReturnedRow[], candidates: readonly Candidate[]): MatchedRow[] {
  const index = indexCandidates(candidates);
  const matched = rows.map((row): MatchedRow => {
    const found = findOrder(row.cells, index);
    return 'candidate' in found ? readRow(row, found.candidate) : { row, ...found };
  });
  const byOrder = Map.groupBy(
    matched.filter((one) => 'orderId' in one),
    ({ orderId }) => orderId,
  );
  const textOf = ({ row }: MatchedRow) => JSON.stringify(row.cells);
  return matched.flatMap((one): MatchedRow[] => {
    if (!('orderId' in one)) return [one];
    const [first, ...others] = byOrder.get(one.orderId) ?? [];
    if (others.length === 0 || first === undefined) return [one];
    if (others.every((other) => textOf(other) === textOf(first))) {
      return first === one ? [one] : [{ row: one.row, orderId: one.orderId, isUnchanged: true }];
    }
    return [{ row: one.row, ...unknown(createMessage('returned-twice')) }];
  });
}
