import { type Static, Type } from 'typebox';
import { presentBillingItem } from '../../billing/present.ts';
import type { BillingItemRow } from '../../billing/queries.ts';
import { BillingItemSchema } from '../../billing/schema.ts';
import { findCorrectionMessage } from '../../domain/billing/correction-reasons.ts';
import { MessageSchema } from '../../http/message-schema.ts';
import { Named, Nullable, NullableObject } from '../../http/schemas.ts';
import type { View } from '../../http/view.ts';

/** A charge for pages in any language. */
export const ExplainedItemSchema = Named(
  'ExplainedItem',
  Type.Object(
    {
      ...BillingItemSchema.properties,
      hrIntegration: Nullable(Type.String(), 'The name of the integration that a fee is for. Null for other charges.'),
      message: NullableObject(MessageSchema, 'The reason for other languages. Null: an operator wrote it, or none.'),
    },
    { additionalProperties: false },
  ),
);

export const presentExplainedItem = (row: BillingItemRow, view: View): Static<typeof ExplainedItemSchema> => ({
  ...presentBillingItem(row, view),
  hrIntegration: row.hr_integration_name,
  message: findCorrectionMessage(row.reason),
});
