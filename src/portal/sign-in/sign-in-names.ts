import type { DBAdapter, Where } from 'better-auth';

const suffix = '@user.invalid';

/**
 * Returns the name under which better-auth signs a user in. It looks users up by address, of which several companies may
 * have an account each; which of them is meant is known by then (see credentials.ts).
 */
export const signInNameOf = (userId: string) => `${userId}${suffix}`;

const byId = (where: Where): Where => {
  const { field, value } = where;
  if (field !== 'email' || typeof value !== 'string') return where;
  // An address itself finds nobody.
  return { ...where, field: 'id', value: value.endsWith(suffix) ? value.slice(0, -suffix.length) : '' };
};

/** Has better-auth look users up by id where it asks for an address. */
export const findUsersById = (adapter: DBAdapter): DBAdapter => ({
  ...adapter,
  findOne: (query) =>
    adapter.findOne(query.model === 'user' ? { ...query, where: query.where.map(byId) } : query) as never,
});
