import { type Role, roles } from '../domain/enums.ts';

/** Separate from the rest of the contract, so that the pages load roles and abilities without the schemas. */

export { type Role, roles };

/** Lists what each role may do in addition to reading. */
export const abilities = {
  admin: ['keys', 'integrations', 'syncs', 'decisions', 'users', 'settings', 'time-travel'],
  developer: ['keys', 'integrations', 'syncs', 'time-travel'],
  viewer: [],
} as const satisfies Record<Role, readonly string[]>;
export type Ability = (typeof abilities)['admin'][number];

export const isAble = (role: Role, ability: Ability) => (abilities[role] as readonly Ability[]).includes(ability);
