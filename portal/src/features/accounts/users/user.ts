import type { Users } from '../../../../../src/features/accounts/users/contract.ts';

export type User = Users['users'][number];
