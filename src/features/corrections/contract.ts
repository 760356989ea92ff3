import { type Static, Type } from 'typebox';
import { chargeTypes, lateCauses } from '../../domain/enums.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import {
  Enum,
  MoneySchema,
  maxInteger,
  Named,
  Nullable,
  NullableObject,
  PlainDate,
  Reference,
  Timestamp,
  withoutNul,
} from '../../platform/http/schemas.ts';
import { ExplainedItemSchema } from '../billing/contract.ts';
import { correctionReasons } from '../billing/rules/correction-reasons.ts';

/** How many charges one request may correct. */
export const mostCorrected = 1_000;
/** So many ids of 16 digits, and the reason. */
export const maxCorrectionsBytes = 32 * 1024;

const FirstOfMonth = (description: string) =>
  Type.String({ format: 'first-of-month', description, examples: ['2026-10-01'] });

const ItemId = Type.Integer({ minimum: 0, maximum: maxInteger });

export const CorrectionsBody = Named(
  'NewBillingCorrections',
  Type.Object(
    {
      items: Type.Optional(
        Type.Array(ItemId, {
          minItems: 1,
          maxItems: mostCorrected,
          uniqueItems: true,
          description: 'Ids of billing items. Instead of `employeeId`.',
        }),
      ),
      employeeId: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: maxInteger,
          description: 'Corrects the ticket charges of this employee, for tickets of the months from `from` to `to`.',
        }),
      ),
      from: Type.Optional(FirstOfMonth('First month of the tickets. Required with `employeeId`.')),
      to: Type.Optional(FirstOfMonth('Last month of the tickets, inclusive. Default: all later ones.')),
      reason: Type.String({
        minLength: 1,
        maxLength: 200,
        ...withoutNul,
        description: `Why, in any words, or one of the codes ${correctionReasons.map((code) => `\`${code}\``).join(', ')}, which have a sentence in every language.`,
      }),
    },
    { additionalProperties: false, examples: [{ items: [17], reason: 'refunded' }] },
  ),
);
export type CorrectionsBody = Static<typeof CorrectionsBody>;

/** What becomes of a charge. A correction of a correction is not possible. */
const outcomes = ['corrected', 'already-corrected', 'is-correction', 'not-found'] as const;

export const CorrectionsSchema = Named(
  'BillingCorrections',
  Closed({
    period: PlainDate('First day of the month in which the corrections are made. The months of their charges stay.'),
    reason: Type.String({ description: 'The reason as it is stored.' }),
    corrected: Type.Integer({ description: 'How many charges are corrected by this request.' }),
    overall: Reference(MoneySchema),
    items: Type.Array(
      Closed({
        id: Type.Integer({ description: 'Id of the charge.' }),
        outcome: Enum(outcomes, {
          description:
            '`already-corrected`: by an earlier request, so nothing changes. `is-correction`: it cannot be corrected.',
        }),
        chargeType: Nullable(Enum(chargeTypes)),
        period: Nullable(PlainDate('First day of the month in which the charge was billed.')),
        employeeId: Nullable(Type.Integer()),
        overall: NullableObject(MoneySchema, 'What the correction adds to the invoice: the negated gross amount.'),
        correctionId: Nullable(
          Type.Integer(),
          'Id of the billing item that corrects the charge. Null in a dry run, and if nothing corrects it.',
        ),
      }),
      { description: 'In the order of their ids.' },
    ),
    resource: Type.Literal('billing-corrections'),
  }),
);
export type Corrections = Static<typeof CorrectionsSchema>;

export const correctionsExample: Corrections = {
  period: '2026-11-01',
  reason: 'The ticket could not be used and was refunded.',
  corrected: 1,
  overall: { label: '-59,85 €', value: -5985 },
  items: [
    {
      id: 17,
      outcome: 'corrected',
      chargeType: 'ticket-charge',
      period: '2026-10-01',
      employeeId: 1,
      overall: { label: '-59,85 €', value: -5985 },
      correctionId: 61,
    },
  ],
  resource: 'billing-corrections',
};

/** A charge that should be corrected, or kept because the ticket was used. */
export const ProposalSchema = Closed({
  item: ExplainedItemSchema,
  cause: Enum(lateCauses, { description: 'What became known too late.' }),
  proposedAt: Timestamp('When it became known.'),
});
export type Proposal = Static<typeof ProposalSchema>;

export const ProposalsSchema = Closed({
  total: Type.Integer({ description: 'How many there are. The first 500 are listed.' }),
  proposals: Type.Array(ProposalSchema),
});
export type Proposals = Static<typeof ProposalsSchema>;

export const KeepBody = Closed({
  items: Type.Array(ItemId, { minItems: 1, maxItems: mostCorrected, uniqueItems: true }),
});
export type KeepBody = Static<typeof KeepBody>;
