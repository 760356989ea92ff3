import { type Static, Type } from 'typebox';
import { contractDecisions, contractStatuses, planTypes, subscriptionStatuses } from '../../domain/enums.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import { Enum, MoneySchema, Nullable, NullableObject, Timestamp } from '../../platform/http/schemas.ts';
import { ConsentSchema } from '../employees/contract.ts';

/** Each link is made, and perhaps mailed, while the user waits. More are made by further requests. */
export const maxLinks = 2_000;

const selection = {
  employeeIds: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: 1_000, description: 'These employees.' }),
  ),
  filter: Type.Optional(
    Closed(
      {
        search: Type.Optional(Type.String({ maxLength: 500 })),
        subscriptionStatuses: Type.Optional(Type.Array(Enum(subscriptionStatuses), { minItems: 1 })),
        planTypes: Type.Optional(Type.Array(Enum(planTypes), { minItems: 1 })),
        contractStatuses: Type.Optional(Type.Array(Enum(contractStatuses), { minItems: 1 })),
      },
      'Without `employeeIds`: every employee that the list shows with this filter.',
    ),
  ),
};

const SelectionBody = Closed(selection);

export type Selection = Static<typeof SelectionBody>;

export const LinksBody = Closed({
  ...selection,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxLinks, default: maxLinks, description: 'The most links to create.' }),
  ),
  after: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Continues: the `continueAfter` of the last response.' }),
  ),
});

export type LinksBody = Static<typeof LinksBody>;

export const PreviewDecisionsBody = Closed({ decision: Enum(contractDecisions), ...selection });

export type PreviewDecisionsBody = Static<typeof PreviewDecisionsBody>;

export const DecideContractsBody = Closed({
  decision: Enum(contractDecisions),
  ...selection,
  consent: Type.Optional(ConsentSchema),
  confirm: Type.Integer({ minimum: 1, description: 'Repeats the number of employees that the decision applies to.' }),
});

export type DecideContractsBody = Static<typeof DecideContractsBody>;

export const ContractsPreviewSchema = Closed({
  employees: Type.Integer({ description: 'How many are selected.' }),
  applicable: Type.Integer({ description: 'How many of them the decision applies to.' }),
  ended: Type.Integer({ description: 'How many subscriptions it ends or keeps from starting.' }),
  refusals: Type.Array(Closed({ code: Type.String(), employees: Type.Integer() }), {
    description: 'Why it does not apply to the others.',
  }),
});

export type ContractsPreview = Static<typeof ContractsPreviewSchema>;

export const ContractBatchSchema = Closed({
  id: Type.Integer(),
  decision: Enum(contractDecisions),
  total: Type.Integer(),
  decided: Type.Integer(),
  refused: Type.Integer({ description: 'Employees whose contract could no longer be decided.' }),
  finishedAt: Nullable(Timestamp('When the last employee was decided.')),
});

export type ContractBatch = Static<typeof ContractBatchSchema>;

export const SigningLinksSchema = Closed({
  created: Type.Integer(),
  mailed: Type.Boolean({ description: 'Whether the links are sent by mail. Otherwise they are listed, this once.' }),
  skipped: Type.Integer({ description: 'Selected employees without a pending contract.' }),
  remaining: Type.Integer({ description: 'Selected employees with a pending contract who got no link yet.' }),
  continueAfter: Nullable(Type.Integer(), 'Send this as `after` to create links for the remaining employees.'),
  links: Type.Array(
    Closed({
      employeeId: Type.Integer(),
      name: Type.String(),
      email: Type.String(),
      url: Type.String(),
      expiresAt: Timestamp('When the link stops working.'),
    }),
  ),
});

export type SigningLinks = Static<typeof SigningLinksSchema>;

export const SigningParams = Type.Object({ token: Type.String({ minLength: 1, maxLength: 100 }) });

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the agreement as PDF.' });

export const SigningOfferSchema = Closed({
  companyName: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  planType: Enum(planTypes),
  monthlyAmount: NullableObject(MoneySchema, 'What the employee pays per month, if it is a fixed amount.'),
  contractStatus: Nullable(Enum(contractStatuses)),
  signature: Nullable(Closed({ decision: Enum(contractDecisions), decidedAt: Timestamp('When.') })),
  documentSha256: Hash,
});

export type SigningOffer = Static<typeof SigningOfferSchema>;

export const SignBody = Closed({ decision: Enum(contractDecisions), documentSha256: Hash });

export type SignBody = Static<typeof SignBody>;
