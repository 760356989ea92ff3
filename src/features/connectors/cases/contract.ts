import { type Static, Type } from 'typebox';
import { caseKinds, hrIdAttributes, providers } from '../../../domain/enums.ts';
import { Closed } from '../../../platform/http/portal/schemas.ts';
import { Enum, IdParams, maxInteger, Nullable, Timestamp } from '../../../platform/http/schemas.ts';
import { failureCodes } from '../rules/failure.ts';

/** One request and its response, with pseudonyms. */
const ExchangeSchema = Closed({
  method: Type.String({ maxLength: 10 }),
  path: Type.String({ maxLength: 20_000 }),
  requestBody: Type.Optional(Type.Unknown()),
  /** Absent: there was no response. */
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  /** Of a body that was JSON. */
  body: Type.Optional(Type.Unknown()),
  /** What stands for a body that was not JSON, or that was too large. */
  text: Type.Optional(Type.String()),
  /** Of SCIM: the user before the request. */
  before: Type.Optional(Type.Unknown()),
});
export type CaseExchange = Static<typeof ExchangeSchema>;

const common = {
  format: Type.Literal('transit-case'),
  version: Type.Literal(1),
  timeZone: Type.String({ maxLength: 60 }),
  /** Moved like all dates. */
  today: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }),
  /** Whether every request is contained. */
  isComplete: Type.Boolean(),
  exchanges: Type.Array(ExchangeSchema, { maxItems: 5_000 }),
};

const OutcomeSchema = Closed({
  /** Null: the roster was read. */
  code: Nullable(Enum(failureCodes)),
  /** The name of the message with the reason. */
  reason: Nullable(Type.String()),
  people: Type.Integer(),
});
export type CaseOutcome = Static<typeof OutcomeSchema>;

export const PullCaseSchema = Closed({
  ...common,
  kind: Type.Literal('pull'),
  provider: Enum(providers),
  credentials: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
  mapping: Type.Unknown(),
  lastPeople: Nullable(Type.Integer()),
  outcome: OutcomeSchema,
});
export type PullCase = Omit<Static<typeof PullCaseSchema>, 'mapping'> & { mapping: unknown };

export const ScimCaseSchema = Closed({
  ...common,
  kind: Type.Literal('scim'),
  hrIdAttribute: Enum(hrIdAttributes),
});
export type ScimCase = Static<typeof ScimCaseSchema>;

export const CaseSchema = Closed({
  id: Type.Integer(),
  kind: Enum(caseKinds),
  requestedBy: Type.String(),
  requestedAt: Timestamp('When it was requested.'),
  isRecording: Type.Boolean({ description: 'Whether it waits for a run, or records one.' }),
  endsAt: Timestamp('Until when it records.'),
  exchanges: Type.Integer({ description: 'Requests that it contains.' }),
  isReady: Type.Boolean({ description: 'Whether it can be downloaded.' }),
  erasedAt: Timestamp('When it is erased.'),
});
export type IntegrationCase = Static<typeof CaseSchema>;

export const CaseListSchema = Type.Array(CaseSchema);

export const CaseParams = Type.Object({
  ...IdParams('integration').properties,
  caseId: Type.Integer({ minimum: 0, maximum: maxInteger, description: 'Id of the case.' }),
});
