import { type Static, Type } from 'typebox';
import { MessageSchema } from '../../platform/http/message-schema.ts';
import { Named, Nullable, NullableObject } from '../../platform/http/schemas.ts';
import type { View } from '../../platform/http/view.ts';
import { BillingItemSchema } from './contract.ts';
import { presentBillingItem } from './present.ts';
import { findCorrectionMessage } from './rules/correction-reasons.ts';
import type { BillingItemRow } from './store.ts';

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
