import { type Static, Type } from 'typebox';
import { deliveryStates, endpointDisabledReasons, endpointStates, eventTypes } from '../../domain/enums.ts';
import { pagingParameters } from '../../platform/http/paging.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import { Enum, IdParams, maxInteger, Nullable, Timestamp, withoutNul } from '../../platform/http/schemas.ts';

const Sequence = Type.Integer({ minimum: 1, maximum: maxInteger, description: 'Number of the event in the company.' });

const AttemptCountsSchema = Closed({
  hour: Timestamp('When the hour begins.'),
  succeeded: Type.Integer(),
  failed: Type.Integer(),
});

export const WebhookEndpointSchema = Closed({
  id: Type.Integer(),
  url: Type.String({
    description: 'Users who may not change webhook endpoints see only its origin: path and query may contain a token.',
  }),
  eventTypes: Type.Array(Enum(eventTypes), { description: 'Empty: all types.' }),
  description: Type.String(),
  state: Enum(endpointStates),
  disabledReason: Nullable(Enum(endpointDisabledReasons)),
  disabledAt: Nullable(Timestamp('When it was disabled, or null.')),
  failingSince: Nullable(Timestamp('The first failed attempt since the last success, or null.')),
  previousSecretUntil: Nullable(Timestamp('Until when the previous secret signs as well, or null.')),
  createdAt: Timestamp('When it was created.'),
  lastDay: Type.Array(AttemptCountsSchema, {
    description: 'The attempts of the last 24 hours by hour, oldest first, including hours without any.',
  }),
});

export type WebhookEndpoint = Static<typeof WebhookEndpointSchema>;

export const NewEndpointSecretSchema = Closed(
  { id: Type.Integer(), secret: Type.String() },
  'The secret of an endpoint. Shown only once.',
);

export type NewEndpointSecret = Static<typeof NewEndpointSecretSchema>;

export const EndpointBody = Closed({
  url: Type.String({ minLength: 1, maxLength: 2048, ...withoutNul }),
  eventTypes: Type.Array(Enum(eventTypes), {
    maxItems: eventTypes.length,
    uniqueItems: true,
    description: 'Empty: all types.',
  }),
  description: Type.String({ maxLength: 200, ...withoutNul }),
});

export type EndpointSettings = Static<typeof EndpointBody>;

export const EndpointStateBody = Closed({ state: Enum(endpointStates) });

export type EndpointStateBody = Static<typeof EndpointStateBody>;

export const ReplayBody = Closed({
  from: Sequence,
  to: Nullable(Sequence, 'The last event. Null: the newest.'),
});

export type ReplayBody = Static<typeof ReplayBody>;

export const ReplayedSchema = Closed({
  deliveries: Type.Integer({ description: 'How many events will be sent again.' }),
});

export type Replayed = Static<typeof ReplayedSchema>;

export const SentTestSchema = Closed({ sequence: Type.Integer({ description: 'Identifies its delivery.' }) });

export type SentTest = Static<typeof SentTestSchema>;

const delivery = {
  sequence: Sequence,
  eventId: Type.String(),
  eventType: Enum(eventTypes),
  state: Enum(deliveryStates),
  attempts: Type.Integer(),
  status: Nullable(Type.Integer(), 'The HTTP status of the last attempt. Null: none was made, or no response came.'),
  error: Nullable(Type.String(), 'Why the last attempt failed, or null.'),
  attemptedAt: Nullable(Timestamp('When the last attempt was made, or null.')),
  durationMs: Nullable(Type.Integer(), 'How long the last attempt took.'),
  nextAttemptAt: Nullable(Timestamp('When the next attempt is due, or null.')),
  createdAt: Timestamp('When the event was queued for this endpoint.'),
};

export const WebhookDeliverySchema = Closed(delivery);

export type WebhookDelivery = Static<typeof WebhookDeliverySchema>;

const AttemptSchema = Closed({
  attempt: Type.Integer(),
  attemptedAt: Timestamp('When it was made.'),
  status: Nullable(Type.Integer()),
  error: Nullable(Type.String(), 'Why it failed. Null: success.'),
  durationMs: Type.Integer(),
  responseBody: Type.String({ description: 'The first 1 KiB.' }),
});

export const DeliveryDetailsSchema = Closed({
  ...delivery,
  body: Nullable(Type.String(), 'The body of the requests. Null: the event is not kept any more.'),
  log: Type.Array(AttemptSchema, { description: 'Every attempt, newest first.' }),
});

export type DeliveryDetails = Static<typeof DeliveryDetailsSchema>;

export const EndpointParams = IdParams('endpoint');

export const DeliveryParams = Type.Object({ ...EndpointParams.properties, sequence: Sequence });

export const DeliveriesQuery = Type.Object({
  page: pagingParameters.page,
  perPage: pagingParameters.perPage,
  states: Type.Optional(Type.Array(Enum(deliveryStates))),
  types: Type.Optional(Type.Array(Enum(eventTypes))),
  attemptedIn: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'The beginning of an hour. Only deliveries attempted in that hour.',
    }),
  ),
});

export type DeliveriesQuery = Static<typeof DeliveriesQuery>;
