import type { Users } from '../../api/types.gen.ts';

export type User = Users['users'][number];
