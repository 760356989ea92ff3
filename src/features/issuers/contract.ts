import { type Static, type TSchema, Type } from 'typebox';
import {
  barcodeFormats,
  blockReasons,
  differenceKinds,
  invoiceDifferenceKinds,
  issuerKinds,
  orderActors,
  orderStates,
  returnOrigins,
} from '../../domain/enums.ts';
import { MessageSchema } from '../../platform/http/message-schema.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import {
  Enum,
  maxInteger,
  Nullable,
  NullableObject,
  PlainDate,
  Reference,
  Timestamp,
  withoutNul,
} from '../../platform/http/schemas.ts';

/** What the `http` issuer interface exchanges (docs/issuers/openapi.json). Issuers may add fields. */

const OrNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Day = Type.String({ format: 'date' });

/** A ticket number, as inspectors may have to type it. */
const TicketNumber = Type.String({ pattern: '^[\\x21-\\x7e]{1,64}$' });
/** Aztec codes hold 1,914 bytes. */
const BarcodeData = Type.String({ minLength: 4, maxLength: 2_552, pattern: '^[A-Za-z0-9+/]+={0,2}$' });

export const IssuerOrderSchema = Type.Object({
  orderId: Type.String({ minLength: 1, maxLength: 100 }),
  status: Enum(['ordered', 'issued', 'failed', 'blocked']),
  ticket: OrNull(
    Type.Object({
      number: TicketNumber,
      validFrom: Day,
      validUntil: Day,
      barcode: OrNull(Type.Object({ format: Enum(barcodeFormats), data: BarcodeData })),
      chipCardNumber: Type.Optional(OrNull(TicketNumber)),
      activationCode: Type.Optional(OrNull(TicketNumber)),
    }),
  ),
  failure: OrNull(
    Type.Object({
      code: Type.String({ minLength: 1, maxLength: 100 }),
      message: Type.String({ maxLength: 1_000 }),
      retry: Type.Boolean(),
    }),
  ),
});
export type IssuerOrder = Static<typeof IssuerOrderSchema>;
export type IssuerTicket = NonNullable<IssuerOrder['ticket']>;

export const IssuerOrdersSchema = Type.Object({
  orders: Type.Array(IssuerOrderSchema, { maxItems: 1_000 }),
  next: OrNull(Type.String({ minLength: 1, maxLength: 1_000 })),
});

/** What is sent. */
export interface Order {
  orderId: string;
  /** YYYY-MM. */
  month: string;
  product: string;
  person: { reference: string; firstName: string; lastName: string; dateOfBirth: string | null };
}

const Count = Type.Integer({ minimum: 0 });

const FileFormat = Enum(['csv', 'xlsx']);
const Text = (maxLength: number) => Type.Optional(Nullable(Type.String({ maxLength, ...withoutNul })));

/** How order lists get to the issuer. */
export const DeliveryBody = Closed({
  kind: Enum(['none', 'mail', 'sftp']),
  format: Type.Optional(FileFormat),
  to: Type.Optional(Nullable(Type.String({ format: 'email', maxLength: 254 }))),
  host: Text(253),
  port: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 65_535 }))),
  user: Text(200),
  password: Text(1_000),
  privateKey: Text(20_000),
  hostKey: Text(5_000),
  folder: Text(1_000),
  returned: Text(1_000),
});
export type DeliveryBody = Static<typeof DeliveryBody>;
export const CheckedDeliverySchema = Closed({
  isStored: Type.Boolean({ description: 'Only settings that work are stored.' }),
  problems: Type.Array(Reference(MessageSchema), { description: 'What is wrong. Empty: nothing.' }),
});
export type CheckedDelivery = Static<typeof CheckedDeliverySchema>;

const DeliverySchema = Type.Object({
  kind: Enum(['mail', 'sftp']),
  format: FileFormat,
  to: Type.Optional(Type.String()),
  host: Type.Optional(Type.String()),
  port: Type.Optional(Nullable(Type.Integer())),
  user: Type.Optional(Type.String()),
  hostKey: Type.Optional(Type.String()),
  folder: Type.Optional(Type.String()),
  returned: Type.Optional(Nullable(Type.String())),
});

/** Who issues a company's tickets, for the portal and the command line. */
export const IssuerSettingsSchema = Type.Object({
  issuer: Enum(issuerKinds),
  url: Nullable(Type.String(), 'The base of the interface of the issuer `http`.'),
  cutOffDay: Nullable(Type.Integer(), 'The last day on which the issuer accepts orders for the next month.'),
  leadDays: Nullable(Type.Integer(), 'How many days before it orders are placed.'),
  product: Nullable(Type.String(), 'What is ordered, as the issuer names it.'),
  priceList: Type.Array(Type.Object({ from: PlainDate('The first month.'), grossCents: Count })),
  delivery: NullableObject(DeliverySchema, 'How order lists get there. Null: a person takes them.'),
  nextAttemptAt: Nullable(Timestamp('When the issuer is asked next.'), 'Null: nothing waits.'),
  failingSince: Nullable(Timestamp('Since when the issuer cannot be worked with.'), 'Null: it can.'),
  lastError: NullableObject(MessageSchema, 'Why the issuer cannot be worked with.'),
  months: Type.Array(
    Type.Object({
      month: Type.String(),
      ...{ required: Count, ordered: Count, issued: Count, failed: Count, blocked: Count, replaced: Count },
    }),
  ),
});
export type IssuerSettings = Static<typeof IssuerSettingsSchema>;

const TicketDifferenceSchema = Type.Object({
  employeeId: Nullable(Type.Integer(), 'Null: the issuer has an order that belongs to nobody.'),
  orderId: Nullable(Type.String(), 'What the issuer knows the order by.'),
  message: Reference(MessageSchema),
});
export type TicketDifference = Static<typeof TicketDifferenceSchema>;
const Differences = Type.Array(TicketDifferenceSchema, { description: 'At most 1,000 of all kinds.' });

export const ReconciliationSchema = Type.Object({
  month: Type.String(),
  required: Count,
  issued: Count,
  counts: Type.Object({ missing: Count, double: Count, unexpected: Count, mismatched: Count }),
  ...{ missing: Differences, double: Differences, unexpected: Differences, mismatched: Differences },
});
export type Reconciliation = Static<typeof ReconciliationSchema>;

/** An order that somebody has to look at, or that waits. */
const OpenOrderSchema = Closed({
  employeeId: Type.Integer(),
  name: Type.String(),
  month: Type.String(),
  orderId: Type.String(),
  state: Enum(orderStates),
  responsible: Nullable(Enum(orderActors), 'Who must act. Null: nobody needs to.'),
  reason: NullableObject(MessageSchema, 'Why.'),
  nextAttemptAt: Nullable(Timestamp('When the issuer is asked next.'), 'Null: it is not.'),
});
export type OpenOrder = Static<typeof OpenOrderSchema>;

/** Orders that failed or wait for the same reason. */
const OrderGroupSchema = Closed({
  month: Type.String(),
  state: Enum(orderStates),
  orders: Count,
  responsible: Nullable(Enum(orderActors), 'Who must act. Null: nobody needs to.'),
  message: Reference(MessageSchema),
});
export type OrderGroup = Static<typeof OrderGroupSchema>;

const StoredReconciliationSchema = Closed({
  month: Type.String(),
  reconciledAt: Timestamp('When it was made.'),
  ...{ required: Count, issued: Count, differences: Count },
  listed: Type.Array(
    Closed({
      kind: Enum(differenceKinds),
      employeeId: Nullable(Type.Integer(), 'Null: the issuer has an order that belongs to nobody.'),
      name: Nullable(Type.String(), 'Null: the same.'),
      message: Reference(MessageSchema),
    }),
    { description: 'At most 200.' },
  ),
});
export type StoredReconciliation = Static<typeof StoredReconciliationSchema>;

/** A file with orders. */
const OrderFileSchema = Closed({
  month: Type.String(),
  number: Type.Integer({ description: 'The first file of a month has everybody, a later one what has changed since.' }),
  createdAt: Timestamp('When it was written.'),
  deliveredAt: Nullable(Timestamp('When it was sent.'), 'Null: it waits, or a person takes it to the issuer.'),
  deliveredTo: Nullable(Type.String(), 'Where it was sent.'),
  isDue: Type.Boolean({ description: 'Whether it is to be sent.' }),
  problem: NullableObject(MessageSchema, 'Why it has not been sent.'),
  sections: Type.Object({ new: Count, continuing: Count, changed: Count, ended: Count }),
});
export type OrderFile = Static<typeof OrderFileSchema>;

/** A list that came back. */
export const ReturnedFileSchema = Closed({
  month: Type.String(),
  name: Type.String(),
  receivedAt: Timestamp('When it came.'),
  origin: Enum(returnOrigins),
  isApplied: Type.Boolean({ description: 'Whether all of it is applied.' }),
  ...{ rows: Count, issued: Count, failed: Count, unchanged: Count },
  open: Type.Integer({ description: 'Rows about which a person has to decide.' }),
});
export type ReturnedFile = Static<typeof ReturnedFileSchema>;

const UnreadFileSchema = Closed({
  path: Type.String(),
  month: Type.String(),
  fetchedAt: Timestamp('When it was read.'),
  problem: Reference(MessageSchema),
});
export type UnreadFile = Static<typeof UnreadFileSchema>;

const OpenReturnedRowSchema = Closed({
  id: Type.Integer(),
  month: Type.String(),
  file: Type.String(),
  row: Type.Integer({ description: 'As Excel counts it.' }),
  name: Nullable(Type.String(), 'Null: the row has none.'),
  number: Nullable(Type.String(), 'The number of the ticket. Null: the row has none.'),
  message: Reference(MessageSchema),
  suggestedId: Nullable(Type.Integer(), 'The employee with the same name and date of birth. Null: there is none.'),
  suggestedName: Nullable(Type.String(), 'Null: there is none.'),
});
export type OpenReturnedRow = Static<typeof OpenReturnedRowSchema>;

export const ReturnedPreviewSchema = Closed({
  month: Type.String(),
  ...{ rows: Count, issued: Count, failed: Count, unchanged: Count, open: Count },
  listed: Type.Array(
    Closed({
      row: Type.Integer(),
      name: Nullable(Type.String(), 'Null: the row has none.'),
      message: Reference(MessageSchema),
      isFailed: Type.Boolean({ description: 'Whether the ticket is wrong. Otherwise it is unclear whose it is.' }),
    }),
    { description: 'At most 200.' },
  ),
});
export type ReturnedPreview = Static<typeof ReturnedPreviewSchema>;

const Month = Type.String({ pattern: '^[1-9]\\d{3}-(0[1-9]|1[0-2])$' });
export const ReturnedListQuery = Closed({
  month: Month,
  fileName: Type.Optional(Type.String({ minLength: 1, maxLength: 200, ...withoutNul })),
});
export const OrderFileParams = Closed({ month: Month, format: Enum(['csv', 'xlsx']) });
export const OrderFileQuery = Closed({
  number: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, description: 'One file of the month. Default: all.' }),
  ),
});
export const SendListParams = Closed({
  month: Month,
  number: Type.Integer({ minimum: 1, maximum: 10_000 }),
});
export const ReturnedRowParams = Closed({ id: Type.Integer({ minimum: 1, maximum: maxInteger }) });
export const ReturnedRowBody = Closed({
  employeeId: Nullable(Type.Integer({ minimum: 1, maximum: maxInteger }), "Null: it is nobody's ticket."),
});
export type ReturnedRowBody = Static<typeof ReturnedRowBody>;
export const ResolvedRowSchema = Closed({
  message: NullableObject(MessageSchema, 'What is wrong with the ticket. Null: nothing.'),
});
/** A month of the largest company has 100,000 lines of 60 characters. */
export const maxInvoiceBytes = 8 * 2 ** 20;
const Cents = Type.Integer();

const InvoiceDifferenceSchema = Closed({
  kind: Enum(invoiceDifferenceKinds),
  row: Nullable(Type.Integer(), 'Of the file. Null: the invoice has no line for it.'),
  employeeId: Nullable(Type.Integer(), 'Null: nobody of the company.'),
  number: Nullable(Type.String(), 'The ticket or order that the line names.'),
  billedCents: Nullable(Cents),
  expectedCents: Nullable(Cents),
  message: Reference(MessageSchema),
});
const compared = {
  month: Type.String(),
  lines: Count,
  billedCents: Cents,
  expectedCents: Cents,
  differenceCount: Count,
};
export const ComparedInvoiceSchema = Closed({
  ...compared,
  differences: Type.Array(InvoiceDifferenceSchema, { description: 'At most 1,000.' }),
});
export type ComparedInvoice = Static<typeof ComparedInvoiceSchema>;
const StoredInvoiceSchema = Closed({
  ...compared,
  comparedAt: Timestamp('When it was compared last.'),
  differences: Type.Array(
    Closed({ ...InvoiceDifferenceSchema.properties, name: Nullable(Type.String(), 'Of the employee.') }),
    { description: 'At most 200.' },
  ),
});
export type StoredInvoice = Static<typeof StoredInvoiceSchema>;

export const InvoiceBody = Closed({
  month: Type.String({ pattern: '^[1-9]\\d{3}-(0[1-9]|1[0-2])$' }),
  content: Type.String({ minLength: 1, description: 'The file (CSV or Excel) in Base64, at most 8 MiB.' }),
});
export type InvoiceBody = Static<typeof InvoiceBody>;

/** What the portal shows about the issuer of a company. */
export const IssuerPageSchema = Type.Object({
  settings: IssuerSettingsSchema,
  lists: NullableObject(
    Closed({
      files: Type.Array(OrderFileSchema, { description: 'The latest 20.' }),
      returned: Type.Array(ReturnedFileSchema, { description: 'The latest 20.' }),
      unread: Type.Array(UnreadFileSchema, { description: "Files on the issuer's server that are no returned lists." }),
      open: Type.Array(OpenReturnedRowSchema, { description: 'At most 200.' }),
      /** Who waits for a ticket, to choose from. */
      waiting: Type.Array(Closed({ employeeId: Type.Integer(), name: Type.String(), month: Type.String() }), {
        description: 'At most 2,000.',
      }),
    }),
    'Null: the issuer takes no lists.',
  ),
  openGroups: Type.Array(OrderGroupSchema, { description: 'All open orders by their reasons, at most 50 of these.' }),
  openOrders: Type.Array(OpenOrderSchema, { description: 'At most 200, failed ones first.' }),
  reconciliations: Type.Array(StoredReconciliationSchema, { description: 'The latest of the last months.' }),
  invoices: Type.Array(StoredInvoiceSchema, { description: 'The compared ones of the last months.' }),
});
export type IssuerPage = Static<typeof IssuerPageSchema>;

/** A ticket, or an order for one, as HR sees it. */
const EmployeeTicketSchema = Closed({
  month: Type.String(),
  number: Nullable(Type.String(), 'Null: it is not issued.'),
  state: Enum(orderStates),
  reason: NullableObject(MessageSchema, 'Why.'),
  nextAttemptAt: Nullable(Timestamp('When the issuer is asked next.'), 'Null: it is not.'),
  mayBlock: Type.Boolean(),
  mayReplace: Type.Boolean(),
});
export type EmployeeTicket = Static<typeof EmployeeTicketSchema>;
export const EmployeeTicketsSchema = Closed({
  tickets: Type.Array(EmployeeTicketSchema, {
    description: 'Since this month, newest first. Of the last year, those that were blocked, replaced or not issued.',
  }),
});
export type EmployeeTickets = Static<typeof EmployeeTicketsSchema>;

export const TicketChangeBody = Closed({
  employeeId: Type.Integer({ minimum: 1, maximum: maxInteger }),
  month: Type.String({ pattern: '^[1-9]\\d{3}-(0[1-9]|1[0-2])$' }),
  reason: Enum(blockReasons),
});
export type TicketChangeBody = Static<typeof TicketChangeBody>;
export const ChangedTicketSchema = Closed({
  employeeId: Type.Integer(),
  month: Type.String(),
  state: Enum(['blocked', 'replaced']),
});
