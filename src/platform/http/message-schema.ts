import { Type } from 'typebox';
import type { Message } from '../../domain/messages/message.ts';
import { Named } from './schemas.ts';

const value = ['string', 'number'];
const key = { type: 'string', description: 'Key of the catalogue.' };

export const MessageSchema = Named(
  'Message',
  Type.Unsafe<Message>({
    type: 'object',
    required: ['key', 'values'],
    properties: {
      key,
      values: {
        type: 'object',
        additionalProperties: {
          type: [...value, 'array'],
          items: {
            type: 'object',
            required: ['key', 'values'],
            properties: { key, values: { type: 'object', additionalProperties: { type: value } } },
            additionalProperties: false,
          },
        },
      },
    },
    additionalProperties: false,
  }),
);
