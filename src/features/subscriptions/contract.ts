import { type Static, Type } from 'typebox';
import { actorTypes, consentWays, requestActions, requestStatuses } from '../../domain/enums.ts';
import { exampleLinks } from '../../platform/http/links.ts';
import { pagingParameters } from '../../platform/http/paging.ts';
import { ProblemSchema } from '../../platform/http/problem-schema.ts';
import {
  Enum,
  LinkSchema,
  maxInteger,
  Named,
  Nullable,
  PlainDate,
  Reference,
  Timestamp,
  withoutNul,
} from '../../platform/http/schemas.ts';
import { SubscriptionSchema } from '../../platform/http/subscription-schema.ts';

const Closed = <T extends Parameters<typeof Type.Object>[0]>(properties: T, options = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

const FirstOfMonth = (description: string) =>
  Type.String({ format: 'first-of-month', description, examples: ['2027-01-01'] });

const asked = {
  action: Enum(requestActions, {
    description: 'What to do. `resume` takes back the pause of the company, not one of the employee or of an absence.',
  }),
  from: Type.Optional(
    FirstOfMonth('The first of the month from which it holds. Without it: the earliest month that is possible.'),
  ),
  until: Type.Optional(
    Nullable(
      FirstOfMonth('Of a pause: the first of the month in which tickets resume. Null or absent: until further notice.'),
    ),
  ),
  reason: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      ...withoutNul,
      description: 'A remark that is stored with the request.',
    }),
  ),
  consent: Type.Optional(
    Closed(
      {
        given: Enum(consentWays),
        on: PlainDate('When the employee agreed. Not in the future.'),
      },
      {
        description:
          'That the employee agreed. Required to subscribe somebody again who has ended the subscription themselves.',
      },
    ),
  ),
};

export const SubscriptionRequestBody = Named(
  'NewSubscriptionRequest',
  Closed(asked, { examples: [{ action: 'subscribe', reason: 'Joins the team in Berlin' }] }),
);
export type SubscriptionRequestBody = Static<typeof SubscriptionRequestBody>;

/** The largest body of many requests: all with the longest reasons. */
export const maxRequestsBytes = 4 * 1024 * 1024;

/** How many requests one call may contain. */
export const mostRequests = 1_000;

export const SubscriptionRequestsBody = Named(
  'NewSubscriptionRequests',
  Closed(
    {
      requests: Type.Array(
        Closed({
          employeeId: Type.Integer({ minimum: 0, maximum: maxInteger, description: 'Id of the employee.' }),
          ...asked,
        }),
        { minItems: 1, maxItems: mostRequests, description: 'Applied one after the other.' },
      ),
    },
    { examples: [{ requests: [{ employeeId: 1, action: 'pause', reason: 'Sabbatical' }] }] },
  ),
);
export type SubscriptionRequestsBody = Static<typeof SubscriptionRequestsBody>;

export const DryRunQuery = Type.Object({
  dryRun: Type.Boolean({
    description: '`true` returns what the request would do, with `id: null`, and changes nothing.',
    default: false,
  }),
});

export const SubscriptionRequestSchema = Named(
  'SubscriptionRequest',
  Closed(
    {
      id: Nullable(Type.Integer(), 'Id of the request. Null in a dry run.'),
      resource: Type.Literal('subscription-request'),
      employeeId: Type.Integer(),
      action: Enum(requestActions),
      from: PlainDate('The day on which it takes effect.'),
      until: Nullable(PlainDate('Of a pause: the month in which tickets resume. Null: until further notice.')),
      reason: Nullable(Type.String()),
      requestedBy: Enum(actorTypes, {
        description: 'Who asked: the employee, a user of the portal, an API key or the operator.',
      }),
      requestedAt: Timestamp('When.'),
      status: Enum(requestStatuses, {
        description: 'What became of it. `replaced`: the same side asked for something else later.',
      }),
      undoUntil: Nullable(PlainDate('The last day on which undoing it restores what was before. Null: not possible.')),
      subscription: SubscriptionSchema,
      _links: Closed({ employee: Reference(LinkSchema), subscriptionRequests: Reference(LinkSchema) }),
    },
    { description: 'A request about a subscription that was applied. `subscription` is the result on that day.' },
  ),
);
export type SubscriptionRequestRecord = Static<typeof SubscriptionRequestSchema>;

export const SubscriptionRequestResultSchema = Named(
  'SubscriptionRequestResult',
  Closed({
    employeeId: Type.Integer(),
    status: Enum(['applied', 'refused']),
    request: Type.Optional(Reference(SubscriptionRequestSchema)),
    problem: Type.Optional(Reference(ProblemSchema)),
  }),
);
export type SubscriptionRequestResult = Static<typeof SubscriptionRequestResultSchema>;

const { page, perPage, sortOrder } = pagingParameters;
export const SubscriptionRequestsQuery = Type.Object({ page, perPage, sortOrder });
export type SubscriptionRequestsQuery = Static<typeof SubscriptionRequestsQuery>;

export const requestExample: SubscriptionRequestRecord = {
  id: 17,
  resource: 'subscription-request',
  employeeId: 1,
  action: 'pause',
  from: '2027-01-01',
  until: '2027-04-01',
  reason: 'Sabbatical',
  requestedBy: 'key',
  requestedAt: '2026-11-14T08:00:00Z',
  status: 'applied',
  undoUntil: '2026-12-10',
  subscription: {
    status: 'scheduled-pause',
    startAt: '2026-02-01',
    nextTicketAt: '2026-12-01',
    pausedAt: null,
    cancelledAt: null,
    reactivatedAt: null,
    upcoming: { type: 'pause', at: '2027-01-01' },
  },
  _links: { employee: exampleLinks.employee(1), subscriptionRequests: exampleLinks.subscriptionRequests(1) },
};
