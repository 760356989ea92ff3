import { type Static, Type } from 'typebox';
import type { Message } from '../../domain/messages/message.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Links } from '../../platform/http/links.ts';
import { MessageSchema } from '../../platform/http/message-schema.ts';
import { Named, Nullable, NullableObject } from '../../platform/http/schemas.ts';
import { listKeyNames } from '../keys/names.ts';
import { SyncSchema } from './contract.ts';
import { presentSync } from './present.ts';
import type { SyncRow } from './store.ts';
import type { SyncTarget } from './target.ts';

/** A sync for pages in any language. */
export const ExplainedSyncSchema = Named(
  'ExplainedSync',
  Type.Object(
    {
      ...SyncSchema.properties,
      message: NullableObject(MessageSchema, 'The reason for other languages. Null: there is only the text.'),
      fileName: Nullable(Type.String(), 'The name of the file that was uploaded. Null if it was not uploaded.'),
      keyName: Nullable(Type.String(), 'The name of the key that pushed it. Null if it was not a key.'),
    },
    { additionalProperties: false },
  ),
);

/** Returns a function that presents these syncs, with the names of the keys that pushed them. */
export async function createSyncPresenter(
  db: Db,
  { companyId, hrIntegrationId }: SyncTarget,
  rows: readonly SyncRow[],
) {
  const names = await listKeyNames(db, companyId, [...new Set(rows.map((row) => row.pushed_by))]);
  return (row: SyncRow, links: Links): Static<typeof ExplainedSyncSchema> => ({
    ...presentSync(row, hrIntegrationId, links),
    message: row.message as Message | null,
    fileName: row.file_name,
    keyName: names.get(row.pushed_by) ?? null,
  });
}
