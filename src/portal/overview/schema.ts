import { type Static, Type } from 'typebox';
import { subscriptionStatuses } from '../../domain/enums.ts';
import { HrIntegrationSchema } from '../../features/connectors/contract.ts';
import { healthIssues } from '../../features/connectors/rules/integrations.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import { Enum, MoneySchema, Named, Nullable, PlainDate, Reference, Timestamp } from '../../platform/http/schemas.ts';

const integration = { integrationId: Type.Integer(), integrationName: Type.String() };

const WaitingSchema = Type.Union([
  Closed({ kind: Type.Literal('pending-removals'), ...integration, syncId: Type.String(), removals: Type.Integer() }),
  Closed({
    kind: Type.Literal('pending-contracts'),
    employees: Type.Integer(),
    statuses: Type.Array(Enum(subscriptionStatuses), { description: 'The statuses in which they can be accepted.' }),
  }),
  Closed({ kind: Type.Literal('integration-unhealthy'), ...integration, status: Enum(healthIssues) }),
  Closed({
    kind: Type.Literal('roster-overdue'),
    ...integration,
    since: Timestamp('When the roster should have arrived.'),
    lastSynced: Nullable(Timestamp('When the last one was applied.')),
  }),
  Closed({
    kind: Type.Literal('webhook-unhealthy'),
    webhookId: Type.Integer(),
    host: Type.String(),
    status: Enum(['failing', 'disabled'], { description: 'Whether deliveries still are attempted.' }),
    since: Timestamp('Since when.'),
  }),
]);

export const OverviewSchema = Named(
  'Overview',
  Closed({
    waiting: Type.Array(WaitingSchema, { description: "What needs a user's attention, most urgent first." }),
    employeesByStatus: Type.Array(Closed({ status: Enum(subscriptionStatuses), employees: Type.Integer() })),
    months: Type.Array(Closed({ month: Type.String(), tickets: Type.Integer(), gross: Reference(MoneySchema) }), {
      description: 'The last twelve months, oldest first, including months without any tickets.',
    }),
    integrations: Type.Array(Reference(HrIntegrationSchema)),
    next: Closed({
      cutOffOn: PlainDate('The next cut-off day.'),
      ticketsOn: PlainDate('When the next tickets are issued.'),
      billingOn: PlainDate('When the next period is billed.'),
      ticketsExpected: Type.Integer({ description: 'How many tickets will be issued, by what is known today.' }),
    }),
  }),
);
export type Overview = Static<typeof OverviewSchema>;
