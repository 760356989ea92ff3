import { type Static, Type } from 'typebox';
import { eventTypes } from '../../domain/enums.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { ApiError, describeError, problems } from '../../platform/http/errors.ts';
import { operation } from '../../platform/http/operation.ts';
import { invalidParameters } from '../../platform/http/problem.ts';
import { DataOf, Enum, maxInteger, Reference } from '../../platform/http/schemas.ts';
import { viewFor } from '../../platform/http/view.ts';
import { principalOf } from '../caller.ts';
import type { Routes } from '../context.ts';
import { EventSchema } from './components.ts';
import { eventExample, payloadExample } from './examples.ts';
import { eventPermissions, listVisibleTypes } from './permissions.ts';
import { presentEvent } from './present.ts';
import { type EventBounds, listEvents } from './store.ts';

const maxLimit = 100;

const EventsQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: maxInteger,
      description: 'Only events after this sequence: `nextAfter` of the last response. Absent: from the oldest event.',
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: maxLimit, default: maxLimit, description: 'Most events to return.' }),
  types: Type.Optional(Type.Array(Enum(eventTypes), { description: 'Only events of these types.' })),
});
type EventsQuery = Static<typeof EventsQuery>;

const EventPageSchema = DataOf(
  Type.Object(
    {
      data: Type.Array(Reference(EventSchema)),
      nextAfter: Type.Integer({
        description: 'Send it as `after` to continue. Store it with what you have processed.',
      }),
      hasMore: Type.Boolean({
        description:
          'Whether there are events after `nextAfter`. They may be of other types, so a page can be empty and yet have more.',
      }),
      newest: Type.Integer({
        description: 'The sequence of the newest event, 0 if there is none. Start with it to receive only new events.',
      }),
    },
    { additionalProperties: false },
  ),
);

const pageExample = {
  data: {
    data: [
      {
        id: eventExample.id,
        type: 'employee-subscription-changed',
        sequence: eventExample.sequence,
        occurredAt: eventExample.at,
        payload: payloadExample('employee-subscription-changed'),
        resource: 'event',
        _links: {
          self: {
            href: `http://localhost:3000/v1/events?after=${eventExample.sequence - 1}&limit=1`,
            type: 'application/json',
          },
        },
      },
    ],
    nextAfter: eventExample.sequence,
    hasMore: false,
    newest: eventExample.sequence,
  },
};

/** Throws if the client would miss events after `after`, or its sequence is not from this company. */
function assertContinuous(after: number, { newest, oldest }: EventBounds): void {
  if (after > newest) {
    const message = createMessage('value-newest-sequence', { newest });
    throw invalidParameters([describeError({ parameter: 'after' }, 'maximum', message)]);
  }
  if (after === 0 || after >= oldest - 1) return;
  throw new ApiError(
    'events-expired',
    `The oldest event that is kept has the sequence ${oldest}. ${problems['events-expired'].remedy}`,
  );
}

export const eventRoutes: Routes = (app, { db, links }) => {
  app.get(
    '/events',
    operation({
      id: 'listEvents',
      tag: 'Events',
      summary: 'List events',
      description:
        'What happened in the company, in ascending order of `sequence`. Repeat the request with `after` set to `nextAfter`: you receive every event exactly once. Events that the key may not see are left out.',
      permissions: [],
      anyPermission: eventPermissions,
      querystring: EventsQuery,
      response: { schema: EventPageSchema, description: 'The next events.', example: pageExample },
      problems: ['events-expired'],
    }),
    async function listEventsHandler(request) {
      const principal = principalOf(request);
      const { after = 0, limit, types } = request.query as EventsQuery;
      const visible = listVisibleTypes(principal.permissions, types);
      const page = await listEvents(db, principal.companyId, { after, limit, types: visible });
      assertContinuous(after, page.bounds);
      const view = viewFor(principal, links);
      return {
        data: {
          data: page.rows.map((row) => presentEvent(row, view)),
          nextAfter: page.examinedThrough,
          hasMore: page.examinedThrough < page.bounds.newest,
          newest: page.bounds.newest,
        },
      };
    },
  );
};
