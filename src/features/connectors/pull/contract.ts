import { type Static, Type } from 'typebox';
import { providers, pullKinds, pullStates } from '../../../domain/enums.ts';
import { MessageSchema } from '../../../platform/http/message-schema.ts';
import { Closed } from '../../../platform/http/portal/schemas.ts';
import {
  Enum,
  IdParams,
  maxInteger,
  Nullable,
  NullableObject,
  Reference,
  Timestamp,
} from '../../../platform/http/schemas.ts';
import { RosterPreviewSchema } from '../../roster/contract.ts';
import { failureCodes } from '../rules/failure.ts';

const Attribute = Type.String({ minLength: 1, maxLength: 200 });
const OptionalAttribute = Nullable(Attribute, 'Null: not read.');
const Values = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 200 });

/** How records of the HR system become entries. `src/features/connectors/rules/mapping.ts` has the rules. */
const MappingSchema = Closed({
  fields: Closed({
    hrId: Attribute,
    firstName: Attribute,
    lastName: Attribute,
    email: Attribute,
    dateOfBirth: OptionalAttribute,
    startDate: OptionalAttribute,
    terminationDate: OptionalAttribute,
    profileImage: OptionalAttribute,
    personnelNumber: Type.Optional(OptionalAttribute),
  }),
  include: Type.Array(
    Closed({
      attribute: Attribute,
      is: Enum(['one-of', 'none-of', 'present', 'empty']),
      values: Type.Optional(Values),
    }),
    { maxItems: 20, description: 'Conditions that employees of the roster fulfil, all of them.' },
  ),
  autoSyncEmployee: Type.Union([Closed({ attribute: Attribute, yes: Values, no: Values }), Type.Null()]),
  absences: Type.Union([Closed({ types: Type.Union([Type.Literal('all'), Values]) }), Type.Null()]),
});

export type Mapping = Static<typeof MappingSchema>;

export const PullSchema = Closed({
  id: Type.Integer(),
  kind: Enum(pullKinds),
  state: Enum(pullStates),
  syncId: Type.String({ description: 'The `syncId` of the sync that applies it.' }),
  pages: Type.Integer({ description: 'Pages read so far.' }),
  people: Type.Integer({ description: 'Employees read so far.' }),
  total: Nullable(Type.Integer(), 'Employees altogether, if the HR system says so.'),
  reason: Nullable(Type.String(), 'Why it failed.'),
  message: NullableObject(MessageSchema, 'The reason for other languages. Null: there is only the text.'),
  requestedAt: Timestamp('When it was requested.'),
  finishedAt: Nullable(Timestamp('When it ended; null before.')),
  /** What a sync would do. Only of previews, for a day. */
  preview: Type.Union([RosterPreviewSchema, Type.Null()]),
});
export type Pull = Static<typeof PullSchema>;

export const ConnectionSchema = Closed({
  provider: Nullable(Enum(providers), 'Null: not connected.'),
  mapping: Type.Union([MappingSchema, Type.Null()]),
  mappingVersion: Type.Integer(),
  nightlyTime: Type.String({ description: 'HH:MM by the clock of the company.' }),
  nextPullAt: Nullable(Timestamp('When it pulls next. Null: the schedule has stopped or not begun.')),
  failureReason: Nullable(Type.String(), 'Why the last pull failed. Null: it did not.'),
  failureMessage: NullableObject(MessageSchema, 'The reason for other languages. Null: there is only the text.'),
  pull: Type.Union([PullSchema, Type.Null()], { description: 'The newest pull. Without its preview.' }),
});
export type Connection = Static<typeof ConnectionSchema>;

export const ConnectionCheckSchema = Closed({
  isStored: Type.Boolean({ description: 'Whether the credentials are stored.' }),
  problems: Type.Array(
    Closed({
      code: Enum([...failureCodes, 'no-employees']),
      what: Nullable(Type.String(), 'The permission or attribute, as the HR system names it.'),
      detail: Type.String({ description: 'What is missing and where to grant it.' }),
      message: Reference(MessageSchema),
    }),
  ),
  /** The attributes that the HR system releases. */
  fields: Type.Array(Closed({ name: Type.String(), label: Type.String(), type: Nullable(Type.String()) })),
  absenceTypes: Type.Array(Closed({ id: Type.String(), name: Nullable(Type.String()) })),
});
export type ConnectionCheck = Static<typeof ConnectionCheckSchema>;

export const ConnectBody = Closed({
  provider: Enum(providers),
  /** By the names that the command `integration connect` uses. */
  credentials: Type.Record(Type.String({ maxLength: 50 }), Type.String({ maxLength: 20_000 }), { maxProperties: 20 }),
});
export type ConnectBody = Static<typeof ConnectBody>;

export const CheckBody = Closed({
  mapping: Type.Union([MappingSchema, Type.Null()], { description: 'Null: the stored one.' }),
});
export type CheckBody = Static<typeof CheckBody>;

export const RulesBody = Closed({
  mapping: Type.Optional(MappingSchema),
  nightlyTime: Type.Optional(Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })),
  finish: Type.Boolean({ description: 'Finishes the set-up: the integration pulls from now on.' }),
});
export type RulesBody = Static<typeof RulesBody>;

export const PullBody = Closed({ kind: Enum(['manual', 'preview']) });
export type PullBody = Static<typeof PullBody>;

export const PullParams = Type.Object({
  ...IdParams('integration').properties,
  pullId: Type.Integer({ minimum: 0, maximum: maxInteger, description: 'Id of the pull.' }),
});
