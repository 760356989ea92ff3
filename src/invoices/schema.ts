import { type Static, Type } from 'typebox';
import { chargeTypes, invoiceKinds } from '../domain/enums.ts';
import { pagingParameters } from '../http/paging.ts';
import { Enum, LinkSchema, MoneySchema, Named, PlainDate, Reference } from '../http/schemas.ts';

const closed = { additionalProperties: false };
const money = Reference(MoneySchema);

const LineSchema = Type.Object(
  {
    type: Enum([...chargeTypes, 'rounding'], {
      description:
        'The charge type. `rounding` moves an amount between net and tax, where EN 16931 requires it; the gross amount stays the same.',
    }),
    quantity: Type.Integer({ description: 'What was charged: tickets, linked employees, or months.' }),
    taxPercent: Type.Integer(),
    total: money,
    tax: money,
    overall: money,
  },
  closed,
);

export const InvoiceSchema = Named(
  'Invoice',
  Type.Object(
    {
      id: Type.Integer(),
      number: Type.String({ description: 'The number on the invoice. Numbers have no gaps.' }),
      type: Enum(invoiceKinds, { description: 'Amounts of a credit note are positive too.' }),
      period: PlainDate('First day of the month that is invoiced, or in which the credit note was issued.'),
      issuedOn: PlainDate('The date on the invoice.'),
      dueOn: PlainDate('The day by which it is to be paid. Has no meaning for a credit note.', ['2026-11-15']),
      total: money,
      tax: money,
      overall: money,
      lines: Type.Array(LineSchema, { description: 'One line per charge type and tax rate.' }),
      downloadable: Type.Boolean({ description: 'Whether its files can be downloaded. They follow within seconds.' }),
      resource: Enum(['invoice']),
      _links: Type.Object(
        { self: Reference(LinkSchema), download: Reference(LinkSchema), xrechnung: Reference(LinkSchema) },
        closed,
      ),
    },
    { ...closed, description: '`total` is the net amount, `overall` the gross amount: `total` + `tax` = `overall`.' },
  ),
);
export type Invoice = Static<typeof InvoiceSchema>;

export const InvoicesQuery = Type.Object({
  ...pagingParameters,
  sortField: Enum(['id', 'number', 'period'], { default: 'id', description: 'Field to sort by.' }),
  type: Type.Optional(Enum(invoiceKinds, { description: 'Only invoices, or only credit notes.' })),
  period: Type.Optional(
    Type.String({
      format: 'first-of-month',
      description: 'First day of the month, YYYY-MM-DD.',
      examples: ['2026-11-01'],
    }),
  ),
});
export type InvoicesQuery = Static<typeof InvoicesQuery>;

/** The formats that the API offers. The XML inside the PDF is available from the command line. */
export const DownloadQuery = Type.Object({
  format: Enum(['pdf', 'xrechnung'], {
    default: 'pdf',
    description: '`pdf`: PDF/A-3 with embedded XML (ZUGFeRD, Factur-X). `xrechnung`: XML in the syntax UBL.',
  }),
});

export const invoiceExample: Invoice = {
  id: 1,
  number: 'TB-000017',
  type: 'invoice',
  period: '2026-11-01',
  issuedOn: '2026-11-01',
  dueOn: '2026-11-15',
  total: { label: '55,93 €', value: 5593 },
  tax: { label: '3,92 €', value: 392 },
  overall: { label: '59,85 €', value: 5985 },
  lines: [
    {
      type: 'ticket-charge',
      quantity: 1,
      taxPercent: 7,
      total: { label: '55,93 €', value: 5593 },
      tax: { label: '3,92 €', value: 392 },
      overall: { label: '59,85 €', value: 5985 },
    },
  ],
  downloadable: true,
  resource: 'invoice',
  _links: {
    self: { href: 'http://localhost:3000/v1/billing/invoices/1', type: 'application/json' },
    download: { href: 'http://localhost:3000/v1/billing/invoices/1/download', type: 'application/pdf' },
    xrechnung: {
      href: 'http://localhost:3000/v1/billing/invoices/1/download?format=xrechnung',
      type: 'application/xml',
    },
  },
};
