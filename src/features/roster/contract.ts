import { type Static, Type } from 'typebox';
import { approvalStates, recordOutcomes, syncStates } from '../../domain/enums.ts';
import { pagingParameters } from '../../platform/http/paging.ts';
import {
  Enum,
  LinkSchema,
  maxInteger,
  Named,
  Nullable,
  Reference,
  Timestamp,
  withoutNul,
} from '../../platform/http/schemas.ts';
import { warningCodes } from './rules/fields.ts';

const closed = { additionalProperties: false };

const CountsSchema = Type.Object(
  {
    created: Type.Integer({ description: 'New employees.' }),
    updated: Type.Integer({ description: 'Employees who changed.' }),
    unchanged: Type.Integer({ description: 'Entries without changes. They have no record.' }),
    offboarded: Type.Integer({ description: 'Employees missing from the roster.' }),
    held: Type.Integer({
      description: 'Removals that are pending approval, were rejected, or were replaced by a newer sync.',
    }),
    failed: Type.Integer({ description: 'Entries that could not be applied.' }),
  },
  closed,
);

const hrId = Nullable(
  Type.String(),
  "The entry's `hrId`; null if it has none, if the employee was erased since, or outside of the entries.",
);

export const SyncWarningSchema = Named(
  'SyncWarning',
  Type.Object(
    {
      code: Enum(warningCodes, { description: 'Stable; more may be added.' }),
      field: Type.String({
        description: 'Name of the field, or `*` for unknown fields beyond the first 50.',
        examples: ['department', 'absences.kind'],
      }),
      count: Type.Integer({ description: 'Number of occurrences.' }),
      pointer: Type.String({
        description:
          'The first occurrence, as a JSON pointer into the body. For an uploaded CSV file, a line and a column, such as `line 2, department`.',
        examples: ['/employees/0/department'],
      }),
      hrId,
      detail: Type.String({ description: 'The meaning of the code in a sentence.' }),
      records: Type.Array(Type.Object({ hrId, pointer: Type.String() }, closed), {
        maxItems: 100,
        description: 'The entries with implausible dates, at most 100. Empty for unknown fields.',
      }),
    },
    closed,
  ),
);
export type SyncWarning = Static<typeof SyncWarningSchema>;

export const SyncSchema = Named(
  'Sync',
  Type.Object(
    {
      syncId: Type.String(),
      state: Enum(syncStates, {
        description:
          '`accepted`: waiting; `processing`; then the outcome. `partially-failed`: entries failed, or removals are pending approval. After the decision it becomes `succeeded`, unless entries failed.',
      }),
      reason: Nullable(Type.String(), 'Why the last attempt failed inside the service. Null if none failed.'),
      pushedBy: Type.String({ description: 'Username of the key, or name of the user, who pushed it.' }),
      acceptedAt: Timestamp('When the roster was stored.'),
      startedAt: Nullable(Timestamp('When the last attempt to apply it started; null while it waits.')),
      finishedAt: Nullable(Timestamp('When it finished; null before.')),
      durationMs: Nullable(Type.Integer(), 'How long applying it took; null before it finished.'),
      entries: Type.Integer({ description: 'Number of entries in the roster.' }),
      counts: CountsSchema,
      heldRemovals: Nullable(Enum(approvalStates), 'State of the removals that needed approval; null if none did.'),
      approvedBy: Nullable(Type.String(), 'Who approved the removals; null unless they were approved.'),
      approvedAt: Nullable(Timestamp('When they were approved.')),
      rejectedBy: Nullable(Type.String(), 'Who rejected the removals; null unless they were rejected.'),
      rejectedAt: Nullable(Timestamp('When they were rejected.')),
      warnings: Type.Array(Reference(SyncWarningSchema), {
        description: 'Probable mistakes in the roster. It was accepted nevertheless.',
      }),
      resource: Enum(['sync']),
      _links: Type.Object(
        { self: Reference(LinkSchema), records: Reference(LinkSchema), hrIntegration: Reference(LinkSchema) },
        closed,
      ),
    },
    closed,
  ),
);
export type Sync = Static<typeof SyncSchema>;

export const SyncRecordSchema = Named(
  'SyncRecord',
  Type.Object(
    {
      hrId: Type.String(),
      employeeId: Nullable(Type.Integer(), 'Null if the employee does not exist yet or no longer exists.'),
      outcome: Enum(recordOutcomes),
      code: Type.String({ description: 'Stable, such as `returned` or `email-taken`.', examples: ['renumbered'] }),
      detail: Type.String({ description: 'The meaning of the code in a sentence.' }),
      changes: Type.Array(
        Type.Object(
          {
            field: Type.String({ examples: ['email', 'subscription.upcoming'] }),
            from: Type.Unsafe<unknown>({ description: 'Old value.' }),
            to: Type.Unsafe<unknown>({ description: 'New value.' }),
          },
          closed,
        ),
        { description: 'Every changed field with its old and new value.' },
      ),
      reasons: Type.Array(
        Type.Object(
          {
            cause: Type.String({ examples: ['absence'] }),
            rule: Type.String({
              description: 'Stable id of the rule that applied.',
              examples: ['pause-after-cut-off'],
            }),
            detail: Type.String({ description: 'The rule as a sentence.' }),
            effectiveAt: Type.String({ format: 'date' }),
          },
          closed,
        ),
        {
          description:
            'Why the subscription changes. `late-termination` and `late-absence`: tickets were charged for months for which it became known too late, with the amount and the charges to correct.',
        },
      ),
      resource: Enum(['sync-record']),
      _links: Type.Object(
        {
          self: Type.Optional(Reference(LinkSchema)),
          sync: Type.Optional(Reference(LinkSchema)),
          employee: Type.Optional(Reference(LinkSchema)),
        },
        {
          ...closed,
          description:
            '`self` and `sync` are absent in a dry run, which is not stored; `employee` if the employee does not exist yet or no longer exists.',
        },
      ),
    },
    closed,
  ),
);
export type SyncRecord = Static<typeof SyncRecordSchema>;

export const SyncsQuery = Type.Object({ page: pagingParameters.page, perPage: pagingParameters.perPage });
export const RecordsQuery = Type.Object({
  page: pagingParameters.page,
  perPage: pagingParameters.perPage,
  outcome: Type.Optional(Enum(recordOutcomes, { description: 'Only records with this outcome.' })),
  hrId: Type.Optional(
    Type.String({ maxLength: 255, ...withoutNul, description: 'Only records of the entry with this `hrId`.' }),
  ),
});

const id = Type.Integer({ minimum: 0, maximum: maxInteger, description: 'Id of the integration.', examples: [1] });
export const SyncParams = Type.Object({
  id,
  syncId: Type.String({
    minLength: 1,
    maxLength: 255,
    ...withoutNul,
    description: 'The `syncId` of the push.',
  }),
});

const syncWarningExample: SyncWarning = {
  code: 'unknown-field',
  field: 'department',
  count: 1204,
  pointer: '/employees/0/department',
  hrId: 'E-1001',
  detail: 'The field is unknown and was ignored.',
  records: [],
};

export const syncExample: Sync = {
  syncId: '2026-11-14T02:00',
  state: 'succeeded',
  reason: null,
  pushedBy: 'tk_1_4f6c1d2e9a8b7c60',
  acceptedAt: '2026-11-14T02:00:02Z',
  startedAt: '2026-11-14T02:00:02Z',
  finishedAt: '2026-11-14T02:00:04Z',
  durationMs: 1843,
  entries: 1204,
  counts: { created: 3, updated: 11, unchanged: 1190, offboarded: 1, held: 0, failed: 0 },
  heldRemovals: null,
  approvedBy: null,
  approvedAt: null,
  rejectedBy: null,
  rejectedAt: null,
  warnings: [syncWarningExample],
  resource: 'sync',
  _links: {
    self: { href: 'http://localhost:3000/v1/hr-integrations/1/syncs/2026-11-14T02%3A00', type: 'application/json' },
    records: {
      href: 'http://localhost:3000/v1/hr-integrations/1/syncs/2026-11-14T02%3A00/records',
      type: 'application/json',
    },
    hrIntegration: { href: 'http://localhost:3000/v1/hr-integrations/1', type: 'application/json' },
  },
};

export const syncRecordExample: SyncRecord = {
  hrId: 'E-1001',
  employeeId: 1,
  outcome: 'updated',
  code: 'updated',
  detail: 'Changed in the roster.',
  changes: [{ field: 'subscription.upcoming', from: null, to: { type: 'cancellation', at: '2027-01-01' } }],
  reasons: [
    {
      cause: 'termination',
      rule: 'end-after-cut-off',
      detail:
        'Leaves on 30 November 2026, known on the 14th, after the cut-off on the 10th: takes effect on 1 January 2027 instead of 1 December 2026.',
      effectiveAt: '2027-01-01',
    },
  ],
  resource: 'sync-record',
  _links: {
    self: {
      href: 'http://localhost:3000/v1/hr-integrations/1/syncs/2026-11-14T02%3A00/records?hrId=E-1001',
      type: 'application/json',
    },
    sync: { href: 'http://localhost:3000/v1/hr-integrations/1/syncs/2026-11-14T02%3A00', type: 'application/json' },
    employee: { href: 'http://localhost:3000/v1/employees/1', type: 'application/json' },
  },
};
