import { type Static, Type } from 'typebox';
import { orderSections } from '../../../domain/enums.ts';
import { Closed } from '../../../platform/http/portal/schemas.ts';
import { Enum } from '../../../platform/http/schemas.ts';
import { headingKey } from '../../../platform/table/headings.ts';

/** What a column of an order list can contain. */
export const orderFields = [
  'section',
  'orderId',
  'previousOrderId',
  'month',
  'product',
  'firstName',
  'lastName',
  'dateOfBirth',
  'hrId',
  'validFrom',
  'validUntil',
] as const;
export type OrderField = (typeof orderFields)[number];

/** What a column of a returned list can contain, with the headings by which it is recognised. */
const returnedHeadings = {
  orderId: 'Order number, Order no., Order ID, Order, Bestellnummer, Bestell-Nr., Auftragsnummer, Unsere Bestellnummer',
  hrId: 'HR id, Employee ID, Employee number, Personalnummer, Mitarbeiternummer, Personal-Nr.',
  firstName: 'First name, Given name, Vorname',
  lastName: 'Last name, Surname, Family name, Nachname, Familienname',
  dateOfBirth: 'Date of birth, Birthday, Birth date, Geburtsdatum, Geburtstag',
  ticketNumber: 'Ticket number, Ticket no., Ticket, Ticketnummer, Ticket-Nr., Abonummer, Abo-Nr.',
  chipCardNumber: 'Chip card number, Chip card, Card number, Chipkartennummer, Chipkarte, Kartennummer, Chipkarten-Nr.',
  activationCode: 'Activation code, Code, Aktivierungscode, Freischaltcode, Aktivierungs-Code',
  barcode: 'Barcode, Aztec, Aztec code, Barcode (base64)',
  validFrom: 'Valid from, Gültig ab, Gültig von',
  validUntil: 'Valid until, Valid to, Gültig bis',
  problem: 'Problem, Error, Reason, Rejection, Fehler, Ablehnungsgrund, Ablehnung, Grund, Hinweis',
} as const;
export type ReturnedField = keyof typeof returnedHeadings;
const returnedFields = Object.keys(returnedHeadings) as ReturnedField[];

const Text = Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000]*$' });

/** How an issuer wants its lists, and how it returns them. What is absent is as usual. */
export const OrderMappingSchema = Closed({
  columns: Type.Optional(
    Type.Array(
      Type.Union([Closed({ heading: Text, field: Enum(orderFields) }), Closed({ heading: Text, value: Text })]),
      { minItems: 1, maxItems: 50 },
    ),
  ),
  sections: Type.Optional(Closed(Object.fromEntries(orderSections.map((name) => [name, Type.Optional(Text)])))),
  dates: Type.Optional(Enum(['iso', 'german'])),
  returned: Type.Optional(Closed(Object.fromEntries(returnedFields.map((name) => [name, Type.Optional(Text)])))),
});
export type OrderMapping = Omit<Static<typeof OrderMappingSchema>, 'sections' | 'returned'> & {
  sections?: Partial<Record<(typeof orderSections)[number], string>>;
  returned?: Partial<Record<ReturnedField, string>>;
};
export type OrderColumn = NonNullable<OrderMapping['columns']>[number];

/** Without data of the HR system: the order number is enough to find the employee again. */
const defaultColumns: OrderColumn[] = orderFields
  .filter((field) => field !== 'hrId')
  .map((field) => ({ heading: field, field }));

export const columnsOf = (mapping: OrderMapping | null): readonly OrderColumn[] => mapping?.columns ?? defaultColumns;

/** Returns what is wrong with a mapping that has the right shape. */
export function findMappingProblem({ columns, returned }: OrderMapping): string | undefined {
  const headings = (columns ?? []).map(({ heading }) => heading);
  const twice = headings.find((heading, index) => headings.indexOf(heading) !== index);
  if (twice !== undefined) return `two columns are called "${twice}": rename one of them`;
  const fields = columns?.flatMap((column) => ('field' in column ? column.field : []));
  if (fields !== undefined && !fields.includes('orderId')) {
    return 'no column has the field orderId: add one, as returned tickets are recognised by it';
  }
  const keys = Object.values(returned ?? {}).map(headingKey);
  const same = keys.find((key, index) => keys.indexOf(key) !== index);
  return same === undefined ? undefined : 'two fields of "returned" are read from the same column: correct one of them';
}

/** Returns what each column of a returned list contains: as the mapping says, else as its heading does. */
export function recognizeReturned(headings: readonly string[], mapping: OrderMapping | null) {
  const byKey = new Map<string, ReturnedField>();
  for (const field of returnedFields) {
    const own = mapping?.returned?.[field];
    const names = own === undefined ? [field, ...returnedHeadings[field].split(', ')] : [own];
    for (const name of names) if (!byKey.has(headingKey(name))) byKey.set(headingKey(name), field);
  }
  const seen = new Set<ReturnedField>();
  return headings.map((heading) => {
    const field = byKey.get(headingKey(heading));
    if (field === undefined || seen.has(field)) return undefined;
    seen.add(field);
    return field;
  });
}
