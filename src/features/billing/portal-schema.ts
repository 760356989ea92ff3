import { type Static, Type } from 'typebox';
import { chargeTypes } from '../../domain/enums.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import { Enum, MoneySchema, Named, PlainDate, Reference } from '../../platform/http/schemas.ts';
import { BillingItemsQuery, ExportParams } from './contract.ts';

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
