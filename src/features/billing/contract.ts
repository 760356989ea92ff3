import { type Static, Type } from 'typebox';
import { chargeTypes, feeUnits, planTypes } from '../../domain/enums.ts';
import { MessageSchema } from '../../platform/http/message-schema.ts';
import { pagingParameters } from '../../platform/http/paging.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
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
} from '../../platform/http/schemas.ts';

const money = Reference(MoneySchema);

const ProfileSchema = Closed({
  id: Nullable(Type.Integer(), 'Null if the employee no longer exists.'),
  firstName: Nullable(Type.String()),
  lastName: Nullable(Type.String()),
  email: Nullable(Type.String()),
  hrId: Nullable(Type.String(), "The id in the company's HR system. Kept after the employee is removed."),
});

const ChargedEmployeeSchema = Closed({
  profile: ProfileSchema,
  exists: Type.Boolean({ description: 'False if the employee has been removed since.' }),
});

const ChargedPlanSchema = Closed({
  type: Enum(planTypes),
  companyAmount: money,
  employeeAmount: money,
});

const ChargeSchema = Closed({
  type: Enum(chargeTypes, {
    description: '`ticket-charge` is charged per employee; all others are fees charged to the company.',
  }),
  employee: NullableObject(ChargedEmployeeSchema, 'The employee as billed. Null for fees.'),
  plan: NullableObject(
    ChargedPlanSchema,
    'The plan at the time of billing. The two amounts add up to the gross amount. Null for fees.',
  ),
});

const CorrectedSchema = Closed({
  id: Type.Integer({ description: 'Id of the corrected item.' }),
  period: PlainDate('First day of the month in which that item was billed.'),
});

const UsageSchema = Closed({
  quantity: Type.Integer({ description: 'How many units are charged.' }),
  unit: Enum(feeUnits, {
    description:
      '`ticket`: issued in the month. `linked-employee`: linked by an integration that pulls. `month-with-api-calls` and `month-with-payroll-export`: the company used it in that month.',
  }),
  period: PlainDate('First day of the month of use. The month before the billed one for fees that follow use.'),
});

export const BillingItemSchema = Named(
  'BillingItem',
  Closed({
    id: Type.Integer(),
    billing: Closed(
      { period: PlainDate('First day of the billed month.'), total: money, tax: money, overall: money },
      '`total` is the net amount, `overall` the gross amount: `total` + `tax` = `overall`.',
    ),
    charge: ChargeSchema,
    billedAt: Timestamp('When it was billed.'),
    corrects: NullableObject(
      CorrectedSchema,
      'The item that this one corrects. A correction belongs to the period in which it is made, so the month of the corrected item does not change. Null unless this item is a correction.',
    ),
    reason: Nullable(Type.String(), 'Why the item was corrected. Null unless this item is a correction.'),
    usage: NullableObject(
      UsageSchema,
      'What a fee is charged for. Null for tickets, and for fees that were billed before release 0.4.0.',
    ),
    resource: Enum(['billing-item']),
    _links: Closed(
      {
        self: Reference(LinkSchema),
        employee: Type.Optional(Reference(LinkSchema)),
        hrIntegration: Type.Optional(Reference(LinkSchema)),
      },
      '`hrIntegration`: the integration that an HR integration fee is for.',
    ),
  }),
);

export type BillingItem = Static<typeof BillingItemSchema>;

export const Period = Type.String({
  format: 'first-of-month',
  description: 'First day of the billed month, YYYY-MM-DD.',
  examples: ['2026-11-01'],
});

const correctionFilters = ['include', 'exclude', 'only'] as const;

export type CorrectionFilter = (typeof correctionFilters)[number];

const corrections = Enum(correctionFilters, {
  default: 'include',
  description:
    'Corrections belong to the month in which they are made, also those of charges of other months. `exclude` leaves them out: for `ticket-charge` there is then one item per employee who received a ticket. `only` returns nothing else.',
});

export const BillingItemsQuery = Type.Object({
  ...pagingParameters,
  sortField: Enum(['id', 'billingPeriod', 'billedAt'], { default: 'id', description: 'Field to sort by.' }),
  chargeType: Type.Optional(Enum(chargeTypes, { description: 'Only charges of this type.' })),
  period: Type.Optional(Period),
  corrections,
});

export type BillingItemsQuery = Static<typeof BillingItemsQuery>;

export const ExportQuery = Type.Object({ corrections });

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
  usage: null,
  resource: 'billing-item',
  _links: {
    self: { href: 'http://localhost:3000/v1/billing/items/1', type: 'application/json' },
    employee: { href: 'http://localhost:3000/v1/employees/1', type: 'application/json' },
  },
};

/** A period is given by its first day, such as 2026-11-01. */
export const PeriodParams = Type.Pick(ExportParams, ['period']);

export const ItemsQuery = Type.Omit(BillingItemsQuery, ['period']);

export type ItemsQuery = Static<typeof ItemsQuery>;

export const BillingPeriodSchema = Closed({
  period: PlainDate('First day of the billed month.'),
  types: Type.Array(
    Closed({ chargeType: Enum(chargeTypes), items: Type.Integer(), net: money, tax: money, gross: money }),
  ),
  net: money,
  tax: money,
  gross: money,
});

export type BillingPeriod = Static<typeof BillingPeriodSchema>;

/** A charge for pages in any language. */
export const ExplainedItemSchema = Closed({
  ...BillingItemSchema.properties,
  hrIntegration: Nullable(Type.String(), 'The name of the integration that a fee is for. Null for other charges.'),
  message: NullableObject(MessageSchema, 'The reason for other languages. Null: an operator wrote it, or none.'),
});

export type ExplainedItem = Static<typeof ExplainedItemSchema>;

export const EffectsSchema = Closed({
  begin: Type.Integer({ description: 'Subscriptions that begin.' }),
  awaitingConsent: Type.Integer({ description: 'Those of them that begin only when the employee has agreed.' }),
  end: Type.Integer({ description: 'Subscriptions that end, now or on a known day.' }),
  resume: Type.Integer({ description: 'Subscriptions that continue: their end or pause is over or withdrawn.' }),
  pause: Type.Integer({ description: 'Subscriptions that pause.' }),
  monthlyCents: Type.Integer({
    description: 'What the company is charged more per month, gross, with fees. Negative: less.',
  }),
});
export type Effects = Static<typeof EffectsSchema>;
