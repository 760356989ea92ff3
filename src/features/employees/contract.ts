import { type Static, type TProperties, Type } from 'typebox';
import { correctableFields, handFields } from '../../domain/employee.ts';
import {
  actorTypes,
  consentWays,
  contractStatuses,
  hrLinkTypes,
  lateCauses,
  planTypes,
  policyReasons,
  subscriptionStatuses,
} from '../../domain/enums.ts';
import { changeSources } from '../../domain/subscription/sources.ts';
import { causes, decisions } from '../../domain/subscription/transitions.ts';
import { exampleLinks } from '../../platform/http/links.ts';
import { MessageSchema } from '../../platform/http/message-schema.ts';
import { pagingParameters, searchParameter } from '../../platform/http/paging.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import {
  DataOf,
  Enum,
  LinkSchema,
  MoneySchema,
  maxInteger,
  Named,
  Nullable,
  NullableObject,
  PageOf,
  PlainDate,
  Reference,
  Timestamp,
  withoutNul,
} from '../../platform/http/schemas.ts';
import { SubscriptionSchema } from '../../platform/http/subscription-schema.ts';
import { EffectsSchema, ExplainedItemSchema } from '../billing/contract.ts';
import { EmployeeDocumentSchema } from '../documents/contract.ts';
import { nextSteps } from './rules/answer.ts';

const PlanSchema = Closed({
  type: Enum(planTypes),
  contractSigningStatus: Nullable(Enum(contractStatuses), 'Null if the plan needs no contract.'),
  employeeContributionAmount: NullableObject(
    MoneySchema,
    'Amount the employee pays. Null unless the plan is `split-pay-plan`.',
  ),
});

const TicketSchema = Closed({
  ticketId: Type.String({
    description:
      'Month and employee. Unique in the environment. Staging and production number their employees separately, so a ticket has another id there.',
    examples: ['DT-202611-000001'],
  }),
  ticketMonth: Type.String({
    pattern: '^\\d{4}-\\d{2}$',
    description: 'Month of validity, YYYY-MM.',
    examples: ['2026-11'],
  }),
  validFrom: PlainDate('First day of validity.'),
  validUntil: PlainDate('Last day of validity.', ['2026-11-30']),
  links: Closed({
    apple: Type.String({ description: 'Pass for Apple Wallet.' }),
    google: Type.String({ description: 'Pass for Google Wallet.' }),
  }),
});

const HrLinkSchema = Closed({
  type: Enum(hrLinkTypes, { description: '`custom`: linked manually; `hr-integration`: linked by a sync.' }),
  hrId: Type.String({ description: "The employee's id in the HR system." }),
  hrIntegrationId: Nullable(Type.Integer(), 'Null for `custom` links.'),
  lastSyncId: Nullable(Type.String(), 'The last sync that contained the employee. Null if there is none.'),
  lastSynced: Nullable(Timestamp('When that sync was applied. Null if never.')),
});

export const EmployeeSchema = Named(
  'Employee',
  Closed({
    id: Type.Integer(),
    firstName: Type.String(),
    lastName: Type.String(),
    email: Type.String(),
    dateOfBirth: Nullable(PlainDate('Null if unknown.', ['1990-04-23'])),
    profileImage: Nullable(Type.String(), 'URL of a photo. Null if there is none.'),
    resource: Enum(['employee']),
    subscription: SubscriptionSchema,
    plan: PlanSchema,
    ticket: NullableObject(TicketSchema, 'The ticket valid today. Null if there is none.'),
    // The specification spells this field exactly like this.
    hrIntergartionLinks: Type.Array(HrLinkSchema, {
      description: 'The spelling is part of the contract. Empty if there are no links.',
    }),
    _links: Closed({ self: Reference(LinkSchema), employeeDocuments: Reference(LinkSchema) }),
  }),
);
export type Employee = Static<typeof EmployeeSchema>;

const Status = Enum(subscriptionStatuses);

const anything = Type.Unsafe<unknown>({});

export const SubscriptionHistoryEntrySchema = Named(
  'SubscriptionHistoryEntry',
  Closed({
    knownOn: PlainDate('When the service learnt of it.'),
    effectiveOn: PlainDate('When it takes effect.'),
    source: Enum(changeSources, { description: 'Where it came from.' }),
    cause: Enum(causes, { description: 'What happened.' }),
    rule: Type.String({ description: 'Stable id of the rule.', examples: ['end-after-cut-off'] }),
    detail: Type.String({ description: 'The rule as a sentence.' }),
    from: Status,
    to: Status,
    fields: Type.Array(Closed({ field: Type.String(), from: anything, to: anything }), {
      description:
        'What changed in the subscription and the plan: fields of `subscription` and, after `plan.`, of `plan` in the employee record. The amount is in cents.',
    }),
    lateCharges: Type.Array(
      Closed({
        cause: Enum(lateCauses, { description: 'What became known too late.' }),
        rule: Type.String({ description: 'Stable id of the rule.', examples: ['late-termination'] }),
        detail: Type.String({ description: 'What the tickets cost, and the proposed correction.' }),
        effectiveAt: PlainDate('The first of the months without need of a ticket.'),
      }),
      {
        description:
          'Tickets that were charged for months for which a termination or an absence became known too late, and that were not corrected. Stands in the newest entry with this cause, or in the newest one if there is none. Empty for keys without `view-billing`.',
      },
    ),
    actor: Enum(actorTypes, { description: 'Who caused it.' }),
    syncId: Nullable(Type.String(), 'The sync that caused it. Null if none did.'),
    hrIntegrationId: Nullable(Type.Integer(), 'The integration of that sync.'),
    recordedAt: Timestamp('When the change was recorded.'),
    resource: Enum(['subscription-history-entry']),
    _links: Closed({
      self: Reference(LinkSchema),
      employee: Reference(LinkSchema),
      sync: Type.Optional(Reference(LinkSchema)),
    }),
  }),
);
export type SubscriptionHistoryEntry = Static<typeof SubscriptionHistoryEntrySchema>;

export const HistoryQuery = Type.Object({ ...pagingParameters });

const employeeSortFields = ['id', 'createdAt', 'updatedAt'] as const;

export const EmployeesQuery = Type.Object({
  search: Type.Optional(searchParameter('a first name, last name or email address')),
  ...pagingParameters,
  sortField: Enum(employeeSortFields, { default: 'id', description: 'Field to sort by.' }),
  ids: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: maxInteger }), {
      description: 'Only employees with one of these ids.',
    }),
  ),
  emails: Type.Optional(
    Type.Array(Type.String(withoutNul), {
      splitAtCommas: false,
      description:
        'Only employees with one of these email addresses. Case and Unicode normalization form are ignored. Repeat the parameter for several addresses.',
    }),
  ),
  hrIds: Type.Optional(
    Type.Array(Type.String({ maxLength: 255, ...withoutNul }), {
      description: 'Only employees with one of these HR ids, exactly as they were pushed.',
    }),
  ),
  hrIntegrationId: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: maxInteger,
      description: 'Only employees linked by this HR integration. With `hrIds`: linked under one of those ids.',
    }),
  ),
  subscriptionStatuses: Type.Optional(
    Type.Array(Enum(subscriptionStatuses), {
      description: 'Only employees whose subscription has one of these statuses.',
    }),
  ),
  planTypes: Type.Optional(Type.Array(Enum(planTypes), { description: 'Only employees with one of these plans.' })),
});
export type EmployeesQuery = Static<typeof EmployeesQuery>;

export const employeeExample: Employee = {
  id: 1,
  firstName: 'Anna',
  lastName: 'Müller',
  email: 'anna.mueller@example.com',
  dateOfBirth: '1990-04-23',
  profileImage: null,
  resource: 'employee',
  subscription: {
    status: 'active',
    startAt: '2026-02-01',
    nextTicketAt: '2026-12-01',
    pausedAt: null,
    cancelledAt: null,
    reactivatedAt: null,
    upcoming: null,
  },
  plan: {
    type: 'split-pay-plan',
    contractSigningStatus: 'accepted',
    employeeContributionAmount: { label: '20,00 €', value: 2000 },
  },
  ticket: {
    ticketId: 'DT-202611-000001',
    ticketMonth: '2026-11',
    validFrom: '2026-11-01',
    validUntil: '2026-11-30',
    links: {
      apple: 'http://localhost:3000/v1/wallet/apple/1.Vb8T0l8Hn2qkqk1dYJqGx3m5rU0c6bq3Wn9tYzKQeLs',
      google: 'http://localhost:3000/v1/wallet/google/1.Vb8T0l8Hn2qkqk1dYJqGx3m5rU0c6bq3Wn9tYzKQeLs',
    },
  },
  hrIntergartionLinks: [
    {
      type: 'hr-integration',
      hrId: 'E-1001',
      hrIntegrationId: 1,
      lastSyncId: '2026-11-14T02:00',
      lastSynced: '2026-11-14T02:00:04Z',
    },
  ],
  _links: {
    self: exampleLinks.employee(1),
    employeeDocuments: exampleLinks.employeeDocuments(1),
  },
};

export const subscriptionHistoryExample: SubscriptionHistoryEntry = {
  knownOn: '2026-11-14',
  effectiveOn: '2027-01-01',
  source: 'sync',
  cause: 'termination',
  rule: 'end-after-cut-off',
  detail:
    'Leaves on 30 November 2026, known on the 14th, after the cut-off on the 10th: takes effect on 1 January 2027 instead of 1 December 2026.',
  from: 'active',
  to: 'scheduled-cancellation',
  fields: [{ field: 'upcoming', from: null, to: { type: 'cancellation', at: '2027-01-01' } }],
  lateCharges: [],
  actor: 'key',
  syncId: '2026-11-14T02:00',
  hrIntegrationId: 1,
  recordedAt: '2026-11-14T02:00:04Z',
  resource: 'subscription-history-entry',
  _links: {
    self: exampleLinks.subscriptionChange(1, 1),
    employee: exampleLinks.employee(1),
    sync: exampleLinks.sync(1, '2026-11-14T02:00'),
  },
};

const group = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    ...withoutNul,
    description: 'Only employees of this group of the roster.',
  }),
);

export const EmployeeGroupsSchema = Type.Array(Closed({ group: Type.String(), employees: Type.Integer() }), {
  description: 'The groups of the roster, by name. The first 500.',
});
export type EmployeeGroups = Static<typeof EmployeeGroupsSchema>;

export const ListedEmployeesQuery = Type.Object({
  ...EmployeesQuery.properties,
  search: Type.Optional(searchParameter('a name or email address; or all of it is an HR id or a ticket number')),
  contractStatuses: Type.Optional(Type.Array(Enum(contractStatuses))),
  group,
  sortField: Enum([...employeeSortFields, 'name', 'status', 'start', 'nextTicket'], { default: 'id' }),
});
export type ListedEmployees = Static<typeof ListedEmployeesQuery>;

export const PlacedEmployeesQuery = Type.Object({
  ...ListedEmployeesQuery.properties,
  /** `next` or `previous` of another page in the same order. Counts instead of `page`, and costs the same everywhere. */
  place: Type.Optional(Type.String({ pattern: '^[\\w-]{1,2000}$' })),
});
export type PlacedEmployeesQuery = Static<typeof PlacedEmployeesQuery>;

export const EmployeesPageSchema = DataOf(
  Closed({
    ...PageOf(Reference(EmployeeSchema)).properties.data.properties,
    previous: Nullable(Type.String(), 'The place of the page before this one. Null: the page is empty.'),
    next: Nullable(Type.String(), 'The place of the page after this one. Null: the page is empty.'),
  }),
);
export type EmployeesPage = Static<typeof EmployeesPageSchema>;

const {
  lateCharges: _late,
  actor: _actor,
  resource: _resource,
  _links: _historyLinks,
  ...changeFields
} = SubscriptionHistoryEntrySchema.properties;

export const SubscriptionChangeSchema = Closed({
  ...changeFields,
  message: NullableObject(MessageSchema, 'The sentence for other languages.'),
  actor: Closed({
    type: Enum(actorTypes),
    name: Nullable(Type.String(), 'The name of the key or the user. Null for the operator and the service.'),
    username: Nullable(Type.String(), 'Of a key.'),
  }),
});
export type SubscriptionChange = Static<typeof SubscriptionChangeSchema>;

const PastTicketSchema = Closed({
  ticketId: Type.String(),
  month: Type.String({ examples: ['2026-11'] }),
  validFrom: PlainDate('First day of validity.'),
  validUntil: PlainDate('Last day of validity.'),
});

const AbsenceSchema = Closed({
  startDate: PlainDate('First day.'),
  endDate: Nullable(PlainDate('Last day, or null without an end.')),
  approved: Type.Boolean(),
  byHand: Type.Optional(Type.Literal(true, { description: 'A user has entered it, and no roster.' })),
});

const AnswerSchema = Closed(
  {
    sentence: Reference(MessageSchema),
    reasons: Type.Array(Reference(MessageSchema)),
    nextTicketAt: Nullable(PlainDate('When the next ticket will be issued, or null.')),
    lastTicket: Nullable(PlainDate('The month of the last ticket, if the subscription ends.')),
    lastDeduction: Nullable(PlainDate('The last month of which the employee pays a part, if the subscription ends.')),
    nextStep: Nullable(Enum(nextSteps)),
  },
  'Whether the employee has a ticket, why, until when, and what to do next.',
);

/** What users have changed about an employee besides the subscription. Entries of the audit log, in their words. */
export const handActions = ['add', 'change', 'link', 'unlink', 'remove'] as const;

const HandChangeSchema = Closed({
  action: Enum(handActions),
  changes: Type.Array(Closed({ field: Type.String(), from: anything, to: anything })),
  recordedAt: Timestamp('When.'),
  actor: SubscriptionChangeSchema.properties.actor,
});
export type HandChange = Static<typeof HandChangeSchema>;

export const EmployeeDetailsSchema = Closed({
  employee: Reference(EmployeeSchema),
  answer: AnswerSchema,
  absences: Type.Array(AbsenceSchema),
  startDate: Nullable(PlainDate('First day of employment, if known.')),
  terminationDate: Nullable(PlainDate('Last day of employment, if there is one.')),
  personnelNumber: Nullable(Type.String(), 'The number in payroll, if it differs from the HR id.'),
  group: Nullable(Type.String(), 'The group of the roster, or entered by hand.'),
  policy: NullableObject(
    Closed({ id: Type.Integer(), name: Type.String(), reason: Enum(policyReasons) }),
    'The benefit policy that applies today, and why. Null: the company has only its settings.',
  ),
  planChange: NullableObject(
    Closed({
      from: PlainDate('The first day of the new plan.'),
      planType: Enum(planTypes),
      employeeContributionAmount: NullableObject(MoneySchema, 'Null unless the plan is split pay.'),
    }),
    'The plan that is to apply to the subscription. Null: none.',
  ),
  setByHand: Type.Array(Enum(handFields), { description: 'What a user has entered. Rosters without a value keep it.' }),
  rosterFields: Type.Array(Enum(correctableFields), { description: 'What only a roster may change.' }),
  handChanges: Type.Array(HandChangeSchema, { description: 'Newest first.' }),
  history: Type.Array(SubscriptionChangeSchema, { description: 'Newest first.' }),
  lateCharges: Type.Array(Reference(MessageSchema), { description: 'As in the history of the public API.' }),
  documents: Type.Array(Reference(EmployeeDocumentSchema)),
  tickets: Type.Array(PastTicketSchema, { description: 'Newest first.' }),
  charges: Type.Array(ExplainedItemSchema),
  /** Those that are allowed now and would change something. */
  decisions: Type.Array(Enum(decisions)),
});
export type EmployeeDetails = Static<typeof EmployeeDetailsSchema>;

const Text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, ...withoutNul, description });

export const CustomLinkBody = Closed({ hrId: Text(255, 'The id of the employee in the HR system.') });
export type CustomLinkBody = Static<typeof CustomLinkBody>;

const names = {
  firstName: Text(200, 'First name.'),
  lastName: Text(200, 'Last name.'),
  email: Text(254, 'Email address, of no other employee.'),
};
const dates = {
  dateOfBirth: Nullable(PlainDate('Date of birth.')),
  startDate: Nullable(PlainDate('First day of employment. Null: employed already.')),
};
const personnelNumber = Nullable(
  Type.String({ maxLength: 50, ...withoutNul }),
  'The number in payroll, if it differs from the HR id.',
);
const handGroup = Nullable(
  Type.String({ maxLength: 100, ...withoutNul }),
  'Their group, such as a site. A benefit policy can apply to a group.',
);

export const NewEmployeeBody = Closed({
  ...names,
  hrId: Nullable(Type.String({ maxLength: 255, ...withoutNul }), 'A custom HR id, by which payroll knows them.'),
  ...dates,
  personnelNumber: Type.Optional(personnelNumber),
  group: Type.Optional(handGroup),
  subscribe: Type.Boolean({ description: 'Whether to subscribe them.' }),
});
export type NewEmployeeBody = Static<typeof NewEmployeeBody>;

/** What is absent stays as it is. */
export const EmployeeChangesBody = Closed({
  ...Type.Partial(
    Closed({
      ...names,
      ...dates,
      personnelNumber,
      group: handGroup,
      terminationDate: Nullable(PlainDate('Last day of employment.')),
      absences: Type.Array(
        Closed({
          startDate: PlainDate('First day.'),
          endDate: Nullable(PlainDate('Last day, or null without an end.')),
        }),
        { maxItems: 100, description: 'All absences that users have entered. Those of rosters stay.' },
      ),
      remove: Type.Boolean({ description: 'Whether to remove the employee, as if missing from a roster.' }),
    }),
  ).properties,
});
export type EmployeeChangesBody = Static<typeof EmployeeChangesBody>;

/** How an employee agreed. Absent: only that it was recorded is known. */
export const ConsentSchema = Closed({ given: Enum(consentWays), on: PlainDate('When the employee agreed.') });

export const PreviewDecisionBody = Closed({ decision: Enum(decisions) });
export type PreviewDecisionBody = Static<typeof PreviewDecisionBody>;

export const DecisionBody = Closed({
  decision: Enum(decisions),
  consent: Type.Optional(ConsentSchema),
  documentId: Type.Optional(Type.Integer({ description: 'The scan of the signed contract.' })),
});
export type DecisionBody = Static<typeof DecisionBody>;

export const DecisionPreviewSchema = Closed({
  refusal: NullableObject(MessageSchema, 'Why the decision is not possible, or null if it is.'),
  status: Status,
  contractStatus: Nullable(Enum(contractStatuses)),
  /** The changes that the decision makes or would make. */
  changes: Type.Array(
    Closed({
      effectiveOn: PlainDate('When it takes effect.'),
      message: Reference(MessageSchema),
      from: Status,
      to: Status,
    }),
  ),
  nextTicketAt: Nullable(PlainDate('When the next ticket will be issued, or null.')),
  effects: EffectsSchema,
});
export type DecisionPreview = Static<typeof DecisionPreviewSchema>;

export const AddedEmployeeSchema = Closed({ id: Type.Integer() });
export type AddedEmployee = Static<typeof AddedEmployeeSchema>;

/** What narrows the list of employees. */
export const employeeFilter = {
  search: Type.Optional(Type.String({ maxLength: 500 })),
  subscriptionStatuses: Type.Optional(Type.Array(Enum(subscriptionStatuses), { minItems: 1 })),
  planTypes: Type.Optional(Type.Array(Enum(planTypes), { minItems: 1 })),
  contractStatuses: Type.Optional(Type.Array(Enum(contractStatuses), { minItems: 1 })),
  hrIntegrationId: Type.Optional(Type.Integer({ minimum: 1, maximum: maxInteger })),
  group,
};

const everyFiltered = 'Without `employeeIds`: every employee that the list shows with this filter.';

/** Returns how a user selects employees: one by one, or all that the list shows. */
export const selectionBy = <Filter extends TProperties>(filter: Filter) => ({
  employeeIds: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: 1_000, description: 'These employees.' }),
  ),
  filter: Type.Optional(Closed(filter, everyFiltered)),
});

export const employeeSelection = selectionBy(employeeFilter);
const EmployeeSelectionSchema = Closed(employeeSelection);
export type EmployeeSelection = Static<typeof EmployeeSelectionSchema>;

const groupWanted = { ...employeeSelection, group: handGroup };
export const PreviewGroupBody = Closed(groupWanted);
export type PreviewGroupBody = Static<typeof PreviewGroupBody>;

export const GroupBody = Closed({
  ...groupWanted,
  confirm: Type.Integer({ minimum: 1, description: 'Repeats the number of employees whose group changes.' }),
});
export type GroupBody = Static<typeof GroupBody>;

export const GroupPreviewSchema = Closed({
  changed: Type.Integer({ description: 'For how many the group changes.' }),
  unchanged: Type.Integer({ description: 'How many are in it already.' }),
  ofRoster: Type.Integer({ description: 'How many have another one in their roster. It stays.' }),
});
export type GroupPreview = Static<typeof GroupPreviewSchema>;
