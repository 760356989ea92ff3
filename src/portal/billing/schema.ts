import { type Static, Type } from 'typebox';
import { BillingItemsQuery, ExportParams } from '../../billing/schema.ts';
import { chargeTypes } from '../../domain/enums.ts';
import { Enum, MoneySchema, Named, Nullable, PlainDate, Reference } from '../../http/schemas.ts';
import { Closed } from '../schemas.ts';

/** A period is given by its first day, such as 2026-11-01. */
export const PeriodParams = Type.Pick(ExportParams, ['period']);
export const ItemsQuery = Type.Omit(BillingItemsQuery, ['period']);

const money = Reference(MoneySchema);

export const BillingPeriodSchema = Named(
  'BillingPeriod',
  Closed({
    period: PlainDate('First day of the billed month.'),
    types: Type.Array(
      Closed({ chargeType: Enum(chargeTypes), items: Type.Integer(), net: money, tax: money, gross: money }),
    ),
    net: money,
    tax: money,
    gross: money,
  }),
);
export type BillingPeriod = Static<typeof BillingPeriodSchema>;

export const PayrollCheckSchema = Named(
  'PayrollCheck',
  Closed({
    lines: Type.Integer(),
    gross: money,
    withoutHrId: Type.Array(
      Closed({
        employeeId: Nullable(Type.Integer(), 'Null for a removed employee.'),
        name: Type.String({ description: 'Empty for a removed employee.' }),
      }),
      { description: 'Employees whose line would have no HR id, at most 100.' },
    ),
  }),
);
export type PayrollCheck = Static<typeof PayrollCheckSchema>;
