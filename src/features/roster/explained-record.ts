import { type Static, Type } from 'typebox';
import { en } from '../../domain/messages/en.ts';
import type { Message, MessageKey } from '../../domain/messages/message.ts';
import { parseRuleSentence } from '../../domain/messages/parse.ts';
import { MessageSchema } from '../../platform/http/message-schema.ts';
import { Named, NullableObject } from '../../platform/http/schemas.ts';
import { SyncRecordSchema } from './contract.ts';
import { presentRecord } from './present.ts';
import type { SyncRecordRow } from './store.ts';

const message = NullableObject(MessageSchema, 'The detail for other languages. Null: an earlier release stored it.');
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

/** Returns the message of a record that an earlier release has stored without. */
function recoverMessage({ code, detail }: Pick<SyncRecordRow, 'code' | 'detail'>): Message | null {
  const key = `record-${code}`;
  if (!(key in en)) return null;
  const holderId = /\bemployee (\d+)/.exec(detail)?.[1];
  return { key: key as MessageKey, values: holderId === undefined ? {} : { holderId } };
}

export function presentExplainedRecord(row: Omit<SyncRecordRow, 'id' | 'employee_exists'>): ExplainedRecord {
  const stored = row.reasons as { message?: Message }[];
  const { reasons, ...record } = presentRecord(row);
  return {
    ...record,
    message: (row.message as Message | null) ?? recoverMessage(row),
    reasons: reasons.map((reason, index) => ({
      ...reason,
      message: stored[index]?.message ?? parseRuleSentence(reason.detail) ?? null,
    })),
  };
}
