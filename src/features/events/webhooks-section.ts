import { type EventType, eventTypes } from '../../domain/enums.ts';
import { descriptionOf, EventId, payloadReference, Sequence } from './components.ts';
import { eventExample, payloadExample } from './examples.ts';

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

const headers = [
  header('webhook-id', 'The id of the event, the same on every attempt.', eventExample.id),
  header('webhook-timestamp', 'Unix seconds of the attempt.', '1764547512'),
  header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. Several, separated by spaces, while a secret rotates.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

const bodyOf = (type: EventType) => ({
  type: 'object',
  required: ['event', 'payload'],
  properties: {
    event: {
      type: 'object',
      required: ['id', 'type', 'sequence', 'timestamp'],
      properties: {
        id: EventId,
        type: { type: 'string', enum: [type] },
        sequence: Sequence,
        timestamp: { type: 'string', format: 'date-time', description: 'When it happened, in UTC.' },
      },
    },
    payload: payloadReference(type),
  },
});

const exampleOf = (type: EventType) => {
  const { id, sequence, at } = eventExample;
  return { event: { id, type, sequence, timestamp: at }, payload: payloadExample(type) };
};

const describe = (type: EventType) => ({
  post: {
    operationId: `receive-${type}`,
    tags: ['Webhooks'],
    summary: type,
    description: descriptionOf(type),
    security: [],
    parameters: headers,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: bodyOf(type), examples: { example: { value: exampleOf(type) } } } },
    },
    responses: {
      '2XX': { description: 'Received. Anything else, and no response within 15 s, is a failure and is repeated.' },
      '410': { description: 'Disables the endpoint at once.' },
    },
  },
});

export const describeWebhooks = () => Object.fromEntries(eventTypes.map((type) => [type, describe(type)]));
