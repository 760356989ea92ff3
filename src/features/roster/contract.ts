import { type Static, type TSchema, Type } from 'typebox';
import { columnFields } from '../../domain/choices.ts';
import { approvalStates, recordOutcomes, syncStates } from '../../domain/enums.ts';
import { exampleLinks } from '../../platform/http/links.ts';
import { MessageSchema } from '../../platform/http/message-schema.ts';
import { pagingParameters } from '../../platform/http/paging.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import {
  Enum,
  LinkSchema,
  MoneySchema,
  maxInteger,
  Named,
  Nullable,
  NullableObject,
  PlainDate,
  Reference,
  Timestamp,
  withoutNul,
} from '../../platform/http/schemas.ts';
import { EffectsSchema } from '../billing/contract.ts';
import { warningCodes } from './rules/fields.ts';

const CountsSchema = Closed({
  created: Type.Integer({ description: 'New employees.' }),
  updated: Type.Integer({ description: 'Employees who changed.' }),
  unchanged: Type.Integer({ description: 'Entries without changes. They have no record.' }),
  offboarded: Type.Integer({ description: 'Employees missing from the roster.' }),
  held: Type.Integer({
    description: 'Removals that are pending approval, were rejected, or were replaced by a newer sync.',
  }),
  failed: Type.Integer({ description: 'Entries that could not be applied.' }),
});

const hrId = Nullable(
  Type.String(),
  "The entry's `hrId`; null if it has none, if the employee was erased since, or outside of the entries.",
);

export const SyncWarningSchema = Named(
  'SyncWarning',
  Closed({
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
    records: Type.Array(Closed({ hrId, pointer: Type.String() }), {
      maxItems: 100,
      description: 'The entries with implausible dates, at most 100. Empty for unknown fields.',
    }),
  }),
);
export type SyncWarning = Static<typeof SyncWarningSchema>;

export const SyncSchema = Named(
  'Sync',
  Closed({
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
    _links: Closed({
      self: Reference(LinkSchema),
      records: Reference(LinkSchema),
      hrIntegration: Reference(LinkSchema),
    }),
  }),
);
export type Sync = Static<typeof SyncSchema>;

export const SyncRecordSchema = Named(
  'SyncRecord',
  Closed({
    hrId: Type.String(),
    employeeId: Nullable(Type.Integer(), 'Null if the employee does not exist yet or no longer exists.'),
    outcome: Enum(recordOutcomes),
    code: Type.String({ description: 'Stable, such as `returned` or `email-taken`.', examples: ['renumbered'] }),
    detail: Type.String({ description: 'The meaning of the code in a sentence.' }),
    changes: Type.Array(
      Closed({
        field: Type.String({ examples: ['email', 'subscription.upcoming'] }),
        from: Type.Unsafe<unknown>({ description: 'Old value.' }),
        to: Type.Unsafe<unknown>({ description: 'New value.' }),
      }),
      { description: 'Every changed field with its old and new value.' },
    ),
    reasons: Type.Array(
      Closed({
        cause: Type.String({ examples: ['absence'] }),
        rule: Type.String({
          description: 'Stable id of the rule that applied.',
          examples: ['pause-after-cut-off'],
        }),
        detail: Type.String({ description: 'The rule as a sentence.' }),
        effectiveAt: Type.String({ format: 'date' }),
      }),
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
        additionalProperties: false,
        description:
          '`self` and `sync` are absent in a dry run, which is not stored; `employee` if the employee does not exist yet or no longer exists.',
      },
    ),
  }),
);
export type SyncRecord = Static<typeof SyncRecordSchema>;

const { page, perPage } = pagingParameters;
export const SyncsQuery = Type.Object({ page, perPage });
export type SyncsQuery = Static<typeof SyncsQuery>;

export const RecordsQuery = Type.Object({
  page,
  perPage,
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
    self: exampleLinks.sync(1, '2026-11-14T02:00'),
    records: exampleLinks.syncRecords(1, '2026-11-14T02:00'),
    hrIntegration: exampleLinks.hrIntegration(1),
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
    self: exampleLinks.syncRecord(1, '2026-11-14T02:00', 'E-1001'),
    sync: exampleLinks.sync(1, '2026-11-14T02:00'),
    employee: exampleLinks.employee(1),
  },
};

const message = NullableObject(
  MessageSchema,
  'The detail or reason for other languages. Null: there is only the text.',
);

const { _links: _recordLinks, ...recordFields } = SyncRecordSchema.properties;

export const ExplainedRecordSchema = Closed({
  ...recordFields,
  message,
  reasons: Type.Array(Closed({ ...SyncRecordSchema.properties.reasons.items.properties, message })),
});
export type ExplainedRecord = Static<typeof ExplainedRecordSchema>;

const effects = NullableObject(EffectsSchema, 'What it does or has done. Null: an earlier release has not counted it.');

export const ExplainedSyncSchema = Closed({
  ...SyncSchema.properties,
  message,
  fileName: Nullable(Type.String(), 'The file that was uploaded. Null if it was not uploaded.'),
  keyName: Nullable(Type.String(), 'The name of the key that pushed it. Null if it was not a key.'),
  effects,
});
export type ExplainedSync = Static<typeof ExplainedSyncSchema>;

const money = Type.Unsafe<Static<typeof MoneySchema>>(Reference(MoneySchema));

const news = {
  reactivated: Type.Integer({
    description:
      'Employees who are leaving or were removed, and would be employees again. They are counted as `updated`.',
  }),
  newFees: NullableObject(
    Closed({
      employees: Type.Integer({ description: 'Employees that no other integration links yet.' }),
      perEmployee: money,
      perMonth: money,
    }),
    'The HR integration fee that these employees would cost in addition, net, per month. Null if there is none.',
  ),
};

export const SyncPreviewSchema = Named(
  'SyncPreview',
  Closed({
    records: Type.Array(Reference(SyncRecordSchema), {
      description:
        'One record per changed or failed entry and per employee missing from the roster. Missing employees come first.',
    }),
    syncId: Type.String(),
    state: Enum(['succeeded', 'partially-failed'], { description: 'The outcome the sync would have.' }),
    entries: Type.Integer(),
    counts: SyncSchema.properties.counts,
    ...news,
    warnings: SyncSchema.properties.warnings,
    resource: Enum(['sync-preview']),
    _links: Closed({ hrIntegration: Reference(LinkSchema) }),
  }),
);

/** For the OpenAPI document and types only: bodies are checked entry by entry as they arrive (rules/entry.ts). */
export const AbsenceSchema = Type.Object({
  startDate: PlainDate('First day of the absence.'),
  endDate: Nullable(PlainDate('Last day. Null if the end is open.')),
  approved: Type.Boolean({ description: 'False if the absence was rejected or deleted in the HR system.' }),
});

const clearable = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema));

export const EntrySchema = Type.Object({
  hrId: Type.String({
    minLength: 1,
    maxLength: 255,
    description: "The employee's id in the HR system, unique within the roster.",
  }),
  firstName: Type.String({ minLength: 1, maxLength: 200 }),
  lastName: Type.String({ minLength: 1, maxLength: 200 }),
  email: Type.String({ maxLength: 254, description: 'Unique within the roster, ignoring case.' }),
  personnelNumber: clearable(
    Type.String({
      minLength: 1,
      maxLength: 50,
      description:
        'The number of the employee in payroll (Personalnummer). Left out: the rule of the company makes it of the HR id.',
    }),
  ),
  profileImage: clearable(Type.String({ description: 'HTTP or HTTPS URL of a photo.' })),
  dateOfBirth: clearable(PlainDate('Date of birth.')),
  startDate: clearable(
    PlainDate(
      'First day of employment; null: already employed. If it moves past the current month, a running subscription pauses until then.',
    ),
  ),
  terminationDate: clearable(PlainDate('Last day of employment; null if there is none.')),
  autoSyncEmployee: clearable(
    Type.Boolean({
      description: 'True subscribes the employee, false cancels the subscription, null leaves it unchanged.',
    }),
  ),
  absences: clearable(
    Type.Array(AbsenceSchema, { description: 'All absences. Null or an empty list: there are none.' }),
  ),
  group: clearable(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The group of the employee, such as a site or trainees. A benefit policy can apply to a group.',
    }),
  ),
});

const rosterExample = {
  syncId: '2026-11-14T02:00',
  employees: [
    {
      hrId: 'E-1001',
      firstName: 'Anna',
      lastName: 'Müller',
      email: 'anna.mueller@example.com',
      profileImage: null,
      dateOfBirth: '1990-04-23',
      startDate: '2024-02-01',
      terminationDate: null,
      autoSyncEmployee: true,
      absences: [{ startDate: '2026-12-01', endDate: '2027-02-28', approved: true }],
    },
  ],
};

export const RosterSchema = Named(
  'Roster',
  Type.Object(
    {
      syncId: Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Unique id of this push, such as a UUID or a timestamp.',
      }),
      employees: Type.Array(EntrySchema, {
        minItems: 1,
        description: 'Every current employee. Employees who are missing are offboarded.',
      }),
    },
    {
      description:
        'A field that is left out keeps its value; null clears it. A misspelt field name is refused with the right one; any other unknown field is ignored and reported in `warnings`.',
      examples: [rosterExample],
    },
  ),
);

export const ExplainedRecordsQuery = Type.Object({
  ...SyncsQuery.properties,
  outcomes: Type.Optional(Type.Array(Enum(recordOutcomes))),
});
export type ExplainedRecordsQuery = Static<typeof ExplainedRecordsQuery>;

export const RemovalDecisionBody = Closed({
  decision: Enum(['approved', 'rejected']),
  confirm: Type.Integer({ description: 'Repeats the number of removals.' }),
  /** Approves the removals of these employees only. The others stay pending. Not for rejections. */
  employeeIds: Type.Optional(Type.Array(id, { minItems: 1, maxItems: 1_000 })),
});
export const RemovalEffectsQuery = Type.Object({
  employeeIds: Type.Optional(
    Type.Array(id, { maxItems: 1_000, description: 'Approves these removals only. Absent: all of them.' }),
  ),
});
export type RemovalEffectsQuery = Static<typeof RemovalEffectsQuery>;

export type RemovalDecisionBody = Static<typeof RemovalDecisionBody>;

const PreviewRecordSchema = Closed({
  ...ExplainedRecordSchema.properties,
  name: Nullable(Type.String(), 'The name of the employee, also of one who would be created.'),
});
export type PreviewRecord = Static<typeof PreviewRecordSchema>;

/** More changes than this are a first roster, which nobody reads employee by employee. */
export const maxPreviewRecords = 20_000;

const { syncId: _syncId, resource: _resource, _links: _previewLinks, ...previewFields } = SyncPreviewSchema.properties;

export const RosterPreviewSchema = Closed({
  ...previewFields,
  /** At most `maxPreviewRecords`, removals that need approval last. The counts include all records. */
  records: Type.Array(PreviewRecordSchema),
  effects,
});
export type RosterPreview = Static<typeof RosterPreviewSchema>;

export const RosterTableSchema = Closed({
  type: Enum(['text', 'workbook']),
  encoding: Nullable(Enum(['utf-8', 'utf-16le', 'windows-1252']), 'Null in an Excel file.'),
  headingRow: Type.Integer({ description: 'The row with the names of the columns, as Excel counts.' }),
  rowCount: Type.Integer({ description: 'Rows below the names of the columns, without empty ones.' }),
  columns: Type.Array(
    Closed({
      heading: Type.String(),
      field: Nullable(Enum(columnFields), 'What the column contains. Null: it is ignored.'),
      source: Nullable(Enum(['remembered', 'recognized']), 'How the field is known. Null: nothing is known.'),
      samples: Type.Array(Type.String(), { description: 'The cells of the first rows.' }),
    }),
  ),
});
export type RosterTable = Static<typeof RosterTableSchema>;

export const ignoredColumn = 'ignore';

export const UploadQuery = Type.Object({
  /** What each column of a table contains. Remembered when the roster is pushed. Absent: recognised by their names. */
  columns: Type.Optional(Type.Array(Enum([...columnFields, ignoredColumn]), { maxItems: 200 })),
  /** Leaves out the rows of a table with errors, if there are this many. Their employees stay as they are. */
  leaveOut: Type.Optional(Type.Integer({ minimum: 1 })),
  fileName: Type.Optional(Type.String({ maxLength: 255, ...withoutNul })),
});
export type UploadQuery = Static<typeof UploadQuery>;

export const SyncProgressSchema = Closed({
  entries: Type.Integer({ description: 'Entries of the roster.' }),
  written: Nullable(Type.Integer(), 'Entries planned and written so far. Null: it waits, or has ended.'),
  canRetry: Type.Boolean({ description: 'It failed, and its roster is still stored.' }),
});
export type SyncProgress = Static<typeof SyncProgressSchema>;

export const PushedRosterSchema = Closed({ syncId: Type.String() });
export type PushedRoster = Static<typeof PushedRosterSchema>;
