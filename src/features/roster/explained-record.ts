import { type Static, Type } from 'typebox';
import type { Message } from '../../domain/messages/message.ts';
import { MessageSchema } from '../../platform/http/message-schema.ts';
import { Named, NullableObject } from '../../platform/http/schemas.ts';
import { SyncRecordSchema } from './contract.ts';
import { presentRecord } from './present.ts';
import type { SyncRecordRow } from './store.ts';

const message = NullableObject(MessageSchema, 'The detail for other languages. Null: there is only the text.');
const { reasons, _links, ...fields } = SyncRecordSchema.properties;

/** A record of a sync for pages in any language. */
export const ExplainedRecordSchema = Named(
  'ExplainedRecord',
  Type.Object(
    {
      ...fields,
      message,
      reasons: Type.Array(Type.Object({ ...reasons.items.properties, message }, { additionalProperties: false })),
    },
    { additionalProperties: false },
  ),
);
export type ExplainedRecord = Static<typeof ExplainedRecordSchema>;

export function presentExplainedRecord(row: Omit<SyncRecordRow, 'id' | 'employee_exists'>): ExplainedRecord {
  const stored = row.reasons as { message?: Message }[];
  const { reasons, ...record } = presentRecord(row);
  return {
    ...record,
    message: row.message as Message | null,
    reasons: reasons.map((reason, index) => ({
      ...reason,
      message: stored[index]?.message ?? null,
    })),
  };
}
