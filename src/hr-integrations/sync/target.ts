import type { Integration } from '../../companies.ts';

/** The integration whose roster is synced. */
export type SyncTarget = Integration;
