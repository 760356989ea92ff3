import { type Static, Type } from 'typebox';
import { invoiceFormats } from '../../domain/enums.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import { Enum, MoneySchema, Named, Nullable, Reference } from '../../platform/http/schemas.ts';
import { InvoiceSchema } from './contract.ts';
import { buyerFields } from './rules/parties.ts';

const money = Reference(MoneySchema);

/** What was invoiced in one year, less what was credited. */
const InvoiceYearSchema = Closed({
  year: Type.Integer(),
  invoices: Type.Integer(),
  net: money,
  tax: money,
  gross: money,
});

export const InvoicesSchema = Named(
  'Invoices',
  Closed({
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
  }),
);
export type Invoices = Static<typeof InvoicesSchema>;

export const InvoiceFileQuery = Closed({
  format: Enum(invoiceFormats, { default: 'pdf' }),
  inline: Type.Optional(Type.Boolean({ description: 'Show the file in the browser.' })),
});
