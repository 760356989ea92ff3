import { type Static, Type } from 'typebox';
import { presentBillingItem } from '../../billing/present.ts';
import type { BillingItemRow } from '../../billing/queries.ts';
import { BillingItemSchema } from '../../billing/schema.ts';
import { findCorrectionMessage } from '../../domain/billing/correction-reasons.ts';
import { MessageSchema } from '../../http/message-schema.ts';
import { Named, NullableObject } from '../../http/schemas.ts';
import type { View } from '../../http/view.ts';

/** A charge for pages in any language. */
export const ExplainedItemSchema = Named(
  'ExplainedItem',
  Type.Object(
    {
      ...BillingItemSchema.properties,
      message: NullableObject(MessageSchema, 'The reason for other languages. Null: an operator wrote it, or none.'),
    },
    { additionalProperties: false },
  ),
);

export const presentExplainedItem = (row: BillingItemRow, view: View): Static<typeof ExplainedItemSchema> => ({
  ...presentBillingItem(row, view),
  message: findCorrectionMessage(row.reason),
});
