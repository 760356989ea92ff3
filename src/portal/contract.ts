import { type Static, Type } from 'typebox';
import {
  environments,
  invoiceKinds,
  languages,
  permissions,
  roles,
  secondFactorKinds,
  sessionMethods,
  subscriptionStatuses,
  syncStates,
} from '../domain/enums.ts';
import { abilityNames } from '../domain/roles.ts';
import { BillingPeriodSchema, Period } from '../features/billing/contract.ts';
import { healthIssues } from '../features/integrations/rules/status.ts';
import { InvoiceSchema, InvoicesSchema } from '../features/invoices/contract.ts';
import { PayrollExportSchema, PayrollPreviewSchema } from '../features/payroll/contract.ts';
import { payrollSettingNames } from '../features/payroll/rules/plan.ts';
import { Closed, Name } from '../platform/http/portal/schemas.ts';
import {
  Enum,
  MoneySchema,
  Named,
  Nullable,
  PlainDate,
  Reference,
  Timestamp,
  withoutNul,
} from '../platform/http/schemas.ts';
import { stepNames, stepStates } from './month-end/rules/steps.ts';

export const FoundSchema = Named(
  'Found',
  Closed({
    employees: Type.Array(
      Closed({ id: Type.Integer(), name: Type.String(), email: Type.String(), status: Enum(subscriptionStatuses) }),
    ),
    syncs: Type.Array(
      Closed({
        hrIntegrationId: Type.Integer(),
        syncId: Type.String(),
        state: Enum(syncStates),
        acceptedAt: Timestamp('When the roster was accepted.'),
      }),
    ),
    keys: Type.Array(Closed({ username: Type.String(), name: Type.String() })),
    invoices: Type.Array(
      Closed({ id: Type.Integer(), number: Type.String(), kind: Enum(invoiceKinds), period: PlainDate('Its month.') }),
    ),
  }),
);

export type Found = Static<typeof FoundSchema>;

export const MeSchema = Named(
  'Me',
  Closed({
    user: Closed({
      id: Type.String(),
      name: Type.String(),
      email: Type.String(),
      language: Nullable(Enum(languages), 'The language that the user has chosen, if any.'),
      roles: Type.Array(Enum(roles)),
      hasSecondFactor: Type.Boolean(),
      secondFactors: Type.Array(Enum(secondFactorKinds)),
      mustAddSecondFactor: Type.Boolean({ description: 'Whether the company requires one that the user lacks.' }),
      signedInBy: Enum(sessionMethods),
      grantablePermissions: Type.Array(Enum(permissions), {
        description: 'What the user may give to an API key without the approval of an admin.',
      }),
      abilities: Type.Array(Enum(abilityNames), { description: 'What the roles allow in addition to reading.' }),
    }),
    company: Closed({
      id: Type.Integer(),
      name: Type.String(),
      locale: Type.String(),
      currency: Type.String(),
      timeZone: Type.String(),
    }),
    environment: Enum(environments),
    timeTravel: Type.Boolean({
      description: 'Whether the portal may move the clock of this environment. The roles must allow it as well.',
    }),
    offersDemo: Type.Boolean({ description: 'Whether the credentials of the demo connect to a fake of Personio.' }),
    sendsMail: Type.Boolean({ description: 'Whether the operator has set up a mail server.' }),
    wallets: Type.Array(Enum(['apple', 'google']), { description: 'The wallets for which passes can be created.' }),
    today: PlainDate("Today's date for the company, by the environment's clock."),
    apiUrl: Type.String({ description: 'Base URL of the public API, including /v1.' }),
    otherApiUrl: Nullable(Type.String(), 'Base URL of the public API of the other environment. Null if it is not set.'),
  }),
);

export type Me = Static<typeof MeSchema>;

const integration = { integrationId: Type.Integer(), integrationName: Type.String() };

const due = {
  dueOn: Nullable(PlainDate('The last day on which it is in time.'), 'Null: at once.'),
};

/** The month that is affected if the deadline passes. */
const month = { month: PlainDate('First day of the month that it decides about.') };

const TaskSchema = Type.Union([
  Closed({
    kind: Type.Literal('first-roster'),
    ...due,
    integrationId: Nullable(Type.Integer(), 'Where to upload it. Null: there is no integration that takes one yet.'),
  }),
  Closed({
    kind: Type.Literal('pending-removals'),
    ...due,
    ...month,
    ...integration,
    syncId: Type.String(),
    removals: Type.Integer(),
  }),
  Closed({ kind: Type.Literal('integration-unhealthy'), ...due, ...integration, status: Enum(healthIssues) }),
  Closed({
    kind: Type.Literal('roster-overdue'),
    ...due,
    ...integration,
    since: Timestamp('When the roster should have arrived.'),
    lastSynced: Nullable(Timestamp('When the last one was applied.')),
  }),
  Closed({
    kind: Type.Literal('payroll'),
    ...due,
    period: PlainDate('First day of the month.'),
    missingSettings: Type.Array(Enum(payrollSettingNames)),
    problems: Type.Integer({ description: 'Employees without a usable personnel number, of the first 500 charges.' }),
  }),
  Closed({ kind: Type.Literal('cut-off'), ...due, ...month }),
  Closed({
    kind: Type.Literal('missing-tickets'),
    ...due,
    ...month,
    failed: Type.Integer({ description: 'How many orders have failed.' }),
    late: Type.Integer({ description: 'How many tickets of this month are not issued yet.' }),
    failingSince: Nullable(Timestamp('Since when the issuer cannot be worked with.'), 'Null: it can.'),
  }),
  Closed({
    kind: Type.Literal('open-agreements'),
    ...due,
    ...month,
    employees: Type.Integer({ description: 'How many, at most 10,000.' }),
    unlinked: Type.Integer({ description: 'How many of them have no link that works.' }),
    remindable: Type.Integer({ description: 'How many of them have an open link, and were not reminded today.' }),
  }),
  Closed({
    kind: Type.Literal('undecided-employees'),
    ...due,
    ...month,
    employees: Type.Integer({
      description: 'How many have no subscription, and nobody has decided that. At most 10,000.',
    }),
    unsubscribed: Type.Integer({ description: 'How many have no subscription, for whatever reason.' }),
    canInvite: Type.Boolean({ description: 'Whether employees can join by themselves.' }),
  }),
  Closed({
    kind: Type.Literal('price-change'),
    ...due,
    ...month,
    price: Reference(MoneySchema),
  }),
  Closed({
    kind: Type.Literal('corrections'),
    ...due,
    charges: Type.Integer({ description: 'How many charges should be corrected or kept.' }),
  }),
  Closed({ kind: Type.Literal('invoice'), ...due, number: Type.String(), gross: Reference(MoneySchema) }),
  Closed({
    kind: Type.Literal('endpoint-unhealthy'),
    ...due,
    endpointId: Type.Integer(),
    host: Type.String(),
    status: Enum(['failing', 'disabled'], { description: 'Whether deliveries still are attempted.' }),
    since: Timestamp('Since when.'),
  }),
]);

export type Task = Static<typeof TaskSchema>;

const monthCosts = {
  month: Type.String(),
  tickets: Type.Integer(),
  ticketCharges: Reference(MoneySchema),
  fees: Reference(MoneySchema),
  gross: Reference(MoneySchema),
};

export const OverviewSchema = Named(
  'Overview',
  Closed({
    tasks: Type.Array(TaskSchema, { description: 'What the user can and should do, most urgent first.' }),
    deadline: Closed(
      { kind: Enum(['cut-off', 'tickets']), on: PlainDate('The day.') },
      'The next day on which something is decided: the cut-off, or the first of a month.',
    ),
    cutOffOn: PlainDate('The next cut-off day.'),
    rosters: Closed(
      {
        pendingRemovals: Type.Array(Closed({ integrationId: Type.Integer(), syncId: Type.String() })),
        overdue: Type.Array(Type.Integer(), { description: 'Ids of integrations.' }),
      },
      'The state of the rosters, for every user.',
    ),
    employeesByStatus: Type.Array(Closed({ status: Enum(subscriptionStatuses), employees: Type.Integer() })),
    months: Type.Array(Closed(monthCosts), {
      description: 'The last twelve months, oldest first, including months without any tickets.',
    }),
    forecast: Closed(monthCosts, 'The next month by what is known today, with the prices of that month.'),
  }),
);

export type Overview = Static<typeof OverviewSchema>;

export const MonthEndQuery = Type.Object({ period: Type.Optional(Period) });

const step = Enum(stepStates, {
  description:
    '`todo`: somebody can do something now. `blocked`: something is missing first. `waiting`: it follows by itself.',
});

export const MonthEndSchema = Named(
  'MonthEnd',
  Closed({
    period: PlainDate('First day of the month.'),
    months: Type.Array(PlainDate('First day of a month.'), { description: 'All months to choose from, newest first.' }),
    steps: Closed({ roster: step, charges: step, payroll: step, invoice: step }),
    next: Nullable(Enum(stepNames), 'The first step that somebody has to take. Null: there is none.'),
    isDone: Type.Boolean(),
    roster: Type.Array(
      Closed({
        ...integration,
        lastSynced: Nullable(Timestamp('When the last roster was applied.')),
        overdueSince: Nullable(Timestamp('When the roster should have arrived.')),
        issue: Nullable(Enum(healthIssues), 'Why no rosters arrive.'),
        pending: Nullable(
          Closed({ syncId: Type.String(), removals: Type.Integer() }),
          'The removals that wait for a decision.',
        ),
      }),
      { description: 'The integrations that are switched on. Empty for months that are over.' },
    ),
    charges: Nullable(BillingPeriodSchema, 'Null as long as nothing has been billed.'),
    payroll: Closed({
      preview: PayrollPreviewSchema,
      exports: Type.Array(Reference(PayrollExportSchema), { description: 'Newest first, with voided ones.' }),
    }),
    invoices: Type.Array(Reference(InvoiceSchema)),
    missingForInvoice: InvoicesSchema.properties.missing,
  }),
);

export type MonthEnd = Static<typeof MonthEndSchema>;

const viewedLists = ['employees'] as const;

const ViewSchema = {
  name: Name(60),
  address: Type.String({
    maxLength: 4_000,
    ...withoutNul,
    description: 'Filters and order, as the address bar shows them.',
  }),
  hidden: Type.Array(Type.String({ maxLength: 60, ...withoutNul }), { maxItems: 40, description: 'Hidden columns.' }),
};

export const SavedViewSchema = Named('SavedView', Closed({ ...ViewSchema, name: Type.String() }));

export type SavedView = Static<typeof SavedViewSchema>;

const List = { list: Enum(viewedLists, { default: 'employees' }) };

export const ListQuery = Type.Object(List);

export type ListQuery = Static<typeof ListQuery>;

export const SaveBody = Closed({
  ...List,
  ...ViewSchema,
  keepExisting: Type.Optional(Type.Boolean({ description: 'Leave a view of that name as it is.' })),
});

export type SaveBody = Static<typeof SaveBody>;

export const RemoveBody = Closed({ ...List, name: ViewSchema.name });

export type RemoveBody = Static<typeof RemoveBody>;

export const LanguageBody = Closed({ language: Enum(languages) });

export type LanguageBody = Static<typeof LanguageBody>;

export const FindQuery = Type.Object({ text: Type.String({ maxLength: 200, default: '', ...withoutNul }) });

export type FindQuery = Static<typeof FindQuery>;
