import { type Permission, permissions } from '../../../../src/domain/enums.ts';

/** The permissions that a key needs, all of them, to push a roster. */
const neededBySync: readonly Permission[] = ['view-employees', 'add-employees', 'update-employees', 'remove-employees'];

export const reading = permissions.filter((permission) => permission.startsWith('view-'));
export const writing = permissions.filter((permission) => !permission.startsWith('view-'));

/** Presets for users who know what the key is for but not which permissions it needs. */
export const readySets = {
  payroll: ['view-billing'],
  hrSync: ['view-hr-integrations', ...neededBySync],
  manageSubscriptions: ['view-employees', 'manage-subscriptions'],
  readEverything: reading,
} as const satisfies Record<string, readonly Permission[]>;
export type ReadySet = keyof typeof readySets;

export const isSet = (set: readonly Permission[], chosen: readonly Permission[]) =>
  set.length === chosen.length && set.every((permission) => chosen.includes(permission));

/**
 * Returns whether a key may change some of what a sync changes, but lacks a permission. Such a key cannot push a
 * roster.
 */
export const isIncompleteForSync = (chosen: readonly Permission[]) =>
  chosen.some((permission) => neededBySync.includes(permission) && writing.includes(permission)) &&
  !neededBySync.every((permission) => chosen.includes(permission));

const firstCalls: readonly (readonly [Permission, string])[] = [
  ['view-employees', '/employees?perPage=1'],
  ['view-billing', '/billing/items?perPage=1'],
  ['view-hr-integrations', '/hr-integrations'],
];

/** Returns a path that the key may request. Every key may request `/me`. */
export const firstCallOf = (chosen: readonly Permission[]) =>
  firstCalls.find(([permission]) => chosen.includes(permission))?.[1] ?? '/me';
