import { type Static, Type } from 'typebox';
import { agreementStates } from '../../domain/choices.ts';
import { actorTypes, consentWays, contractDecisions, contractStatuses, planTypes } from '../../domain/enums.ts';
import { pagingParameters, searchParameter } from '../../platform/http/paging.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import {
  DataOf,
  Enum,
  MoneySchema,
  Nullable,
  NullableObject,
  PageOf,
  PlainDate,
  Timestamp,
} from '../../platform/http/schemas.ts';
import { EffectsSchema } from '../billing/contract.ts';
import { ConsentSchema, employeeFilter, selectionBy } from '../employees/contract.ts';

/** Each link is made, and perhaps mailed, while the user waits. More are made by further requests. */
export const maxLinks = 2_000;

const selection = selectionBy({
  ...employeeFilter,
  agreementStates: Type.Optional(
    Type.Array(Enum(agreementStates), {
      minItems: 1,
      description: 'Every employee that the list of agreements shows. Only `search` can be combined with it.',
    }),
  ),
});

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

/** The letters of one file. They are rendered while the user waits. */
export const maxLetters = 250;

export const LettersBody = Closed({ ...selection, after: LinksBody.properties.after });

export type LettersBody = Static<typeof LettersBody>;

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

const { created, skipped, remaining, continueAfter } = SigningLinksSchema.properties;

export const SigningLettersSchema = Closed({
  ...{ created, skipped, remaining, continueAfter },
  file: Nullable(
    Type.String(),
    'The PDF file in Base64, a page per employee. Null if nobody of the selection can sign.',
  ),
});

export type SigningLetters = Static<typeof SigningLettersSchema>;

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
