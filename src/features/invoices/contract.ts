import { type Static, Type } from 'typebox';
import { chargeTypes, invoiceFormats, invoiceKinds, taxCategories } from '../../domain/enums.ts';
import { pagingParameters } from '../../platform/http/paging.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import { Enum, LinkSchema, MoneySchema, Named, Nullable, PlainDate, Reference } from '../../platform/http/schemas.ts';
import { buyerFields } from '../companies/rules/parties.ts';

const money = Reference(MoneySchema);

const LineSchema = Closed({
  type: Enum([...chargeTypes, 'rounding'], {
    description:
      'The charge type. `rounding` is on invoices of versions before 0.3 only. It moves an amount between net and tax.',
  }),
  quantity: Type.Integer({ description: 'What was charged: tickets, linked employees, or months.' }),
  unitPrice: Nullable(
    money,
    'The price of one: gross for a ticket, net for a fee. Null on invoices of versions before 0.3.',
  ),
  taxCategory: Enum(taxCategories, {
    description:
      '`standard`: taxed in Germany at `taxPercent`. `reverse-charge`: the buyer, in another country of the EU, owes the tax. `not-taxable`: the buyer is outside of the EU.',
  }),
  taxPercent: Type.Integer(),
  total: money,
  tax: money,
  overall: money,
});

export const InvoiceSchema = Named(
  'Invoice',
  Closed(
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
      lines: Type.Array(LineSchema, { description: 'One line per charge type, price and tax rate.' }),
      downloadable: Type.Boolean({ description: 'Whether its files can be downloaded. They follow within seconds.' }),
      resource: Enum(['invoice']),
      _links: Closed({
        self: Reference(LinkSchema),
        download: Reference(LinkSchema),
        xrechnung: Reference(LinkSchema),
      }),
    },
    '`total` is the net amount, `overall` the gross amount: `total` + `tax` = `overall`. `overall` is the sum of the billing items. The net amount of each tax rate is rounded once, so `tax` may differ by cents from the sum of the items.',
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
      unitPrice: { label: '59,85 €', value: 5985 },
      taxCategory: 'standard',
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

/** What was invoiced in one year, less what was credited. */
const InvoiceYearSchema = Closed({
  year: Type.Integer(),
  invoices: Type.Integer(),
  net: money,
  tax: money,
  gross: money,
});

export const InvoicesSchema = Closed({
  invoices: Type.Array(Reference(InvoiceSchema), { description: 'Newest first.' }),
  years: Type.Array(InvoiceYearSchema, { description: 'Newest first. Credit notes are deducted.' }),
  latest: Nullable(
    Closed({
      period: Type.String(),
      gross: money,
      previousGross: money,
      differenceCents: Type.Integer({ description: 'Cents more than in the month before.' }),
    }),
    'The latest month, compared with the one before. Null without two months in a row.',
  ),
  missing: Type.Array(Enum(['seller', ...buyerFields]), {
    description: 'What is missing before invoices can be issued.',
  }),
});

export type Invoices = Static<typeof InvoicesSchema>;

export const InvoiceFileQuery = Closed({
  format: Enum(invoiceFormats, { default: 'pdf' }),
  inline: Type.Optional(Type.Boolean({ description: 'Show the file in the browser.' })),
});
