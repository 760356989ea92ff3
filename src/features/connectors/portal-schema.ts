import { type Static, Type } from 'typebox';
import { integrationTypes, recordOutcomes } from '../../domain/enums.ts';
import { Closed, Name } from '../../platform/http/portal/schemas.ts';
import { Enum, IdParams, maxInteger, Named, Nullable, Reference, withoutNul } from '../../platform/http/schemas.ts';
import { SyncsQuery } from '../roster/contract.ts';
import { ExplainedRecordSchema } from '../roster/explained-record.ts';
import { SyncPreviewSchema } from '../roster/preview.ts';
import { RosterSchema } from '../roster/roster-schema.ts';
import { requiredColumns, rosterColumns } from '../roster/rules/file/columns.ts';
import { columnFields } from '../roster/rules/file/headings.ts';
import { workbookType } from '../roster/rules/file/read-workbook.ts';

export const IntegrationParams = IdParams('integration');

export const NewIntegrationBody = Closed({ name: Name(100), type: Enum(integrationTypes) });

export const IntegrationStatusBody = Closed({ status: Enum(['active', 'inactive']) });

export const RecordsQuery = Type.Object({
  ...SyncsQuery.properties,
  outcomes: Type.Optional(Type.Array(Enum(recordOutcomes))),
});

export const RemovalDecisionBody = Closed({
  decision: Enum(['approved', 'rejected']),
  confirm: Type.Integer({ description: 'Repeats the number of removals.' }),
  employeeIds: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: maxInteger }), {
      minItems: 1,
      maxItems: 1_000,
      description: 'Approves the removals of these employees only. The others stay pending. Not for rejections.',
    }),
  ),
});

const { state, entries, counts, reactivated, newFees, warnings } = SyncPreviewSchema.properties;

/** A record with the name of its employee, by which users find it. */
const PreviewRecordSchema = Type.Object(
  {
    ...ExplainedRecordSchema.properties,
    name: Nullable(Type.String(), 'The name of the employee, also of one who would be created.'),
  },
  { additionalProperties: false },
);
export type PreviewRecord = Static<typeof PreviewRecordSchema>;

/** More changes than this are a first roster, which nobody reads employee by employee. */
export const maxPreviewRecords = 20_000;

export const RosterPreviewSchema = Named(
  'RosterPreview',
  Closed({
    state,
    entries,
    counts,
    reactivated,
    newFees,
    warnings,
    records: Type.Array(PreviewRecordSchema, {
      description: `At most ${maxPreviewRecords}, removals that need approval last. The counts include all records.`,
    }),
  }),
);

const ColumnFieldSchema = Enum(columnFields);

/** What the columns of a table contain, and what is suggested. */
export const RosterTableSchema = Named(
  'RosterTable',
  Closed({
    type: Enum(['text', 'workbook']),
    encoding: Nullable(Enum(['utf-8', 'utf-16le', 'windows-1252']), 'Null in an Excel file.'),
    headingRow: Type.Integer({ description: 'The row with the names of the columns, as Excel counts.' }),
    rowCount: Type.Integer({ description: 'Rows below the names of the columns, without empty ones.' }),
    columns: Type.Array(
      Closed({
        heading: Type.String(),
        field: Nullable(ColumnFieldSchema, 'What the column contains. Null: it is ignored.'),
        source: Nullable(
          Enum(['remembered', 'recognized']),
          'Whether the field is the one of the last upload, or recognised by the heading. Null: nothing is known.',
        ),
        samples: Type.Array(Type.String(), { description: 'The cells of the first rows.' }),
      }),
    ),
  }),
);

export const ignoredColumn = 'ignore';

export const UploadQuery = Type.Object({
  columns: Type.Optional(
    Type.Array(Enum([...columnFields, ignoredColumn]), {
      maxItems: 200,
      description:
        'Of a table: what each column contains, in their order. They are remembered when the roster is pushed. Without them, columns are recognised by their names.',
    }),
  ),
  leaveOut: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'Of a table: leaves out the rows with errors, if there are this many. The employees in these rows stay as they are.',
    }),
  ),
  fileName: Type.Optional(Type.String({ maxLength: 255, ...withoutNul, description: 'The name of the file.' })),
});

/** One line of a table. For the document only: the handler reads tables line by line (`read-table.ts`). */
export const RosterLineSchema = Named(
  'RosterLine',
  Type.Object(Object.fromEntries(rosterColumns.map((column) => [column, Type.String()])), {
    required: requiredColumns,
    description:
      'One row of a table below a row with the names of the columns: text separated by semicolons, commas or tabs, in UTF-8 or Windows-1252, or an Excel file (.xlsx). Columns may have the names that HR systems give them, such as `Personalnummer`, and dates may be written as `30.11.2026`. A missing column leaves the stored value unchanged, and an empty cell clears it. Absences: `2026-01-01/2026-03-31 2026-05-01/?`. An absence without a last day is open-ended, and a question mark means not approved.',
  }),
);

/** A roster as JSON. For the document only. */
export const RosterUploadSchema = Named(
  'RosterUpload',
  Type.Union([Reference(RosterSchema), RosterSchema.properties.employees], {
    description: 'The roster, or only its list of employees, which gets a syncId such as `upload-2026-11-15-3f…`.',
  }),
);

/** The bodies of both uploads by media type. A table gets a syncId as a list does. */
export const rosterUpload = {
  'application/json': { schema: Reference(RosterUploadSchema) },
  'text/csv': { schema: Type.Array(Reference(RosterLineSchema)) },
  [workbookType]: { schema: Type.String({ format: 'binary' }) },
};

/** Only of tables: JSON has no columns to choose. */
export const tableUpload = { 'text/csv': rosterUpload['text/csv'], [workbookType]: rosterUpload[workbookType] };
