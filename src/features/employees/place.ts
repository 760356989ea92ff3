import type { Place } from '../../platform/db/keyset.ts';
import type { ListedEmployees } from './contract.ts';
import type { PlacedEmployee } from './store.ts';

interface Order {
  sortField: ListedEmployees['sortField'];
  sortOrder: ListedEmployees['sortOrder'];
}

type Token = [sortField: string, sortOrder: string, side: Place['side'], value: string | null, id: number];

const encode = ({ sortField, sortOrder }: Order, { side, value, id }: Place) =>
  Buffer.from(JSON.stringify([sortField, sortOrder, side, value, id] satisfies Token)).toString('base64url');

// Each throws if the text has the form, but names no day or moment.
const isDay = (value: string) => /^\d{4}-\d\d-\d\d$/.test(value) && Temporal.PlainDate.from(value).year > 0;
const isMoment = (value: string) =>
  /^\d{4}-\d\d-\d\d [\d:.+-]{5,30}$/.test(value) &&
  Temporal.Instant.from(value.replace(' ', 'T')).epochMilliseconds > 0;
const isText = (value: string) => value.length <= 1_000 && !value.includes('\0');

/** Which texts are values of the column, so that no token makes the database refuse a statement. */
const isValue: Record<Order['sortField'], (value: string) => boolean> = {
  id: (value) => /^\d{1,15}$/.test(value),
  createdAt: isMoment,
  updatedAt: isMoment,
  name: isText,
  status: isText,
  start: isDay,
  nextTicket: isDay,
};

const isSide = (side: unknown): side is Place['side'] => side === 'after' || side === 'before';

/** Returns undefined if the token names no place in this order: then the page counts. */
export function decodePlace(token: string | undefined, { sortField, sortOrder }: Order): Place | undefined {
  if (token === undefined) return undefined;
  try {
    const [field, order, side, value, id] = JSON.parse(Buffer.from(token, 'base64url').toString()) as Token;
    if (field !== sortField || order !== sortOrder || !isSide(side) || !Number.isSafeInteger(id)) return undefined;
    if (value !== null && (typeof value !== 'string' || !isValue[sortField](value))) return undefined;
    return { side, value, id };
  } catch {
    return undefined;
  }
}

export function placesAround(rows: readonly PlacedEmployee[], order: Order) {
  const [first, last] = [rows.at(0), rows.at(-1)];
  const place = (side: Place['side'], row: PlacedEmployee | undefined) =>
    row === undefined ? null : encode(order, { side, value: row.sorted, id: row.id });
  return { previous: place('before', first), next: place('after', last) };
}
