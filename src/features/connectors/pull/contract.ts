import { type Static, Type } from 'typebox';
import { providers, pullKinds, pullSchedules, pullStates } from '../../../domain/enums.ts';
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

const Attribute = Type.String({ minLength: 1, maxLength: 500 });
const OptionalAttribute = Nullable(Attribute, 'Null: not read.');
const Values = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 200 });

const Expression = Type.String({ minLength: 1, maxLength: 500, description: 'A JSONata expression.' });
const Parameter = Type.String({ minLength: 1, maxLength: 100, description: 'The name of a parameter of the query.' });

const PagingSchema = Type.Union([
  Closed({ kind: Type.Literal('none') }, 'Everything is in one response.'),
  Closed(
    { kind: Type.Literal('page'), parameter: Parameter, first: Type.Integer({ minimum: 0, maximum: 1 }) },
    'The parameter counts pages.',
  ),
  Closed({ kind: Type.Literal('offset'), parameter: Parameter }, 'The parameter counts records.'),
  Closed(
    {
      kind: Type.Literal('cursor'),
      next: Expression,
      parameter: Nullable(Parameter, 'Null: `next` is the address of the next page.'),
    },
    'The body says what to ask for next. Without a value, it was the last page.',
  ),
  Closed({ kind: Type.Literal('link') }, 'The header `Link` names the next page (RFC 8288).'),
]);

const request = {
  path: Type.String({
    maxLength: 2_000,
    description: 'Path and query below the base URL. `{from}` and `{to}` are replaced with days as YYYY-MM-DD.',
  }),
  list: Expression,
  total: Type.Optional(Expression),
  more: Type.Optional(Expression),
  paging: PagingSchema,
};

/** How any REST API is asked, and where its responses have what. */
export const RequestsSchema = Closed({
  employees: Closed({ ...request, id: Expression }),
  absences: Type.Union([
    Closed({
      ...request,
      person: Expression,
      start: Expression,
      end: Expression,
      type: Nullable(Expression, 'Null: there are no types.'),
      typeName: Nullable(Expression, 'Null: the type is its name.'),
      approved: Nullable(Expression, 'Null: all of them are approved.'),
    }),
    Type.Null(),
  ]),
});
export type Requests = Static<typeof RequestsSchema>;

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
    group: Type.Optional(OptionalAttribute),
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
  requests: Type.Optional(RequestsSchema),
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
  every: Enum(pullSchedules),
  hints: Closed(
    {
      isOn: Type.Boolean({ description: 'Whether the HR system can report changes.' }),
      isSigned: Type.Boolean({ description: 'Whether only signed hints count.' }),
      lastAt: Nullable(Timestamp('When the newest hint that made a pull due arrived. Null: none has.')),
    },
    'Reports of the HR system that something has changed. Each makes a pull due.',
  ),
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
  sample: Type.Optional(
    Type.String({ description: 'The beginning of the first page, as JSON. Only of any REST API.' }),
  ),
});
export type ConnectionCheck = Static<typeof ConnectionCheckSchema>;

export const ConnectBody = Closed({
  provider: Enum(providers),
  /** By the names that the command `integration connect` uses. */
  credentials: Type.Record(Type.String({ maxLength: 50 }), Type.String({ maxLength: 20_000 }), { maxProperties: 20 }),
  mapping: Type.Optional(MappingSchema),
});

export const TemplateSchema = Closed({
  name: Type.String(),
  title: Nullable(Type.String(), 'Null: for any other API.'),
  credentials: Type.Record(Type.String(), Type.String()),
  mapping: MappingSchema,
});
export type Template = Static<typeof TemplateSchema>;
export type ConnectBody = Static<typeof ConnectBody>;

export const CheckBody = Closed({
  mapping: Type.Union([MappingSchema, Type.Null()], { description: 'Null: the stored one.' }),
});
export type CheckBody = Static<typeof CheckBody>;

export const RulesBody = Closed({
  mapping: Type.Optional(MappingSchema),
  nightlyTime: Type.Optional(Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })),
  every: Type.Optional(Enum(pullSchedules)),
  finish: Type.Boolean({ description: 'Finishes the set-up: the integration pulls from now on.' }),
});
export type RulesBody = Static<typeof RulesBody>;

export const PullBody = Closed({ kind: Enum(['manual', 'preview']) });
export type PullBody = Static<typeof PullBody>;

export const PullParams = Type.Object({
  ...IdParams('integration').properties,
  pullId: Type.Integer({ minimum: 0, maximum: maxInteger, description: 'Id of the pull.' }),
});

export const HintAddressSchema = Closed({
  url: Type.String({
    description: 'Where the HR system sends its webhooks. Shown once, because it contains a secret.',
  }),
});
export type HintAddress = Static<typeof HintAddressSchema>;

export const HintSecretBody = Closed({
  signingSecret: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'With what the HR system signs its webhooks.',
  }),
});
export type HintSecretBody = Static<typeof HintSecretBody>;
