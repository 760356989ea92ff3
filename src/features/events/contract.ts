import { type Static, type TObject, type TProperties, Type } from 'typebox';
import {
  chargeTypes,
  type DifferenceKind,
  differenceKinds,
  documentKinds,
  type EventType,
  eventTypes,
  integrationStatuses,
  integrationStatusReasons,
  recordOutcomes,
  subscriptionStatuses,
  syncOutcomes,
} from '../../domain/enums.ts';
import { ruleIds } from '../../domain/subscription/rules.ts';
import { causes } from '../../domain/subscription/transitions.ts';
import { pagingParameters } from '../../platform/http/paging.ts';
import {
  Enum,
  LinkSchema,
  MoneySchema,
  Nullable,
  PlainDate,
  Reference,
  Timestamp,
} from '../../platform/http/schemas.ts';
import { SubscriptionSchema } from '../../platform/http/subscription-schema.ts';

/** The payload of every type of event: ids, statuses and dates, no names. The receiver fetches what it may see. */

const Closed = <P extends TProperties>(properties: P, description: string) =>
  Type.Object(properties, { additionalProperties: false, description });

const Period = PlainDate('First day of the month.');

const Count = (description: string) => Type.Integer({ minimum: 0, description });

const employee = {
  id: Type.Integer({ description: 'Id of the employee.' }),
  resource: Enum(['employee']),
};

const link = Reference(LinkSchema);

export const payloadSchemas = {
  'employee-subscription-changed': Closed(
    {
      ...employee,
      subscription: SubscriptionSchema,
      previousStatus: Enum(subscriptionStatuses, { description: 'The status before this change.' }),
      cause: Enum(causes, { description: 'What caused the change.' }),
      rule: Enum(ruleIds, { description: 'The rule that decided it.' }),
    },
    'A subscription has changed: its status, a date or its contract. `subscription` is that of the employee record after the change.',
  ),
  'employee-created': Closed(
    {
      ...employee,
      hrIntegrationId: Nullable(Type.Integer(), 'The integration whose roster contains them. Null if there is none.'),
    },
    'An employee was added, or has returned with their former id.',
  ),
  'employee-removed': Closed(
    {
      ...employee,
      hrIntegrationId: Nullable(
        Type.Integer(),
        'The integration from whose roster they are missing. Null if there is none.',
      ),
    },
    'An employee was removed: they are in no list any more.',
  ),
  'new-employee-document-generated': Closed(
    {
      id: Type.Integer({ description: 'Id of the document.' }),
      resource: Enum(['employee-document']),
      employeeId: Nullable(Type.Integer(), 'The owner of the document. Null if it has none.'),
      kind: Nullable(Enum(documentKinds), 'Null for a document that was added manually.'),
    },
    'A new document can be downloaded.',
  ),
  'tickets-issued': Closed(
    { period: Period, tickets: Count('Number of tickets.') },
    'Tickets of a month were issued: one event per month, and another one for tickets that an issuer issued later.',
  ),
  'ticket-differences-found': Closed(
    {
      period: Period,
      required: Count('Number of employees who must hold a ticket.'),
      issued: Count('How many of them hold exactly one.'),
      differences: Closed(
        Object.fromEntries(differenceKinds.map((kind) => [kind, Count(`Number of \`${kind}\` tickets.`)])) as Record<
          DifferenceKind,
          ReturnType<typeof Count>
        >,
        'How many differences of each kind there are.',
      ),
    },
    'The tickets of a month differ from those that the issuer has issued. Reported when the month is reconciled.',
  ),
  'billing-items-created': Closed(
    {
      period: Period,
      chargeTypes: Type.Array(
        Closed(
          { chargeType: Enum(chargeTypes), items: Count('Number of new items.'), overall: Reference(MoneySchema) },
          'The new items of one charge type. `overall` is the sum of their gross amounts.',
        ),
      ),
    },
    'Charges were added: those of a month, or a correction.',
  ),
  'sync-finished': Closed(
    {
      syncId: Type.String(),
      hrIntegrationId: Type.Integer(),
      status: Enum(syncOutcomes),
      counts: Closed(
        Object.fromEntries(
          [...recordOutcomes, 'unchanged' as const].map((outcome) => [
            outcome,
            Count(`Number of \`${outcome}\` entries.`),
          ]),
        ) as Record<(typeof recordOutcomes)[number] | 'unchanged', ReturnType<typeof Count>>,
        'How many roster entries and missing employees had each outcome. All 0 if the sync failed.',
      ),
    },
    'A sync has its outcome.',
  ),
  'sync-removals-held': Closed(
    { syncId: Type.String(), hrIntegrationId: Type.Integer(), count: Count('Number of removals.') },
    'Too many employees are missing from a roster. Their removals wait for approval in the portal.',
  ),
  'hr-integration-status-changed': Closed(
    {
      id: Type.Integer({ description: 'Id of the HR integration.' }),
      status: Enum(integrationStatuses),
      previousStatus: Enum(integrationStatuses),
      reason: Enum(integrationStatusReasons),
    },
    'The status of an HR integration has changed.',
  ),
  'roster-overdue': Closed(
    {
      hrIntegrationId: Type.Integer(),
      lastSynced: Nullable(Timestamp('When the last roster was applied.')),
      dueAt: Timestamp('When the next one should have arrived, by the rhythm of the last ones.'),
    },
    'The roster of an HR integration has not arrived when it usually does. Reported once, until a roster arrives.',
  ),
  'payroll-export-ready': Closed(
    {
      id: Type.Integer({ description: 'Id of the payroll export.' }),
      resource: Enum(['payroll-export']),
      period: Period,
      _links: Closed({ self: link, download: link }, 'Where to fetch it.'),
    },
    'A payroll export was made and can be downloaded.',
  ),
  'invoice-issued': Closed(
    {
      id: Type.Integer({ description: 'Id of the invoice.' }),
      resource: Enum(['invoice']),
      period: Period,
      _links: Closed({ self: link, download: link }, 'Where to fetch it.'),
    },
    'An invoice or a credit note was issued.',
  ),
  'webhook-test': Closed({}, 'Sent manually, to test an endpoint.'),
} as const satisfies Record<EventType, TObject>;

export type Payloads = { [Type in EventType]: Static<(typeof payloadSchemas)[Type]> };

/** An amount as it is stored: the label depends on the company's present locale and is added when it is read. */
interface ChargedAmount {
  chargeType: (typeof chargeTypes)[number];
  items: number;
  overallCents: number;
}

/** What is stored of each payload. Links and labels are added when it is read (src/features/events/present.ts). */
export type StoredPayloads = Omit<Payloads, 'billing-items-created' | 'payroll-export-ready' | 'invoice-issued'> & {
  'billing-items-created': { period: string; chargeTypes: ChargedAmount[] };
  'payroll-export-ready': Omit<Payloads['payroll-export-ready'], '_links'>;
  'invoice-issued': Omit<Payloads['invoice-issued'], '_links'>;
};

export const EventsQuery = Type.Object({
  page: pagingParameters.page,
  perPage: pagingParameters.perPage,
  types: Type.Optional(Type.Array(Enum(eventTypes))),
});

export type EventsQuery = Static<typeof EventsQuery>;

export const LoggedEventSchema = Closed(
  {
    id: Type.String(),
    type: Enum(eventTypes),
    sequence: Type.Integer(),
    occurredAt: Timestamp("When it happened, by the environment's clock."),
    payload: Type.Record(Type.String(), Type.Unknown()),
  },
  'An event as the log shows it.',
);

export type LoggedEvent = Static<typeof LoggedEventSchema>;
