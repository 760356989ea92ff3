import { type Static, Type } from 'typebox';
import { planTypes } from '../../domain/enums.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import { Enum, MoneySchema, maxInteger, Named, Nullable, PlainDate, Reference } from '../../platform/http/schemas.ts';

const mostMonths = 24;
const mostCents = 1_000_000;

const money = Reference(MoneySchema);
const Cents = (description: string) => Type.Integer({ minimum: 0, maximum: mostCents, description });
const FirstOfMonth = (description: string) =>
  Type.String({ format: 'first-of-month', description, examples: ['2027-01-01'] });
const People = (description: string) => Type.Integer({ minimum: 0, maximum: 100_000, description });

const PolicySchema = Closed({
  id: Type.Integer({ minimum: 0, maximum: maxInteger, description: 'Id of the policy.' }),
  from: FirstOfMonth(
    'First month of the terms. They replace what the policy says from then on, as if everybody agreed.',
  ),
  planType: Enum(planTypes, { description: '`split-pay-plan` needs exactly one of the amounts and the percentage.' }),
  employeeCents: Type.Optional(Cents('What the employee pays.')),
  employerCents: Type.Optional(Cents('What the employer pays.')),
  employerPercent: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 100, description: 'What the employer pays, of the price.' }),
  ),
  minimumCents: Type.Optional(Cents('What the employer pays by percentage at least.')),
  maximumCents: Type.Optional(Cents('What the employer pays by percentage at most.')),
});

export const ForecastBody = Named(
  'NewForecast',
  Type.Object(
    {
      months: Type.Integer({
        minimum: 1,
        maximum: mostMonths,
        description: 'How many months, beginning with the next one.',
      }),
      scenario: Type.Optional(
        Closed(
          {
            ticketPrices: Type.Optional(
              Type.Array(
                Closed({
                  from: FirstOfMonth('First month of the price.'),
                  grossCents: Cents('List price, VAT included.'),
                }),
                { maxItems: mostMonths, description: 'VAT and discount stay those of the price before.' },
              ),
            ),
            policies: Type.Optional(Type.Array(PolicySchema, { maxItems: 100 })),
            joinersPerMonth: Type.Optional(
              People('How many more have a ticket each month, by the default policy and linked by the integration.'),
            ),
            leaversPerMonth: Type.Optional(
              People('How many fewer have a ticket each month, of all plans in proportion.'),
            ),
          },
          'What is assumed. Without it only what is known today counts.',
        ),
      ),
    },
    {
      additionalProperties: false,
      examples: [
        { months: 12, scenario: { ticketPrices: [{ from: '2027-01-01', grossCents: 6600 }], joinersPerMonth: 5 } },
      ],
    },
  ),
);
export type ForecastBody = Static<typeof ForecastBody>;

const MonthSchema = Closed({
  period: PlainDate('First day of the month.'),
  tickets: Type.Integer(),
  ticketCharges: Closed(
    { company: money, employee: money, overall: money },
    'VAT included. `employee` is what payroll deducts. `company` + `employee` = `overall`.',
  ),
  fees: Closed({ total: money, tax: money, overall: money }, '`total` is net, `overall` gross.'),
  overall: money,
});

const Ids = (description: string) => Type.Array(Type.Integer(), { description });

export const ForecastSchema = Named(
  'Forecast',
  Closed({
    asPlanned: Type.Array(MonthSchema, { description: 'By what is known today.' }),
    scenario: Nullable(Type.Array(MonthSchema), 'By what the scenario assumes. Null without one.'),
    discountLost: Ids(
      'Ids of employees whose ticket costs more because the company pays too little of the price for the discount in the last month: compared with `asPlanned`, or without a scenario with today.',
    ),
    discountGained: Ids('Ids of employees whose ticket gets the discount.'),
  }),
);
export type Forecast = Static<typeof ForecastSchema>;

const euros = (value: number) => ({ label: `${(value / 100).toFixed(2).replace('.', ',')} €`, value });

export const forecastExample: Forecast = {
  asPlanned: [
    {
      period: '2026-12-01',
      tickets: 2,
      ticketCharges: { company: euros(9970), employee: euros(2000), overall: euros(11_970) },
      fees: { total: euros(300), tax: euros(57), overall: euros(357) },
      overall: euros(12_327),
    },
  ],
  scenario: null,
  discountLost: [],
  discountGained: [],
};
