import type { Role } from './enums.ts';

/** Lists what each role may do in addition to reading. */
export const abilities = {
  admin: ['keys', 'integrations', 'syncs', 'decisions', 'users', 'settings', 'time-travel'],
  developer: ['keys', 'integrations', 'syncs', 'time-travel'],
  viewer: [],
} as const satisfies Record<Role, readonly string[]>;
export type Ability = (typeof abilities)['admin'][number];

export const isAble = (role: Role, ability: Ability) => (abilities[role] as readonly Ability[]).includes(ability);
