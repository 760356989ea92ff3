import { hash } from 'node:crypto';
import type { DBAdapter, DBTransactionAdapter, Where } from 'better-auth';

const hashOf = (token: unknown) => hash('sha256', String(token), 'hex');

const isToken = ({ field }: Where) => field === 'token';

/** Replaces the session token in a better-auth query with its hash. */
const hashed = <T extends { model: string; where?: Where[] | undefined }>(query: T): T =>
  query.model === 'session' && query.where
    ? { ...query, where: query.where.map((one) => (isToken(one) ? { ...one, value: hashOf(one.value) } : one)) }
    : query;

/** Returns the session row with the token that better-auth queried by. */
const named = <T>(row: T, { model, where }: { model: string; where: Where[] }): T => {
  const token = where.find(isToken)?.value;
  return model === 'session' && row !== null && token !== undefined ? { ...row, token } : row;
};

function hashWithin(adapter: DBTransactionAdapter): DBTransactionAdapter {
  return {
    ...adapter,
    async create(row) {
      if (row.model !== 'session') return adapter.create(row);
      const { token } = row.data as { token?: unknown };
      const made = await adapter.create({ ...row, data: { ...row.data, token: hashOf(token) } });
      return { ...made, token } as never;
    },
    findOne: async (query) => named(await adapter.findOne(hashed(query)), query) as never,
    update: async (query) => named(await adapter.update(hashed(query)), query) as never,
    findMany: (query) => adapter.findMany(hashed(query)),
    count: (query) => adapter.count(hashed(query)),
    updateMany: (query) => adapter.updateMany(hashed(query)),
    delete: (query) => adapter.delete(hashed(query)),
    deleteMany: (query) => adapter.deleteMany(hashed(query)),
  };
}

/**
 * Stores each session token as its SHA-256, which is sufficient for 190 random bits. better-auth would store the token
 * itself, and a reader of the database or of a copy could use it to sign in to the portal.
 */
export const hashTokens = (adapter: DBAdapter): DBAdapter => ({
  ...adapter,
  ...hashWithin(adapter),
  transaction: (work) => adapter.transaction((trx) => work(hashWithin(trx))),
});
