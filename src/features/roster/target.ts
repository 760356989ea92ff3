import type { Integration } from '../companies/companies.ts';

/** The integration whose roster is synced. */
export type SyncTarget = Integration;
