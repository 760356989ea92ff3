import { type Static, Type } from 'typebox';
import {
  contractStatuses,
  invitationStates,
  joiningWays,
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
  Reference,
  Timestamp,
} from '../../platform/http/schemas.ts';

/** Why an employee is not invited. */
export const uninvitedReasons = [
  'subscribed',
  'not-in-roster',
  'opted-out',
  'employment-ends',
  'ended-by-company',
  'not-possible',
  'invited-today',
  'invited',
  'declined',
  'ended',
] as const;
export type UninvitedReason = (typeof uninvitedReasons)[number];

const InvitationSchema = Closed({
  employeeId: Type.Integer(),
  firstName: Type.String(),
  lastName: Type.String(),
  email: Type.String(),
  state: Enum(invitationStates),
  invitedAt: Timestamp('When the employee was invited last.'),
  openedAt: Nullable(Timestamp('When the link was first opened.')),
  joinedAt: Nullable(Timestamp('When the employee was subscribed after the invitation.')),
  declinedAt: Nullable(Timestamp('When the employee declined.')),
  letteredAt: Nullable(Timestamp('When a letter was printed last.')),
  remindedOn: Nullable(PlainDate('The day of the last reminder.')),
  validUntil: PlainDate('The last day on which the link works.'),
  isExpired: Type.Boolean({ description: 'Whether that day is over.' }),
});
export type Invitation = Static<typeof InvitationSchema>;

const counts = Closed({
  invited: Type.Integer(),
  opened: Type.Integer(),
  joined: Type.Integer(),
  declined: Type.Integer(),
  unreachable: Type.Integer(),
});

export const CampaignSchema = Closed({
  joining: Enum(joiningWays),
  inviteAutomatically: Type.Boolean(),
  isMailConfigured: Type.Boolean({ description: 'Whether invitations can be sent by mail.' }),
  uninvited: Type.Integer({ description: 'Employees who never had a subscription or an invitation, at most 10,000.' }),
  counts,
  offer: Closed({
    planType: Enum(planTypes),
    dependsOnPolicy: Type.Boolean({
      description: 'Whether other policies apply to some employees: this is the default.',
    }),
    ticketPrice: Reference(MoneySchema),
    companyAmount: Reference(MoneySchema),
    employeeAmount: Reference(MoneySchema),
  }),
});
export type Campaign = Static<typeof CampaignSchema>;

export const InvitationsQuery = Type.Object({
  search: Type.Optional(searchParameter('a name or email address; or all of it is an HR id or a ticket number')),
  states: Type.Optional(Type.Array(Enum(invitationStates), { description: 'Only invitations in these states.' })),
  page: pagingParameters.page,
  perPage: { ...pagingParameters.perPage, default: 25 },
  sortField: Enum(['name', 'invitedAt'], { default: 'name' }),
  sortOrder: pagingParameters.sortOrder,
});
export type InvitationsQuery = Static<typeof InvitationsQuery>;

export const InvitationsPageSchema = DataOf(PageOf(InvitationSchema).properties.data);
export type InvitationsPage = Static<typeof InvitationsPageSchema>;

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
        invitationStates: Type.Optional(
          Type.Array(Enum(invitationStates), {
            minItems: 1,
            description: 'Every employee that the list of invitations shows. Only `search` can be combined with it.',
          }),
        ),
      },
      'Without `employeeIds`: every employee that the list shows with this filter.',
    ),
  ),
};

export const SelectionBody = Closed(selection, 'Without any field: every employee without a subscription.');
export type Selection = Static<typeof SelectionBody>;

export const InviteBody = Closed({
  ...selection,
  confirm: Type.Integer({ minimum: 1, description: 'Repeats the number of employees that can be invited.' }),
});
export type InviteBody = Static<typeof InviteBody>;

/** The file of so many letters takes seconds and some megabytes. More are printed by further requests. */
export const maxLetters = 250;

/** How many employees a preview names. */
export const maxNamed = 200;

export const InvitePreviewSchema = Closed({
  employees: Type.Integer({ description: 'How many are selected.' }),
  invitable: Type.Integer({ description: 'How many of them are invited.' }),
  companyAmount: NullableObject(MoneySchema, 'What one of them costs the company. Null: it depends on their policies.'),
  employeeAmount: NullableObject(MoneySchema, 'What one of them pays. Null: it depends on their policies.'),
  monthly: Closed(
    { company: Reference(MoneySchema), employees: Reference(MoneySchema) },
    'What all of them cost per month if everybody joins: the company with fees, and the employees together.',
  ),
  firstMonth: Nullable(PlainDate('The first month with a ticket of who joins today.')),
  refusals: Type.Array(Closed({ reason: Enum(uninvitedReasons), employees: Type.Integer() }), {
    description: 'Why the others are not invited.',
  }),
  named: Type.Array(
    Closed({
      employeeId: Type.Integer(),
      name: Type.String(),
      email: Type.String(),
      refusal: Nullable(Enum(uninvitedReasons), 'Null: is invited.'),
    }),
    { description: `The first ${maxNamed}: those who are invited, then the others.` },
  ),
});
export type InvitePreview = Static<typeof InvitePreviewSchema>;

export const InvitedSchema = Closed({
  invited: Type.Integer(),
  mailed: Type.Integer({ description: 'How many mails were written.' }),
});
export type Invited = Static<typeof InvitedSchema>;

export const RemindedSchema = Closed({
  reminded: Type.Integer(),
  skipped: Type.Integer({ description: 'Those who cannot be reminded, or were today.' }),
});
export type Reminded = Static<typeof RemindedSchema>;

export const PrintBody = Closed({
  ...selection,
  after: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Continues: the `continueAfter` of the last response.' }),
  ),
});
export type PrintBody = Static<typeof PrintBody>;

export const PrintedSchema = Closed({
  created: Type.Integer(),
  skipped: Type.Integer({ description: 'Selected employees who cannot join.' }),
  remaining: Type.Integer({ description: 'Selected employees who got no letter yet.' }),
  continueAfter: Nullable(Type.Integer(), 'Send this as `after` to print letters for the remaining employees.'),
  file: Nullable(Type.String(), 'The PDF file in Base64, a page per employee. Null: there is nobody to write to.'),
});
export type Printed = Static<typeof PrintedSchema>;
