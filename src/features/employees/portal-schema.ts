import { type Static, Type } from 'typebox';
import { actorTypes, consentWays, contractStatuses, subscriptionStatuses } from '../../domain/enums.ts';
import { changeSources } from '../../domain/subscription/sources.ts';
import { causes, decisions } from '../../domain/subscription/transitions.ts';
import { MessageSchema } from '../../platform/http/message-schema.ts';
import { searchParameter } from '../../platform/http/paging.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import {
  DataOf,
  Enum,
  Named,
  Nullable,
  NullableObject,
  PageOf,
  PlainDate,
  Reference,
  Timestamp,
  withoutNul,
} from '../../platform/http/schemas.ts';
import { ExplainedItemSchema } from '../billing/contract.ts';
import { EmployeeDocumentSchema } from '../documents/contract.ts';
import { EmployeeSchema, EmployeesQuery, employeeSortFields } from './contract.ts';

export const ListedEmployeesQuery = Type.Object({
  ...EmployeesQuery.properties,
  search: Type.Optional(
    searchParameter(
      'a first name, last name or email address; or the whole text is an HR id or the number of a ticket',
    ),
  ),
  contractStatuses: Type.Optional(
    Type.Array(Enum(contractStatuses), { description: 'Only with one of these contracts.' }),
  ),
  sortField: Enum([...employeeSortFields, 'name', 'status', 'start', 'nextTicket'], { default: 'id' }),
});
export type ListedEmployees = Static<typeof ListedEmployeesQuery>;

export const PlacedEmployeesQuery = Type.Object({
  ...ListedEmployeesQuery.properties,
  place: Type.Optional(
    Type.String({
      pattern: '^[\\w-]{1,2000}$',
      description:
        '`next` or `previous` of another page in the same order. Counts instead of `page`, and costs the same wherever it is.',
    }),
  ),
});

export const EmployeesPageSchema = DataOf(
  Closed({
    ...PageOf(Reference(EmployeeSchema)).properties.data.properties,
    previous: Nullable(Type.String(), 'The place of the page before this one. Null: the page is empty.'),
    next: Nullable(Type.String(), 'The place of the page after this one. Null: the page is empty.'),
  }),
);

const Status = Enum(subscriptionStatuses);
const anything = Type.Unsafe<unknown>({});

const SubscriptionChangeSchema = Named(
  'SubscriptionChange',
  Closed({
    knownOn: PlainDate('When the service learnt of it.'),
    effectiveOn: PlainDate('When it takes effect.'),
    source: Enum(changeSources),
    cause: Enum(causes),
    rule: Type.String({ description: 'Stable id of the rule.' }),
    detail: Type.String({ description: 'The rule as a sentence.' }),
    message: NullableObject(MessageSchema, 'The sentence for other languages.'),
    from: Status,
    to: Status,
    fields: Type.Array(Closed({ field: Type.String(), from: anything, to: anything })),
    actor: Closed({
      type: Enum(actorTypes),
      name: Nullable(Type.String(), 'The name of the key or the user. Null for the operator and the service.'),
      username: Nullable(Type.String(), 'Of a key.'),
    }),
    syncId: Nullable(Type.String(), 'The sync that caused the change.'),
    hrIntegrationId: Nullable(Type.Integer(), 'The integration of that sync.'),
    recordedAt: Timestamp('When the change was recorded.'),
  }),
);

const TicketSchema = Closed({
  ticketId: Type.String(),
  month: Type.String({ examples: ['2026-11'] }),
  validFrom: PlainDate('First day of validity.'),
  validUntil: PlainDate('Last day of validity.'),
});

const AbsenceSchema = Closed({
  startDate: PlainDate('First day.'),
  endDate: Nullable(PlainDate('Last day, or null without an end.')),
  approved: Type.Boolean(),
});

export const EmployeeDetailsSchema = Named(
  'EmployeeDetails',
  Closed({
    employee: Reference(EmployeeSchema),
    isLeaving: Type.Boolean({ description: 'Missing from the roster, and being offboarded.' }),
    absences: Type.Array(AbsenceSchema),
    startDate: Nullable(PlainDate('First day of employment, if known.')),
    terminationDate: Nullable(PlainDate('Last day of employment, if there is one.')),
    history: Type.Array(Reference(SubscriptionChangeSchema), { description: 'Newest first.' }),
    lateCharges: Type.Array(Reference(MessageSchema), {
      description:
        'Tickets that were charged for months for which a termination or an absence became known too late, and were not corrected: what they cost, and the proposed correction.',
    }),
    documents: Type.Array(Reference(EmployeeDocumentSchema)),
    tickets: Type.Array(TicketSchema, { description: 'Newest first.' }),
    charges: Type.Array(Reference(ExplainedItemSchema)),
    decisions: Type.Array(Enum(decisions), {
      description: 'The decisions that are allowed now and would change something.',
    }),
  }),
);
export type EmployeeDetails = Static<typeof EmployeeDetailsSchema>;

const Text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, ...withoutNul, description });

export const CustomLinkBody = Closed({ hrId: Text(255, 'The id of the employee in the HR system.') });

export const NewEmployeeBody = Closed({
  firstName: Text(200, 'First name.'),
  lastName: Text(200, 'Last name.'),
  email: Text(254, 'Email address, of no other employee.'),
  hrId: Nullable(Type.String({ maxLength: 255, ...withoutNul }), 'A custom HR id, by which payroll knows them.'),
  dateOfBirth: Nullable(PlainDate('Date of birth.')),
  startDate: Nullable(PlainDate('First day of employment. Null: employed already.')),
  subscribe: Type.Boolean({ description: 'Whether to subscribe them.' }),
});

/** How an employee agreed. Absent: only that it was recorded is known. */
export const ConsentSchema = Closed({
  given: Enum(consentWays),
  on: PlainDate('When the employee agreed.'),
});

export const PreviewDecisionBody = Closed({ decision: Enum(decisions) });
export const DecisionBody = Closed({
  decision: Enum(decisions),
  consent: Type.Optional(ConsentSchema),
  documentId: Type.Optional(Type.Integer({ description: 'The scan of the signed contract.' })),
});

export const DecisionPreviewSchema = Named(
  'DecisionPreview',
  Closed({
    refusal: NullableObject(MessageSchema, 'Why the decision is not possible, or null if it is.'),
    status: Status,
    contractStatus: Nullable(Enum(contractStatuses)),
    changes: Type.Array(
      Closed({
        effectiveOn: PlainDate('When the change takes effect.'),
        message: Reference(MessageSchema),
        from: Status,
        to: Status,
      }),
      { description: 'The changes that the decision makes or would make.' },
    ),
    nextTicketAt: Nullable(PlainDate('When the next ticket will be issued, or null.')),
  }),
);
export type DecisionPreview = Static<typeof DecisionPreviewSchema>;

export { SubscriptionChangeSchema };
