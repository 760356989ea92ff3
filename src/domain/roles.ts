import { type Permission, permissions, type Role, roles, type StoredRole } from './enums.ts';

/**
 * Which roles may do what in the portal, in addition to reading. Every route names one of these abilities, `read` or
 * `public`, so this is the only place that says which role may use which route. The guard, the menus of the pages (by
 * `abilities` in `/me`) and docs/portal-roles.md derive from it (docs/decisions/0045-roles.md).
 */
export const rolesOfAbility = {
  /** Issue, rotate and revoke API keys, and read the log of their requests. */
  keys: ['admin', 'developer'],
  /** Approve permissions of keys that their creator may not grant. */
  'key-approvals': ['admin'],
  /** Create and change HR integrations and their connections. */
  integrations: ['admin', 'developer'],
  /** Delete HR integrations, which may offboard employees. */
  'integration-deletion': ['admin'],
  /** Upload, preview and pull rosters. */
  syncs: ['admin', 'hr', 'developer'],
  /** Approve or reject removals that a sync left pending. */
  removals: ['admin', 'hr'],
  /** Decide on subscriptions and contracts of employees. */
  decisions: ['admin', 'hr'],
  /** Create and assign benefit policies, and change what employees pay. */
  policies: ['admin', 'hr'],
  /** Download documents of the company and of employees. */
  documents: ['admin', 'hr', 'payroll'],
  /** Add documents of the company itself. */
  'company-documents': ['admin'],
  /** Export, download and hand over payroll files, and their cover sheets. */
  'payroll-files': ['admin', 'payroll'],
  /** Void the latest payroll export. */
  'payroll-voids': ['admin'],
  /** Download invoices. */
  'invoice-files': ['admin', 'payroll'],
  /** Reverse charges, and keep those that should be reversed. */
  corrections: ['admin', 'payroll'],
  webhooks: ['admin', 'developer'],
  users: ['admin'],
  settings: ['admin'],
  /** See mails to employees that staging has not sent, with their links. */
  'kept-mails': ['admin', 'hr', 'developer'],
  'time-travel': ['admin', 'developer'],
} as const satisfies Record<string, readonly Role[]>;

export type Ability = keyof typeof rolesOfAbility;
export const abilityNames = Object.keys(rolesOfAbility) as Ability[];

export const isAble = (held: readonly Role[], ability: Ability) =>
  held.some((role) => (rolesOfAbility[ability] as readonly Role[]).includes(role));

export const abilitiesOf = (held: readonly Role[]) => abilityNames.filter((ability) => isAble(held, ability));

/** What a user must be able to do to grant a permission, because a key with it can download the same files. */
const abilitiesOfPermission: Record<Permission, readonly Ability[]> = {
  'view-employees': ['documents'],
  'view-hr-integrations': [],
  'view-billing': ['payroll-files', 'invoice-files'],
  'add-employees': ['syncs'],
  'update-employees': ['syncs'],
  'remove-employees': ['syncs'],
  'manage-subscriptions': ['decisions'],
  'manage-billing': ['corrections'],
};

export const grantablePermissions = (held: readonly Role[]): Permission[] =>
  permissions.filter((permission) => abilitiesOfPermission[permission].every((ability) => isAble(held, ability)));

/** Returns which permissions a key gets: those the user may grant or it has. For others, an admin approves all. */
export function planGrant(
  held: readonly Role[],
  { wanted, current }: { wanted: readonly Permission[]; current: readonly Permission[] },
): { permissions: Permission[]; requested: Permission[] | null } {
  const allowed = [...grantablePermissions(held), ...current];
  const unique = permissions.filter((permission) => wanted.includes(permission));
  const granted = unique.filter((permission) => allowed.includes(permission));
  return { permissions: granted, requested: granted.length === unique.length ? null : unique };
}

export const sortRoles = (held: readonly Role[]): Role[] => roles.filter((role) => held.includes(role));

/** Returns the one role that releases without role sets read in place of these roles. It never allows more. */
export function storedRoleOf(held: readonly Role[]): StoredRole {
  if (held.includes('admin')) return 'admin';
  return held.includes('developer') ? 'developer' : 'viewer';
}

/** Returns the roles of a row. Releases without role sets change only `role`, so the set counts if it agrees. */
export const rolesOf = ({ role, roles: held }: { role: StoredRole; roles: Role[] | null }): Role[] =>
  held !== null && storedRoleOf(held) === role ? sortRoles(held) : [role];
