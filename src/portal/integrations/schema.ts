import { Type } from 'typebox';
import { integrationTypes, recordOutcomes } from '../../domain/enums.ts';
import { requiredColumns, rosterColumns } from '../../domain/roster/csv.ts';
import { SyncPreviewSchema } from '../../hr-integrations/sync/preview.ts';
import { RosterSchema } from '../../hr-integrations/sync/roster-schema.ts';
import { SyncRecordSchema, SyncsQuery } from '../../hr-integrations/sync/schema.ts';
import { Enum, IdParams, Named, Reference } from '../../http/schemas.ts';
import { Closed, Name } from '../schemas.ts';

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
});

const { state, entries, counts, warnings } = SyncPreviewSchema.properties;

export const RosterPreviewSchema = Named(
  'RosterPreview',
  Closed({
    state,
    entries,
    counts,
    warnings,
    records: Type.Array(Reference(SyncRecordSchema), { description: 'At most 200. The counts include all records.' }),
  }),
);

/** One line of a table. For the document only: the handler reads tables line by line (`read-csv.ts`). */
export const RosterLineSchema = Named(
  'RosterLine',
  Type.Object(Object.fromEntries(rosterColumns.map((column) => [column, Type.String()])), {
    required: requiredColumns,
    description:
      'One line of a table with a header line, separated by commas or semicolons. A missing column leaves the stored value unchanged, and an empty cell clears it. Absences: `2026-01-01/2026-03-31 2026-05-01/?`. An absence without a last day is open-ended, and a question mark means not approved.',
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
};
