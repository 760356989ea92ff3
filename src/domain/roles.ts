import type { Role } from './enums.ts';

export const abilityNames = [
  'keys',
  'integrations',
  'syncs',
  'decisions',
  'webhooks',
  'users',
  'settings',
  'time-travel',
] as const;
export type Ability = (typeof abilityNames)[number];

/** Lists what each role may do in addition to reading. */
export const abilities = {
  admin: abilityNames,
  developer: ['keys', 'integrations', 'syncs', 'time-travel'],
  viewer: [],
} as const satisfies Record<Role, readonly Ability[]>;

export const isAble = (role: Role, ability: Ability) => (abilities[role] as readonly Ability[]).includes(ability);
