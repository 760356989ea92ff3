import { type Static, Type } from 'typebox';
import { Closed } from '../../platform/http/portal/schemas.ts';
import { Enum } from '../../platform/http/schemas.ts';
import { EffectsSchema } from '../billing/contract.ts';

export const DeletionPreviewSchema = Closed({
  linked: Type.Integer({ description: 'Employees that it links.' }),
  last: Type.Integer({ description: 'Those of them that no other integration links.' }),
  effects: Closed({ keep: EffectsSchema, offboard: EffectsSchema }, 'What happens if these are kept or offboarded.'),
});
export type DeletionPreview = Static<typeof DeletionPreviewSchema>;

export const DeletionBody = Closed({
  remaining: Enum(['keep', 'offboard']),
  confirm: Type.Integer({ minimum: 0, description: 'Repeats `last` of the preview.' }),
});
export type DeletionBody = Static<typeof DeletionBody>;
