import { type Static, Type } from 'typebox';
import { chargeTypes, planTypes } from '../domain/enums.ts';
import { pagingParameters } from '../http/paging.ts';
import {
  Enum,
  LinkSchema,
  MoneySchema,
  Named,
  Nullable,
  NullableObject,
  PlainDate,
  Reference,
  Timestamp,
} from '../http/schemas.ts';

const closed = { additionalProperties: false };
const money = Reference(MoneySchema);

const ProfileSchema = Type.Object(
  {
    id: Nullable(Type.Integer(), 'Null if the employee no longer exists.'),
    firstName: Nullable(Type.String()),
    lastName: Nullable(Type.String()),
    email: Nullable(Type.String()),
    hrId: Nullable(Type.String(), "The id in the company's HR system; kept after the employee was removed."),
  },
  closed,
);

const ChargedEmployeeSchema = Type.Object(
  { profile: ProfileSchema, exists: Type.Boolean({ description: 'False if the employee was removed since.' }) },
  closed,
);

const ChargedPlanSchema = Type.Object(
  {
    type: Enum(planTypes),
    companyAmount: Type.Unsafe<Static<typeof MoneySchema>>(money),
    employeeAmount: Type.Unsafe<Static<typeof MoneySchema>>(money),
  },
  closed,
);

const ChargeSchema = Type.Object(
  {
    type: Enum(chargeTypes, { description: '`ticket-charge` is per employee; the others are fees of the company.' }),
    employee: NullableObject(ChargedEmployeeSchema, 'As billed. Null for charges of the company.'),
    plan: NullableObject(
      ChargedPlanSchema,
      'The plan that produced the charge; the two amounts sum to the gross. Null for fees.',
    ),
  },
  closed,
);

const CorrectedSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The item that is reversed.' }),
    period: PlainDate('First day of the month in which that item was billed.'),
  },
  closed,
);

export const BillingItemSchema = Named(
  'BillingItem',
  Type.Object(
    {
      id: Type.Integer(),
      billing: Type.Object(
        { period: PlainDate('First day of the billed month.'), total: money, tax: money, overall: money },
        { ...closed, description: '`total` is net, `overall` gross: total + tax = overall.' },
      ),
      charge: ChargeSchema,
      billedAt: Timestamp('When it was billed.'),
      corrects: NullableObject(
        CorrectedSchema,
        'The item that this one corrects. A correction belongs to the period of the day on which it is made, so the month of the corrected item does not change. Null for every item that is not a correction.',
      ),
      reason: Nullable(Type.String(), 'Why the item was corrected. Null for every item that is not a correction.'),
      resource: Enum(['billing-item']),
      _links: Type.Object({ self: Reference(LinkSchema), employee: Type.Optional(Reference(LinkSchema)) }, closed),
    },
    closed,
  ),
);
export type BillingItem = Static<typeof BillingItemSchema>;

const Period = Type.String({
  format: 'first-of-month',
  description: 'First day of the billed month, YYYY-MM-DD.',
  examples: ['2026-11-01'],
});

export const BillingItemsQuery = Type.Object({
  ...pagingParameters,
  sortField: Enum(['id', 'billingPeriod', 'billedAt'], { default: 'id', description: 'What to sort by.' }),
  chargeType: Type.Optional(Enum(chargeTypes, { description: 'Only charges of this type.' })),
  period: Type.Optional(Period),
});
export type BillingItemsQuery = Static<typeof BillingItemsQuery>;

export const ExportParams = Type.Object({ period: Period, chargeType: Enum(chargeTypes) });

export const billingItemExample: BillingItem = {
  id: 1,
  billing: {
    period: '2026-11-01',
    total: { label: '55,93 €', value: 5593 },
    tax: { label: '3,92 €', value: 392 },
    overall: { label: '59,85 €', value: 5985 },
  },
  charge: {
    type: 'ticket-charge',
    employee: {
      profile: { id: 1, firstName: 'Anna', lastName: 'Müller', email: 'anna.mueller@example.com', hrId: 'E-1001' },
      exists: true,
    },
    plan: {
      type: 'split-pay-plan',
      companyAmount: { label: '39,85 €', value: 3985 },
      employeeAmount: { label: '20,00 €', value: 2000 },
    },
  },
  billedAt: '2026-11-01T00:05:00Z',
  corrects: null,
  reason: null,
  resource: 'billing-item',
  _links: {
    self: { href: 'http://localhost:3000/v1/billing/items/1', type: 'application/json' },
    employee: { href: 'http://localhost:3000/v1/employees/1', type: 'application/json' },
  },
};
