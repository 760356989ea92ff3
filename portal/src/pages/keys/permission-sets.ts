import { type Permission, permissions } from '../../../../src/domain/enums.ts';

/** What a key must have before it can push a roster, all of it. */
const neededBySync: readonly Permission[] = ['view-employees', 'add-employees', 'update-employees', 'remove-employees'];

export const reading = permissions.filter((permission) => permission.startsWith('view-'));
export const writing = permissions.filter((permission) => !permission.startsWith('view-'));

/** For those who know what the key is for rather than what it needs. */
export const readySets = {
  payroll: ['view-billing'],
  hrSync: ['view-hr-integrations', ...neededBySync],
  readEverything: reading,
} as const satisfies Record<string, readonly Permission[]>;
export type ReadySet = keyof typeof readySets;

export const isSet = (set: readonly Permission[], chosen: readonly Permission[]) =>
  set.length === chosen.length && set.every((permission) => chosen.includes(permission));

/** Some of what a sync changes, but not all of what it needs: such a key cannot push a roster. */
export const isIncompleteForSync = (chosen: readonly Permission[]) =>
  chosen.some((permission) => writing.includes(permission)) &&
  !neededBySync.every((permission) => chosen.includes(permission));

const firstCalls: readonly (readonly [Permission, string])[] = [
  ['view-employees', '/employees?perPage=1'],
  ['view-billing', '/billing/items?perPage=1'],
  ['view-hr-integrations', '/hr-integrations'],
];

/** Something that the key may ask; every key may ask who it is. */
export const firstCallOf = (chosen: readonly Permission[]) =>
  firstCalls.find(([permission]) => chosen.includes(permission))?.[1] ?? '/me';
