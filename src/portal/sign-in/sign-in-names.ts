import type { DBAdapter, Where } from 'better-auth';

const suffix = '@user.invalid';

/**
 * Returns the name under which better-auth signs a user in. better-auth finds users by address, but several companies
 * may each have an account for an address. By then the account is already chosen (see credentials.ts).
 */
export const signInNameOf = (userId: string) => `${userId}${suffix}`;

const byId = (where: Where): Where => {
  const { field, value } = where;
  if (field !== 'email' || typeof value !== 'string') return where;
  // An actual address matches no user.
  return { ...where, field: 'id', value: value.endsWith(suffix) ? value.slice(0, -suffix.length) : '' };
};

/** Makes better-auth find users by id where it queries by address. */
export const findUsersById = (adapter: DBAdapter): DBAdapter => ({
  ...adapter,
  findOne: (query) =>
    adapter.findOne(query.model === 'user' ? { ...query, where: query.where.map(byId) } : query) as never,
});
