import { type TSchema, Type } from 'typebox';
import { type EventType, eventTypes } from '../../domain/enums.ts';
import type { Link } from '../../platform/http/links.ts';
import { Enum, LinkSchema, Named, Reference, Timestamp } from '../../platform/http/schemas.ts';
import { payloadSchemas } from './contract.ts';

/** The components of the OpenAPI document: every payload, every event, and their union. */

const nameOf = (type: EventType, kind: 'Event' | 'Payload') =>
  `${type.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}${kind}`;

export const EventId = Type.String({
  pattern: '^evt_[0-9a-f]{32}$',
  description: 'Unique. Webhooks send it as `webhook-id`.',
});
export const Sequence = Type.Integer({
  minimum: 1,
  description: 'Number of the event within the company: without gaps, in the order of commits.',
});

export const descriptionOf = (type: EventType) => (payloadSchemas[type] as { description?: string }).description ?? '';

export const payloadReference = (type: EventType) => ({ $ref: `#/components/schemas/${nameOf(type, 'Payload')}` });

const payloadComponents = eventTypes.map((type) => Named(nameOf(type, 'Payload'), payloadSchemas[type] as TSchema));

const eventComponents = eventTypes.map((type) =>
  Named(
    nameOf(type, 'Event'),
    Type.Object(
      {
        id: EventId,
        type: Enum([type]),
        sequence: Sequence,
        occurredAt: Timestamp('When it happened, by the clock of the environment.'),
        payload: Type.Unsafe<object>({ $ref: `${nameOf(type, 'Payload')}#` }),
        resource: Enum(['event']),
        _links: Type.Object({ self: Reference(LinkSchema) }, { additionalProperties: false }),
      },
      { additionalProperties: false, description: descriptionOf(type) },
    ),
  ),
);

interface Event {
  id: string;
  type: EventType;
  sequence: number;
  occurredAt: string;
  payload: object;
  resource: 'event';
  _links: { self: Link };
}

export const EventSchema = Named(
  'Event',
  Type.Unsafe<Event>({
    description: 'A fact of the company. `type` decides the form of `payload`.',
    oneOf: eventTypes.map((type) => ({ $ref: `${nameOf(type, 'Event')}#` })),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(eventTypes.map((type) => [type, `#/components/schemas/${nameOf(type, 'Event')}`])),
    },
  }),
);

export const eventSchemas = [...payloadComponents, ...eventComponents, EventSchema];
