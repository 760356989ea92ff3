import { type Static, Type } from 'typebox';
import { actorTypes } from '../../domain/enums.ts';
import { pagingParameters } from '../../platform/http/paging.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import { Enum, Nullable, Timestamp, withoutNul } from '../../platform/http/schemas.ts';

export const ActivityQuery = Type.Object({
  page: pagingParameters.page,
  perPage: pagingParameters.perPage,
  actorType: Type.Optional(Enum(actorTypes)),
  action: Type.Optional(
    Type.String({
      maxLength: 100,
      ...withoutNul,
      description: 'The beginning of the action, such as `key.`.',
    }),
  ),
  from: Type.Optional(Type.String({ format: 'date', description: "First day, in the company's time zone." })),
  to: Type.Optional(Type.String({ format: 'date', description: "Last day, in the company's time zone." })),
});

export type ActivityQuery = Static<typeof ActivityQuery>;

export const ActivityEntrySchema = Closed({
  id: Type.Integer(),
  at: Timestamp("When it happened, by the environment's clock."),
  actorType: Enum(actorTypes),
  actor: Nullable(Type.String(), "A key's name and username, or a user's name. Null for the operator and the service."),
  action: Type.String(),
  target: Nullable(Type.String()),
  detail: Type.Record(Type.String(), Type.Unknown()),
  names: Type.Record(Type.String(), Type.String(), {
    description: 'What ids are called, by their field: `target`, or a field of the detail.',
  }),
});

export type ActivityEntry = Static<typeof ActivityEntrySchema>;
