import type { Users } from '../../../app/api/types.gen.ts';

export type User = Users['users'][number];
