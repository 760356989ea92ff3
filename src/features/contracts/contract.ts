import { type Static, Type } from 'typebox';
import { agreementStates } from '../../domain/choices.ts';
import {
  actorTypes,
  consentWays,
  contractDecisions,
  contractStatuses,
  planTypes,
  subscriptionStatuses,
} from '../../domain/enums.ts';
import { pagingParameters, searchParameter } from '../../platform/http/paging.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import {
  DataOf,
  Enum,
  MoneySchema,
  maxInteger,
  Nullable,
  NullableObject,
  PageOf,
  PlainDate,
  Timestamp,
} from '../../platform/http/schemas.ts';
import { EffectsSchema } from '../billing/contract.ts';
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
        hrIntegrationId: Type.Optional(Type.Integer({ minimum: 1, maximum: maxInteger })),
        agreementStates: Type.Optional(
          Type.Array(Enum(agreementStates), {
            minItems: 1,
            description: 'Every employee that the list of agreements shows. Only `search` can be combined with it.',
          }),
        ),
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
  effects: EffectsSchema,
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
  skipped: Type.Integer({ description: 'Selected employees to which it does not apply.' }),
  remaining: Type.Integer({ description: 'Selected employees who got no link yet.' }),
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

export const AgreementsQuery = Type.Object({
  search: Type.Optional(searchParameter('a name or email address; or all of it is an HR id or a ticket number')),
  states: Type.Optional(Type.Array(Enum(agreementStates), { description: 'Only agreements in these states.' })),
  page: pagingParameters.page,
  perPage: { ...pagingParameters.perPage, default: 25 },
  sortField: Enum(['name', 'sentAt'], { default: 'name' }),
  sortOrder: pagingParameters.sortOrder,
});

export type AgreementsQuery = Static<typeof AgreementsQuery>;

const AgreementSchema = Closed({
  employeeId: Type.Integer(),
  firstName: Type.String(),
  lastName: Type.String(),
  email: Type.String(),
  state: Enum(agreementStates),
  sentAt: Nullable(Timestamp('When the link was created.')),
  openedAt: Nullable(Timestamp('When the employee first opened the link.')),
  expiresAt: Nullable(Timestamp('When the link stops working.')),
  remindedOn: Nullable(PlainDate('The day of the last reminder of this link.')),
  decision: Nullable(
    Closed({
      at: Timestamp('When it was signed or recorded.'),
      given: Nullable(Enum(consentWays), 'How the employee agreed. Null if that is not known.'),
      givenOn: Nullable(PlainDate('The day on which the employee agreed.')),
      by: Closed({ type: Enum(actorTypes), name: Nullable(Type.String(), 'The name of the user or the key.') }),
    }),
  ),
});

export type Agreement = Static<typeof AgreementSchema>;

export const AgreementsPageSchema = DataOf(
  Closed({
    ...PageOf(AgreementSchema).properties.data.properties,
    progress: Closed(
      { total: Type.Integer(), accepted: Type.Integer(), open: Type.Integer(), rejected: Type.Integer() },
      'All agreements of the company, whatever the filters are.',
    ),
  }),
);

export type AgreementsPage = Static<typeof AgreementsPageSchema>;

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
