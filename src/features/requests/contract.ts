import { type Static, Type } from 'typebox';
import { statusClasses } from '../../domain/choices.ts';
import type { Annotations } from '../../platform/http/annotations.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import { Enum, Nullable, Timestamp, withoutNul } from '../../platform/http/schemas.ts';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const requestId = { pattern: `^${uuid}$`, patternDescription: 'value-request-id' } satisfies Annotations & {
  pattern: string;
};

/** Where a page ended: the time and the id of its last request. */
const place = {
  pattern: `^\\d{1,15}\\.${uuid}$`,
  patternDescription: 'value-next-page',
} satisfies Annotations & { pattern: string };

export const RequestsQuery = Type.Object({
  perPage: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
  before: Type.Optional(Type.String({ ...place, description: 'Continues a list: `next` of the page before.' })),
  key: Type.Optional(Type.String({ maxLength: 100, ...withoutNul, description: 'The username of a key.' })),
  statusClasses: Type.Optional(Type.Array(Enum(statusClasses))),
  method: Type.Optional(Type.String({ pattern: '^[A-Z-]{1,20}$' })),
  path: Type.Optional(Type.String({ maxLength: 200, ...withoutNul, description: 'A part of the path.' })),
  requestId: Type.Optional(Type.String(requestId)),
  from: Type.Optional(Type.String({ format: 'date', description: "First day, in the company's time zone." })),
  to: Type.Optional(Type.String({ format: 'date', description: "Last day, in the company's time zone." })),
});

export type RequestsQuery = Static<typeof RequestsQuery>;

export const ApiRequestSchema = Closed({
  id: Type.String({ description: 'The id in the header `X-Request-Id` of the response.' }),
  at: Timestamp('When the response was sent, in real time.'),
  key: Type.String({ description: 'The username of the key.' }),
  keyName: Nullable(Type.String()),
  method: Type.String(),
  path: Type.String({
    description: 'The path with its ids, and the names of its parameters. Values that may be personal are left out.',
  }),
  status: Type.Integer(),
  ms: Type.Number({ description: 'How long the response took, in milliseconds.' }),
  problem: Nullable(Type.String(), 'The code of the problem, or null if there was none.'),
});

export type ApiRequest = Static<typeof ApiRequestSchema>;

export const RequestsPageSchema = Closed({
  data: Type.Array(ApiRequestSchema),
  next: Nullable(Type.String(), 'Send it as `before` to continue. Null: this is the last page.'),
});

export type RequestsPage = Static<typeof RequestsPageSchema>;
