import { type Day, firstOfNextMonth, isBefore, isSameDay, laterOf } from '../../../domain/calendar.ts';
import { createMessage, type MessagePart } from '../../../domain/messages/message.ts';
import { searchText } from '../../../domain/search.ts';
import type { IssuerTicket } from '../contract.ts';
import { readUicBarcode, type UicTicket, UnreadableBarcodeError } from './uic-barcode.ts';

/** What was ordered. */
export interface OrderedTicket {
  firstName: string;
  lastName: string;
  dateOfBirth: Day | null;
  month: Day;
  /** The day of the order: a replacement may be valid only from then on. */
  orderedOn: Day;
}

const part = (key: MessagePart['key'], ordered: string, received: string): MessagePart => ({
  key,
  values: { ordered, received },
});

/** Names are compared without case, accents and transliteration, as barcodes often have capital letters only. */
const namesOf = (firstName: string, lastName: string) =>
  searchText(`${firstName} ${lastName}`.replace(/[^\p{L}\p{M}]+/gu, ' ').trim()).split('\n');

const isSameName = (a: readonly string[], b: readonly string[]) => a.some((form) => b.includes(form));

export const isSamePerson = (
  a: { firstName: string; lastName: string },
  b: { firstName: string; lastName: string },
): boolean => isSameName(namesOf(a.firstName, a.lastName), namesOf(b.firstName, b.lastName));

/** A ticket begins with its month, or with the day of its order if that is later. It may end in the next night. */
function findWrongValidity(from: Day, until: Day, { month, orderedOn }: OrderedTicket): 'from' | 'until' | undefined {
  const next = firstOfNextMonth(month);
  const lastDay = next.subtract({ days: 1 });
  if (isBefore(from, month) || isBefore(laterOf(month, orderedOn), from)) return 'from';
  return isSameDay(until, lastDay) || isSameDay(until, next) ? undefined : 'until';
}

const lastDayOf = (month: Day) => firstOfNextMonth(month).subtract({ days: 1 });

function compareBarcode(barcode: UicTicket, ordered: OrderedTicket): MessagePart[] {
  const differences: MessagePart[] = [];
  const { traveller, validFrom, validUntil } = barcode;
  if (traveller !== null && !isSamePerson(traveller, ordered)) {
    const names = (one: { firstName: string; lastName: string }) => `${one.firstName} ${one.lastName}`.trim();
    differences.push(part('differs-barcode-name', names(ordered), names(traveller)));
  }
  const born = traveller?.dateOfBirth ?? null;
  if (born !== null && ordered.dateOfBirth !== null && !isSameDay(born, ordered.dateOfBirth)) {
    differences.push(part('differs-barcode-birth', ordered.dateOfBirth.toString(), born.toString()));
  }
  if (validFrom !== null && validUntil !== null && findWrongValidity(validFrom, validUntil, ordered) !== undefined) {
    const wanted = `${ordered.month} – ${lastDayOf(ordered.month)}`;
    differences.push(part('differs-barcode-validity', wanted, `${validFrom} – ${validUntil}`));
  }
  // A barcode that names nobody, or no time, proves nothing about this ticket.
  if (traveller === null || validFrom === null || validUntil === null) {
    const missing = traveller === null ? 'no traveller' : 'no validity';
    differences.push(part('differs-barcode-unreadable', '', missing));
  }
  return differences;
}

/**
 * Returns how an issued ticket differs from what was ordered, with both values. Whether its number and its barcode belong
 * to somebody else is compared with the other orders of the company.
 */
export function findDifferences(ticket: IssuerTicket, ordered: OrderedTicket): MessagePart[] {
  const [from, until] = [Temporal.PlainDate.from(ticket.validFrom), Temporal.PlainDate.from(ticket.validUntil)];
  const wrong = findWrongValidity(from, until, ordered);
  const differences: MessagePart[] = [];
  if (wrong === 'from') differences.push(part('differs-from', ordered.month.toString(), ticket.validFrom));
  if (wrong === 'until')
    differences.push(part('differs-until', lastDayOf(ordered.month).toString(), ticket.validUntil));
  if (ticket.barcode?.format !== 'uic-918-3') return differences;
  try {
    const barcode = readUicBarcode(Buffer.from(ticket.barcode.data, 'base64'));
    return [...differences, ...compareBarcode(barcode, ordered)];
  } catch (error) {
    if (!(error instanceof UnreadableBarcodeError)) throw error;
    return [...differences, part('differs-barcode-unreadable', '', error.message)];
  }
}

export const mismatchMessage = (differences: MessagePart[]) => createMessage('order-mismatch', { differences });
